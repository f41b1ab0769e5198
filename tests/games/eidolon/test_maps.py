"""The tiles and their sets; Algorithm 1: rates that were measured elsewhere, and what holds for every map.

Statistical tests compare a count with its expectation at fixed seeds. Had the seeds been drawn, each would fail with a
probability below 2e-5 for a right generator (4.3 standard errors, our own and those of the measured rate).
"""

from __future__ import annotations

import re
from collections import Counter
from math import sqrt

import pytest

from gridjoust.games.api import ParamValue
from gridjoust.games.bitset import mask_of, members
from gridjoust.games.eidolon import Eidolon, generate
from gridjoust.games.eidolon.dungeon import ORIGIN, Dungeon
from gridjoust.games.eidolon.state import End
from gridjoust.games.eidolon.tiles import (
    COLOURS,
    DOORS,
    FIRE,
    HEAVY,
    NUMBERS,
    OF_COLOUR,
    SEALS,
    TILES,
    draw_pile,
    has_door,
    turned_to,
)
from gridjoust.games.grid import DIRECTIONS, Direction

MAPS = 3_000
ELSEWHERE = 100_000  # maps behind the rates measured elsewhere
ERRORS = 4.3


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


def test_turning_is_clockwise_and_by_half_none_for_symmetric_tiles() -> None:
    corner = NUMBERS["dark_slime"]  # printed RD: east and south
    assert [d.name for d in DIRECTIONS if has_door(corner, 1, d)] == ["S", "W"]
    assert all(doors[0] == doors[2] for doors in DOORS if doors[0] in (0b0101, 0b1010, 0b1111))


def test_tile_is_turned_on_clockwise_until_it_has_the_door() -> None:
    turns = [("mimic_chest", Direction.W, 0), ("mimic_chest", Direction.E, 0), ("skeletal_guards", Direction.E, 2)]
    assert [turned_to(NUMBERS[tile], direction, first=first) for tile, direction, first in turns] == [1, 3, 3]


@pytest.mark.gate
@pytest.mark.parametrize(
    ("rate", "params"),
    [
        (0.0044, {}),
        (0.0013, {"vestibule_rule": True}),
        (0.0125, {"tile_set": "published25"}),
        (0.0053, {"tile_set": "published25", "vestibule_rule": True}),
        (0.0134, {"end_doors": 1}),
        (0.0058, {"end_doors": 1, "vestibule_rule": True}),
    ],
)
def test_share_of_unsolvable_maps_is_that_measured_elsewhere(rate: float, params: dict[str, ParamValue]) -> None:
    share = sum(not generate(seed, params).is_solvable for seed in range(MAPS)) / MAPS
    variance = rate * (1 - rate) * (1 / MAPS + 1 / ELSEWHERE)
    assert abs(share - rate) < ERRORS * sqrt(variance)
    assert share > 0


def starts_closed(dungeon: Dungeon) -> bool:
    """Whether the first four tiles have one door each: exactly 1 in 4095 maps of seed28 with a four-door End."""
    return len(dungeon.placed) == 5 and all(DOORS[p.tile][0].bit_count() == 1 for p in dungeon.placed[1:])


@pytest.mark.gate
def test_one_map_in_4095_starts_with_four_one_door_tiles_that_close_it() -> None:
    expected = 10_000 / 4095
    closed = [dungeon for dungeon in map(generate, range(10_000)) if starts_closed(dungeon)]
    assert 0 < len(closed) < expected + ERRORS * sqrt(expected)
    assert not any(dungeon.is_solvable for dungeon in closed)


@pytest.mark.gate
@pytest.mark.parametrize("backtrack", ["random", "first", "latest"])
def test_every_placed_tile_is_reachable(backtrack: str) -> None:
    for seed in range(300):
        dungeon = generate(seed, {"backtrack": backtrack})
        assert dungeon.reach(ORIGIN) == {placed.cell for placed in dungeon.placed}


def test_a_map_is_the_same_every_time_and_another_for_another_seed_or_way_to_backtrack() -> None:
    assert generate(11) == generate(11)
    assert generate(11) != generate(12)
    assert len({generate(5, {"backtrack": kind}).placed for kind in ("random", "first", "latest")}) == 3


