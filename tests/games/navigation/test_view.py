"""What seats, the public, the omniscient and people in a terminal see; redealt states, and codes."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gridjoust.games.navigation import Navigation
from gridjoust.games.navigation.board import MOVES
from gridjoust.games.navigation.search import is_reachable
from gridjoust.games.navigation.terminal import Drawing, parse
from tests.games.navigation.scenes import Scene, scene

UNKNOWN: dict[str, Any] = {"knowledge": "unknown"}


def test_a_known_map_is_in_briefing_and_parameters_and_an_unknown_one_is_in_neither() -> None:
    known, hidden = scene("..a", "0.#"), scene("..a", "0.#", **UNKNOWN)
    told, kept = (shown.game.briefing(shown.state, 0) for shown in (known, hidden))
    assert (told["rows"], kept["rows"]) == (["...", "..@"], None)
    assert (kept["start"], kept["goal"], kept["size"]) == ([0, 1], [2, 0], [3, 2])
    assert ("map" in kept["params"], kept["params"]["knowledge"]) == (False, "unknown")
    assert [shown.game.public_params["map"] for shown in (known, hidden)] == ["..a\n0.#", ""]
    assert [shown.game.spec.perfect_information for shown in (known, hidden)] == [True, False]


def test_the_public_sees_a_known_board_and_all_robots() -> None:
    shown = scene("0#", ".a").play("S")
    assert shown.game.public_view(shown.state) == {
        "step": 1,
        "size": [2, 2],
        "rows": [".@", ".."],
        "robots": [{"seat": 0, "status": "walking", "cost": 1, "steps": 1, "position": [0, 1], "goal": [1, 1]}],
    }


def test_of_an_unknown_one_it_sees_what_a_single_seat_has_seen_and_of_several_no_place() -> None:
    shown = scene("0#.", "..a", **UNKNOWN)
    assert shown.game.public_view(shown.state)["rows"] == [".@?", "..?"]
    shown = scene("0#.", "..a", seats=2, **UNKNOWN)
    assert shown.game.public_view(shown.state) == {
        "step": 0,
        "size": [3, 2],
        "robots": [{"seat": seat, "status": "walking", "cost": 0, "steps": 0} for seat in (0, 1)],
    }


def test_large_boards_are_left_out_of_the_public_view() -> None:
    large, small = (Navigation({"width": width, "height": 64}) for width in (65, 64))
    assert large.public_view(large.initial_state(1))["rows"] is None
    assert len(small.public_view(small.initial_state(1))["rows"]) == 64


def test_the_omniscient_see_the_true_board() -> None:
    shown = scene("0#.", "..a", **UNKNOWN)
    assert shown.game.render(shown.state) == "step 0\n0@.\n..a\nseat 0: walking at (0, 0), cost 0"


def test_what_a_seat_is_told_of_itself() -> None:
    itself = {"step": 1, "seat": 0, "position": [1, 0], "goal": [2, 0], "status": "walking", "cost": 1, "steps": 1}
    view = scene("0.a").play("E").view()
    assert {key: view[key] for key in itself} == itself


def test_a_redeal_draws_the_unseen_cells_anew_and_keeps_a_promised_way() -> None:
    game = Navigation({"density": 0.4, "width": 10, "height": 10, **UNKNOWN})
    state = game.initial_state(1)
    assert len({game.redeal(state, 0, random.Random(seed)).board for seed in range(5)}) == 5
    for seed in range(20):
        twin = game.redeal(game.initial_state(seed), 0, random.Random(seed))
        assert is_reachable(twin.board, MOVES["8"], twin.robots[0].cell, twin.robots[0].goal)


PLAIN, HIDDEN, LONG = scene("0.", ".a"), scene("0.", ".a", **UNKNOWN), scene("0....a", batch=True, seats=2)
TWINS: dict[str, tuple[Scene, Scene]] = {
    **{name: (PLAIN, PLAIN.change(**{name: value})) for name, value in {"step": 5, "mover": 1, "seed": 2}.items()},
    **{
        f"robot's {name}": (HIDDEN, HIDDEN.change_one("robots", 0, **{name: value}))
        for name, value in {
            "cell": 1, "waits": 1, "turns": 1, "memory": b"\2\1\1\1", "news": ((1, True),), "goal": 2
        }.items()
    },
    "what is left of a path": (LONG.play("path E E"), LONG.play("path E E E")),
}  # fmt: skip


@pytest.mark.parametrize(("one", "other"), TWINS.values(), ids=TWINS)
def test_in_the_code_is_every(one: Scene, other: Scene) -> None:
    assert one.game.encode(one.state) != one.game.encode(other.state)


def test_the_game_loads_without_numpy() -> None:
    code = "import sys, gridjoust.games.navigation; sys.exit('numpy' in sys.modules)"
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=root).returncode == 0


def drawn(shown: Scene, *answers: str) -> str:
    """The last drawing of a robot that answers so."""
    drawing = Drawing(shown.game.briefing(shown.state, 0))
    last = drawing(shown.view())
    for count in range(1, len(answers) + 1):
        last = drawing(shown.play(*answers[:count]).view())
    return last


def walk(**params: Any) -> Scene:
    return scene("0...", ".##.", "...a", connectivity="4", **params)


DRAWINGS = {
    "a known map, whole": (walk(), "", "@...\n.##.\n...x\nat 0,0, goal 3,2, cost so far 0"),
    "an unknown one as far as it was sensed": (
        walk(**UNKNOWN), "", "@.??\n.???\n???x\nat 0,0, goal 3,2, cost so far 0",
    ),
    "and what was sensed earlier": (walk(**UNKNOWN), "EE", "..@.\n.##?\n???x\nat 2,0, goal 3,2, cost so far 2"),
    "another robot": (scene("0.1a", "...b", seats=2, shared=True), "", "@.ox\n....\nat 0,0, goal 3,0, cost so far 0"),
}  # fmt: skip


@pytest.mark.parametrize(("shown", "answers", "expected"), DRAWINGS.values(), ids=DRAWINGS)
def test_what_is_drawn_in_a_terminal(shown: Scene, answers: str, expected: str) -> None:
    assert drawn(shown, *answers) == expected


def test_a_large_map_is_drawn_around_the_robot() -> None:
    lines = drawn(scene(*["." * 200] * 100, start="100,50", goal="0,0")).splitlines()
    assert [len(line) for line in lines[:-1]] == [76] * 24
    assert lines[12][38] == "@"


TYPED = {"w": "N", "d": "E", "": "wait", "l": "wait", "E": "E", "N N E": "N N E"}  # a path may be typed


@pytest.mark.parametrize(("line", "action"), TYPED.items())
def test_what_may_be_typed(line: str, action: str) -> None:
    assert parse(line, {}, ["wait", "N", "E"]) == action


def test_a_key_that_does_not_go_now_is_explained() -> None:
    with pytest.raises(ValueError, match="got 's'; legal now: wait, N, E"):
        parse("s", {}, ["wait", "N", "E"])
