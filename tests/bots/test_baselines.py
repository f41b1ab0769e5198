"""The bots that anything must beat."""

from __future__ import annotations

import random

import pytest

from gridjoust.bots.api import Observation
from gridjoust.bots.bomber.floor import Fugitive
from gridjoust.bots.bomber.wanderer import Idle, Wanderer
from gridjoust.bots.random_bot import RandomBot
from tests.bots.bomber.seats import answer
from tests.games.bomber.scenes import Scene, scene


def random_answers(seed: int) -> list[str]:
    bot = RandomBot()
    bot.rng = random.Random(seed)
    return [bot.act(Observation(seat=0, turn=n, view={}, legal=["a", "b", "c"])) for n in range(50)]


def test_random_bot_draws_every_legal_action_and_repeats_with_the_same_seed() -> None:
    assert set(random_answers(1)) == {"a", "b", "c"}
    assert random_answers(7) == random_answers(7)


@pytest.mark.parametrize(
    ("shown", "answers"),
    [
        pytest.param(scene(".s.", ".0.", "#.1"), {"left", "right", "down"}, id="every free neighbour, nowhere else"),
        pytest.param(
            scene("...", ".01", "...", bombs=[(1, 0, 1, 9), (0, 1, 1, 9)]), {"down"}, id="not into bombs and figures"
        ),
        pytest.param(scene("#0#", ".#1"), {"wait"}, id="nothing is free"),
    ],
)
def test_where_a_wanderer_goes(shown: Scene, answers: set[str]) -> None:
    bot = Wanderer()
    bot.rng = random.Random(1)
    view = shown.game.observation(shown.state, 0)
    assert {bot.act(Observation(seat=0, turn=0, view=view, legal=[])) for _ in range(60)} == answers


@pytest.mark.parametrize(
    ("shown", "action"),
    [
        pytest.param(scene("#01..", "#...."), "down", id="away from a rival, round a wall"),
        pytest.param(scene("0...1"), "wait", id="not out of a corner"),
        pytest.param(scene("..0..", ".....", "....1", bombs=[(2, 0, 1, 1)]), "left", id="out of fire, whoever is near"),
    ],
)
def test_a_fugitive_goes_away_from_rivals_and_fire_and_lays_no_bomb(shown: Scene, action: str) -> None:
    assert answer(shown, Fugitive()) == action


def test_an_idle_bot_waits_in_a_fire_too() -> None:
    assert answer(scene("0...1", bombs=[(0, 0, 1, 1)]), Idle()) == "wait"
