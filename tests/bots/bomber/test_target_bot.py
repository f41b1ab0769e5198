"""The bots of A*, D* Lite and beam search on drawn boards and in whole matches."""

from __future__ import annotations

import pytest

from bots.api import Deadline, SearchStats
from bots.bomber.astar import AStarBomber
from bots.bomber.beam import BeamBomber
from bots.bomber.dstar_lite import DStarLiteBomber
from bots.bomber.wanderer import Wanderer
from bots.random_bot import RandomBot
from tests.bots.bomber.seats import MakeBot, answer, asked, duel, followed, played, played_with_gaps, question, seated
from tests.games.bomber.scenes import scene


def narrow_beam() -> BeamBomber:
    return BeamBomber(width=3, depth=6)


ALL = pytest.mark.parametrize("make", [AStarBomber, DStarLiteBomber, BeamBomber], ids=lambda make: make.planner)
QUICK = pytest.mark.parametrize("make", [AStarBomber, DStarLiteBomber, narrow_beam], ids=["astar", "dstar", "beam"])
ROOM = ("s0...", "##.##", ".....", "...1.", ".....")


@ALL
def test_bomb_is_laid_beside_a_soft_block_with_a_way_out(make: MakeBot) -> None:
    assert answer(scene(*ROOM), make()) == "bomb"


@ALL
def test_no_bomb_is_laid_in_a_dead_end(make: MakeBot) -> None:
    assert answer(scene("s0.#", "####", "1..."), make()) != "bomb"


@ALL
def test_no_bomb_is_laid_without_ammo(make: MakeBot) -> None:
    assert answer(scene(*ROOM, ammo=(0, 3)), make()) != "bomb"


@ALL
def test_bot_walks_to_where_a_bomb_pays(make: MakeBot) -> None:
    shown = scene("s...0", "##.##", ".....", ".1...", ".....")
    assert answer(shown, make()) == "left"


@ALL
def test_ammo_is_fetched_when_there_is_none(make: MakeBot) -> None:
    assert answer(scene("a..0..", "######", "1.....", ammo=(0, 3)), make()) == "left"


@ALL
def test_bot_opens_the_block_and_stays_unhurt(make: MakeBot) -> None:
    shown = followed(make(), scene(*ROOM), ticks=40)
    assert (shown.scores()[0] >= 2, shown.hp()[0]) == (True, 3)


@ALL
def test_rival_in_a_dead_end_is_shut_in(make: MakeBot) -> None:
    shown = followed(make(), scene("1..0..", "##.###", "##....", "##....", ammo=(3, 0)), ticks=45)
    assert shown.player(1).hp < 3
    assert shown.hp()[0] == 3


@ALL
def test_bot_keeps_out_of_a_dead_end_that_a_rival_could_close(make: MakeBot) -> None:
    board = ("t.0.1", "##.##", "##...", "##...")
    assert answer(scene(*board, ammo=(0, 0), hidden=False), make()) == "left"
    assert answer(scene(*board, ammo=(0, 3), hidden=False), make()) != "left"


@ALL
def test_bot_does_not_stand_about_where_it_will_burn(make: MakeBot) -> None:
    shown = scene(".....", "..0..", ".....", "#####", "1....", bombs=[(2, 0, 1, 30)], ammo=(0, 0))
    fled = followed(make(), shown, ticks=3)
    assert fled.position(0)[0] != 2


@ALL
def test_same_seed_gives_the_same_answers(make: MakeBot) -> None:
    shown = scene("s.s.s", ".....", "s.0.s", ".....", "s.s.1")
    assert len({answer(shown, make(), seed=3) for _ in range(4)}) == 1


@ALL
def test_search_cost_is_reported(make: MakeBot) -> None:
    bot = seated(make(), scene("s...0", "##.##", ".....", ".1...", "....."))
    asked(bot, scene("s...0", "##.##", ".....", ".1...", "....."))
    assert isinstance(bot.stats, SearchStats)
    assert min(bot.stats.expanded or 0, bot.stats.generated or 0, bot.stats.frontier or 0) > 0
    assert bot.stats.plan_cost is not None


@ALL
def test_bot_may_hold_two_seats(make: MakeBot) -> None:
    shown = scene("a.0..", "#####", "a.1..", ammo=(0, 0))
    bot = seated(make(), shown, seats=(0, 1))
    assert [asked(bot, shown, seat=seat) for seat in (0, 1)] == ["left", "left"]


