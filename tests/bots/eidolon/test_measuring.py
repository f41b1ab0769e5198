"""How the bots measure roads: tactics price goals, and only the planner says how far they are."""

from __future__ import annotations

import itertools

import pytest

import gridjoust as joust
from gridjoust.bots.eidolon.floor import FloorHero
from gridjoust.bots.eidolon.hero import HeroBot
from gridjoust.bots.eidolon.roads import RoadBook, Roads
from gridjoust.bots.planners.budget import Budget
from gridjoust.games.eidolon import Eidolon, generate
from gridjoust.games.eidolon.dungeon import ORIGIN
from tests.bots.eidolon.matches import HEROES, MEASURE, first_answer
from tests.bots.eidolon.test_roads import WAYS, shortest
from tests.bots.seats import seated
from tests.games.eidolon.scenes import Scene, place, scene

GAME = Eidolon()
ALL = pytest.mark.parametrize("bot", HEROES)


def started(bot: type[HeroBot], budget: Budget | None = None) -> HeroBot:
    made = seated(bot(), GAME, GAME.initial_state(0))
    made.work = budget or made.work
    return made


@ALL
@pytest.mark.parametrize("way", WAYS)
def test_planners_measure_all_roads_also_once_barriers_are_cleared(bot: type[HeroBot], way: str) -> None:
    """One bot measures every map after the other: what it keeps of the last one must not show."""
    measure = started(bot).measure
    for seed, barriers in itertools.product(range(4), (9, 3, 0)):
        dungeon = generate(seed)
        roads = Roads(dungeon.with_barriers(dungeon.doorways()[:barriers]), measure, way=way)
        for start in list(dungeon.at)[::9]:
            assert roads.distances(start) == shortest(roads, start)


def test_floor_takes_distances_as_the_crow_flies() -> None:
    roads = Roads(generate(1), started(FloorHero).measure)
    assert roads.distances(ORIGIN) == {cell: roads.estimate(ORIGIN, cell) for cell in roads.arcs}
    assert roads.distances(ORIGIN) != shortest(roads, ORIGIN)


@ALL
def test_distances_that_work_does_not_suffice_for_are_estimated_until_the_next_answer(bot: type[HeroBot]) -> None:
    state, budget = GAME.initial_state(1), Budget(3)
    book = RoadBook(GAME.rules, started(bot, budget).measure, budget)
    roads = book.roads(state, 0)
    exact = shortest(roads, ORIGIN)
    assert roads.distances(ORIGIN) != exact
    assert all(ap <= exact[cell] for cell, ap in roads.distances(ORIGIN).items())
    budget.refill(None)
    assert roads.distances(ORIGIN) != exact
    book.begin_answer()
    assert roads.distances(ORIGIN) == exact


def two_tokens(*walls: tuple[int, int, str]) -> Scene:
    """Two red tokens two steps from the Vestibule, north and east; five are in hand, the seal lies in the west."""
    hall = (place("floating_stones", 0, -1), place("laughing_shadow", 1, 0))
    tokens = place("voracious_plant", 0, -2), place("minotaur", 2, 0)
    here = scene(*hall, *tokens, place("voraxs_heart", -1, 0, 270), place("end", 0, 1), blocked=walls)
    return here.put(0, tokens=(5, 0, 0)).change(broken=0b110)


@ALL
def test_of_two_goals_at_one_price_the_nearer_by_road_is_taken(bot: type[HeroBot]) -> None:
    """A barrier costs an AP on the way there, and another on the way back."""
    assert first_answer(bot(), two_tokens((0, -1, "N"))) == "move E"
    assert first_answer(bot(), two_tokens((1, 0, "E"))) == "move N"


@pytest.mark.default("floor")
@pytest.mark.parametrize("bot", ["astar", "dstar_lite", "beam", "floor"])
def test_tactics_of_a_match_read_each_arc_of_the_map_about_once(bot: str) -> None:
    """All else that a match on a known map generates is the planner's; the floor has none."""
    played = joust.play("eidolon", [f"eidolon/{bot}"], seed=3)
    tactics = sum(answer.tactics or 0 for answer in played.answers)
    generated = sum(answer.generated or 0 for answer in played.answers)
    arcs = sum(map(len, Roads(GAME.initial_state(3).dungeon, MEASURE).arcs.values()))
    assert tactics < 5 * arcs
    assert generated > 10 * arcs if bot != "floor" else generated == 0
