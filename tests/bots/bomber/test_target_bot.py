"""The bots of all planners on drawn boards and in whole matches, and what sets A*, D* Lite and beam search apart."""

from __future__ import annotations

import pytest

from gridjoust.bots.api import Deadline, SearchStats
from gridjoust.bots.bomber.astar import AStarBomber
from gridjoust.bots.bomber.beam import BeamBomber
from gridjoust.bots.bomber.dstar_lite import DStarLiteBomber
from gridjoust.bots.bomber.gambit import Gambit
from gridjoust.bots.bomber.wanderer import Wanderer
from gridjoust.bots.random_bot import RandomBot
from tests.bots.bomber.seats import MakeBot, answer, asked, duel, followed, played, played_with_gaps, question, seated
from tests.games.bomber.scenes import Scene, scene


def narrow_beam() -> BeamBomber:
    return BeamBomber(width=3, depth=6)


def faithful() -> Gambit:
    return Gambit(faithful=True)


PLANNERS: dict[str, MakeBot] = {"astar": AStarBomber, "dstar_lite": DStarLiteBomber, "beam": BeamBomber}
BOTS = PLANNERS | {"gambit": Gambit, "faithful gambit": faithful}
ALL = pytest.mark.parametrize("make", BOTS.values(), ids=BOTS)
TARGETED = pytest.mark.parametrize("make", PLANNERS.values(), ids=PLANNERS)
QUICK = pytest.mark.parametrize("make", (PLANNERS | {"beam": narrow_beam}).values(), ids=PLANNERS)
ROOM = ("s0...", "##.##", ".....", "...1.", ".....")
FAR_BLOCK = ("s...0", "##.##", ".....", ".1...", ".....")
DETOUR = ("0.......a", ".#######.", ".........", "#########", "........1")


ANSWERS: dict[str, tuple[Scene, str]] = {
    "a bomb beside a soft block with a way out": (scene(*ROOM), "bomb"),
    "a bomb with the last ammo": (scene(*ROOM, ammo=(1, 3)), "bomb"),
    "no bomb in a dead end": (scene("s0.#", "####", "1..."), "right wait"),
    "no bomb without ammo": (scene(*ROOM, ammo=(0, 3)), "right down wait"),
    "to where a bomb pays": (scene(*FAR_BLOCK), "left"),
    "to ammo when there is none": (scene("a..0..", "######", "1.....", ammo=(0, 3)), "left"),
    "not into an opponent on the way": (scene("a1.0", "#.##", "####", ammo=(0, 3)), "left wait"),
    "not into an opponent beside it": (scene("a10.", "####", ammo=(0, 3)), "right wait"),
}


@ALL
@pytest.mark.parametrize(("shown", "allowed"), ANSWERS.values(), ids=ANSWERS)
def test_bot_answers(make: MakeBot, shown: Scene, allowed: str) -> None:
    assert {answer(shown, make(), seed=seed) for seed in range(20)} <= set(allowed.split())


@pytest.mark.default("faithful gambit", "gambit", "dstar_lite", "astar")
@ALL
def test_bot_leaves_its_bomb_opens_the_block_and_stays_unhurt(make: MakeBot) -> None:
    left = followed(make(), scene(*ROOM), ticks=3)
    assert left.bombs() == [(1, 0)]
    assert left.position(0) in [(2, 1), (2, 2), (1, 2), (3, 2)]
    opened = followed(make(), scene(*ROOM), ticks=40)
    assert (opened.scores()[0] >= 2, opened.hp()[0]) == (True, 3)


@pytest.mark.default("astar", "dstar_lite")
@TARGETED
def test_rival_in_a_dead_end_is_shut_in(make: MakeBot) -> None:
    shown = followed(make(), scene("1..0..", "##.###", "##....", "##....", ammo=(3, 0)), ticks=45)
    assert (shown.hp()[0], shown.hp()[1] < 3) == (3, True)


@TARGETED
def test_bot_keeps_out_of_a_dead_end_that_a_rival_could_close(make: MakeBot) -> None:
    board = ("t.0.1", "##.##", "##...", "##...")
    assert answer(scene(*board, ammo=(0, 0), hidden=False), make()) == "left"
    assert answer(scene(*board, ammo=(0, 3), hidden=False), make()) != "left"


@TARGETED
def test_bot_does_not_stand_about_where_it_will_burn(make: MakeBot) -> None:
    shown = scene(".....", "..0..", ".....", "#####", "1....", bombs=[(2, 0, 1, 30)], ammo=(0, 0))
    fled = followed(make(), shown, ticks=3)
    assert fled.position(0) in [(x, y) for x in (1, 3) for y in (0, 2)]


