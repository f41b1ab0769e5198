"""A plan, and what it cost to find.

**What is counted.** A *successor* is a node that a forward model, a function or table of neighbours, or a scan of arcs
yields. It counts each time that it is yielded, whether it is new, dearer than known, or dropped at once. A flood by
sets of cells yields the cells of every layer once. Walls are no nodes. Two things generate no successors: news (new
prices of arcs, the board as it is read) and the reading of a finished plan (its path, a step downhill). The rule is the
same for all planners and games: `generated` counts the successors of a planner's searches, `Budget.tactics` all others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

N = TypeVar("N")

Clock = Callable[[], float]  # seconds from any origin, never decreasing
INF = float("inf")  # cost of what cannot be reached


@dataclass(slots=True)
class PlanStats:
    """The cost of one or more searches; all but `planning_ms` are equal on every machine and in every run."""

    expanded: int = 0  # nodes whose successors were read; a node read twice counts twice
    generated: int = 0  # successors, see above
    frontier: int = 0  # the most entries that the frontier held at once
    planning_ms: float = 0.0  # time of the search
    repaired: int = 0  # expanded nodes that belong to a repair of an earlier search
    reused: int = 0  # results of earlier searches, or parts of this one, that were looked up and not computed again

    def add(self, *searches: PlanStats) -> None:
        """Add these searches: counts are summed, the largest frontier is kept."""
        for search in searches:
            self.expanded += search.expanded
            self.generated += search.generated
            self.frontier = max(self.frontier, search.frontier)
            self.planning_ms += search.planning_ms
            self.repaired += search.repaired
            self.reused += search.reused

    def __add__(self, other: PlanStats) -> PlanStats:
        """Return the cost of both; neither is changed."""
        total = PlanStats()
        total.add(self, other)
        return total


@dataclass(frozen=True, slots=True)
class Plan(Generic[N]):
    """A path from start to goal, both included; no path = an empty one of infinite cost."""

    path: tuple[N, ...]  # start and goal included; empty without a path
    cost: float  # of the path; infinite without one
    stats: PlanStats  # cost of the search

    @property
    def found(self) -> bool:
        """True if there is a path."""
        return bool(self.path)


def no_plan(stats: PlanStats) -> Plan[Any]:
    """Make the plan of a search that found no path."""
    return Plan((), INF, stats)


def elapsed_ms(clock: Clock, begin_s: float) -> float:
    """Return the milliseconds since `begin_s` on that clock."""
    return (clock() - begin_s) * 1000.0
