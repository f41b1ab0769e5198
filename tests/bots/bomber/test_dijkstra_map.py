"""The Gambit bot on drawn boards and in whole matches."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bots.api import Bot, SearchStats
from bots.bomber.dijkstra_map import Gambit
from bots.bomber.safety import Safety
from bots.bomber.wanderer import Wanderer
from bots.random_bot import RandomBot
from tests.bots.bomber.seats import asked, duel, played, played_with_gaps, seated
from tests.games.bomber.scenes import Scene, scene

MATCHES = 20
WINS_AT_LEAST = 17


def answer(shown: Scene, bot: Gambit | None = None, *, seed: int = 0) -> str:
    return asked(seated(bot or Gambit(), shown, seed=seed), shown)


def followed(bot: Gambit, shown: Scene, ticks: int) -> Scene:
    """The bot plays seat 0, the other seat waits."""
    seated(bot, shown)
    for _ in range(ticks):
        shown = shown.play(f"{asked(bot, shown)} wait")
    return shown


BOTH = pytest.mark.parametrize("make", [Gambit, lambda: Gambit(faithful=True)], ids=["safe", "faithful"])


@BOTH
def test_bomb_is_laid_beside_a_soft_block_with_a_way_out(make: Callable[[], Gambit]) -> None:
    assert answer(scene("s0...", "##.##", "1....", "#...#"), make()) == "bomb"


@BOTH
def test_no_bomb_is_laid_in_a_dead_end(make: Callable[[], Gambit]) -> None:
    assert answer(scene("s0.#", "####", "1..."), make()) != "bomb"
    assert answer(scene("s0.#", "##.#", "1..."), make()) == "bomb"  # the same with a way out


@BOTH
def test_no_bomb_is_laid_without_ammo(make: Callable[[], Gambit]) -> None:
    assert answer(scene("s0...", "##.##", "1....", "#...#", ammo=(0, 3)), make()) != "bomb"


@BOTH
def test_bot_walks_to_where_a_bomb_pays(make: Callable[[], Gambit]) -> None:
    assert answer(scene("s...0", "#####", "1...."), make()) == "left"


@BOTH
def test_bot_leaves_its_bomb(make: Callable[[], Gambit]) -> None:
    shown = followed(make(), scene("s0...", "##.##", "1....", "#...#"), ticks=3)
    assert len(shown.state.bombs) == 1
    assert shown.player(0).cell not in {bomb.cell for bomb in shown.state.bombs}


@BOTH
def test_bot_opens_the_block_and_stays_unhurt(make: Callable[[], Gambit]) -> None:
    shown = followed(make(), scene("s0...", "##.##", "1....", "#...#"), ticks=40)
    assert (shown.scores()[0] >= 2, shown.hp()[0]) == (True, 3)


@BOTH
def test_ammo_is_fetched_when_there_is_none(make: Callable[[], Gambit]) -> None:
    assert answer(scene("a..0..", "######", "1.....", ammo=(0, 3)), make()) == "left"


@BOTH
def test_bot_never_walks_into_the_opponent(make: Callable[[], Gambit]) -> None:
    for seed in range(20):
        assert answer(scene("a1.0", "#.##", "####", ammo=(0, 3)), make(), seed=seed) in ("left", "wait")
        assert answer(scene("a10.", "####", ammo=(0, 3)), make(), seed=seed) != "left"


@BOTH
def test_same_seed_gives_the_same_answer(make: Callable[[], Gambit]) -> None:
    shown = scene(".....", "..0..", ".....", "#####", "1....")
    assert [answer(shown, make(), seed=3)] * 5 == [answer(shown, make(), seed=3) for _ in range(5)]


def test_ties_are_drawn() -> None:
    shown = scene(".....", ".....", "..0..", ".....", ".....", "#####", "1....", "#####", "sssss", "sssss")
    assert len({answer(shown, seed=seed) for seed in range(30)}) > 3


def test_lowest_own_cell_is_kept_when_asked_for() -> None:
    shown = scene(".....", ".....", "..0..", ".....", ".....", "#####", "1....", "#####", "sssss", "sssss")
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
    assert {asked(bot, shown.wait(ticks)) for ticks in range(1, 15)} != {"wait"}


def test_search_cost_is_reported() -> None:
    shown = scene("s0...", "##.##", "1....", "#...#", bombs=[(3, 0, 1, 9)])
    bot = seated(Gambit(), shown)
    asked(bot, shown)
    assert isinstance(bot.stats, SearchStats)
    assert min(bot.stats.expanded or 0, bot.stats.generated or 0, bot.stats.frontier or 0) > 0


def test_faithful_bot_skips_two_turns_for_a_move_that_was_not_done() -> None:
    shown = scene("s...0", "#####", "1....")
    bot = seated(Gambit(faithful=True), shown)
    assert [asked(bot, shown.wait(ticks)) for ticks in range(4)] == ["left", "wait", "wait", "left"]


def test_bot_waits_for_no_move_by_default() -> None:
    shown = scene("s...0", "#####", "1....")
    bot = seated(Gambit(), shown)
    assert [asked(bot, shown.wait(ticks)) for ticks in range(2)] == ["left", "left"]


def test_bot_may_hold_two_seats() -> None:
    shown = scene("s.0", "###", "s.1")
    bot = seated(Gambit(), shown, seats=(0, 1))
    assert [asked(bot, shown, seat=seat) for seat in (0, 1)] == ["left", "left"]


def safety_of(shown: Scene, *, rival_reach: int = 0) -> Safety:
    return Safety(shown.game.rules, shown.state, 0, rival_reach=rival_reach)


def test_way_that_survives_is_taken_whatever_the_maps_prefer() -> None:
    shown = scene("..0..", "##.##", "1....", fires=[(2, 0, 1), (3, 0, 1)])
    assert safety_of(shown).pick([2, 3, 7]) == 7


def test_first_choice_is_taken_where_all_survive() -> None:
    shown = scene("..0..", "##.##", "1....")
    assert safety_of(shown).pick([3, 2, 7]) == 3


def test_least_damage_is_taken_when_there_is_no_way_out() -> None:
    shown = scene("0.#1", fires=[(0, 0, 1), (0, 0, 1), (1, 0, 1)])
    assert safety_of(shown).pick([0, 1]) == 1


def test_cell_that_a_rival_may_take_first_is_no_way_off_a_burning_one() -> None:
    shown = scene("0.1", ".##", "..#", fires=[(0, 0, 1)])
    assert safety_of(shown).pick([1, 3]) == 1
    assert safety_of(shown, rival_reach=1).pick([1, 3]) == 3


def test_dead_end_that_a_rival_could_close_is_avoided() -> None:
    shown = scene("#.01", "##.#", "##..")
    assert safety_of(shown).pick([1, 6]) == 1
    assert safety_of(shown, rival_reach=2).pick([1, 6]) == 6


def test_rival_that_may_walk_into_the_way_out_forbids_the_bomb() -> None:
    shown = scene("s0.1", "##.#", "##.#", "##.#")
    assert safety_of(shown).may_bomb()
    assert not safety_of(shown, rival_reach=3).may_bomb()


def test_bomb_is_refused_where_a_rivals_chain_would_set_it_off_at_once() -> None:
    quiet = scene("s0.....", "##.####", "##.1...")
    lit = scene("s0.....", "##.####", "##.1...", bombs=[(3, 0, 1, 1)])
    assert safety_of(quiet).may_bomb()
    assert not safety_of(lit).may_bomb()


@pytest.mark.parametrize("opponent", [RandomBot, Wanderer])
def test_gambit_wins_nearly_every_match_of_the_sample(opponent: Callable[[], Bot]) -> None:
    duels = [duel(Gambit, opponent, number) for number in range(MATCHES)]
    assert sum(returns == 1 for returns, _ in duels) >= WINS_AT_LEAST
    assert sum(metrics["own_hits"] for _, metrics in duels) == 0


def test_match_repeats_exactly() -> None:
    first, second = (played(Gambit(), RandomBot(), seed=5, max_ticks=120) for _ in range(2))
    assert (first.returns, first.metrics) == (second.returns, second.metrics)


@BOTH
def test_gambit_plays_with_four_seats(make: Callable[[], Gambit]) -> None:
    report = played(make(), Gambit(), RandomBot(), Wanderer(), seed=2, max_ticks=100)
    assert len(report.returns) == 4


@pytest.mark.parametrize("params", [{"chain": "instant"}, {"hidden": False}, {"move_order": "simultaneous"}])
def test_gambit_is_safe_in_every_variant(params: dict[str, bool | str]) -> None:
    for seed in range(3):
        report = played(Gambit(), RandomBot(), seed=seed, max_ticks=150, **params)
        assert report.metrics[0]["own_hits"] == 0


def test_gambit_is_safe_when_it_misses_every_seventh_tick() -> None:
    for seed in range(3):
        shown = played_with_gaps(Gambit(), seed=seed)
        assert shown.player(0).own_hits == 0
        assert shown.player(0).ammo_used > 2
