"""Beam bidder: keeps the most promising joint states of every depth, in wider and wider beams. Proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from bots.planners.beam import anytime_beam
from bots.planners.budget import Budget
from bots.ricochet.bidder import Bidder
from bots.ricochet.plans import Counter, Task
from games.ricochet.optimum import Plan, moves_along
from games.ricochet.proof import Move
from games.ricochet.slides import FAR
from games.ricochet.spaces import Key, Space, make_space

WIDTH = 64
MAX_WIDTH = 1024  # the widest beam, a fraction of a second; a search that needs more is A*'s
MAX_DEPTH = 40  # deeper than any optimum known; unreachable targets end here at the latest
STATES_PER_SWEEP = 12_000  # some 0.2 s: how long a beam may keep its caller waiting
MOBILITY_WEIGHT = 1 / 8  # of one more cell in reach against one line less: breaks ties, seldom more


class _Joint:
    """The joint states as the beam planner wants them: successors, goals, a rank; counts and limits what it costs."""

    def __init__(self, space: Space, task: Task) -> None:
        self.cost = Counter(generated=1, frontier=1)
        self._space = space
        self._task = task
        self._led: dict[Key, tuple[int, list[tuple[Key, int]]]] = {}
        self.sweep_ends = 0  # at that many states expanded

    def neighbours(self, key: Key) -> list[Key]:
        """States one move on, the finishers' moves first."""
        states = [child for child, _ in self._lead(key)[1]] + self._space.follow(key)
        self.cost.expanded += 1
        self.cost.generated += len(states)
        return states

    def rank(self, key: Key, cost: float) -> float:  # noqa: ARG002 - the planner's signature
        """Lines left here and after the best next move, less a little for every cell in reach."""
        bound, children = self._lead(key)
        nearest = min([child_bound for _, child_bound in children], default=bound)
        return bound + nearest - MOBILITY_WEIGHT * len(children)

    def is_over(self) -> bool:
        """Whether the sweep or the whole task has used up what it may."""
        return self.cost.expanded >= self.sweep_ends or not self._task.has_room(len(self._led))

    def __contains__(self, key: object) -> bool:
        return self._lead(key)[0] == 0

    def _lead(self, key: Key) -> tuple[int, list[tuple[Key, int]]]:
        known = self._led.get(key)
        if known is None:
            known = self._led[key] = self._space.lead(key)
        return known


def plans(task: Task, *, width: int = WIDTH, max_width: int = MAX_WIDTH) -> Iterator[Plan | None]:
    """Shorter and shorter solutions from beams of `width`, twice that, and so on up to `max_width`."""
    space = make_space(task.slides, task.position, task.rules)
    if space.start_bound >= FAR:
        yield Plan(None, is_proven=True, expanded=0, generated=1, frontier=1)
        return
    joint = _Joint(space, task)
    best: tuple[Move, ...] | None = None
    while width <= max_width and task.has_room(joint.cost.expanded) and not task.budget.is_spent:
        max_depth = MAX_DEPTH if best is None else len(best) - 1
        found = _sweep(space, joint, width, max_depth=max_depth, budget=task.budget)
        joint.cost.frontier = max(joint.cost.frontier, width)
        if found is not None:
            best = moves_along(task.slides, task.position, task.rules, space, list(found))
            is_proven = len(best) == space.start_bound
            yield joint.cost.plan(best, is_proven=is_proven)
            if is_proven:
                return
        yield None
        width *= 2
    if best is None:
        yield joint.cost.plan(None)


def _sweep(space: Space, joint: _Joint, width: int, *, max_depth: int, budget: Budget) -> tuple[Key, ...] | None:
    """One beam: the states to the target, or None."""
    joint.sweep_ends = joint.cost.expanded + STATES_PER_SWEEP
    found = anytime_beam(
        space.start,
        joint,
        neighbours=joint.neighbours,
        rank=joint.rank,
        is_over=joint.is_over,
        budget=budget,
        width=width,
        max_width=width,
        max_depth=max_depth,
    )
    return next((plan.path for plan in found), None)


class Beam(Bidder):
    """Bids soon and well, and better while it widens; `width` is where it starts."""

    planner: ClassVar[str] = "beam"

    def __init__(self, *, skill: int = 10, width: int = WIDTH) -> None:
        super().__init__(skill=skill)
        if width < 1:
            raise ValueError(f"width: expected at least 1, got {width}")
        self.find_plans = partial(plans, width=width, max_width=max(MAX_WIDTH, width))
