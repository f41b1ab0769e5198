"""What sets the Gambit bot apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gridjoust.bots.api import Bot
from gridjoust.bots.bomber.gambit import Gambit
from gridjoust.bots.bomber.wanderer import Wanderer
from gridjoust.bots.random_bot import RandomBot
from tests.bots.bomber.seats import answer, asked, duel, played_with_gaps, seated
from tests.games.bomber.scenes import scene

MATCHES = 20
WINS_AT_LEAST = 17


def test_ties_are_drawn_unless_the_lowest_own_cell_is_to_be_kept() -> None:
    shown = scene(".....", ".....", "..0..", ".....", ".....", "#####", "1....", "#####", "sssss", "sssss")
    assert len({answer(shown, Gambit(), seed=seed) for seed in range(30)}) > 3
    assert {answer(shown, Gambit(stay_when_lowest=True), seed=seed) for seed in range(20)} == {"wait"}


def test_bomb_gone_from_view_is_still_fled_by_the_maps() -> None:
    shown = scene("0.a...", "######", "1.....", bombs=[(3, 0, 1, 1)], ammo=(0, 3))
    bot = seated(Gambit(safe_escape=False), shown)
    asked(bot, shown)
    assert answer(shown.wait(), Gambit(safe_escape=False)) == "right"
    assert asked(bot, shown.wait()) == "wait"


def test_place_of_a_bomb_without_a_way_out_is_no_target_for_a_while() -> None:
    shown = scene("s0.#", "####", "1...")
    bot = seated(Gambit(), shown)
    asked(bot, shown)
    assert "right" in {asked(bot, shown.wait(ticks)) for ticks in range(1, 15)}


def test_only_the_faithful_bot_skips_two_turns_for_a_move_that_was_not_done() -> None:
    shown = scene("s...0", "#####", "1....")
    faithful, usual = seated(Gambit(faithful=True), shown), seated(Gambit(), shown)
    assert [asked(faithful, shown.wait(ticks)) for ticks in range(4)] == ["left", "wait", "wait", "left"]
    assert [asked(usual, shown.wait(ticks)) for ticks in range(2)] == ["left", "left"]


@pytest.mark.gate
@pytest.mark.parametrize("opponent", [pytest.param(RandomBot, marks=pytest.mark.gate), Wanderer])
def test_gambit_wins_nearly_every_match_of_the_sample(opponent: Callable[[], Bot]) -> None:
    duels = [duel(Gambit, opponent, number) for number in range(MATCHES)]
    assert sum(returns == 1 for returns, _ in duels) >= WINS_AT_LEAST
    assert sum(metrics["own_hits"] for _, metrics in duels) == 0


@pytest.mark.gate
def test_gambit_is_safe_when_it_misses_every_seventh_tick() -> None:
    own = [played_with_gaps(Gambit(), seed=seed).player(0) for seed in range(3)]
    assert [(player.own_hits, player.ammo_used > 2) for player in own] == [(0, True)] * 3
