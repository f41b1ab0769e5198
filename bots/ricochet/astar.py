"""Optimal bidder: A* over joint states, with the table "fewest straight lines to the target" as its bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from gridjoust.bots.ricochet.beam import plans as beam_plans
from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.bots.ricochet.optimum import shortest_steps
from gridjoust.bots.ricochet.plans import Task
from gridjoust.games.ricochet.optimum import STATES_PER_STEP, Plan

STATES_BEFORE_A_GUESS = 20_000  # a search this long may take too long for the sand: find something to bid meanwhile
GUESS_WIDTH = 32


def plans(task: Task) -> Iterator[Plan | None]:
    """A shortest solution, or the proof that there is none; in long searches first whatever a beam finds.

    A limited number of expansions is for the shortest solution alone: it is not the sand that ends the search then.
    """
    steps = shortest_steps(task)
    pauses = 0
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            task.budget.spend(stop.value.expanded)
            yield stop.value
            return
        yield None
        pauses += 1
        if pauses == STATES_BEFORE_A_GUESS // STATES_PER_STEP and not task.budget.is_limited:
            yield from beam_plans(task, width=GUESS_WIDTH, max_width=GUESS_WIDTH)


class AStar(Bidder):
    """Bids the optimum and knows that it is one."""

    planner: ClassVar[str] = "astar"
    find_plans = staticmethod(plans)