@ALL
def test_same_seed_gives_the_same_answers(make: MakeBot) -> None:
    shown = scene("s.s.s", ".....", "s.0.s", ".....", "s.s.1")
    assert len({answer(shown, make(), seed=3) for _ in range(4)}) == 1


@ALL
def test_search_cost_is_reported(make: MakeBot) -> None:
    bot = seated(make(), scene(*FAR_BLOCK))
    asked(bot, scene(*FAR_BLOCK))
    assert isinstance(bot.stats, SearchStats)
    assert min(bot.stats.expanded or 0, bot.stats.generated or 0, bot.stats.frontier or 0) > 0
    assert (bot.stats.plan_cost is None) == isinstance(bot, Gambit)  # maps have no plan


@ALL
def test_bot_may_hold_two_seats(make: MakeBot) -> None:
    shown = scene("a.0..", "#####", "a.1..", ammo=(0, 0))
    bot = seated(make(), shown, seats=(0, 1))
    assert [asked(bot, shown, seat=seat) for seat in (0, 1)] == ["left", "left"]


def test_astar_waits_for_fire_to_pass_instead_of_going_round() -> None:
    board = ("0.a..1", ".####.", ".####.", "......")
    quiet, burning = scene(*board, ammo=(0, 0)), scene(*board, fires=[(1, 0, 1)], ammo=(0, 0))
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
    shown = scene(*DETOUR, ammo=(0, 0))
    bot = seated(DStarLiteBomber(), shown)
    expanded = []
    for _ in range(3):
        asked(bot, shown)
        assert bot.stats is not None
        expanded.append(bot.stats.expanded or 0)
        shown = shown.play("right wait")
    look_ahead = 3
    assert expanded == [9 + look_ahead, look_ahead, look_ahead]
    assert (bot.pursuits[0].spent.expanded, bot.pursuits[0].spent.repaired) == (9, 0)


def test_dstar_lite_turns_round_when_its_way_is_closed() -> None:
    shown = scene(*DETOUR, ammo=(0, 0))
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
    assert (bot.stats.expanded or 0) < 200


@pytest.mark.parametrize("options", [{"width": 0}, {"depth": 0}])
def test_beam_of_no_size_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="expected at least 1"):
        BeamBomber(**options)


@pytest.mark.gate
@pytest.mark.slow
@QUICK
@pytest.mark.parametrize("opponent", [RandomBot, Wanderer])
def test_bot_wins_nearly_every_match_of_the_sample(make: MakeBot, opponent: MakeBot) -> None:
    duels = [duel(make, opponent, number) for number in range(6)]
    assert sum(returns == 1 for returns, _ in duels) >= 5


@pytest.mark.default("Gambit")
@pytest.mark.parametrize("make", [AStarBomber, DStarLiteBomber, narrow_beam, Gambit])
def test_match_repeats_exactly(make: MakeBot) -> None:
    first, second = (played(make(), RandomBot(), seed=5, max_ticks=80) for _ in range(2))
    assert (first.returns, first.metrics) == (second.returns, second.metrics)


@pytest.mark.default("faithful")
@pytest.mark.parametrize("make", [AStarBomber, DStarLiteBomber, narrow_beam, Gambit, faithful])
def test_bot_plays_with_four_seats(make: MakeBot) -> None:
    assert len(played(make(), make(), RandomBot(), Wanderer(), seed=2, max_ticks=60).returns) == 4


@pytest.mark.gate
@pytest.mark.parametrize(
    "make",
    [AStarBomber, *(pytest.param(make, marks=pytest.mark.gate) for make in (DStarLiteBomber, narrow_beam, Gambit))],
)
@pytest.mark.parametrize("params", [{"chain": "instant"}, {"hidden": False}, {"move_order": "simultaneous"}])
def test_bot_lays_bombs_and_is_safe_from_them_in_every_variant(make: MakeBot, params: dict[str, bool | str]) -> None:
    own = [played(make(), Wanderer(), seed=seed, max_ticks=120, **params).metrics[0] for seed in range(2)]
    assert [(metrics["own_hits"], metrics["ammo_used"] > 0) for metrics in own] == [(0, True)] * 2


@pytest.mark.gate
@QUICK
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_bot_lives_on_when_it_misses_every_seventh_tick(make: MakeBot, seed: int) -> None:
    own = played_with_gaps(make(), seed=seed).player(0)
    assert (own.hp > 0, own.ammo_used > 0) == (True, True)
