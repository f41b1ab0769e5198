"""The tile table and what the sets are made of."""

from __future__ import annotations

from collections import Counter

import pytest

from games.bitset import members
from games.eidolon.tiles import COLOURS, DOORS, NUMBERS, OF_COLOUR, TILES, draw_pile, has_door, turned_to
from games.grid import Direction

RED = "voracious_plant URDL minotaur URDL dragonling UDL fel_knight URD skeletal_guards UD ogre_brute DL dark_slime RD"
GREEN = (
    "floating_stones URDL spiked_pit URD den_of_snakes URD arrow_trap RDL pendulum_blades UD acid_jets UD lava_lake DL"
)
BLUE = (
    "laughing_shadow URDL psychomancer URDL paradox_puzzle UDL mindeater RDL sphynxs_riddle UD hall_of_illusion RD"
    " mimic_chest D"
)


@pytest.mark.parametrize(("colour", "table"), list(zip(COLOURS, (RED, GREEN, BLUE), strict=True)))
def test_chambers_have_the_doors_of_the_table(colour: int, table: str) -> None:
    words = table.split()
    expected = dict(zip(words[::2], words[1::2], strict=True))
    assert {TILES[tile].name: TILES[tile].printed for tile in members(OF_COLOUR[colour])} == expected


@pytest.mark.parametrize(
    ("tile_set", "end_doors", "counts"),
    [("seed28", 4, [5, 8, 7, 8]), ("published25", 4, [5, 8, 7, 5]), ("seed28", 1, [6, 8, 7, 7])],
)
def test_sets_have_so_many_tiles_of_one_to_four_doors(tile_set: str, end_doors: int, counts: list[int]) -> None:
    doors = Counter(len(TILES[tile].printed) for tile in members(draw_pile(tile_set, end_doors=end_doors)))
    assert [doors[count] for count in (1, 2, 3, 4)] == counts


def test_turning_is_clockwise() -> None:
    corner = NUMBERS["dark_slime"]  # printed RD: east and south
    assert has_door(corner, 1, Direction.S)
    assert has_door(corner, 1, Direction.W)
    assert not has_door(corner, 1, Direction.E)


def test_four_turns_are_none() -> None:
    assert all(doors[0] == doors[2] for doors in DOORS if doors[0] in (0b0101, 0b1010, 0b1111))


def test_tile_is_turned_on_clockwise_until_it_has_the_door() -> None:
    assert turned_to(NUMBERS["mimic_chest"], Direction.W) == 1
    assert turned_to(NUMBERS["mimic_chest"], Direction.E) == 3
    assert turned_to(NUMBERS["skeletal_guards"], Direction.E, first=2) == 3