def test_astar_waits_for_fire_to_pass_instead_of_going_round() -> None:
    burning = scene("0.a..1", ".####.", ".####.", "......", fires=[(1, 0, 1)], ammo=(0, 0))
    quiet = scene("0.a..1", ".####.", ".####.", "......", ammo=(0, 0))
    assert answer(quiet, AStarBomber()) == "right"
    bot = seated(AStarBomber(), burning)
    bot._memories[0].tracker.update = lambda view: burning.state  # type: ignore[method-assign]  # fire is not to be seen
    assert asked(bot, burning) == "wait"


def test_astar_goes_through_a_block_that_will_be_gone() -> None:
    shown = scene("0....sa", "#######", "1......", bombs=[(4, 0, 1, 3)], ammo=(0, 0), hidden=False)
    bot = seated(AStarBomber(), shown)
    asked(bot, shown)
    assert bot.stats is not None
    assert bot.stats.plan_cost == 9  # 6 steps, and 3 ticks of waiting for the fire


def test_dstar_lite_needs_no_new_search_on_its_way() -> None:
    shown = scene("0.......a", ".#######.", ".........", "#########", "........1", ammo=(0, 0))
    bot = seated(DStarLiteBomber(), shown)
    expanded = []
    for _ in range(3):
        asked(bot, shown)
        assert bot.stats is not None
        expanded.append(bot.stats.expanded or 0)
        shown = shown.play("right wait")
    look_ahead = 1
    assert expanded == [8 + look_ahead, look_ahead, look_ahead]


def test_dstar_lite_turns_round_when_its_way_is_closed() -> None:
    shown = scene("0.......a", ".#######.", ".........", "#########", "........1", ammo=(0, 0))
    bot = seated(DStarLiteBomber(), shown)
    assert asked(bot, shown) == "right"
    shown = shown.play("right wait")
    blocks = bytearray(shown.state.blocks)
    blocks[4] = 65
    assert asked(bot, shown.change(blocks=bytes(blocks))) == "left"


def test_dstar_lite_leaves_its_target_for_something_better_that_is_new() -> None:
    shown = scene("t......0.", "#########", "........1", ammo=(0, 0))
    bot = seated(DStarLiteBomber(), shown)
    assert asked(bot, shown) == "left"
    shown = shown.play("left wait").change(treasure=(0, 8))
    assert asked(bot, shown) == "right"


def test_beam_answers_once_after_a_deadline_that_is_over_before_it_starts() -> None:
    shown = scene(*ROOM)
    bot = seated(BeamBomber(), shown)
    texts = list(bot.improve(question(shown), Deadline(0.0, lambda: 0.0)))
    assert texts[0] == "bomb"
    assert bot.stats is not None
    assert (bot.stats.expanded or 0) < 50


@pytest.mark.parametrize("options", [{"width": 0}, {"depth": 0}])
def test_beam_of_no_size_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="expected at least 1"):
        BeamBomber(**options)


@pytest.mark.slow
@QUICK
@pytest.mark.parametrize("opponent", [RandomBot, Wanderer])
def test_bot_wins_nearly_every_match_of_the_sample(make: MakeBot, opponent: MakeBot) -> None:
    duels = [duel(make, opponent, number) for number in range(6)]
    assert sum(returns == 1 for returns, _ in duels) >= 5


@QUICK
def test_match_repeats_exactly(make: MakeBot) -> None:
    first, second = (played(make(), RandomBot(), seed=5, max_ticks=80) for _ in range(2))
    assert (first.returns, first.metrics) == (second.returns, second.metrics)


@QUICK
@pytest.mark.parametrize("params", [{"chain": "instant"}, {"hidden": False}, {"move_order": "simultaneous"}])
def test_bot_is_safe_in_every_variant(make: MakeBot, params: dict[str, bool | str]) -> None:
    for seed in range(2):
        report = played(make(), Wanderer(), seed=seed, max_ticks=120, **params)
        assert report.metrics[0]["own_hits"] == 0


@QUICK
def test_bot_plays_with_four_seats(make: MakeBot) -> None:
    report = played(make(), make(), RandomBot(), Wanderer(), seed=2, max_ticks=60)
    assert len(report.returns) == 4


@QUICK
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_bot_lives_on_when_it_misses_every_seventh_tick(make: MakeBot, seed: int) -> None:
    shown = played_with_gaps(make(), seed=seed)
    assert shown.player(0).hp > 0
    assert shown.player(0).ammo_used > 0
