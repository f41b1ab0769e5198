"""The choice among plans: the own way, the rivals', holes that bar a way, and pieces left over."""

from __future__ import annotations

import random

import pytest

from bots.placement.scene import Figure, Reader, Scene
from bots.placement.tactics import (
    DONE_WORTH,
    Aims,
    barred_cost,
    choose,
    corridor,
    dead_ends,
    lay_rest,
    look_ahead,
    worth_of,
)
from games.bitset import members
from games.grid import Cell
from games.placement.actions import PASS, parse_plan
from games.placement.board import Board, Mask, make_board
from tests.bots.placement.planning import draw_task
from tests.games.placement.boards import cells_of, mask_of, parse_piece
from tests.games.placement.boards import scene as drawn_match

TRIPLE = parse_piece("###")
RACE = Aims(own=1.0, hinder=0.0)
SPITE = Aims(own=0.0, hinder=1.0)


def draw_scene(*rows: str, hand: tuple[tuple[Cell, ...], ...] = (), moves: int = 6, min_cells: int = 3) -> Scene:
    """As `draw_task`, with `R` a rival on Floor and `r` its goal on Floor."""
    drawn = tuple(row.replace("R", ".").replace("r", ".") for row in rows)
    task = draw_task(*drawn, hand=hand, moves=moves)
    rivals = tuple(Figure(task.position.board.bit(cell), mask_of(*rows, signs="r")) for cell in cells_of(rows, "R"))
    return Scene(task, rivals, min_cells)


def pockets_of_fewer(board: Board, void: Mask, size: int) -> Mask:
    """By flooding every pocket."""
    small = 0
    for cell in members(void):
        pocket = 1 << cell
        while (grown := pocket | board.spread(pocket) & void) != pocket:
            pocket = grown
        small |= (1 << cell) if pocket.bit_count() < size else 0
    return small


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("min_cells", [1, 2, 3])
def test_dead_ends_are_pockets_too_small_for_any_piece(seed: int, min_cells: int) -> None:
    rng = random.Random(seed)
    board = make_board(7, 6)
    void = board.mask(cell for cell in board.cells(board.inside) if rng.random() < 0.5)
    assert dead_ends(board, void, min_cells) == pockets_of_fewer(board, void, min_cells)


def test_what_is_left_to_pay_counts_against_a_plan() -> None:
    scene = draw_scene("S...g")
    assert look_ahead(scene, parse_plan("walk E"), RACE).worth == -3
    assert look_ahead(scene, PASS, RACE).worth == -4


def test_standing_on_the_last_goal_is_worth_most() -> None:
    scene = draw_scene("S.g..", "R...r")
    assert look_ahead(scene, parse_plan("walk E E"), Aims()).worth == DONE_WORTH


def test_a_goal_collected_is_worth_more_than_a_goal_at_hand() -> None:
    scene = draw_scene("gS......g")
    assert look_ahead(scene, parse_plan("walk W"), RACE).worth > look_ahead(scene, PASS, RACE).worth


def test_the_nearest_rival_counts() -> None:
    scene = draw_scene("S....g", "R....r", "..R...")
    assert worth_of(scene, scene.task.position.floor, Figure(0, scene.task.goals), SPITE) == 4


def test_a_barred_way_has_the_highest_price() -> None:
    scene = draw_scene("S....g", "######", "R_...r")
    assert worth_of(scene, scene.task.position.floor, Figure(0, scene.task.goals), SPITE) == barred_cost(
        scene.task.position.board
    )


def test_progress_counts_on_the_largest_boards_too() -> None:
    scene = draw_scene("S." + "_" * 61 + "g", *["_" * 64] * 40)
    assert look_ahead(scene, parse_plan("walk E"), RACE).worth > look_ahead(scene, PASS, RACE).worth


def test_a_plan_that_paves_the_rivals_way_loses() -> None:
    scene = draw_scene("S...g", "_____", "R___r", hand=(TRIPLE,), moves=1)
    paving, walking = parse_plan("place 0 @1,2; walk E"), parse_plan("walk E")
    assert look_ahead(scene, walking, SPITE).worth > look_ahead(scene, paving, SPITE).worth
    assert choose(scene, [paving, walking], SPITE).plan == walking


def test_of_equal_plans_the_first_is_chosen() -> None:
    scene = draw_scene("S.g", "...", "...", moves=1)
    assert choose(scene, [parse_plan("walk E"), parse_plan("walk S")], Aims(0.0, 0.0)).plan == parse_plan("walk E")


def test_pieces_left_over_shorten_the_own_way() -> None:
    scene = draw_scene("S______g", hand=(TRIPLE, TRIPLE), moves=1)
    outcome = choose(scene, [parse_plan("place 0 @1,0; walk E")], RACE)
    assert str(outcome.plan) == "place 0 @1,0; walk E; place 1 @4,0"


def test_a_hole_that_no_piece_fits_is_left_in_the_rivals_way() -> None:
    scene = draw_scene("S.....g", "#######", "R____r_", "######_", hand=(TRIPLE,), moves=1)
    board = scene.task.position.board
    outcome = lay_rest(scene, look_ahead(scene, PASS, SPITE), SPITE)
    assert str(outcome.plan) in ("place 0 @1,2", "place 0 @2,2")
    void = board.inside & ~scene.task.position.walls & ~outcome.floor
    assert dead_ends(board, void, 3)
    assert outcome.worth == barred_cost(board) == 2 * (7 + 4)


def test_pieces_that_help_nobody_are_not_laid() -> None:
    scene = draw_scene("S.g", "___", hand=(TRIPLE,))
    outcome = look_ahead(scene, parse_plan("walk E"), RACE)
    assert lay_rest(scene, outcome, RACE) == outcome


def test_nothing_more_is_laid_when_the_time_is_up() -> None:
    scene = draw_scene("S______g", hand=(TRIPLE, TRIPLE), moves=1)
    assert choose(scene, [PASS], RACE, is_over=lambda: True).plan == PASS


def test_choosing_needs_a_plan() -> None:
    with pytest.raises(ValueError, match="expected at least one"):
        choose(draw_scene("S.g"), [], RACE)


def test_the_corridor_is_the_void_on_cheapest_ways() -> None:
    task = draw_task("S_._g", "___..", "_____")
    board = task.position.board
    found = corridor(task.position, task.position.floor, Figure(task.position.cell, task.goals))
    assert set(board.cells(found)) == {Cell(1, 0), Cell(3, 0)}


def test_a_scene_is_read_from_what_a_seat_sees() -> None:
    shown = drawn_match("0__a", "_#__", "1__b", max_cells=3, hand=1, moves=4).hold(parse_piece("#.", "##"))
    shown = shown.play("place 0 r180 @1,0").hold(parse_piece("#.", "##"))
    seen = Reader(shown.game.briefing(shown.state, 1)).scene(shown.view(1), 1)
    rival, own = shown.players
    assert seen.task.position == shown.game.position(shown.state, 1)
    assert seen.task.goals == own.missing
    assert seen.rivals == (Figure(rival.cell, rival.missing),)
    assert seen.min_cells == 3


def test_void_that_no_smallest_piece_covers_is_dead() -> None:
    shown = drawn_match("0_.a", "..__", "1._b", max_cells=3, hand=1)
    task = Reader(shown.game.briefing(shown.state, 0)).scene(shown.view(), 0).task
    assert task.dead == 1 << shown.cell(1, 0)
