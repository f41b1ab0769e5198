"""What the planners' bots do about each other, and about a board that closes."""

from __future__ import annotations

import pytest

from bots.bomber.astar import AStarBomber
from bots.bomber.beam import BeamBomber
from bots.bomber.dijkstra_map import MapBomber
from bots.bomber.dstar_lite import DStarLiteBomber
from bots.bomber.safety import Safety
from bots.bomber.target_bot import TargetBot
from games.bomber import Bomber
from tests.bots.bomber.seats import answer, played, situation
from tests.games.bomber.scenes import scene

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


def test_who_has_more_hp_than_every_rival_is_ahead() -> None:
    found = [situation(scene("0..", "...", "..1", hp=hp)).is_ahead for hp in ([3, 2], [3, 3], [2, 3])]
    assert found == [True, False, False]


def test_most_nodes_of_a_match_are_repairs() -> None:
    bot = DStarLiteBomber()
    played(bot, MapBomber(), seed=1, max_ticks=60)
    pursuit = bot.pursuits[0]
    assert pursuit.spent.repaired > 3 * (pursuit.spent.expanded - pursuit.spent.repaired) > 0


@planners
def test_most_answers_are_the_planners_own(bot_class: type[TargetBot]) -> None:
    bot = bot_class()
    played(bot, MapBomber(), seed=2, max_ticks=80)
    assert bot.decided["planner"] > 0.5 * bot.decided.total()


def test_a_match_of_good_bots_ends_on_a_closed_board() -> None:
    match = played(MapBomber(), DStarLiteBomber(), seed=1)
    assert match.state.tick < Bomber().rules.max_ticks
    assert min(player.hp for player in match.state.players) <= 0
