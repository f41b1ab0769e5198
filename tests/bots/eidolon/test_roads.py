"""Ways through the dungeon: arcs, distances, and estimates against brute force."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from gridjoust.bots.eidolon.roads import DISTANCES, RoadBook, Roads, paper_sum, passage_aware, to_nearest
from gridjoust.bots.planners.astar import astar
from gridjoust.games.eidolon import Eidolon, generate
from gridjoust.games.eidolon.actions import BreakBarrier, Move, Passage
from gridjoust.games.eidolon.dungeon import ORIGIN, Dungeon
from gridjoust.games.grid import Cell, Direction
from tests.bots.eidolon.matches import MEASURE
from tests.games.eidolon.scenes import place, scene


def dungeons(count: int) -> list[Dungeon]:
    """Generated maps, every other one with barriers and with its passage mouths further apart."""
    maps = [generate(seed) for seed in range(count)]
    return [
        dungeon if number % 2 else dungeon.with_barriers(dungeon.doorways()[::4]) for number, dungeon in enumerate(maps)
    ]


def shortest(roads: Roads, start: Cell) -> dict[Cell, float]:
    """Bellman and Ford: every arc relaxed until nothing changes."""
    best = {start: 0.0}
    while True:
        before = dict(best)
        for cell in list(best):
            for other, ap in roads.arcs[cell]:
                best[other] = min(best.get(other, float("inf")), best[cell] + ap)
        if best == before:
            return best


WAYS = ("doors", "half", "beside")


@pytest.mark.gate
@pytest.mark.parametrize("way", WAYS)
def test_distances_equal_brute_force(way: str) -> None:
    for dungeon in dungeons(12):
        roads = Roads(dungeon, MEASURE, way=way)
        for start in list(dungeon.at)[::7]:
            assert roads.distances(start) == shortest(roads, start)


@pytest.mark.gate
@pytest.mark.parametrize("name", DISTANCES)
@pytest.mark.parametrize("way", WAYS)
def test_passage_aware_estimates_are_admissible_and_consistent(name: str, way: str) -> None:
    for dungeon in dungeons(30):
        roads = Roads(dungeon, MEASURE, way=way)
        estimate = passage_aware(DISTANCES[name], dungeon.passages)
        for start in dungeon.at:
            assert all(estimate(start, goal) <= ap + 1e-9 for goal, ap in shortest(roads, start).items())
        for goal, cell in itertools.product(list(dungeon.at)[::5], dungeon.at if way == "doors" else ()):
            assert all(estimate(goal, cell) <= estimate(goal, other) + ap + 1e-9 for other, ap in roads.arcs[cell])


def test_passage_matters_to_the_estimate_plain_manhattan_would_not_be_admissible() -> None:
    mouths = {Cell(1, 0): Cell(9, 0), Cell(9, 0): Cell(1, 0)}
    estimate = passage_aware(DISTANCES["manhattan"], mouths)
    ways = [(0, 10), (10, 0), (0, 3)]
    assert [estimate(Cell(start, 0), Cell(goal, 0)) for start, goal in ways] == [3, 3, 3]
    roads = {start: Roads(dungeon, MEASURE) for dungeon in dungeons(10)[:1] for start in dungeon.at}
    far = [(start, goal, ap) for start, own in roads.items() for goal, ap in shortest(own, start).items()]
    assert any(DISTANCES["manhattan"](start, goal) > ap for start, goal, ap in far)


def test_astar_and_maps_find_cheapest_ways() -> None:
    rng = random.Random(5)
    for dungeon in dungeons(15):
        roads = Roads(dungeon, MEASURE)
        start, goal = rng.sample(list(dungeon.at), 2)
        for distance in DISTANCES.values():
            estimate = to_nearest(passage_aware(distance, dungeon.passages), [goal])
            plan = astar(start, {goal}, neighbours=roads.neighbours, cost=roads.cost, heuristic=estimate)
            assert plan.cost == shortest(roads, start).get(goal, float("inf"))
        last = dungeon.placed[-1].cell
        path = roads.path(ORIGIN, last)
        assert sum(roads.cost(*arc) for arc in itertools.pairwise(path)) == roads.distances(ORIGIN)[last]


def test_paper_sum_is_not_admissible() -> None:
    estimate = paper_sum(DISTANCES["manhattan"], Cell(0, 0), [Cell(2, 0)])
    assert estimate(Cell(1, 0)) == 2  # one step is left


ROOMS = place("minotaur", 0, -1), place("secret_passage_x", 1, 0), place("secret_passage_y", 4, 4)
BARRED = Roads(scene(*ROOMS, blocked=((0, 0, "N"),)).state.dungeon, MEASURE)
MOUTHS = place("secret_passage_x", 1, 0), place("secret_passage_y", 2, 0)
BESIDE = Roads(scene(*MOUTHS, blocked=((1, 0, "E"),)).state.dungeon, MEASURE)  # a barrier between the mouths


def test_steps_are_moves_barriers_and_passages() -> None:
    arcs = [((0, 0), (1, 0)), ((0, 0), (0, -1)), ((1, 0), (4, 4))]
    acts = [BARRED.act_towards(Cell(*tail), Cell(*head)) for tail, head in arcs]
    assert acts == [Move(Direction.E), BreakBarrier(Direction.N), Passage()]
    assert BARRED.cost(Cell(0, 0), Cell(0, -1)) == 2
    assert BESIDE.act_towards(Cell(1, 0), Cell(2, 0)) == Passage()
    assert BESIDE.neighbours(Cell(1, 0)).count(Cell(2, 0)) == 1


def test_heroes_walk_in_their_own_ways() -> None:
    games = (Eidolon(), Eidolon({"skills": True, "heroes": "rogue"}), Eidolon({"free_movement": True}))
    assert [game.rules.way_of(0) for game in games] == ["doors", "half", "beside"]


def test_roads_are_kept_while_the_dungeon_is_the_same() -> None:
    game = Eidolon()
    book = RoadBook(game.rules, MEASURE)
    state = game.initial_state(0)
    assert book.roads(state, 0) is book.roads(replace(state, ap_left=1), 0)
    other = replace(state, dungeon=state.dungeon.with_barriers(state.dungeon.doorways()[:1]))
    assert book.roads(other, 0) is not book.roads(state, 0)
