"""Steps 1 to 6 of the planner: turned pieces, the maps, the placements, and the cache of fit data."""

from __future__ import annotations

import pytest

from bots.placement.fit_cache import FitCache, PlainKeys
from bots.placement.potential import potential_map
from bots.placement.shapes import pre_rotate, unlike
from games.bitset import members
from games.grid import Cell
from games.placement.legal import placements
from games.placement.pieces import piece_set, turned
from tests.bots.placement.key_checks import (
    all_potentials,
    check_maps_and_pieces_left_are_told_apart,
    check_order_of_placements_does_not_matter,
)
from tests.bots.placement.planning import PlanningCase, island_task, planning_cases
from tests.games.placement.boards import parse_piece

SQUARE = parse_piece("##", "##")
CORNER = parse_piece("#.", "##")
ROWS = ("S.__", "_#__", "____")


def test_a_hand_of_three_lies_in_twelve_ways_at_most() -> None:
    assert [len(ways) for ways in pre_rotate((CORNER, SQUARE, parse_piece("###")))] == [4, 1, 2]
    assert max(len(pre_rotate((piece,))[0]) for piece in piece_set(1, 6)) == 4


def test_pieces_of_one_kind_are_tried_once() -> None:
    assert unlike((CORNER, SQUARE, turned(CORNER, 1)), (0, 1, 2)) == [0, 1]
    assert unlike((CORNER, SQUARE, turned(CORNER, 1)), (1, 2)) == [1, 2]


def test_mirror_images_are_of_one_kind_only_where_mirroring_is_allowed() -> None:
    hand = (parse_piece("##.", ".##"), parse_piece(".##", "##."))
    assert unlike(hand, (0, 1)) == [0, 1]
    assert unlike(hand, (0, 1), reflect=True) == [0]


@pytest.mark.parametrize("case", planning_cases(), ids=lambda case: case.id)
def test_first_ply_placements_are_counted_exactly(case: PlanningCase) -> None:
    position = case.task.position
    found = tuple(len(placements(position, piece)) for piece in range(len(position.hand)))
    assert found == case.first_placements


def test_potential_placements_are_the_legal_ones() -> None:
    position = island_task(7).position
    _, found = all_potentials(7)
    expected = [place for piece in range(3) for place in placements(position, piece)]
    assert [potential.place(position.board) for potential in found] == expected


def test_the_potential_map_tells_which_placements_cover_a_cell() -> None:
    stride, found = all_potentials(3)
    sets = potential_map(found, stride)
    for cell in members(island_task(3).position.board.inside):
        covering = sum(1 << number for number, potential in enumerate(found) if potential.mask >> cell & 1)
        assert sets.get(cell, 0) == covering


def test_keys_do_not_depend_on_the_order_of_placements() -> None:
    check_order_of_placements_does_not_matter(PlainKeys())


def test_keys_tell_maps_and_pieces_left_apart() -> None:
    check_maps_and_pieces_left_are_told_apart(PlainKeys())


def test_fit_data_is_made_once_and_hits_are_counted() -> None:
    cache: FitCache[list[Cell]] = FitCache()
    made = [cache.look_up("key", lambda: [Cell(1, 2)]) for _ in range(3)]
    assert made[0] is made[1] is made[2]
    assert (cache.hits, cache.misses) == (2, 1)
