"""Breadth-first search of one robot alone: the others never move, so many positions stay unsolved."""

from __future__ import annotations

from typing import ClassVar

from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.bots.ricochet.plans import Counter, Plans, Task, moves_of_path
from gridjoust.games.ricochet.optimum import path_to
from gridjoust.games.ricochet.proof import judge


def plans(task: Task) -> Plans:
    """Yield one plan: the fewest moves to the target if only one robot moves; without moves if that is impossible."""
    cost = Counter()
    robots = task.slides.numbers(task.position.robots)
    found = []
    for robot in task.position.finishers:
        moves = moves_of_path(task, robots, robot, flood(task, robots, robot, cost))
        if judge(task.position, moves, task.rules).is_right:
            found.append(moves)
    yield cost.plan(min(found, key=len, default=None))
    return None


def flood(task: Task, robots: tuple[int, ...], robot: int, cost: Counter) -> tuple[int, ...]:
    """Return the cells on which the robot stops on its path to the target, its own first; empty if none is found.

    The search ends without a path when the work is spent. It adds what it expands and generates to `cost`.
    """
    slides, kind = task.slides, task.slides.kind_of[robot]
    blockers, target = slides.others(robots, robot), slides.number(task.position.target.cell)
    before = {robots[robot]: robots[robot]}
    queue = [robots[robot]]
    for cell in queue:  # the list grows while it is walked
        if cell == target:
            return tuple(path_to(cell, before))
        if task.budget.is_spent or not task.has_room(len(before)):
            break
        if task.trail is not None:
            task.trail.note([cell])
        stops = slides.stops_from(kind, cell, blockers)
        cost.expanded += 1
        cost.generated += task.budget.spend(len(stops))
        fresh = [stop for stop in stops if stop not in before]
        before.update(dict.fromkeys(fresh, cell))
        queue += fresh
        cost.frontier = max(cost.frontier, len(queue))
    return ()


class Floor(Bidder):
    """Bids the fewest moves of one robot alone: what every search must beat."""

    planner: ClassVar[str] = "other"
    find_plans = staticmethod(plans)
