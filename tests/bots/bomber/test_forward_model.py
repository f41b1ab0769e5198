"""The forward model against the rules, and what it thinks of situations."""

from __future__ import annotations

import random
from dataclasses import replace

from bots.bomber.forward_model import ForwardModel
from games.api import Turn
from games.bomber import Bomber
from games.bomber.actions import ACTIONS, Action
from games.bomber.state import State
from tests.games.bomber.scenes import Scene, scene

LATER = 10**9


def model_of(shown: Scene) -> ForwardModel:
    return ForwardModel(shown.game.rules, 0)


def worth(shown: Scene) -> float:
    return model_of(shown).worth(shown.state)


def names(shown: Scene) -> set[str]:
    return {action.value for action in model_of(shown).actions(shown.state)}


def without_spawns(state: State) -> State:
    return replace(state, ammo_due=(), treasure_due=LATER)


def test_model_plays_as_the_rules_do_but_for_what_is_drawn() -> None:
    game = Bomber({"width": 8, "height": 7, "metal": 6, "soft": 12, "player_hp": 50, "bomb_ticks": 6})
    for seed in range(20):
        rng = random.Random(seed)
        state = without_spawns(game.initial_state(seed))
        model = ForwardModel(game.rules, 0)
        for _ in range(60):
            action = rng.choice(ACTIONS)
            ruled = game.apply(state, Turn({0: action, 1: Action.WAIT}, state.tick))
            assert model.play(state, action) == ruled
            state = without_spawns(ruled)


def test_actions_are_the_free_moves_and_waiting() -> None:
    assert names(scene(".s.", ".01", ".#.", ammo=(0, 3))) == {"left", "wait"}


def test_bomb_is_offered_only_where_it_pays_and_leaves_a_way_out() -> None:
    assert "bomb" in names(scene("s0...", "##.##", "1....", "#...#"))
    assert "bomb" not in names(scene("s0.##", "#####", "1....", "#...#"))
    assert "bomb" not in names(scene(".0...", "##.##", "1....", "#...#"))


def test_dead_figure_does_nothing() -> None:
    shown = scene("0..", "..1")
    dead = shown.change(players=(shown.player(0)._replace(hp=0, died_tick=0), shown.player(1)))
    assert names(dead) == set()


def test_nearer_to_a_target_is_better() -> None:
    assert worth(scene("a.0..", "#####", "1....")) > worth(scene("a..0.", "#####", "1...."))


def test_target_reached_is_better_than_target_in_reach() -> None:
    for ammo in (0, 1, 2, 5):
        shown = scene("a0...", "#####", "1....", ammo=(ammo, 3))
        assert worth(shown.play("left wait")) > worth(shown)


def test_bomb_laid_and_left_is_better_than_a_bomb_to_lay() -> None:
    for ammo in (1, 2, 5):
        shown = scene("s0...", "##.##", "1....", ".....", "#...#", "#####", "ssss#", ammo=(ammo, 3))
        assert worth(shown.play("bomb wait", "right wait", "down wait")) > worth(shown.wait(3))


def test_bomb_that_takes_nothing_is_worse_than_the_ammo() -> None:
    shown = scene("..0..", "##.##", "1....", "#...#")
    assert worth(shown.play("bomb wait")) < worth(shown)


def test_second_bomb_on_a_doomed_block_pays_nothing_more() -> None:
    board = ("s0..#", "..#..", "...1.", ".....")
    once = worth(scene(*board, bombs=[(1, 0, 0, 20)]))
    twice = worth(scene(*board, bombs=[(1, 0, 0, 20), (0, 1, 0, 20)]))
    assert twice <= once


def test_sooner_pay_is_better() -> None:
    board = ("s0..#", "..#..", "...1.", ".....")
    assert worth(scene(*board, bombs=[(1, 0, 0, 5)])) > worth(scene(*board, bombs=[(1, 0, 0, 20)]))


def test_rivals_bomb_pays_nothing() -> None:
    board = ("s.0.#", "..#..", "...1.", ".....")
    assert worth(scene(*board, bombs=[(1, 0, 0, 5)])) > worth(scene(*board, bombs=[(1, 0, 1, 5)]))


def test_hp_lost_weighs_more_than_any_target() -> None:
    shown = scene("a0...", "#####", "1....", fires=[(0, 0, 1)])
    assert worth(shown.play("left wait")) < worth(shown.play("wait wait"))
