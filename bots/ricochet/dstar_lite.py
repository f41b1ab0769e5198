"""D* Lite bidder: the way of one robot, searched back from the target and repaired as helpers are moved. Not optimal.

The graph is the robot's stops; helpers are moved breadth-first, and each move changes a few of its arcs. As in
`dijkstra_map` all helper moves come before the robot's own, and refused solutions are dropped under the printed rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bots.planners.dstar_lite import DStarLite
from bots.planners.graph import ArcChange
from bots.planners.stats import INF
from bots.ricochet.bidder import Bidder
from bots.ricochet.helpers import SETTINGS_LIMIT, blockers_of, finishers, settings
from bots.ricochet.plans import Counter, Plan, Task, moves_of_path


class StopGraph:
    """The stops of one robot among helpers that can be put elsewhere; arcs cost 1."""

    def __init__(self, task: Task, robot: int, blockers: int) -> None:
        self._slides = task.slides
        self._kind = task.slides.kind_of[robot]
        self._blockers = blockers
        self._out = [self._stops(cell) for cell in range(task.slides.size)]
        self._into: list[list[int]] = [[] for _ in self._out]
        for cell, stops in enumerate(self._out):
            for stop in stops:
                self._into[stop].append(cell)

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Where the robot can stop from here."""
        return self._out[cell]

    def predecessors(self, cell: int) -> list[int]:
        """From where it can stop here."""
        return self._into[cell]

    def put(self, blockers: int) -> list[ArcChange[int]]:
        """Helpers stand elsewhere now: the arcs that come and go."""
        moved = self._blockers ^ blockers
        self._blockers = blockers
        changes: list[ArcChange[int]] = []
        for cell, cross in enumerate(self._slides.cross[self._kind]):
            if cross & moved:
                changes += self._replace(cell, self._stops(cell))
        return changes

    def _replace(self, cell: int, stops: tuple[int, ...]) -> list[ArcChange[int]]:
        before, self._out[cell] = self._out[cell], stops
        gone = [stop for stop in before if stop not in stops]
        new = [stop for stop in stops if stop not in before]
        for stop in gone:
            self._into[stop].remove(cell)
        for stop in new:
            self._into[stop].append(cell)
        return [ArcChange(cell, stop, 1, INF) for stop in gone] + [ArcChange(cell, stop, INF, 1) for stop in new]

    def _stops(self, cell: int) -> tuple[int, ...]:
        return self._slides.stops_from(self._kind, cell, self._blockers)


def plans(task: Task) -> Iterator[Plan | None]:
    """Shorter and shorter solutions, by the number of helper moves."""
    best: int | None = None
    cost = Counter()
    for finisher in finishers(task):
        for better in _plans_of(task, finisher, cost, best):
            if better is not None and better.moves is not None:
                best = len(better.moves)
            yield better
    if best is None:
        yield cost.plan(None)


def _plans_of(task: Task, finisher: int, cost: Counter, best: int | None) -> Iterator[Plan | None]:
    slides = task.slides
    target = slides.number(task.position.target.cell)
    robots = slides.numbers(task.position.robots)
    lines = slides.lines(slides.kind_of[finisher], target)
    graph = StopGraph(task, finisher, blockers_of(task, robots, finisher))
    way = DStarLite(robots[finisher], target, neighbours=graph.neighbours, predecessors=graph.predecessors)
    for tried, setting in enumerate(settings(task, finisher)):
        shortest = len(setting.moves) + lines[robots[finisher]]
        if tried >= SETTINGS_LIMIT or (best is not None and shortest >= best) or not task.has_room(cost.expanded):
            return
        way.update(graph.put(blockers_of(task, setting.robots, finisher)))
        cost.add(way.search())
        if way.cost < INF and (best is None or len(setting.moves) + way.cost < best):
            moves = setting.moves + moves_of_path(task, setting.robots, finisher, way.path())
            if task.is_solved_by(moves):
                best = len(moves)
                yield cost.plan(moves)
        yield None


class DStarBidder(Bidder):
    """As good as the map's bidder, with repairs in place of new maps."""

    planner: ClassVar[str] = "dstar_lite"

    def plans(self, task: Task) -> Iterator[Plan | None]:
        """As the module's `plans`."""
        return plans(task)
