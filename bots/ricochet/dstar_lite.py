"""D* Lite bidder: one robot's path, searched back from the target and repaired as helpers move; not optimal.

The graph is the robot's stops; helpers are moved breadth-first, and each move changes a few of its arcs.
"""

from __future__ import annotations

from typing import ClassVar

from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.stats import INF
from gridjoust.bots.planners.watched import dstar_lite_class, repairs
from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.bots.ricochet.plans import Counter, FindWay, Plans, Task, plans_with_helpers, stops_within_reach


class StopGraph:
    """The cells where one robot can stop among helpers that may move; each slide between two is an arc of cost 1."""

    def __init__(self, task: Task, robot: int) -> None:
        self._slides, self._budget = task.slides, task.budget
        self._kind = task.slides.kind_of[robot]
        self._start = task.slides.number(task.position.robots[robot])
        self._lines = task.slides.lines(self._kind, task.slides.number(task.position.target.cell))
        self._out: list[tuple[int, ...]] = [()] * task.slides.size
        self._into: list[list[int]] = [[] for _ in self._out]

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the cells where the robot can stop next."""
        return self._out[cell]

    def predecessors(self, cell: int) -> list[int]:
        """Return the cells from which the robot can stop here."""
        return self._into[cell]

    def put(self, blockers: int, most: float) -> list[ArcChange[int]]:
        """Put the helpers into other cells; return the changed arcs on the robot's paths of at most `most` moves.

        `blockers` is the bit set of the helpers' cells. Cells on no path of that length keep their old arcs.
        """
        changes: list[ArcChange[int]] = []
        reach = stops_within_reach(
            self._slides, self._kind, self._start, blockers, lines=self._lines, most=most, budget=self._budget
        )
        for cell, stops in reach.items():
            if stops != self._out[cell]:
                changes += self._replace(cell, stops)
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


def plans(task: Task) -> Plans:
    """Yield shorter and shorter solutions, and None while searching: first without helper moves, then with more."""
    return plans_with_helpers(task, ways)


def ways(task: Task, robot: int, cost: Counter) -> FindWay:
    """Return a function that finds the robot's path while the others stand still, by repairing one search."""
    slides = task.slides
    start, target = slides.numbers(task.position.robots), slides.number(task.position.target.cell)
    graph = StopGraph(task, robot)
    made = dstar_lite_class(is_watched=task.trail is not None)
    way = made(start[robot], target, neighbours=graph.neighbours, predecessors=graph.predecessors)

    def find_way(robots: tuple[int, ...], most: float) -> tuple[int, ...]:
        way.update(graph.put(slides.others(robots, robot), most))
        cost.add(way.search(budget=task.budget))
        if task.trail is not None:
            task.trail.note(repairs(way)[0])
        return way.path() if way.cost <= most else ()

    return find_way


class DStarBidder(Bidder):
    """Bids like the map's bidder, but repairs one search instead of making new maps."""

    planner: ClassVar[str] = "dstar_lite"
    find_plans = staticmethod(plans)
