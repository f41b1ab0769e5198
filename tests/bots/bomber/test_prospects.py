"""What is worth going to, on drawn boards."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bots.bomber import prospects
from bots.bomber.prospects import (
    can_be_shut_in,
    choose,
    contested_cells,
    find_prospects,
    has_shelter,
    rate,
    trap_cells,
    trap_value,
)
from tests.games.bomber.scenes import Scene, scene


def values(shown: Scene, **cells: set[int]) -> dict[int, float]:
    return dict(find_prospects(shown.game.rules, shown.state, 0, **cells).values)


def test_place_beside_a_soft_block_is_worth_its_points() -> None:
    shown = scene("0..s##", "######", "1#ssss", "##ssss")
    assert (values(shown)[2], values(shown)[1]) == (2.0, 1.9)


def test_block_that_a_bomb_will_take_is_worth_nothing() -> None:
    shown = scene("0..s##", "######", "1#ssss", "##ssss", bombs=[(2, 0, 1, 9)])
    assert values(shown).keys() & {0, 1, 2} == set()


def test_first_ammo_is_worth_more_than_the_third() -> None:
    worths = [values(scene("0.a", "###", "1ss", "sss", "sss", ammo=(held, 3)))[2] for held in (0, 1, 2, 7)]
    assert worths == [4.0, 2.0, 1.0, 1.0]


def test_place_for_a_bomb_is_worth_next_to_nothing_without_one() -> None:
    shown = scene("0..s##", "######", "1#ssss", "##ssss", ammo=(0, 3))
    assert 0 < values(shown)[2] < 0.1


def test_barred_cell_is_worth_nothing() -> None:
    shown = scene("0.ts##", "######", "1#ssss", "##ssss")
    assert 2 in values(shown)
    assert 2 not in values(shown, barred={2})


def test_cell_without_leave_to_bomb_keeps_what_lies_there() -> None:
    shown = scene("0.ts##", "######", "1#ssss", "##ssss")
    assert values(shown, bombless={2})[2] == 1.0


def test_what_lies_nearer_to_a_rival_is_contested() -> None:
    shown = scene("0a..a1", "......", "......", "ssssss")
    assert contested_cells(shown.game.rules, shown.state, 0) == {4}
    assert values(shown, contested={4})[4] < values(shown, contested={4})[1]


def test_bot_that_is_behind_goes_after_its_rival_when_no_block_is_left() -> None:
    shown = scene("0.....", "......", "......", "......", ".....1")
    ahead = shown.change(players=(shown.player(0)._replace(score=1), shown.player(1)))
    beside_rival = 4 * 6 + 4
    assert beside_rival in values(shown)
    assert beside_rival not in values(ahead)


@pytest.mark.parametrize(
    ("board", "bombs", "expected"),
    [
        pytest.param(("0..", "##.", "1#."), [], True, id="round a corner"),
        pytest.param(("0..", "###", "1#."), [], False, id="dead end"),
        pytest.param(("0..#", "##.#", "##.#", "1#.#"), [], True, id="round a longer corner"),
        pytest.param(("0..#", "##.#", "##.#", "1#.#"), [(2, 3, 1, 20)], False, id="in the blast of another bomb"),
    ],
)
def test_shelter(board: tuple[str, ...], bombs: list[tuple[int, int, int, int]], expected: bool) -> None:
    shown = scene(*board, bombs=bombs)
    assert has_shelter(shown.game.rules, shown.state, 0, 0) == expected


@pytest.mark.parametrize(
    ("board", "ammo", "spots"),
    [
        pytest.param(("1..0..", "##.###", "##...."), 3, [1, 2], id="a dead end, from its mouth"),
        pytest.param(("1..0..", "##.###", "##...."), 0, [], id="without ammo"),
        pytest.param(("1..0..", "......", "......"), 3, [], id="with a way round"),
    ],
)
def test_rival_is_shut_in(board: tuple[str, ...], ammo: int, spots: list[int]) -> None:
    shown = scene(*board, ammo=(ammo, 3))
    assert trap_cells(shown.game.rules, shown.state, 0) == spots


def test_bomb_is_worth_more_while_a_rival_is_shut_in() -> None:
    shown = scene("1.0...", "#####.", bombs=[(2, 0, 0, 20)])
    burning = {0, 1, 2, 3, 4}
    assert trap_value(shown.game.rules, shown.state, 0, burning) == prospects.TRAP_CHANCE * 25
    assert trap_value(shown.game.rules, shown.state, 0, burning - {1}) == 0


@pytest.mark.parametrize(
    ("ammo", "cell", "reach", "expected"),
    [(3, 0, 2, True), (3, 0, 1, False), (3, 2, 2, False), (0, 0, 2, False)],
    ids=["dead end near a rival", "farther than it reaches", "beside a way out", "rival without ammo"],
)
def test_seat_can_be_shut_in(ammo: int, cell: int, reach: int, expected: bool) -> None:
    shown = scene("0...1.", "##.###", "##....", ammo=(3, ammo))
    assert can_be_shut_in(shown.game.rules, shown.state, 0, cell, reach=reach) == expected


@dataclass(frozen=True)
class Found:
    cost: float


def chosen(
    worths: dict[int, float],
    bounds: dict[int, int],
    *,
    costs: dict[int, float] | None = None,
    is_wanted: Callable[[int], bool] = lambda cell: True,
    asked: list[int] | None = None,
    seed: int = 0,
) -> int | None:
    def find_way(cell: int) -> Found:
        if asked is not None:
            asked.append(cell)
        return Found((costs or bounds)[cell])

    best = choose(worths, bounds, find_way=find_way, is_wanted=is_wanted, rng=random.Random(seed))
    return None if best is None else best[0].cell


def test_most_value_per_step_is_chosen() -> None:
    assert chosen({1: 2.0, 2: 5.0}, {1: 1, 2: 10}) == 1
    assert chosen({1: 2.0, 2: 5.0}, {1: 1, 2: 3}) == 2


def test_rate_counts_two_steps_more_than_the_way() -> None:
    assert rate(6.0, 4) == 1.0


def test_way_that_turns_out_long_loses_to_the_next_target() -> None:
    assert chosen({1: 4.0, 2: 3.0}, {1: 2, 2: 2}, costs={1: 20, 2: 2}) == 2


def test_no_way_is_looked_for_that_could_not_win() -> None:
    asked: list[int] = []
    chosen({1: 4.0, 2: 3.0, 3: 1.0}, {1: 2, 2: 2, 3: 2}, costs={1: 3, 2: 2, 3: 2}, asked=asked)  # 0.8 beats 0.75
    assert asked == [1]


def test_target_without_a_way_is_not_chosen_and_one_out_of_reach_not_looked_at() -> None:
    asked: list[int] = []
    assert chosen({1: 4.0, 3: 9.0}, {1: 2}, costs={1: float("inf")}, asked=asked) is None
    assert asked == [1]


def test_unwanted_target_is_passed_over() -> None:
    assert chosen({1: 4.0, 2: 3.0}, {1: 2, 2: 2}, is_wanted=lambda cell: cell == 2) == 2


def test_ties_are_drawn() -> None:
    assert {chosen({1: 4.0, 2: 4.0}, {1: 2, 2: 2}, seed=seed) for seed in range(20)} == {1, 2}
