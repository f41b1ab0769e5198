"""What the planners' bots do about each other, and about a board that closes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gridjoust.bots.bomber.astar import AStarBomber
from gridjoust.bots.bomber.beam import BeamBomber
from gridjoust.bots.bomber.dijkstra_map import MapBomber
from gridjoust.bots.bomber.dstar_lite import DStarLiteBomber
from gridjoust.bots.bomber.gambit import Gambit
from gridjoust.bots.bomber.safety import Safety
from gridjoust.bots.bomber.schedule import blast_schedule
from gridjoust.bots.bomber.target_bot import TargetBot
from gridjoust.games.bomber import Bomber
from tests.bots.bomber.seats import answer, played, situation
from tests.games.bomber.scenes import Scene, scene

PLANNERS: list[type[TargetBot]] = [AStarBomber, DStarLiteBomber, MapBomber, BeamBomber]
planners = pytest.mark.parametrize("bot_class", PLANNERS, ids=lambda found: found.planner)


@planners
def test_the_mouth_of_a_dead_end_with_a_rival_in_it_is_bombed(bot_class: type[TargetBot]) -> None:
    assert answer(scene("1.0..", "##.##", "##..."), bot_class()) in {"bomb", "left"}


def test_who_stands_in_the_only_way_out_of_its_own_fire_blocks_it() -> None:
    shut, free = ("1.0...", ".#####", "#....#"), ("1.0...", ".#....", "......")
    own, theirs = [(0, 1, 0, 4)], [(0, 1, 1, 4)]
    assert 1 in Safety(situation(scene(*shut, bombs=own))).blocking_moves()
    assert Safety(situation(scene(*shut, bombs=theirs))).blocking_moves() == []
    assert 2 not in Safety(situation(scene(*free, bombs=own))).blocking_moves()


def test_a_bomb_is_not_laid_where_a_rival_near_by_could_stand_in_the_way_out() -> None:
    assert not Safety(situation(scene("#0.1", "##.#", "##..", "###."))).may_bomb()
    assert Safety(situation(scene("0....", ".....", ".....", "....1"))).may_bomb()


@planners
def test_a_cell_about_to_close_is_left(bot_class: type[TargetBot]) -> None:
    shown = scene("0..", "...", "..1", close_from=1, close_every=1)
    assert answer(shown.change(tick=1), bot_class()) in {"down", "right"}
    assert answer(scene("0..", "#..", "..1", close_from=1, close_every=4).change(tick=1), bot_class()) == "right"


def test_the_cell_that_closes_last_is_the_refuge_and_closes_for_nobody() -> None:
    now = situation(scene("0...", "....", "....", "...1", close_from=1, close_every=1))
    assert now.refuge == 9
    assert 9 not in now.closings
    assert (now.closings[0], now.closings[1]) == (1, 2)
    assert situation(scene("0..", "...", "..1")).closings == {}


def closing(
    *lines: str,
    bombs: Sequence[tuple[int, int, int, int]] = (),
    fires: Sequence[tuple[int, int, int]] = (),
    hp: Sequence[int] = (),
    close_from: int = 8,
) -> Scene:
    """A board that closes cell by cell; fuses are short and nothing is hidden."""
    return scene(
        *lines, bombs=bombs, fires=fires, hp=hp, bomb_ticks=5, close_from=close_from, close_every=1, hidden=False
    )


def test_who_is_in_the_last_cell_of_a_board_that_is_about_to_close_keeps_it() -> None:
    board = ("0....", "...1.", ".....")
    assert situation(closing(*board)).keeper == 1
    assert situation(closing(*board), seat=1).keeper == 1
    assert situation(closing("0....", "..1..", ".....")).keeper is None
    assert situation(scene(*board, close_from=200)).keeper is None
    assert situation(scene(*board)).keeper is None


KEPT = ("1....", ".....", "..0..", ".....", ".....")


@pytest.mark.parametrize(
    ("bombs", "hp", "keeps"),
    [
        ([(2, 0, 1, 4)], 2, True),
        ([(2, 0, 1, 4)], 1, False),
        ([(2, 0, 1, 4), (4, 2, 1, 3)], 3, True),
        ([(2, 0, 1, 4), (4, 2, 1, 3)], 2, False),
        ([(2, 0, 0, 4)], 3, False),
        ([(0, 0, 0, 4)], 1, True),
    ],
)
def test_the_last_cell_is_kept_while_hp_last_and_the_fire_is_not_ones_own(
    bombs: list[tuple[int, int, int, int]], hp: int, keeps: bool
) -> None:
    safety = Safety(situation(closing(*KEPT, bombs=bombs, hp=[hp, 3])))
    assert safety.keeps_refuge is keeps
    assert (safety.best_moves == [12]) is keeps


def test_to_be_crushed_later_is_better_but_worth_no_fire() -> None:
    burning = blast_schedule(situation(closing(*KEPT, close_from=1))).burning
    worths = [burning[offset][cell] for offset, cell in ((1, 0), (5, 4), (16, 5))]
    assert worths[0] > worths[1] > worths[2] > worths[0] - 1


def test_who_is_beside_the_last_cell_does_not_keep_it() -> None:
    assert not Safety(situation(closing("1....", ".....", ".0...", ".....", "....."))).keeps_refuge


@pytest.mark.parametrize("bot_class", [*PLANNERS, Gambit], ids=lambda found: found.__name__)
@pytest.mark.parametrize(("hp", "stays"), [(2, True), (1, False)])
def test_every_bot_takes_a_hit_for_the_last_cell(bot_class: type[TargetBot | Gambit], hp: int, stays: bool) -> None:
    assert (answer(closing(*KEPT, fires=[(2, 2, 1)], hp=[hp, 3]), bot_class()) == "wait") is stays


BESIEGED = (".....", ".....", ".01..", ".....", ".....")


@planners
def test_who_keeps_the_last_cell_is_bombed(bot_class: type[TargetBot]) -> None:
    assert answer(closing(*BESIEGED, close_from=1), bot_class()) == "bomb"


@pytest.mark.parametrize(
    ("board", "may"),
    [
        (("#.####", "..01.#", "######"), False),  # nobody keeps it, and the way there is shut
        (("#.####", "..0.1#", "######"), True),
        (("######", "..0.1#", "######"), False),  # no way out of the fire
    ],
)
def test_a_bomb_at_who_keeps_the_last_cell_needs_a_way_only_until_it_has_burnt(
    board: tuple[str, ...], may: bool
) -> None:
    assert Safety(situation(closing(*board))).may_bomb() is may


def test_who_has_more_hp_than_every_rival_is_ahead() -> None:
    found = [situation(scene("0..", "...", "..1", hp=hp)).is_ahead for hp in ([3, 2], [3, 3], [2, 3])]
    assert found == [True, False, False]


@pytest.mark.gate
def test_most_nodes_of_a_match_are_repairs() -> None:
    bot = DStarLiteBomber()
    played(bot, MapBomber(), seed=1, max_ticks=60)
    pursuit = bot.pursuits[0]
    assert pursuit.spent.repaired > 3 * (pursuit.spent.expanded - pursuit.spent.repaired) > 0


@pytest.mark.gate
@planners
def test_most_answers_are_the_planners_own(bot_class: type[TargetBot]) -> None:
    bot = bot_class()
    played(bot, MapBomber(), seed=2, max_ticks=80)
    assert bot.decided["planner"] > 0.5 * bot.decided.total()


@pytest.mark.gate
def test_a_match_of_good_bots_ends_on_a_closed_board() -> None:
    match = played(MapBomber(), DStarLiteBomber(), seed=1)
    assert match.state.tick < Bomber().rules.max_ticks
    assert min(player.hp for player in match.state.players) <= 0
