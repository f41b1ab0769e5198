"""Dijkstra-map hero: moves downhill on a weighted sum of goal maps instead of choosing one goal.

One map holds all goals (tokens, seals, the Fire, the exit, deliveries); two more hold cultists to fight and the
frontier. A goal's start value is its rest, so the first map alone leads to the best goal; the others bend the path. If
the sum has a minimum that is no goal, the map of all goals decides. Cells on team-mates' paths cost more: they are
discouraged, not forbidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from gridjoust.bots.api import MatchSetup
from gridjoust.bots.eidolon.goals import Goal, GoalPlanner, Kind
from gridjoust.bots.eidolon.hero import HeroBot, Itinerary, drawn_at
from gridjoust.bots.eidolon.roads import Roads
from gridjoust.bots.planners.budget import UNLIMITED, Budget, OutOfWork
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan, weighted_sum
from gridjoust.bots.planners.graph import Cost, Terrain, graph_terrain
from gridjoust.bots.planners.stats import INF, PlanStats
from gridjoust.games.grid import Cell

FAR = 1000.0
WEIGHTS: Mapping[Kind, float] = {Kind.FIGHT: 0.06, Kind.EXPLORE: 0.03}  # the map of all goals has weight 1


class Chart:
    """A dungeon as a graph whose arcs have prices, and the Dijkstra maps made on it so far."""

    def __init__(self, starts: Iterable[Cell], roads: Roads, cost: Cost[Cell], budget: Budget = UNLIMITED) -> None:
        self._budget = budget
        self.terrain: Terrain
        self.terrain, self.numbers = graph_terrain(
            starts, lambda cell: [(other, cost(cell, other)) for other in roads.counted_neighbours(cell)]
        )
        self.cells: list[Cell] = list(self.numbers)
        self.stats = PlanStats()  # of all scans

    def scan(self, goals: Iterable[Goal]) -> DijkstraMap:
        """Return the Dijkstra map of these goals.

        The start value of each is its `rest`: the AP needed after arrival, less the goal's value.
        """
        sources: dict[Cell, float] = {}
        for goal in goals:
            sources[goal.cell] = min(goal.rest, sources.get(goal.cell, FAR))
        return self.scan_values(sources)

    def scan_values(self, sources: Mapping[Cell, float]) -> DijkstraMap:
        """Return the Dijkstra map of these cells and their start values."""
        values = {self.numbers[cell]: value for cell, value in sources.items()}
        chart = scan(self.terrain, values, maximum=FAR, budget=self._budget)
        self.stats += chart.stats
        return chart

    def downhill(self, values: list[float], start: Cell) -> list[Cell]:
        """Return the cells from `start` on, each followed by its lowest neighbour, until no neighbour is lower."""
        number = self.numbers[start]
        path = [number]
        while True:
            lower = min([number, *self.terrain.neighbours(number)], key=values.__getitem__)
            if values[lower] >= values[number] or len(path) > len(self.cells):
                return [self.cells[step] for step in path]
            path.append(lower)
            number = lower


class DijkstraMapHero(HeroBot):
    """A hero that walks downhill on Dijkstra maps."""

    planner: ClassVar[str] = "dijkstra_map"

    def start(self, setup: MatchSetup) -> None:
        """Begin a match and clear the cached chart of the last one."""
        super().start(setup)
        self._chart: tuple[Roads, Chart] | None = None

    def measure(self, roads: Roads, start: Cell, cells: Sequence[Cell]) -> Mapping[Cell, float]:
        """Return the AP to each of the cells by the map of `start`, infinite without a path.

        The result is empty if the work runs out.
        """
        if self._chart is None or self._chart[0] is not roads:
            try:
                self._chart = roads, Chart(roads.arcs, roads, roads.cost, self.work)
            except OutOfWork:
                return {}
        chart = self._chart[1]
        scanned = chart.scan_values({start: 0.0})
        self.spent += scanned.stats
        if self.work.is_spent:
            return {}
        values = {cell: scanned.values[chart.numbers[cell]] for cell in cells}
        return {cell: value if value < FAR else INF for cell, value in values.items()}

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        """Return the path downhill on the sum of the maps, with the best goal where it ends; None if there is none."""
        here = planner.here
        chart = Chart([here], planner.roads, planner.price, self.work)
        reachable = [goal for _, goal in goals if goal.cell in chart.numbers]
        everything = chart.scan(reachable)
        terms = [(1.0, everything)]
        for kind, weight in WEIGHTS.items():
            if some := [goal for goal in reachable if goal.kind is kind]:
                terms.append((weight, chart.scan(some)))
        heights = weighted_sum(terms)
        self.spent += chart.stats
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
        return Itinerary(min(at_end, key=lambda goal: goal.rest), tuple(path), everything.values[chart.numbers[here]])

    def _show_map(self, name: str, planner: GoalPlanner, chart: Chart, values: Sequence[float]) -> None:
        place = drawn_at(planner)
        self.show(
            name, heat={place(cell): value for cell, value in zip(chart.cells, values, strict=True) if value < FAR}
        )
