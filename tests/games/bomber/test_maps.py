"""Generated and given maps: what stays free, how often players are connected, fairness, and errors that say where."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gridjoust.games.api import ParamValue
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.board import make_board
from gridjoust.games.bomber.maps import Layout, are_connected, parse_map
from gridjoust.games.bomber.state import METAL, ORE, SOFT, State
from tests.games.bomber.scenes import rows, scene

SEEDS = range(400)
CONTEST = {"preset": "coderone"}
DEFAULT = Bomber(CONTEST)
BREAKABLE = (0, SOFT + 1, ORE + 3)  # what is passed once soft and ore are gone


def drawn(params: Mapping[str, ParamValue], *, seats: int = 2, count: int = 400) -> list[State]:
    """Maps of many seeds."""
    return [*map(Bomber({**CONTEST, **params}, seats=seats).initial_state, range(count))]


def counts(state: State) -> list[int]:
    """Metal, soft, ore, ammo."""
    return [*(state.blocks.count(block) for block in (METAL, SOFT + 1, ORE + 3)), len(state.ammo)]


def starts(state: State) -> tuple[int, ...]:
    return tuple(player.cell for player in state.players)


def is_connected(state: State, *, passing: tuple[int, ...] = (0,)) -> bool:
    blocked = [cell for cell, block in enumerate(state.blocks) if block not in passing]
    return are_connected(make_board(12, 10), starts(state), blocked=blocked)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_default_map_has_its_counts_and_players_on_cells_of_their_own_in_every_seed(seats: int) -> None:
    for state in drawn({}, seats=seats):
        assert (counts(state), len(state.blocks), state.treasure) == ([18, 20, 5, 1], 12 * 10, ())
        assert [(player.hp, player.ammo, player.score) for player in state.players] == [(3, 3, 0)] * seats
        assert len(set(starts(state))) == seats


def test_neighbours_of_a_start_and_a_straight_cell_at_distance_two_are_free() -> None:
    board = make_board(12, 10)
    for state in map(DEFAULT.initial_state, SEEDS):
        taken = {cell for cell, block in enumerate(state.blocks) if block} | {token.cell for token in state.ammo}
        for start in starts(state):
            assert taken.isdisjoint((start, *board.neighbours[start]))
            rays = [board.ray(start, move, 2) for move in board.steps]
            assert any(len(ray) == 2 and ray[1] not in taken for ray in rays)


def test_starts_are_connected_at_once_in_about_79_percent_of_maps() -> None:
    connected = sum(is_connected(DEFAULT.initial_state(seed)) for seed in SEEDS)
    assert 276 <= connected <= 356  # 316 expected, standard deviation 8.1


CONNECTED: dict[str, tuple[dict[str, ParamValue], int]] = {
    "usual": ({}, 400),
    "much metal": ({"metal": 45, "soft": 0, "ore": 0}, 100),
    "symmetric": ({"symmetric": True}, 1000),
}


@pytest.mark.default("much metal", "usual")
@pytest.mark.parametrize(("params", "count"), CONNECTED.values(), ids=CONNECTED)
def test_starts_are_always_connected_once_soft_and_ore_are_gone(params: dict[str, ParamValue], count: int) -> None:
    assert all(is_connected(state, passing=BREAKABLE) for state in drawn(params, count=count))


def test_players_start_anywhere_and_the_same_seed_gives_the_same_map_and_another_another() -> None:
    assert len({starts(state)[0] for state in drawn({}, count=2000)}) == 120
    assert Bomber(CONTEST).initial_state(5) == DEFAULT.initial_state(5)
    assert DEFAULT.initial_state(6).blocks != DEFAULT.initial_state(5).blocks


SIZES: dict[str, tuple[dict[str, ParamValue], int, list[int]]] = {  # cells, and the counts in every seed
    "size and counts are parameters": (
        {"width": 7, "height": 6, "metal": 4, "soft": 3, "ore": 2, "free_ammo": 2}, 42, [4, 3, 2, 2],
    ),
    "the smallest board": ({"width": 3, "height": 4, "metal": 0, "soft": 0, "ore": 0, "free_ammo": 0}, 12, [0] * 4),
    "as many blocks as are allowed": ({"metal": 18, "soft": 84}, 120, [18, 84, 5, 1]),
    "symmetric counts are rounded up to whole groups": ({"symmetric": True}, 120, [18, 20, 6, 2]),
}  # fmt: skip


@pytest.mark.parametrize(("params", "cells", "expected"), SIZES.values(), ids=SIZES)
def test_map_has_its_size_and_counts(params: dict[str, ParamValue], cells: int, expected: list[int]) -> None:
    assert {(len(state.blocks), *counts(state)) for state in drawn(params)} == {(cells, *expected)}


FULL: dict[str, ParamValue] = {
    "symmetric": True, "width": 11, "height": 9, "metal": 40, "soft": 8, "ore": 4, "free_ammo": 4,
}  # fmt: skip


def test_symmetric_map_of_odd_size_fills_no_middle_row_or_column() -> None:
    assert {counts(state)[0] for state in drawn(FULL, seats=4, count=50)} == {40}


@pytest.mark.parametrize(
    ("params", "seats", "sentence"),
    [
        ({"metal": 83}, 2, "free_ammo: expected at most 108 on 12 x 10 cells with 2 seats, got 109"),
        ({"symmetric": True}, 3, "symmetric: expected 2 or 4 seats, got 3"),
        ({"symmetric": True, "metal": 64, "soft": 20, "ore": 12}, 4, "most 96 on 12 x 10 cells with 4 seats, got 100"),
        (FULL | {"soft": 9}, 4, "expected at most 56 on 11 x 9 cells with 4 seats, got 60"),
        ({"map": "0.1"}, 3, "map: expected one start 2, got none"),
    ],
)  # fmt: skip
def test_maps_without_room_are_refused_before_any_seed_is_drawn(
    params: dict[str, ParamValue], seats: int, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        Bomber({**CONTEST, **params}, seats=seats)


def things(state: State) -> list[int]:
    """Blocks and ammo, one number a cell."""
    tokens = {token.cell for token in state.ammo}
    return [256 if cell in tokens else block for cell, block in enumerate(state.blocks)]


def mirrored(cells: list[int], width: int) -> list[int]:
    return [cell for start in range(0, len(cells), width) for cell in reversed(cells[start : start + width])]


def test_symmetric_map_for_two_looks_the_same_after_half_a_turn() -> None:
    for size in (120, 121):
        for state in drawn({"symmetric": True} | ({"width": 11, "height": 11} if size % 2 else {})):
            assert things(state) == things(state)[::-1]
            assert sum(starts(state)) == size - 1


def test_symmetric_map_for_four_looks_the_same_in_both_mirrors() -> None:
    for state in drawn({"symmetric": True}, seats=4):
        assert things(state) == things(state)[::-1] == mirrored(things(state), 12)
        assert set(starts(state)) == {start for start in starts(state) if 119 - start in starts(state)}


DRAWN = rows("0.#", "soa", ".t1")


def test_map_text_puts_everything_where_it_is_drawn_with_full_hp_whatever_the_seed() -> None:
    layout = Layout(3, 3, (0, 8), metal=(2,), soft=(3,), ore=(4,), ammo=(5,), treasure=(7,))
    assert parse_map(DRAWN, seats=2) == parse_map(f"\n{DRAWN}\n\n", seats=2) == layout
    game = Bomber({"map": DRAWN, "ore_hp": 7, "soft_hp": 2})
    assert {tuple(game.initial_state(seed).blocks) for seed in (0, 1, 2)} == {
        (0, 0, METAL, SOFT + 2, ORE + 7, 0, 0, 0, 0)
    }
    assert scene("0..", "..1").view()["size"] == [3, 2]


def test_starts_of_seats_that_do_not_play_are_free() -> None:
    assert parse_map("0.2.1", seats=2) == Layout(5, 1, (0, 4))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0.1\n.?.", "map: row 1, column 1: expected one of . # s o a t 0 1 2 3, got '?'"),
        ("0.1\n..", "map: row 1: expected 3 cells, got 2"),
        ("0..", "map: expected one start 1, got none"),
        ("0.11", "map: expected one start 1, got 2"),
    ],
)
def test_bad_map_text_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole sentence is compared below
        Bomber({"map": text})
    assert str(refused.value) == sentence


@pytest.mark.parametrize(("walls", "steps"), [((), 2), ((1,), 4)])
def test_flood_goes_round_walls_nearest_first(walls: tuple[int, ...], steps: int) -> None:
    reached = list(make_board(3, 3).flood(0, walls))
    assert dict(reached)[2] == steps
    assert [far for _, far in reached] == sorted(far for _, far in reached)
    assert len(dict(reached)) == len(reached) == 9 - len(walls)
