"""What is worth going to, on drawn boards."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from gridjoust.bots.bomber import prospects
from gridjoust.bots.bomber.prospects import (
    bomb_chances,
    can_be_shut_in,
    choose,
    contested_cells,
    find_prospects,
    has_shelter,
    pressures,
    rate,
    trap_value,
)
from tests.bots.bomber.seats import situation
from tests.games.bomber.scenes import Scene, scene

Board = tuple[str, ...]
SOFT_AT_3: Board = ("0..s##", "######", "1#ssss", "##ssss")
TREASURE_AT_2: Board = ("0.ts##", "######", "1#ssss", "##ssss")


def values(shown: Scene, **cells: set[int]) -> dict[int, float]:
    return dict(find_prospects(situation(shown), **cells).values)


def test_place_for_a_bomb_is_worth_what_the_block_pays_and_next_to_nothing_without_ammo() -> None:
    worths = values(scene(*SOFT_AT_3))
    assert (worths[2], worths[1]) == (2.0, 1.9)
    assert 0 < values(scene(*SOFT_AT_3, ammo=(0, 3)))[2] < 0.1
    doomed = values(scene(*SOFT_AT_3, bombs=[(2, 0, 1, 9)]))
    assert doomed.keys() & {0, 1, 2} == set()


def test_first_ammo_is_worth_more_than_the_third() -> None:
    worths = [values(scene("0.a", "###", "1ss", "sss", "sss", ammo=(held, 3)))[2] for held in (0, 1, 2, 7)]
    assert worths == [4.0, 2.0, 1.0, 1.0]


def test_barred_cell_is_worth_nothing_and_one_without_leave_to_bomb_what_lies_there() -> None:
    shown = scene(*TREASURE_AT_2)
    found = [values(shown), values(shown, barred={2}), values(shown, bombless={2})]
    assert [worths.get(2) for worths in found] == [3.0, None, 1.0]


def test_what_lies_nearer_to_a_rival_is_contested() -> None:
    shown = scene("0a..a1", "......", "......", "ssssss", ammo=(0, 3))
    assert contested_cells(situation(shown)) == {4}
    assert values(shown, contested={4})[4] < values(shown, contested={4})[1]


def test_bot_that_is_behind_goes_after_its_rival_when_no_block_is_left() -> None:
    scores = {"level": [0, 0], "ahead": [1, 0]}
    boards = {name: scene(*["0.....", *["......"] * 3, ".....1"], score=score) for name, score in scores.items()}
    beside = {name: values(shown)[4 * 6 + 4] for name, shown in boards.items()}
    assert beside["level"] - beside["ahead"] == pytest.approx(prospects.CHASE_VALUE)


SHELTERS: dict[str, tuple[Board, list[tuple[int, int, int, int]], bool]] = {
    "round a corner": (("0..", "##.", "1#."), [], True),
    "dead end": (("0..", "###", "1#."), [], False),
    "round a longer corner": (("0..#", "##.#", "##.#", "1#.#"), [], True),
    "in the blast of another bomb": (("0..#", "##.#", "##.#", "1#.#"), [(2, 3, 1, 20)], False),
}


@pytest.mark.parametrize(("board", "bombs", "expected"), SHELTERS.values(), ids=SHELTERS)
def test_shelter(board: Board, bombs: list[tuple[int, int, int, int]], expected: bool) -> None:
    assert has_shelter(situation(scene(*board, bombs=bombs)), 0) == expected


def test_rival_is_shut_in_a_dead_end_from_its_mouth_with_ammo() -> None:
    dead_end, way_round = ("1..0..", "##.###", "##...."), ("1..0..", "......", "......")
    boards = [(dead_end, 3), (dead_end, 0), (way_round, 3)]
    found = [bomb_chances(situation(scene(*board, ammo=(ammo, 3)))) for board, ammo in boards]
    assert [[cell for cell, chance in chances.items() if chance == prospects.TRAP_CHANCE] for chances in found] == [
        [1, 2],
        [],
        [],
    ]


def test_a_bomb_is_likelier_to_hit_who_is_left_fewer_ways_out() -> None:
    now = situation(scene("1..0..", "##.###", "##...."))
    [(near, least), (far, more)] = sorted(pressures(now, 0), key=lambda found: found[1])[:2]
    assert least < more or {near, far} == {1, 2}
    chances = bomb_chances(now)
    assert chances[1] == chances[2] == prospects.TRAP_CHANCE
    wide = bomb_chances(situation(scene("1..0..", "......", "......")))
    assert all(0 < chance < prospects.TRAP_CHANCE / 2 for chance in wide.values())


def test_bomb_is_worth_more_while_a_rival_is_shut_in() -> None:
    now = situation(scene("1.0...", "#####.", bombs=[(2, 0, 0, 20)]))
    worths = [trap_value(now, burning) for burning in ({0, 1, 2, 3, 4}, {0, 2, 3, 4})]
    assert worths[0] == prospects.TRAP_CHANCE * 25 > worths[1] > 0
    assert trap_value(now, {3, 4}) == 0


@pytest.mark.parametrize(
    ("ammo", "cell", "reach", "expected"),
    [(3, 0, 2, True), (3, 0, 1, False), (3, 2, 2, False), (0, 0, 2, False)],
    ids=["dead end near a rival", "farther than it reaches", "beside a way out", "rival without ammo"],
)
def test_seat_can_be_shut_in(ammo: int, cell: int, reach: int, expected: bool) -> None:
    now = situation(scene("0...1.", "##.###", "##....", ammo=(3, ammo)))
    assert can_be_shut_in(now, cell, reach=reach) == expected


@dataclass(frozen=True)
class Found:
    cost: float


def chosen(
    worths: dict[int, float],
    bounds: dict[int, int],
    *,
    costs: dict[int, float] | None = None,
    is_wanted: Callable[[int], bool] = lambda cell: True,
    seed: int = 0,
) -> tuple[int | None, list[int]]:
    """The target, and those to which a way was looked for."""
    asked: list[int] = []

    def find_way(cell: int) -> Found:
        asked.append(cell)
        return Found((costs or bounds)[cell])

    best = choose(worths, bounds, find_way=find_way, is_wanted=is_wanted, rng=random.Random(seed))
    return None if best is None else best[0], asked


def test_most_value_per_step_is_chosen_and_two_steps_more_than_the_way_are_counted() -> None:
    targets = [chosen({1: 2.0, 2: 5.0}, {1: 1, 2: far})[0] for far in (10, 3)]
    assert (targets, rate(6.0, 4)) == ([1, 2], 1.0)


def test_no_way_is_looked_for_that_could_not_win_and_a_long_one_loses_to_the_next_target() -> None:
    assert chosen({1: 4.0, 2: 3.0}, {1: 2, 2: 2}, costs={1: 20, 2: 2}) == (2, [1, 2])
    worths, bounds = {1: 4.0, 2: 3.0, 3: 1.0}, {1: 2, 2: 2, 3: 2}
    assert chosen(worths, bounds, costs={1: 3, 2: 2, 3: 2}) == (1, [1])  # 0.8 beats 0.75


def test_target_without_a_way_is_not_chosen_one_out_of_reach_not_looked_at_and_an_unwanted_one_passed_over() -> None:
    assert chosen({1: 4.0, 3: 9.0}, {1: 2}, costs={1: float("inf")}) == (None, [1])
    assert chosen({1: 4.0, 2: 3.0}, {1: 2, 2: 2}, is_wanted=lambda cell: cell == 2) == (2, [2])


def test_ties_are_drawn() -> None:
    assert {chosen({1: 4.0, 2: 4.0}, {1: 2, 2: 2}, seed=seed)[0] for seed in range(20)} == {1, 2}
