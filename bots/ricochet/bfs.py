"""The baseline: plain breadth-first search over joint states, optimal and slow, as no bound guides it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.bots.ricochet.plans import Counter, Plans, Task
from gridjoust.games.ricochet.optimum import Plan, moves_along, path_to
from gridjoust.games.ricochet.spaces import Key, Space

STATES_PER_PAUSE = 512


def plans(task: Task) -> Plans:
    """Yield None while searching, then a shortest solution, the proof that there is none or, at a limit, neither."""
    space = task.space()
    if space.start_bound == 0:
        yield Plan((), is_proven=True, expanded=0, generated=0, frontier=1)
        return None
    parents: dict[Key, Key] = {space.start: space.start}
    layer: list[Key] = [space.start]
    cost = Counter(frontier=1)
    while layer and task.has_room(len(parents)) and not task.budget.is_spent:
        after: list[Key] = []
        for key in layer:
            if task.budget.is_spent:
                break
            cost.expanded += 1
            for child, bound in _children(task, space, key, cost):
                if child not in parents:
                    parents[child] = key
                    after.append(child)
                    if bound == 0:
                        path = path_to(child, parents)
                        moves = moves_along(task.slides, task.position, task.rules, space, path)
                        yield cost.plan(moves, is_proven=True)
                        return None
            if cost.expanded % STATES_PER_PAUSE == 0:
                yield None
        cost.frontier = max(cost.frontier, len(after))
        layer = after
    yield cost.plan(None, is_proven=not layer and not task.budget.is_spent)
    return None


def _children(task: Task, space: Space, key: Key, cost: Counter) -> Iterator[tuple[Key, int]]:
    """Yield (state, lower bound) after each move of a finisher, then after each of a helper, which cannot finish."""
    own, led = space.lead(key)
    cost.generated += task.budget.spend(len(led))
    yield from led
    if not task.budget.is_spent:
        followed = space.follow(key)
        cost.generated += task.budget.spend(len(followed))
        yield from ((child, own) for child in followed)


class BreadthFirst(Bidder):
    """Bids the optimum if breadth-first search finds it in time."""

    planner: ClassVar[str] = "other"
    find_plans = staticmethod(plans)
