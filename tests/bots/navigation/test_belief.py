"""What a bot holds to be true of the map, against the true one."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bots.match import make_setup
from bots.navigation.belief import Belief
from games.navigation import Navigation
from games.play import moments
from tests.games.navigation.scenes import Scene, scene

HIDDEN: dict[str, Any] = {"knowledge": "unknown"}


def belief_of(shown: Scene) -> Belief:
    return Belief(make_setup(shown.game, shown.state, seats=(0,)), 0)


def blocked_in(belief: Belief) -> list[tuple[int, int]]:
    return [belief.grid.place(cell) for cell in range(belief.grid.size) if belief.grid.is_blocked(cell)]


def test_a_known_map_is_believed_from_the_start() -> None:
    assert blocked_in(belief_of(scene("0#.", "..a"))) == [(1, 0)]


def test_unseen_cells_are_taken_for_free() -> None:
    assert blocked_in(belief_of(scene("0#.", "..a", **HIDDEN))) == []


def test_the_first_look_around_is_taken_in() -> None:
    shown = scene("0#.", "..a", **HIDDEN)
    belief = belief_of(shown)
    belief.update(shown.view())
    assert blocked_in(belief) == [(1, 0)]


def test_an_update_tells_which_arcs_changed() -> None:
    shown = scene("0#.", "..a", connectivity="4", **HIDDEN)
    belief = belief_of(shown)
    arcs = {(change.tail, change.head) for change in belief.update(shown.view())}
    assert arcs == {(0, 1), (1, 0), (1, 2), (2, 1), (1, 4), (4, 1)}


def test_nothing_new_changes_no_arcs() -> None:
    shown = scene("0#.", "..a", **HIDDEN)
    belief = belief_of(shown)
    belief.update(shown.view())
    assert belief.update(shown.play("S").view()) == []


def test_who_joins_late_believes_what_is_in_sight() -> None:
    shown = scene("0#.", "..a", **HIDDEN).play("wait")
    belief = belief_of(shown)
    belief.update(shown.view())
    assert blocked_in(belief) == [(1, 0)]


def closed_below() -> tuple[Belief, Scene]:
    """The robot has stepped on (1, 0), which then closed."""
    shown = scene("0..", "..a", **HIDDEN)
    belief = belief_of(shown)
    belief.update(shown.view())
    shown = shown.play("E").flip((1, 0)).play("wait")
    view = shown.view() | {"news": [[1, 0, 1]], "sensed": [[1, 0]]}
    belief.update(view)
    return belief, shown


def test_the_own_cell_is_taken_for_free_though_it_closed() -> None:
    belief, _ = closed_below()
    assert blocked_in(belief) == []


def test_once_left_it_is_blocked() -> None:
    belief, shown = closed_below()
    belief.update(shown.play("E").view() | {"news": []})
    assert blocked_in(belief) == [(1, 0)]


def test_unless_it_has_opened_again() -> None:
    belief, shown = closed_below()
    belief.update(shown.view() | {"news": [[1, 0, 0]], "sensed": []})
    belief.update(shown.play("E").view() | {"news": [], "sensed": []})
    assert blocked_in(belief) == []


def test_forgetting_frees_what_is_out_of_sight() -> None:
    shown = scene("0#....", ".....a", **HIDDEN)
    belief = belief_of(shown)
    belief.update(shown.view())
    belief.update(shown.play("S", "E", "E", "E").view())
    assert {change.new for change in belief.forget()} == {1, belief.grid.diagonal_cost}
    assert blocked_in(belief) == []


def test_forgetting_keeps_what_is_in_sight() -> None:
    shown = scene("0#.", "..a", **HIDDEN)
    belief = belief_of(shown)
    belief.update(shown.view())
    assert belief.forget() == []
    assert blocked_in(belief) == [(1, 0)]


def test_what_was_forgotten_is_believed_again_when_seen() -> None:
    shown = scene("0#....", ".....a", **HIDDEN)
    belief = belief_of(shown)
    belief.update(shown.view())
    belief.update(shown.play("S", "E", "E", "E").view())
    belief.forget()
    belief.update(shown.play("S", "E", "E", "E", "W").view())
    assert blocked_in(belief) == [(1, 0)]


@pytest.mark.parametrize("sensor", [1, 3])
@pytest.mark.parametrize("connectivity", ["4", "8", "8-unit"])
def test_in_sight_the_belief_is_always_true(connectivity: str, sensor: int) -> None:
    params: dict[str, Any] = {"sensor": sensor, "connectivity": connectivity, "changes": 10, "change_every": 2}
    game = Navigation({**params, "knowledge": "unknown", "density": 0.3, "width": 10, "height": 10, "max_turns": 60})
    rng = random.Random(1)
    for seed in range(5):
        belief = Belief(make_setup(game, game.initial_state(seed), seats=(0,)), 0)
        *before_turns, _ = moments(game, lambda state, seat: rng.choice(game.legal_actions(state, seat)), seed=seed)
        for state, _ in before_turns:
            view = game.observation(state, 0)
            belief.update(view)
            sensed = {belief.grid.index(*place) for place in view["sensed"]} - {belief.here}
            assert all(belief.grid.is_blocked(cell) for cell in sensed)
            free = [cell for cell in belief.grid.neighbours[belief.here] if cell in sensed]
            assert free == []
            legal = {str(action) for action in game.legal_actions(state, 0)}
            steps = {belief.heading(belief.here, cell).name for cell in belief.grid.neighbours[belief.here]}
            assert legal == steps | {"wait"}
            if rng.random() < 0.1:
                belief.forget()
