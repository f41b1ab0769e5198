"""Steps 1 to 8 of the planner: turned pieces, the placements, the map of them, and the cache of fit data."""

from __future__ import annotations

import pytest

from gridjoust.bots.placement.potential import FitCache, Potential, placements_left, potential_map, pre_rotate, unlike
from gridjoust.games.bitset import members
from gridjoust.games.placement.legal import placements
from gridjoust.games.placement.pieces import Shape, piece_set, turned
from tests.bots.placement.planning import island_task, planning_cases
from tests.games.placement.boards import parse_piece

SQUARE = parse_piece("##", "##")
CORNER = parse_piece("#.", "##")
Z, S = parse_piece("##.", ".##"), parse_piece(".##", "##.")


def all_potentials(seed: int) -> list[Potential]:
    """Every placement at the start of an island task."""
    position = island_task(seed).position
    return placements_left(position, position.floor, (0, 1, 2), position.board.spread(position.floor))


def test_a_hand_of_three_lies_in_twelve_ways_at_most() -> None:
    assert [len(ways) for ways in pre_rotate((CORNER, SQUARE, parse_piece("###")))] == [4, 1, 2]
    assert max(len(pre_rotate((piece,))[0]) for piece in piece_set(1, 6)) == 4


@pytest.mark.parametrize(
    ("hand", "left", "reflect", "tried"),
    [
        pytest.param((CORNER, SQUARE, turned(CORNER, 1)), (0, 1, 2), False, [0, 1], id="pieces of one kind once"),
        pytest.param((CORNER, SQUARE, turned(CORNER, 1)), (1, 2), False, [1, 2], id="only those left"),
        pytest.param((Z, S), (0, 1), False, [0, 1], id="mirror images are of two kinds"),
        pytest.param((Z, S), (0, 1), True, [0], id="and of one where mirroring is allowed"),
    ],
)
def test_pieces_that_are_tried(hand: tuple[Shape, ...], left: tuple[int, ...], reflect: bool, tried: list[int]) -> None:
    assert unlike(hand, left, reflect=reflect) == tried


def test_first_ply_placements_are_counted_exactly() -> None:
    counted = {
        case.id: tuple(len(placements(case.task.position, piece)) for piece in range(len(case.task.position.hand)))
        for case in planning_cases()
    }
    assert counted == {case.id: case.first_placements for case in planning_cases()}


def test_potential_placements_are_the_legal_ones() -> None:
    position = island_task(7).position
    expected = [place for piece in range(3) for place in placements(position, piece)]
    assert [potential.place(position.board) for potential in all_potentials(7)] == expected


def test_the_potential_map_tells_which_placements_cover_a_cell() -> None:
    board = island_task(3).position.board
    found = all_potentials(3)
    sets = potential_map(found, board.stride)
    for cell in members(board.inside):
        covering = sum(1 << number for number, potential in enumerate(found) if potential.mask >> cell & 1)
        assert sets.get(cell, 0) == covering


def test_fit_data_is_made_once_and_hits_are_counted() -> None:
    cache = FitCache()
    made = [cache.look_up("key", lambda: all_potentials(1)) for _ in range(3)]
    assert made[0] is made[1] is made[2]
    assert (cache.hits, cache.misses) == (2, 1)