def test_tiles_are_laid_or_left_each_joined_to_those_before_it_by_a_door() -> None:
    for dungeon in map(generate, range(200)):
        laid = mask_of([placed.tile for placed in dungeon.placed[1:]])
        assert (laid & dungeon.stack, laid | dungeon.stack) == (0, draw_pile("seed28", end_doors=4))
        before = {ORIGIN}
        for placed in dungeon.placed[1:]:
            assert not before.isdisjoint(dungeon.links[placed.cell].values())
            before.add(placed.cell)


def _beside_vestibule(dungeon: Dungeon) -> int:
    return mask_of([dungeon.at[cell].tile for cell in dungeon.links[ORIGIN].values()])


@pytest.mark.gate
def test_vestibule_rule_keeps_seals_and_fire_away_from_the_vestibule() -> None:
    assert any(_beside_vestibule(generate(seed)) & HEAVY for seed in range(50))
    assert not any(_beside_vestibule(generate(seed, {"vestibule_rule": True})) & HEAVY for seed in range(500))


BAD: dict[str, dict[str, ParamValue]] = {
    "tile_set: expected one of seed28, published25, got 'seed29'": {"tile_set": "seed29"},
    "backtrak: expected 'backtrack', got an unknown parameter of eidolon": {"backtrak": "first"},
    "end_doors: expected one of 4, 1, got 2": {"end_doors": 2},
}


@pytest.mark.parametrize(("message", "params"), BAD.items())
def test_bad_parameter_is_named(message: str, params: dict[str, ParamValue]) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        generate(0, params)


def test_doors_of_the_end_may_be_written_as_printed_and_a_preset_brings_its_tile_set() -> None:
    assert generate(4, {"end_doors": "D"}) == generate(4, {"end_doors": 1})
    assert generate(4, {"end_doors": "URDL"}) == generate(4)
    assert generate(4, {"preset": "published"}) == generate(4, {"tile_set": "published25", "vestibule_rule": True})


UNSOLVABLE_SEED = 604  # the first one
NEEDED = mask_of([*SEALS, FIRE, NUMBERS["end"]])


def test_solvable_maps_have_everything_and_six_tokens_of_each_colour() -> None:
    solvable = []
    for dungeon in map(generate, (*range(100), UNSOLVABLE_SEED)):
        laid = mask_of([placed.tile for placed in dungeon.placed])
        tokens = min((laid & colour).bit_count() for colour in OF_COLOUR)
        assert dungeon.is_solvable == (laid & NEEDED == NEEDED and tokens >= 6)
        solvable.append(dungeon.is_solvable)
    assert 90 < sum(solvable) < 101


def test_game_is_played_on_the_generated_map_and_on_another_where_that_is_unsolvable() -> None:
    assert Eidolon().initial_state(2).dungeon == generate(2)
    assert Eidolon().initial_state(UNSOLVABLE_SEED).dungeon.is_solvable


def test_kept_unsolvable_map_ends_the_match_at_once() -> None:
    game = Eidolon({"on_unsolvable": "keep"})
    state = game.initial_state(UNSOLVABLE_SEED)
    assert (state.end, game.is_terminal(state)) == (End.UNSOLVABLE, True)
    assert game.reason(state).startswith("unsolvable")


def test_so_many_doorways_are_blocked_or_will_be_as_tiles_come() -> None:
    dungeon = Eidolon({"barriers": 7}).initial_state(1).dungeon
    assert len(dungeon.barriers) == len(dungeon.barriers & set(dungeon.doorways())) == 7
    unknown = Eidolon({"preset": "sim3", "barriers": 60}).initial_state(0)
    assert (unknown.barriers_left, unknown.dungeon.barriers) == (60, frozenset())


@pytest.mark.gate
def test_directions_are_tried_evenly() -> None:
    first = [generate(seed).placed[1].cell for seed in range(2_000)]
    counts = [first.count(ORIGIN.step(direction)) for direction in DIRECTIONS]
    assert sum(counts) == 2_000
    assert all(abs(count - 500) < ERRORS * sqrt(2_000 * 0.25 * 0.75) for count in counts)
