"""Generated and given maps: what stays free, how often players are connected, fairness, and errors that say where."""

from __future__ import annotations

import pytest

from games.api import ParamValue
from games.bomber import Bomber
from games.bomber.board import make_board
from games.bomber.maps import Layout, are_connected, parse_map
from games.bomber.state import METAL, ORE, SOFT, State
from tests.games.bomber.scenes import rows, scene

SEEDS = range(400)
DEFAULT = Bomber()


def cells_of(state: State, block: int) -> list[int]:
    return [cell for cell, other in enumerate(state.blocks) if other == block]


def starts(state: State) -> tuple[int, ...]:
    return tuple(player.cell for player in state.players)


def is_connected(game: Bomber, state: State, *, passing: tuple[int, ...]) -> bool:
    board = make_board(game.rules.width, game.rules.height)
    blocked = [cell for cell, block in enumerate(state.blocks) if block not in passing]
    return are_connected(board, starts(state), blocked=blocked)


def test_default_map_has_its_counts_and_players_in_every_seed() -> None:
    for state in map(DEFAULT.initial_state, SEEDS):
        assert [len(cells_of(state, block)) for block in (METAL, SOFT + 1, ORE + 3)] == [18, 20, 5]
        assert (len(state.blocks), len(state.ammo), state.treasure) == (12 * 10, 1, ())
        assert [(player.hp, player.ammo, player.score) for player in state.players] == [(3, 3, 0), (3, 3, 0)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_starts_on_a_cell_of_its_own(seats: int) -> None:
    game = Bomber(seats=seats)
    assert all(len(set(starts(game.initial_state(seed)))) == seats for seed in SEEDS)


def test_neighbours_of_a_start_and_a_straight_cell_at_distance_two_are_free() -> None:
    board = make_board(12, 10)
    for state in map(DEFAULT.initial_state, SEEDS):
        taken = {cell for cell, block in enumerate(state.blocks) if block} | {token.cell for token in state.ammo}
        for start in starts(state):
            assert taken.isdisjoint((start, *board.neighbours[start]))
            rays = [board.ray(start, move, 2) for move in board.steps]
            assert any(len(ray) == 2 and ray[1] not in taken for ray in rays)


def test_starts_are_connected_at_once_in_about_79_percent_of_maps() -> None:
    connected = sum(is_connected(DEFAULT, DEFAULT.initial_state(seed), passing=(0,)) for seed in SEEDS)
    assert 276 <= connected <= 356  # 316 expected, standard deviation 8.1


def test_starts_are_always_connected_once_soft_and_ore_are_gone() -> None:
    passing = (0, SOFT + 1, ORE + 3)
    assert all(is_connected(DEFAULT, DEFAULT.initial_state(seed), passing=passing) for seed in SEEDS)


def test_players_are_kept_apart_by_metal_in_no_map_even_with_much_of_it() -> None:
    game = Bomber({"metal": 45, "soft": 0, "ore": 0})
    assert all(is_connected(game, game.initial_state(seed), passing=(0,)) for seed in range(100))


def test_players_start_anywhere() -> None:
    assert len({starts(DEFAULT.initial_state(seed))[0] for seed in range(2000)}) == 120


def test_same_seed_gives_the_same_map_and_another_seed_another() -> None:
    assert Bomber().initial_state(5) == DEFAULT.initial_state(5)
    assert DEFAULT.initial_state(6).blocks != DEFAULT.initial_state(5).blocks


def test_size_and_counts_are_parameters() -> None:
    small = Bomber({"width": 7, "height": 6, "metal": 4, "soft": 3, "ore": 2, "free_ammo": 2}).initial_state(0)
    counts = [len(cells_of(small, block)) for block in (METAL, SOFT + 1, ORE + 3)]
    assert (len(small.blocks), counts, len(small.ammo)) == (42, [4, 3, 2], 2)


def test_smallest_board_has_a_map() -> None:
    empty = {"width": 3, "height": 4, "metal": 0, "soft": 0, "ore": 0, "free_ammo": 0}
    assert all(len(Bomber(empty).initial_state(seed).blocks) == 12 for seed in SEEDS)


@pytest.mark.parametrize(
    ("params", "seats", "sentence"),
    [
        ({"metal": 83}, 2, "free_ammo: expected at most 108 on 12 x 10 cells with 2 seats, got 109"),
        ({"symmetric": True}, 3, "symmetric: expected 2 or 4 seats, got 3"),
        (
            {"symmetric": True, "metal": 64, "soft": 20, "ore": 12},
            4,
            "at most 96 on 12 x 10 cells with 4 seats, got 100",
        ),
    ],
)
def test_maps_without_room_are_refused_before_any_seed_is_drawn(
    params: dict[str, ParamValue], seats: int, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        Bomber(params, seats=seats)


def test_as_many_blocks_as_are_allowed_find_room_in_every_seed() -> None:
    game = Bomber({"metal": 18, "soft": 84})
    assert {len(cells_of(game.initial_state(seed), SOFT + 1)) for seed in SEEDS} == {84}


def things(state: State) -> list[int]:
    """Blocks and ammo, one number a cell."""
    tokens = {token.cell for token in state.ammo}
    return [256 if cell in tokens else block for cell, block in enumerate(state.blocks)]


def mirrored(cells: list[int], width: int) -> list[int]:
    return [cell for start in range(0, len(cells), width) for cell in reversed(cells[start : start + width])]


def test_symmetric_map_for_two_looks_the_same_after_half_a_turn() -> None:
    for state in map(Bomber({"symmetric": True}).initial_state, SEEDS):
        assert things(state) == things(state)[::-1]
        assert state.players[1].cell == 119 - state.players[0].cell


def test_symmetric_map_for_four_looks_the_same_in_both_mirrors() -> None:
    for state in map(Bomber({"symmetric": True}, seats=4).initial_state, SEEDS):
        assert things(state) == things(state)[::-1] == mirrored(things(state), 12)
        assert set(starts(state)) == {start for start in starts(state) if 119 - start in starts(state)}


def test_symmetric_map_rounds_counts_up_to_whole_groups() -> None:
    state = Bomber({"symmetric": True}).initial_state(0)
    assert [len(cells_of(state, block)) for block in (METAL, SOFT + 1, ORE + 3)] == [18, 20, 6]
    assert len(state.ammo) == 2


def test_symmetric_map_of_odd_size_is_symmetric_too() -> None:
    game = Bomber({"symmetric": True, "width": 11, "height": 11})
    assert all(things(state) == things(state)[::-1] for state in map(game.initial_state, range(50)))


def test_symmetric_starts_are_always_connected_once_soft_and_ore_are_gone() -> None:
    game = Bomber({"symmetric": True})
    passing = (0, SOFT + 1, ORE + 3)
    assert all(is_connected(game, game.initial_state(seed), passing=passing) for seed in range(1000))


def test_symmetric_map_of_odd_size_fills_no_middle_row_or_column() -> None:
    full = {"symmetric": True, "width": 11, "height": 9, "metal": 40, "soft": 8, "ore": 4, "free_ammo": 4}
    game = Bomber(full, seats=4)
    assert {len(cells_of(game.initial_state(seed), METAL)) for seed in range(50)} == {40}
    with pytest.raises(ValueError, match=r"expected at most 56 on 11 x 9 cells with 4 seats, got 60"):
        Bomber(full | {"soft": 9}, seats=4)


DRAWN = rows("0.#", "soa", ".t1")


def test_map_text_puts_everything_where_it_is_drawn() -> None:
    assert parse_map(DRAWN, seats=2) == Layout(3, 3, (0, 8), metal=(2,), soft=(3,), ore=(4,), ammo=(5,), treasure=(7,))


def test_map_text_may_begin_and_end_with_empty_lines() -> None:
    assert parse_map(f"\n{DRAWN}\n\n", seats=2) == parse_map(DRAWN, seats=2)


def test_map_text_sets_the_size_of_the_board() -> None:
    given = scene("0..", "..1")
    assert given.game.observation(given.state, 0)["size"] == [3, 2]


def test_map_text_gives_blocks_their_full_hp() -> None:
    state = Bomber({"map": DRAWN, "ore_hp": 7, "soft_hp": 2}).initial_state(0)
    assert list(state.blocks) == [0, 0, METAL, SOFT + 2, ORE + 7, 0, 0, 0, 0]


def test_map_is_the_same_for_every_seed() -> None:
    game = Bomber({"map": DRAWN})
    assert game.initial_state(1).blocks == game.initial_state(2).blocks


def test_starts_of_seats_that_do_not_play_are_free() -> None:
    layout = parse_map("0.2.1", seats=2)
    assert layout == Layout(5, 1, (0, 4))


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


def test_map_with_too_few_starts_is_refused() -> None:
    with pytest.raises(ValueError, match="map: expected one start 2, got none"):
        Bomber({"map": "0.1"}, seats=3)


@pytest.mark.parametrize(("walls", "steps"), [((), 2), ((1,), 4)])
def test_flood_goes_round_walls_nearest_first(walls: tuple[int, ...], steps: int) -> None:
    reached = list(make_board(3, 3).flood(0, walls))
    assert dict(reached)[2] == steps
    assert [far for _, far in reached] == sorted(far for _, far in reached)
    assert len(dict(reached)) == len(reached) == 9 - len(walls)
