"""Quick bidder: follows a map of one robot's moves to the target, with the others as walls; not optimal.

A new map is made for every arrangement of the helpers.
"""

from __future__ import annotations

from typing import ClassVar

from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan
from gridjoust.bots.planners.graph import directed_terrain
from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.bots.ricochet.plans import Counter, FindWay, Plans, Task, plans_with_helpers, stops_within_reach

STATES_PER_CELL = 1 / 4  # of a map: most of its cells are never read again


def plans(task: Task) -> Plans:
    """Yield shorter and shorter solutions, and None while searching: first without helper moves, then with more."""
    return plans_with_helpers(task, ways, states_per_node=STATES_PER_CELL)


def ways(task: Task, robot: int, cost: Counter) -> FindWay:
    """Return a function that finds the robot's path while the others stand still, on a map made for each call.

    The map has the number of moves from each cell in reach to the target.
    """
    slides, kind = task.slides, task.slides.kind_of[robot]
    target = slides.number(task.position.target.cell)
    lines = slides.lines(kind, target)

    def find_way(robots: tuple[int, ...], most: float) -> tuple[int, ...]:
        blockers = slides.others(robots, robot)
        out = stops_within_reach(slides, kind, robots[robot], blockers, lines=lines, most=most, budget=task.budget)
        if target not in out:
            return ()
        rows = tuple(out.get(cell, ()) for cell in range(slides.size))
        chart = scan(directed_terrain(rows), {target: 0}, budget=task.budget)
        cost.add(chart.stats)
        if task.trail is not None:
            near = [cell for cell in out if chart.values[cell] < chart.maximum]
            task.trail.note(sorted(near, key=chart.values.__getitem__))
        return roll_down(chart, robots[robot]) if chart.values[robots[robot]] < chart.maximum else ()

    return find_way


def roll_down(chart: DijkstraMap, cell: int) -> tuple[int, ...]:
    """Return the cells from here to the target, each one move nearer; ties in the order N, E, S, W."""
    path = [cell]
    while chart.values[path[-1]] > 0:
        lower = chart.values[path[-1]] - 1
        path.append(next(stop for stop in chart.terrain.out[path[-1]] if chart.values[stop] == lower))
    return tuple(path)


class DijkstraRoller(Bidder):
    """Bids within milliseconds, seldom the optimum of a hard position."""

    planner: ClassVar[str] = "dijkstra_map"
    find_plans = staticmethod(plans)
