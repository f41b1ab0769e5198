"""Navigation in a terminal: what is drawn, what may be typed."""

import pytest

from games.api import ParamValue, Turn
from games.navigation import Navigation
from games.navigation.terminal import Drawing, parse

MAP = "\n".join(["....", ".##.", "...."])
LEGAL = ["wait", "N", "E"]


def played(actions: list[str], **params: ParamValue) -> str:
    """The last drawing of a robot that answers so, from 0,0 to 3,2."""
    game = Navigation({"map": MAP, "start": "0,0", "goal": "3,2", "connectivity": "4", **params})
    state = game.initial_state(1)
    drawing = Drawing(game.briefing(state, 0))
    drawn = drawing(game.observation(state, 0))
    for number, action in enumerate(actions, 1):
        state = game.apply(state, Turn({0: game.parse_action(action)}, number))
        drawn = drawing(game.observation(state, 0))
    return drawn


def test_a_known_map_is_drawn_whole() -> None:
    assert played([]) == "@...\n.##.\n...x\nat 0,0, goal 3,2, cost so far 0"


def test_an_unknown_map_is_drawn_as_far_as_it_was_sensed() -> None:
    assert played([], knowledge="unknown") == "@.??\n.???\n???x\nat 0,0, goal 3,2, cost so far 0"


def test_what_was_sensed_earlier_stays_drawn() -> None:
    assert played(["E", "E"], knowledge="unknown") == "..@.\n.##?\n???x\nat 2,0, goal 3,2, cost so far 2"


def test_another_robot_is_drawn_where_it_is_known_to_be() -> None:
    game = Navigation({"map": "....", "shared": True, "start": "0,0 2,0", "goal": "3,0 0,0"}, seats=2)
    state = game.initial_state(1)
    assert Drawing(game.briefing(state, 0))(game.observation(state, 0)).startswith("@.ox\n")


def test_a_large_map_is_drawn_around_the_robot() -> None:
    rows = "\n".join(["." * 200] * 100)
    game = Navigation({"map": rows, "start": "100,50", "goal": "0,0"})
    state = game.initial_state(1)
    drawn = Drawing(game.briefing(state, 0))(game.observation(state, 0)).splitlines()
    assert [len(line) for line in drawn[:-1]] == [76] * 24
    assert drawn[12][38] == "@"


@pytest.mark.parametrize(("line", "action"), [("w", "N"), ("d", "E"), ("", "wait"), ("l", "wait"), ("E", "E")])
def test_a_key_is_an_action(line: str, action: str) -> None:
    assert parse(line, {}, LEGAL) == action


def test_a_path_may_be_typed_where_it_is_allowed() -> None:
    assert parse("N N E", {}, LEGAL) == "N N E"


def test_a_key_that_does_not_go_now_is_explained() -> None:
    with pytest.raises(ValueError, match="got 's'; legal now: wait, N, E"):
        parse("s", {}, LEGAL)
