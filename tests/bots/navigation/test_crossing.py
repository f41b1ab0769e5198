"""Crossings drawn by hand: what the robot senses, when its planner is asked, what is counted."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest

from bots.navigation.crossing import EndlessWalk, FromScratch, MakeGuide, Repaired, Robot, World, cross, random_world
from bots.planners.grid import SearchGrid
from bots.planners.stats import INF
from tests.bots.planners.boards import same
from tests.bots.planners.oracle import Board, dijkstra_to

GUIDES: dict[str, MakeGuide] = {
    "repaired": Repaired,
    "from scratch": FromScratch,
    "backward": partial(FromScratch, is_backward=True),
    "patient": partial(FromScratch, is_patient=True),
    "patient, backward": partial(FromScratch, is_patient=True, is_backward=True),
}


def drawn(*rows: str, connectivity: int = 4, cut_corners: bool = False) -> World:
    """`s` start, `g` goal, `#` blocked."""
    signs = "".join(rows)
    blocked = frozenset(cell for cell, sign in enumerate(signs) if sign == "#")
    ends = signs.index("s"), signs.index("g")
    return World(len(rows[0]), len(rows), blocked, *ends, connectivity=connectivity, cut_corners=cut_corners)


TRAP = drawn(
    ".......",
    ".####..",
    "s...#.g",
    ".####..",
)
ENCLOSED = drawn("s...#.g", "....#..", "....#..")


@pytest.mark.parametrize("guide", GUIDES)
def test_the_goal_is_reached_by_allowed_steps(guide: str) -> None:
    mission = cross(TRAP, GUIDES[guide])
    assert mission.is_done
    assert (mission.path[0], mission.path[-1]) == (TRAP.start, TRAP.goal)
    arcs = TRAP.grid(TRAP.blocked).arcs
    assert all(head in dict(arcs[tail]) for tail, head in pairwise(mission.path))


@pytest.mark.parametrize("guide", GUIDES)
def test_an_enclosed_goal_ends_the_walk(guide: str) -> None:
    assert not cross(ENCLOSED, GUIDES[guide]).is_done


@pytest.mark.parametrize("guide", GUIDES)
def test_start_at_the_goal_is_done_at_once(guide: str) -> None:
    mission = cross(World(3, 1, frozenset(), 1, 1), GUIDES[guide])
    assert (mission.is_done, mission.path, mission.cost) == (True, (1,), 0)


@pytest.mark.parametrize("guide", GUIDES)
def test_a_known_map_is_crossed_on_the_first_plan(guide: str) -> None:
    mission = cross(TRAP, GUIDES[guide], known=TRAP.grid(TRAP.blocked))
    assert (mission.moves, mission.cost, mission.replans) == (10, 10, 0)


@pytest.mark.parametrize("guide", GUIDES)
def test_the_cost_to_go_is_right_at_every_cell(guide: str) -> None:
    for seed in range(20):
        world = random_world(
            seed, size=12, density=0.35, start=(0, 0), goal=(11, 11), connectivity=8, is_solvable=False
        )
        wrong: list[int] = []

        def check(known: SearchGrid, cell: int, cost: float, world: World = world, wrong: list[int] = wrong) -> None:
            board = Board(world.width, world.height, tuple(known.entry_costs), eight=True, diagonal_cost=1)
            if not same(cost, dijkstra_to(board, world.goal)[cell]):
                wrong.append(cell)

        cross(world, GUIDES[guide], check=check)
        assert wrong == []


def test_a_patient_planner_searches_no_more_often_than_an_eager_one() -> None:
    world = random_world(3, size=24, density=0.3, start=(0, 0), goal=(23, 23))
    assert 0 < cross(world, GUIDES["patient"]).replans < cross(world, GUIDES["from scratch"]).replans


def test_eager_planners_search_once_for_every_discovery() -> None:
    world = drawn("s.....g", ".#.#...", ".......")
    assert len(cross(world, FromScratch).searches) == 3  # the first cell shows nothing, (1, 1) and (3, 1) come later


def test_what_is_discovered_at_the_goal_is_not_planned_with() -> None:
    assert len(cross(drawn("s..g", "...#"), FromScratch).searches) == 1


def test_expansions_of_all_searches_are_counted() -> None:
    mission = cross(TRAP, FromScratch)
    assert mission.expanded == sum(stats.expanded for stats in mission.searches) > mission.first_expanded


def test_planning_is_timed_on_the_given_clock_and_walking_is_not() -> None:
    ticks = iter(range(1000))
    world = World(4, 1, frozenset(), 0, 3)
    mission = cross(world, Repaired, clock=lambda: float(next(ticks)))
    assert mission.planning_ms == 4000  # the guide is made, then asked at three cells; a second each


@pytest.mark.parametrize(
    ("connectivity", "sensor", "seen"),
    [(4, 1, {7, 11, 13, 17}), (8, 1, {6, 7, 8, 11, 13, 16, 17, 18}), (8, 2, set(range(25)) - {12})],
)
def test_a_sensor_covers_what_is_that_many_moves_away(connectivity: int, sensor: int, seen: set[int]) -> None:
    world = World(5, 5, frozenset(range(25)) - {12}, 12, 12, connectivity=connectivity)
    assert Robot(world, world.grid(), sensor=sensor).sense() == dict.fromkeys(seen, INF)


def test_a_sensor_does_not_reach_over_the_rim() -> None:
    world = World(3, 2, frozenset(range(6)) - {2}, 2, 2)
    assert set(Robot(world, world.grid(), sensor=1).sense()) == {1, 5}


def test_what_is_known_is_not_sensed_again() -> None:
    world = World(2, 1, frozenset({1}), 0, 0)
    assert Robot(world, world.grid({1}), sensor=1).sense() == {}


def test_a_walk_without_end_is_stopped() -> None:
    with pytest.raises(EndlessWalk, match="no end after 3 moves"):
        cross(TRAP, Repaired, move_limit=2)


def test_a_step_that_is_not_allowed_makes_the_cost_infinite() -> None:
    class Jumper(FromScratch):
        def next_step(self) -> int | None:
            return None if super().next_step() is None else world.goal

    world = World(5, 1, frozenset(), 0, 4)
    assert cross(world, Jumper).cost == INF
