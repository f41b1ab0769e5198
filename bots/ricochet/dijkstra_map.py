"""Quick bidder: a map of moves to the target for one robot, the others standing as walls, rolled downhill. Not optimal.

Helpers move first, then the robot runs alone; the map is made anew for every arrangement of the helpers. Solutions in
which helper and finisher alternate are not found. Under the printed rules solutions that the judge refuses are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bots.planners.dijkstra_map import DEFAULT_MAXIMUM, DijkstraMap, scan
from bots.planners.graph import directed_terrain
from bots.ricochet.bidder import Bidder
from bots.ricochet.helpers import SETTINGS_LIMIT, blockers_of, finishers, settings
from bots.ricochet.plans import Counter, Plan, Task, moves_of_path

CELLS_PER_STATE = 1 / 4  # what one map counts against `max_states`: most of its cells are never looked at again


def plans(task: Task) -> Iterator[Plan | None]:
    """Shorter and shorter solutions, by the number of helper moves."""
    best: int | None = None
    cost = Counter()
    target = task.slides.number(task.position.target.cell)
    for finisher in finishers(task):
        lines = task.slides.lines(task.slides.kind_of[finisher], target)
        for tried, setting in enumerate(settings(task, finisher)):
            here = setting.robots[finisher]
            shortest = len(setting.moves) + lines[here]
            if tried >= SETTINGS_LIMIT or (best is not None and shortest >= best) or not _has_room(task, cost):
                break
            chart = moves_to_target(task, setting.robots, finisher, target)
            cost.add(chart)
            if len(setting.moves) + chart.values[here] < (DEFAULT_MAXIMUM if best is None else best):
                path = roll_down(chart, here)
                moves = setting.moves + moves_of_path(task, setting.robots, finisher, path)
                if task.is_solved_by(moves):
                    best = len(moves)
                    yield cost.plan(moves)
            yield None
    if best is None:
        yield cost.plan(None)


def _has_room(task: Task, cost: Counter) -> bool:
    return task.has_room(int(cost.expanded * CELLS_PER_STATE))


def moves_to_target(task: Task, robots: tuple[int, ...], robot: int, target: int) -> DijkstraMap:
    """For every cell the moves that the robot needs to the target while the others stand where they are."""
    slides = task.slides
    kind = slides.kind_of[robot]
    blockers = blockers_of(task, robots, robot)
    out = tuple(slides.stops_from(kind, cell, blockers) for cell in range(slides.size))
    return scan(directed_terrain(out), {target: 0})


def roll_down(chart: DijkstraMap, cell: int) -> tuple[int, ...]:
    """Cells from here to the target, the first neighbour that is one lower each time; ties in the order N, E, S, W."""
    path = [cell]
    while chart.values[path[-1]] > 0:
        lower = chart.values[path[-1]] - 1
        path.append(next(stop for stop in chart.terrain.out[path[-1]] if chart.values[stop] == lower))
    return tuple(path)


class DijkstraRoller(Bidder):
    """Bids within milliseconds, seldom the optimum of a hard position."""

    planner: ClassVar[str] = "dijkstra_map"

    def plans(self, task: Task) -> Iterator[Plan | None]:
        """As the module's `plans`."""
        return plans(task)
