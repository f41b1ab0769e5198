"""Algorithm 1: rates that were measured elsewhere, and what holds for every map.

Statistical tests compare a count with its expectation at fixed seeds. Had the seeds been drawn, each would fail with a
probability below 2e-5 for a right generator (4.3 standard errors, our own and those of the measured rate).
"""

from __future__ import annotations

import re
from math import sqrt

import pytest

from games.api import ParamValue
from games.bitset import mask_of
from games.eidolon import Eidolon, generate
from games.eidolon.dungeon import ORIGIN, Dungeon
from games.eidolon.state import End
from games.eidolon.tiles import DOORS, FIRE, HEAVY, NUMBERS, OF_COLOUR, SEALS, draw_pile
from games.grid import DIRECTIONS

MAPS = 3_000
ELSEWHERE = 100_000  # maps behind the rates measured elsewhere
ERRORS = 4.3


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


def test_one_map_in_4095_starts_with_four_one_door_tiles_that_close_it() -> None:
    expected = 10_000 / 4095
    closed = [dungeon for dungeon in map(generate, range(10_000)) if starts_closed(dungeon)]
    assert 0 < len(closed) < expected + ERRORS * sqrt(expected)
    assert not any(dungeon.is_solvable for dungeon in closed)


@pytest.mark.parametrize("backtrack", ["random", "first", "latest"])
def test_every_placed_tile_is_reachable(backtrack: str) -> None:
    for seed in range(300):
        dungeon = generate(seed, {"backtrack": backtrack})
        assert dungeon.reach(ORIGIN) == {placed.cell for placed in dungeon.placed}


def test_a_map_is_the_same_every_time_and_another_for_another_seed_or_way_to_backtrack() -> None:
    assert generate(11) == generate(11)
    assert generate(11) != generate(12)
    assert len({generate(5, {"backtrack": kind}).placed for kind in ("random", "first", "latest")}) == 3


def test_tiles_are_laid_or_left() -> None:
    for seed in range(200):
        dungeon = generate(seed)
        laid = mask_of([placed.tile for placed in dungeon.placed[1:]])
        assert laid & dungeon.stack == 0
        assert laid | dungeon.stack == draw_pile("seed28", end_doors=4)


def test_every_tile_is_joined_to_the_tiles_before_it_by_a_door() -> None:
    dungeon = generate(3)
    for number, placed in enumerate(dungeon.placed[1:], start=1):
        before = {other.cell for other in dungeon.placed[:number]}
        assert any(other in before for other in dungeon.links[placed.cell].values())


def _beside_vestibule(dungeon: Dungeon) -> int:
    return mask_of([dungeon.at[cell].tile for cell in dungeon.links[ORIGIN].values()])


def test_vestibule_rule_keeps_seals_and_fire_away_from_the_vestibule() -> None:
    assert any(_beside_vestibule(generate(seed)) & HEAVY for seed in range(50))
    assert not any(_beside_vestibule(generate(seed, {"vestibule_rule": True})) & HEAVY for seed in range(500))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"tile_set": "seed29"}, "tile_set: expected one of seed28, published25, got 'seed29'"),
        ({"backtrak": "first"}, "backtrak: expected 'backtrack', got an unknown parameter of eidolon"),
        ({"end_doors": 2}, "end_doors: expected one of 4, 1, got 2"),
    ],
)
def test_bad_parameter_is_named(params: dict[str, ParamValue], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        generate(0, params)


def test_doors_of_the_end_may_be_written_as_printed() -> None:
    assert generate(4, {"end_doors": "D"}) == generate(4, {"end_doors": 1})
    assert generate(4, {"end_doors": "URDL"}) == generate(4)


def test_preset_brings_its_tile_set() -> None:
    assert generate(4, {"preset": "published"}) == generate(4, {"tile_set": "published25", "vestibule_rule": True})


UNSOLVABLE_SEED = next(seed for seed in range(3_000) if not generate(seed).is_solvable)


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
    assert state.end is End.UNSOLVABLE
    assert game.is_terminal(state)
    assert game.reason(state).startswith("unsolvable")


def test_so_many_doorways_are_blocked() -> None:
    dungeon = Eidolon({"barriers": 7}).initial_state(1).dungeon
    assert len(dungeon.barriers) == 7
    assert dungeon.barriers <= set(dungeon.doorways())


def test_directions_are_tried_evenly() -> None:
    first = [generate(seed).placed[1].cell for seed in range(2_000)]
    counts = [first.count(ORIGIN.step(direction)) for direction in DIRECTIONS]
    assert sum(counts) == 2_000
    assert all(abs(count - 500) < ERRORS * sqrt(2_000 * 0.25 * 0.75) for count in counts)
