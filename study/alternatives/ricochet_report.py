"""The searches of the report that the game ricochet comes from, for the table of `study.ricochet_table`.

Breadth-first search that keeps the states it knows in a list, A* with the Manhattan distance as its bound (a sliding
robot may need fewer moves than that, so answers may be too long), and A* that takes the other robots for walls.
"""

from __future__ import annotations

from collections.abc import Iterator

from gridjoust.bots.ricochet.plans import Counter, Task, moves_of_path
from gridjoust.games.ricochet.optimum import Plan, moves_along
from gridjoust.games.ricochet.spaces import Key, Space, make_space
from gridjoust.planners import Budget, astar
from gridjoust.planners import Plan as Path


def lists(task: Task) -> Plan:
    """Search breadth-first, with the known states in a list that is scanned for each new one."""
    space, cost = make_space(task.slides, task.position, task.rules), Counter(generated=1, frontier=1)
    known: list[Key] = [space.start]
    parents = [0]
    at = 0
    while at < len(known) and not task.budget.is_spent:
        cost.expanded += 1
        children = list(_children(space, known[at]))
        cost.generated += task.budget.spend(len(children))
        for child, is_goal in children:
            if child in known:
                continue
            known.append(child)
            parents.append(at)
            if is_goal:
                return cost.plan(moves_along(task.slides, task.position, task.rules, space, _path(known, parents)))
        at += 1
        cost.frontier = max(cost.frontier, len(known) - at)
    return cost.plan(None)


def _children(space: Space, key: Key) -> Iterator[tuple[Key, bool]]:
    for child, bound in space.lead(key)[1]:
        yield child, bound == 0
    for child in space.follow(key):
        yield child, False


def _path(known: list[Key], parents: list[int]) -> list[Key]:
    path = [len(known) - 1]
    while path[-1]:
        path.append(parents[path[-1]])
    return [known[at] for at in reversed(path)]


def manhattan(task: Task) -> Plan:
    """Run A* over joint states; the estimate is the distance in cells of the nearest robot that may finish."""
    space, target = make_space(task.slides, task.position, task.rules), task.position.target
    leaders = 1 if target.colour is not None else None  # of the cells of a state

    def heuristic(key: Key) -> int:
        return min(task.slides.cell(cell).manhattan(target.cell) for cell in space.cells(key)[:leaders])

    class Goals:
        def __contains__(self, key: object) -> bool:
            return heuristic(key) == 0

    found = astar(
        space.start,
        Goals(),
        neighbours=lambda key: [child for child, _ in _children(space, key)],
        heuristic=heuristic,
        budget=task.budget,
    )
    path = list(found.path)
    moves = moves_along(task.slides, task.position, task.rules, space, path) if path else None
    return Plan(moves, is_proven=False, **_cost(found))


def walls(task: Task) -> Plan:
    """Run A* for each robot that may finish, while the others stand still, and return the shortest path, if any."""
    slides, position = task.slides, task.position
    robots, target = slides.numbers(position.robots), slides.number(position.target.cell)
    best: tuple[int, Path[int]] | None = None
    total = Counter()
    for robot in position.finishers:
        kind, blockers = slides.kind_of[robot], slides.others(robots, robot)
        found = astar(
            robots[robot],
            {target},
            neighbours=lambda cell, kind=kind, blockers=blockers: slides.stops_from(kind, cell, blockers),  # type: ignore[misc]
            heuristic=slides.lines(kind, target).__getitem__,
            budget=task.budget,
        )
        total.add(found.stats)
        if found.path and (best is None or found.cost < best[1].cost):
            best = robot, found
    if best is None:
        return total.plan(None)
    robot, found = best
    return total.plan(moves_of_path(task, robots, robot, tuple(found.path)))


def _cost(found: Path[Key]) -> dict[str, int]:
    return {name: getattr(found.stats, name) for name in ("expanded", "generated", "frontier")}


def limited(task: Task, most: int) -> Task:
    """Return a copy of the task with a budget of its own, of `most` states."""
    return Task(task.slides, task.position, task.rules, task.max_states, Budget(most))
