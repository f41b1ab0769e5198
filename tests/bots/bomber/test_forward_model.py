"""The forward model against the rules, and what it thinks of situations."""

from __future__ import annotations

import random

import pytest

from gridjoust.bots.bomber.forward_model import ForwardModel
from gridjoust.games.api import Turn
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.actions import ACTIONS, Action
from gridjoust.games.bomber.state import State
from tests.bots.bomber.seats import situation
from tests.games.bomber.scenes import Scene, scene

LATER = 10**9


def worth(shown: Scene) -> float:
    return ForwardModel(situation(shown)).worth(shown.state)


def without_spawns(state: State) -> State:
    return state._replace(ammo_due=(), treasure_due=LATER)


def without_near_misses(ruled: State, before: State) -> State:
    """What is only counted is left out of the model."""
    pairs = zip(ruled.players, before.players, strict=True)
    counted = [own._replace(near_misses=old.near_misses, traps=old.traps) for own, old in pairs]
    return ruled._replace(players=tuple(counted))


def test_model_plays_as_the_rules_do_but_for_what_is_drawn() -> None:
    game = Bomber(
        {"preset": "coderone", "width": 8, "height": 7, "metal": 6, "soft": 12, "player_hp": 50, "bomb_ticks": 6}
    )
    for seed in range(20):
        rng = random.Random(seed)
        state = without_spawns(game.initial_state(seed))
        model = ForwardModel(situation(Scene(game, state)))
        for _ in range(60):
            action = rng.choice(ACTIONS)
            ruled = game.apply(state, Turn({0: action, 1: Action.WAIT}, state.tick))
            assert model.play(state, action) == without_near_misses(ruled, state)
            state = without_spawns(ruled)


OFFERED = {
    "free moves and waiting": (scene(".s.", ".01", ".#.", ammo=(0, 3)), {"left", "wait"}),
    "a bomb where it pays and leaves a way out": (scene("s0...", "##.##", "1....", "#...#"), {"bomb", "right", "wait"}),
    "no bomb without a way out": (scene("s0.##", "#####", "1....", "#...#"), {"right", "wait"}),
    "no bomb that does not pay": (scene(".0...", "##.##", "1....", "#...#"), {"left", "right", "wait"}),
    "nothing for the dead": (scene("0.1.2", fires=[(0, 0, 1)], hp=[1, 3, 3]).wait(), set[str]()),
}


@pytest.mark.parametrize(("shown", "expected"), OFFERED.values(), ids=OFFERED)
def test_actions(shown: Scene, expected: set[str]) -> None:
    assert set(ForwardModel(situation(shown)).actions(shown.state)) == expected


def test_target_is_better_the_nearer_it_is_and_best_when_it_is_reached() -> None:
    assert worth(scene("a.0..", "#####", "1....")) > worth(scene("a..0.", "#####", "1...."))
    for ammo in (0, 1, 2, 5):
        shown = scene("a0...", "#####", "1....", ammo=(ammo, 3))
        assert worth(shown.play("left wait")) > worth(shown)


def test_bomb_laid_and_left_is_better_than_a_bomb_to_lay_unless_it_takes_nothing() -> None:
    for ammo in (1, 2, 5):
        shown = scene("s0...", "##.##", ".....", ".....", "#...#", "#####", "ssss1", ammo=(ammo, 3))
        assert worth(shown.play("bomb wait", "right wait", "down wait")) > worth(shown.wait(3))
    useless = scene("..0..", "##.##", "1....", "#...#")
    assert worth(useless.play("bomb wait")) < worth(useless)


def test_pay_is_better_sooner_counts_once_a_block_and_never_for_a_rivals_bomb() -> None:
    board = ("s0..##", "..#..#", ".....#", "....#1")
    soon, late, twice, theirs = (
        worth(scene(*board, bombs=bombs))
        for bombs in ([(1, 0, 0, 5)], [(1, 0, 0, 20)], [(1, 0, 0, 20), (0, 1, 0, 20)], [(1, 0, 1, 5)])
    )
    assert soon > late >= twice
    assert soon > theirs


def test_hp_lost_weighs_more_than_any_target() -> None:
    shown = scene("a0...", "#####", "1....", fires=[(0, 0, 1)])
    assert worth(shown.play("left wait")) < worth(shown.play("wait wait"))
