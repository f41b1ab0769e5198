"""The bots that anything must beat."""

from __future__ import annotations

import random

from bots.api import Observation
from bots.bomber.wanderer import Wanderer
from bots.random_bot import RandomBot
from tests.games.bomber.scenes import Scene, scene


def wanderer_answers(shown: Scene, count: int = 60) -> set[str]:
    bot = Wanderer()
    bot.rng = random.Random(1)
    view = shown.game.observation(shown.state, 0)
    return {bot.act(Observation(seat=0, turn=0, view=view, legal=[])) for _ in range(count)}


def test_random_bot_draws_every_legal_action() -> None:
    bot = RandomBot()
    bot.rng = random.Random(1)
    observation = Observation(seat=0, turn=0, view={}, legal=["a", "b", "c"])
    assert {bot.act(observation) for _ in range(50)} == {"a", "b", "c"}


def test_random_bot_repeats_with_the_same_seed() -> None:
    answers = []
    for _ in range(2):
        bot = RandomBot()
        bot.rng = random.Random(7)
        answers.append([bot.act(Observation(seat=0, turn=n, view={}, legal=["a", "b", "c"])) for n in range(20)])
    assert answers[0] == answers[1]


def test_wanderer_goes_to_every_free_neighbour_and_nowhere_else() -> None:
    assert wanderer_answers(scene(".s.", ".0.", "#.1")) == {"left", "right", "down"}


def test_wanderer_avoids_bombs_and_figures() -> None:
    assert wanderer_answers(scene("...", ".01", "...", bombs=[(1, 0, 1, 9), (0, 1, 1, 9)])) == {"down"}


def test_wanderer_waits_where_nothing_is_free() -> None:
    assert wanderer_answers(scene("#0#", ".#1")) == {"wait"}
