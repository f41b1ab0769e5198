"""What a bot holds to be true of the map, against the true one."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gridjoust.bots.match import make_setup
from gridjoust.bots.navigation.walker import Belief
from gridjoust.games.navigation import Navigation
from gridjoust.games.play import moments
from tests.games.navigation.scenes import Scene, scene

HIDDEN: dict[str, Any] = {"knowledge": "unknown"}


def belief_of(shown: Scene) -> Belief:
    return Belief(make_setup(shown.game, shown.state, seats=(0,)), 0)


def blocked_in(belief: Belief) -> list[tuple[int, int]]:
    return [belief.grid.place(cell) for cell in range(belief.grid.size) if belief.grid.is_blocked(cell)]


BELIEVED: dict[str, tuple[Scene, bool, list[tuple[int, int]]]] = {
    "a known map from the start": (scene("0#.", "..a"), False, [(1, 0)]),
    "unseen cells for free": (scene("0#.", "..a", **HIDDEN), False, []),
    "the first look around": (scene("0#.", "..a", **HIDDEN), True, [(1, 0)]),
    "what is in sight of who joins late": (scene("0#.", "..a", **HIDDEN).play("wait"), True, [(1, 0)]),
}


@pytest.mark.parametrize(("shown", "has_looked", "expected"), BELIEVED.values(), ids=BELIEVED)
def test_what_is_believed(shown: Scene, has_looked: bool, expected: list[tuple[int, int]]) -> None:
    belief = belief_of(shown)
    if has_looked:
        belief.update(shown.view())
    assert blocked_in(belief) == expected


def test_an_update_tells_which_arcs_changed_and_nothing_new_changes_none() -> None:
    shown = scene("0#.", "..a", connectivity="4", **HIDDEN)
    belief = belief_of(shown)
    arcs = {(change.tail, change.head) for change in belief.update(shown.view())}
    assert arcs == {(0, 1), (1, 0), (1, 2), (2, 1), (1, 4), (4, 1)}
    assert belief.update(shown.play("S").view()) == []


@pytest.mark.parametrize("opens_again", [False, True])
def test_the_own_cell_is_taken_for_free_though_it_closed_and_once_left_is_blocked(opens_again: bool) -> None:
    shown = scene("0..", "..a", **HIDDEN)
    belief = belief_of(shown)
    belief.update(shown.view())
    shown = shown.play("E").flip((1, 0)).play("wait")
    belief.update(shown.view() | {"news": [[1, 0, 1]], "sensed": [[1, 0]]})
    assert blocked_in(belief) == []
    if opens_again:
        belief.update(shown.view() | {"news": [[1, 0, 0]], "sensed": []})
    left = shown.play("E").view() | {"news": []}
    belief.update({**left, "sensed": []} if opens_again else left)
    assert blocked_in(belief) == ([] if opens_again else [(1, 0)])


def test_forgetting_frees_what_is_out_of_sight_until_it_is_seen_again() -> None:
    shown = scene("0#....", ".....a", **HIDDEN)
    belief = belief_of(shown)
    belief.update(shown.view())
    assert (belief.forget(), blocked_in(belief)) == ([], [(1, 0)])  # it is in sight
    shown = shown.play("S", "E", "E", "E")
    belief.update(shown.view())
    assert {change.new for change in belief.forget()} == {1, belief.grid.diagonal_cost}
    assert blocked_in(belief) == []
    belief.update(shown.play("W").view())
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
