"""Maps: given ones as text, generated ones fair and winnable."""

from __future__ import annotations

import pytest

from gridjoust.games.chance import rng_for
from gridjoust.games.grid import Cell
from gridjoust.games.placement import Placement
from gridjoust.games.placement.board import Mask, make_board, steps_between
from gridjoust.games.placement.maps import generate, parse_map
from gridjoust.games.placement.params import make_rules
from gridjoust.games.placement.state import Layout
from tests.games.placement.boards import scene

SEEDS = range(25)


def layout_of(seed: int, *, seats: int = 2, **params: int) -> Layout:
    return Placement({"preset": "article", **params}, seats=seats).initial_state(seed).layout


def half_turn(layout: Layout, mask: Mask) -> Mask:
    board = make_board(layout.width, layout.height)
    return board.mask(Cell(board.width - 1 - x, board.height - 1 - y) for x, y in board.cells(mask))


def mirrored(layout: Layout, mask: Mask) -> Mask:
    board = make_board(layout.width, layout.height)
    return board.mask(Cell(board.width - 1 - x, y) for x, y in board.cells(mask))


def test_a_map_text_says_where_everything_is() -> None:
    layout = parse_map("0.#_\n_Ba_\n_1A_", seats=2)
    board = make_board(4, 3)
    assert [*board.cells(layout.floor)] == [(0, 0), (1, 0), (2, 1), (1, 2)]
    assert [*board.cells(layout.walls)] == [(2, 0)]
    assert [board.cell(start) for start in layout.starts] == [(0, 0), (1, 2)]
    assert [[board.cell(goal) for goal in goals] for goals in layout.goals] == [[(2, 1), (2, 2)], [(1, 1)]]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        pytest.param("0a1b\n.", "0a1b\n.___", id="short rows are filled up with Void"),
        pytest.param("0a1b\n. __", "0a1b\n.___", id="a blank is Void"),
        pytest.param("0a1b\n2cC_", "0a1b\n..__", id="signs of seats that do not play are plain cells"),
    ],
)
def test_texts_of_one_map(text: str, same: str) -> None:
    assert parse_map(text, seats=2) == parse_map(same, seats=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0a1b\n.x..", "row 1, column 1: expected one of"),
        ("0a.b", "expected one start 1, got none"),
        ("00a1b", "expected one start 0, got 2"),
        ("0a1.", "expected a goal b or B, got none"),
        ("0", "expected 2 to 64 columns"),
        ("." * 65, "expected 2 to 64 columns"),
    ],
)
def test_bad_maps_are_refused_with_their_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Placement({"map": text})


def test_the_size_of_a_given_map_counts() -> None:
    shown = scene("0a____", "1b____", width=20)
    assert shown.game.briefing(shown.state, 0)["size"] == [6, 2]


@pytest.mark.parametrize("seed", SEEDS)
def test_boards_of_two_seats_are_images_by_half_a_turn(seed: int) -> None:
    layout = layout_of(seed, walls=10, goals=2)
    first, second = (1 << start for start in layout.starts)
    goals, others = (sum(1 << goal for goal in own) for own in layout.goals)
    images = [half_turn(layout, mask) for mask in (layout.floor, layout.walls, first, goals)]
    assert images == [layout.floor, layout.walls, second, others]


@pytest.mark.parametrize("seed", SEEDS)
def test_boards_of_four_seats_are_images_by_half_a_turn_and_mirrors(seed: int) -> None:
    layout = layout_of(seed, seats=4)
    first, second, third, fourth = (1 << start for start in layout.starts)
    assert half_turn(layout, layout.floor) == mirrored(layout, layout.floor) == layout.floor
    assert (half_turn(layout, first), mirrored(layout, first), half_turn(layout, third)) == (second, third, fourth)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_starts_and_goals_are_distinct_floor_cells(seats: int) -> None:
    for seed in SEEDS:
        layout = layout_of(seed, seats=seats, goals=2)
        cells = [*layout.starts, *(goal for goals in layout.goals for goal in goals)]
        assert len(set(cells)) == 3 * seats
        assert all(layout.floor >> cell & 1 for cell in cells)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_seat_has_to_build_far_and_walls_leave_a_way_to_every_goal(seed: int) -> None:
    board = make_board(15, 15)
    plain, walled = layout_of(seed), layout_of(seed, walls=60)
    assert walled.walls & ~walled.floor == walled.walls > 0
    for start, (goal,) in zip(plain.starts, plain.goals, strict=True):
        assert steps_between(board, plain.floor, start, 1 << goal) is None
        assert board.cell(start).manhattan(board.cell(goal)) >= 12
    for start, (goal,) in zip(walled.starts, walled.goals, strict=True):
        assert steps_between(board, board.inside & ~walled.walls, start, 1 << goal) is not None


def test_more_walls_than_the_board_can_take_are_refused() -> None:
    game = Placement({"width": 7, "height": 7, "walls": 1000, "island_cells": 1, "islands": 0})
    with pytest.raises(ValueError, match="walls: expected fewer on 7 x 7 cells, got 1000"):
        game.initial_state(1)


@pytest.mark.parametrize("size", [(7, 7), (7, 64), (64, 64)])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_boards_of_all_sizes(size: tuple[int, int], seats: int) -> None:
    game = Placement({"width": size[0], "height": size[1]}, seats=seats)
    state = game.initial_state(1)
    assert (state.layout.width, state.layout.height) == size
    assert len(game.legal_actions(state, 0)) > 1


def test_the_map_depends_on_the_seed_alone() -> None:
    rules = make_rules(Placement().params, size=None)
    one, other = (generate(rules, seats=2, rng=rng_for(5, 0, "map")) for _ in range(2))
    assert one == other
    assert one != generate(rules, seats=2, rng=rng_for(6, 0, "map"))
