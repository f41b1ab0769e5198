"""Tactics alone: the walk over Floor, and pieces that are laid after it."""

from __future__ import annotations

from gridjoust.bots.match import observe
from gridjoust.bots.placement.floor import FloorBuilder, plan_walk
from tests.bots.placement.planning import draw_task
from tests.bots.seats import seated
from tests.games.placement.boards import parse_piece, scene

TRIPLE = parse_piece("#", "#", "#")


def test_it_walks_over_floor_to_the_goal_and_no_further_than_its_moves() -> None:
    found = plan_walk(draw_task("S...g"))
    assert (found.distance, found.steps, found.pieces, found.cost.generated) == (0, 4, 0, 0)
    assert (plan_walk(draw_task("S...g", moves=3)).distance, plan_walk(draw_task("S__.g")).steps) == (1, 0)


def test_it_lays_a_piece_where_its_path_is_missing_but_walks_on_it_only_in_a_later_turn() -> None:
    shown = scene("0___a_", "______", "1___b_", max_cells=3).hold(TRIPLE)
    bot = seated(FloorBuilder(), shown.game, shown.state, seats=[shown.state.seat])
    answer = bot.act(observe(shown.game, shown.state, shown.state.seat))
    assert shown.is_legal(answer)
    assert ("place" in answer, "walk" in answer) == (True, False)
