"""The choice among plans: the own way, the rivals', holes that bar a way, and pieces left over."""

from __future__ import annotations

import random

import pytest

from gridjoust.bots.placement.builder import Reader
from gridjoust.bots.placement.tactics import (
    DONE_WORTH,
    Aims,
    Choice,
    barred_cost,
    corridor,
    dead_ends,
    lay_rest,
    look_ahead,
)
from gridjoust.bots.placement.task import VOID_COST, Figure, Scene
from gridjoust.games.bitset import members
from gridjoust.games.grid import Cell
from gridjoust.games.placement.actions import PASS, parse_plan
from gridjoust.games.placement.board import Board, Mask, make_board
from tests.bots.placement.planning import draw_task
from tests.games.placement.boards import cells_of, mask_of, parse_piece
from tests.games.placement.boards import scene as drawn_match

TRIPLE = parse_piece("###")
RACE = Aims(own=1.0, hinder=0.0)
SPITE = Aims(own=0.0, hinder=1.0)
CALM = Aims(own=0.0, hinder=0.0)


def draw_scene(*rows: str, hand: tuple[tuple[Cell, ...], ...] = (), moves: int = 6, min_cells: int = 3) -> Scene:
    """As `draw_task`, with `R` a rival on Floor and `r` its goal on Floor."""
    drawn = tuple(row.replace("R", ".").replace("r", ".") for row in rows)
    task = draw_task(*drawn, hand=hand, moves=moves)
    rivals = tuple(Figure(task.position.board.bit(cell), mask_of(*rows, signs="r")) for cell in cells_of(rows, "R"))
    return Scene(task, rivals, min_cells)


def worth(scene: Scene, text: str, aims: Aims) -> float:
    return look_ahead(scene, parse_plan(text), aims).worth


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


@pytest.mark.parametrize(
    ("scene", "text", "aims", "expected"),
    [
        pytest.param(draw_scene("S...g"), "pass", RACE, -4, id="what is left to pay counts against a plan"),
        pytest.param(draw_scene("S...g"), "walk E", RACE, -3, id="a step costs as much as it saves"),
        pytest.param(draw_scene("S.g..", "R...r"), "walk E E", Aims(), DONE_WORTH, id="the last goal is worth most"),
        pytest.param(draw_scene("S....g", "R....r", "..R..."), "pass", SPITE, 4, id="the nearest rival counts"),
        pytest.param(
            draw_scene("S....g", "######", "R_...r"), "pass", SPITE, VOID_COST * (6 + 3), id="a barred way is dearest"
        ),
    ],
)
def test_the_worth_of_a_plan(scene: Scene, text: str, aims: Aims, expected: float) -> None:
    assert worth(scene, text, aims) == expected


LARGE = draw_scene("S." + "_" * 61 + "g", *["_" * 64] * 40)
PAVED = draw_scene("S...g", "_____", "R___r", hand=(TRIPLE,), moves=1)


@pytest.mark.parametrize(
    ("scene", "better", "worse", "aims"),
    [
        pytest.param(draw_scene("gS......g"), "walk W", "pass", RACE, id="a goal collected, to a goal at hand"),
        pytest.param(LARGE, "walk E", "pass", RACE, id="progress, on the largest boards too"),
        pytest.param(PAVED, "walk E", "place 0 @1,2; walk E", SPITE, id="a plan that does not pave the rival's way"),
    ],
)
def test_what_is_preferred(scene: Scene, better: str, worse: str, aims: Aims) -> None:
    assert worth(scene, better, aims) > worth(scene, worse, aims)
    assert Choice(scene, aims).weigh([parse_plan(worse), parse_plan(better)]).plan == parse_plan(better)


def test_of_equal_plans_the_first_is_chosen_and_without_a_plan_there_is_no_choice() -> None:
    scene = draw_scene("S.g", "...", "...", moves=1)
    assert Choice(scene, CALM).weigh([parse_plan("walk E"), parse_plan("walk S")]).plan == parse_plan("walk E")
    with pytest.raises(ValueError, match="expected at least one"):
        Choice(scene, RACE).weigh([])


def test_pieces_left_over_shorten_the_own_way_while_there_is_time() -> None:
    scene = draw_scene("S______g", hand=(TRIPLE, TRIPLE), moves=1)
    outcome = Choice(scene, RACE).weigh([parse_plan("place 0 @1,0; walk E")])
    assert str(outcome.plan) == "place 0 @1,0; walk E; place 1 @4,0"
    assert Choice(scene, RACE, is_over=lambda: True).weigh([PASS]).plan == PASS


def test_a_hole_that_no_piece_fits_is_left_in_the_rivals_way() -> None:
    scene = draw_scene("S.....g", "#######", "R____r_", "######_", hand=(TRIPLE,), moves=1)
    board = scene.task.position.board
    outcome = lay_rest(scene, look_ahead(scene, PASS, SPITE), SPITE)
    assert str(outcome.plan) in ("place 0 @1,2", "place 0 @2,2")
    void = board.inside & ~scene.task.position.walls & ~outcome.floor
    assert dead_ends(board, void, 3)
    assert outcome.worth == barred_cost(board) == VOID_COST * (7 + 4)


def test_pieces_that_help_nobody_are_not_laid() -> None:
    scene = draw_scene("S.g", "___", hand=(TRIPLE,))
    outcome = look_ahead(scene, parse_plan("walk E"), RACE)
    assert lay_rest(scene, outcome, RACE) == outcome


def test_the_corridor_is_the_void_on_cheapest_ways() -> None:
    task = draw_task("S_._g", "___..", "_____")
    found = corridor(task, task.position.floor, 0, Figure(task.position.cell, task.goals))
    assert task.position.board.cells(found) == [(1, 0), (3, 0)]


def test_a_scene_is_read_from_what_a_seat_sees_and_void_that_no_smallest_piece_covers_is_dead() -> None:
    shown = drawn_match("0__a", "_#__", "1__b", max_cells=3, hand=1, moves=4).hold(parse_piece("#.", "##"))
    shown = shown.play("place 0 r180 @1,0").hold(parse_piece("#.", "##"))
    seen = Reader(shown.game.briefing(shown.state, 1)).scene(shown.view(1), 1)
    rival, own = shown.players
    assert seen.task.position == shown.game.position(shown.state, 1)
    assert seen.task.goals == own.missing
    assert seen.rivals == (Figure(rival.cell, rival.missing),)
    assert seen.min_cells == 3
    shown = drawn_match("0_.a", "..__", "1._b", max_cells=3, hand=1)
    task = Reader(shown.game.briefing(shown.state, 0)).scene(shown.view(), 0).task
    assert task.dead == 1 << shown.cell(1, 0)
