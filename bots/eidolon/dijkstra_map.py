"""Dijkstra-map hero: moves downhill on a weighted sum of goal maps instead of choosing one goal.

One map holds all goals (tokens, seals, the Fire, the exit, deliveries); two more hold cultists to fight and the
frontier. A goal's start value is its rest, so the first map alone leads to the best goal; the others bend the path. If
the sum has a minimum that is no goal, the map of all goals decides. Cells on team-mates' paths cost more: they are
discouraged, not forbidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from gridjoust.bots.eidolon.goals import Goal, GoalPlanner, Kind
from gridjoust.bots.eidolon.hero import HeroBot, Itinerary, drawn_at
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan, weighted_sum
from gridjoust.bots.planners.graph import Terrain, graph_terrain
from gridjoust.bots.reported import search_stats
from gridjoust.games.grid import Cell

FAR = 1000.0
WEIGHTS: Mapping[Kind, float] = {Kind.FIGHT: 0.06, Kind.EXPLORE: 0.03}  # the map of all goals has weight 1


class Chart:
    """A dungeon as a graph whose arcs have prices, and the Dijkstra maps made on it so far."""

    def __init__(self, planner: GoalPlanner, budget: Budget = UNLIMITED) -> None:
        self._budget = budget
        prices, neighbours = planner.prices(), planner.roads.counted_neighbours
        self.terrain: Terrain
        self.terrain, self.numbers = graph_terrain(
            [planner.here], lambda cell: [(other, prices[cell, other]) for other in neighbours(cell)]
        )
        self.cells: list[Cell] = list(self.numbers)
        self.maps: list[DijkstraMap] = []

    def scan(self, goals: Iterable[Goal]) -> DijkstraMap:
        """Return the Dijkstra map of these goals; the start value of each is its `rest`, the AP left after arrival."""
        sources: dict[int, float] = {}
        for goal in goals:
            number = self.numbers[goal.cell]
            sources[number] = min(goal.rest, sources.get(number, FAR))
        chart = scan(self.terrain, sources, maximum=FAR, budget=self._budget)
        self.maps.append(chart)
        return chart

    def downhill(self, values: list[float], start: Cell) -> list[Cell]:
        """Return the path of cells from `start`, each to its lowest neighbour, to one without a lower neighbour."""
        number = self.numbers[start]
        path = [number]
        while True:
            lower = min([number, *self.terrain.neighbours(number)], key=values.__getitem__)
            if values[lower] >= values[number] or len(path) > len(self.cells):
                return [self.cells[step] for step in path]
            path.append(lower)
            number = lower


class DijkstraMapHero(HeroBot):
    """A hero by Dijkstra maps, without options of its own."""

    planner: ClassVar[str] = "dijkstra_map"

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        """Return the path downhill on the sum of the maps, with the best goal where it ends; None if there is none."""
        here, chart = planner.here, Chart(planner, self.work)
        reachable = [goal for _, goal in goals if goal.cell in chart.numbers]
        everything = chart.scan(reachable)
        terms = [(1.0, everything)]
        for kind, weight in WEIGHTS.items():
            if some := [goal for goal in reachable if goal.kind is kind]:
                terms.append((weight, chart.scan(some)))
        heights = weighted_sum(terms)
        if self.lens is not None:
            self._show_map("sum", planner, chart, heights)
            self._show_map("all goals", planner, chart, everything.values)
        path = chart.downhill(heights, here)
        value = everything.values[chart.numbers[path[-1]]]
        if not any(goal.cell == path[-1] and goal.rest <= value for goal in reachable):  # a better goal is elsewhere
            path = chart.downhill(list(everything.values), here)
        at_end = [goal for goal in reachable if goal.cell == path[-1]]
        if not at_end:
            return None
        stats = search_stats(*[each.stats for each in chart.maps], plan_cost=everything.values[chart.numbers[here]])
        return Itinerary(min(at_end, key=lambda goal: goal.rest), tuple(path), stats)

    def _show_map(self, name: str, planner: GoalPlanner, chart: Chart, values: Sequence[float]) -> None:
        place = drawn_at(planner)
        self.show(
            name, heat={place(cell): value for cell, value in zip(chart.cells, values, strict=True) if value < FAR}
        )
