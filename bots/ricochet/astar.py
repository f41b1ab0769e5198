"""Optimal bidder: A* over joint states, with the table "fewest straight lines to the target" as its bound."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from gridjoust.bots.ricochet.beam import plans as beam_plans
from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.bots.ricochet.optimum import shortest_steps
from gridjoust.bots.ricochet.plans import Plans, Task
from gridjoust.games.ricochet.optimum import STATES_PER_STEP, Plan

STATES_BEFORE_A_GUESS = 20_000  # a search this long may exceed the sand clock: a beam then finds a first bid
GUESS_WIDTH = 32


def plans(task: Task) -> Plans:
    """Yield a shortest solution, or the proof that there is none; long searches first yield what a beam finds.

    With limited work there is no beam: then the sand clock does not end the search.
    """
    steps = shortest_steps(task)
    pauses = 0
    guess: Plan | None = None
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            plan = replace(stop.value, generated=task.budget.spend(stop.value.generated))
            yield plan
            return None if guess is None else _with_cost_of(guess, plan)
        yield None
        pauses += 1
        if pauses == STATES_BEFORE_A_GUESS // STATES_PER_STEP and not task.budget.is_limited:
            guess = yield from beam_plans(task, width=GUESS_WIDTH, max_width=GUESS_WIDTH)


def _with_cost_of(guess: Plan, plan: Plan) -> Plan:
    """Return the plan with the cost of an earlier guess added."""
    return replace(plan, expanded=plan.expanded + guess.expanded, generated=plan.generated + guess.generated)


class AStar(Bidder):
    """Bids the optimum, proven by A*."""

    planner: ClassVar[str] = "astar"
    find_plans = staticmethod(plans)
