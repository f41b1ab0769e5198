"""What a plan is and what it cost to find. Knows no search and no clock but the one it is handed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

N = TypeVar("N")

Clock = Callable[[], float]  # seconds from any origin, never going back
INF = float("inf")


@dataclass(slots=True)
class PlanStats:
    """The cost of a search, or of several so far. All but `planning_ms` are the same on every machine and run."""

    expanded: int = 0  # nodes whose successors were looked at; a node looked at twice counts twice
    generated: int = 0  # entries put into the frontier, the start included
    frontier: int = 0  # most entries the frontier held at once
    planning_ms: float = 0.0
    repaired: int = 0  # of the nodes expanded, those of a search that mended an earlier one
    reused: int = 0  # results of earlier searches, or parts of this one, that were looked up in place of made anew

    def add(self, *searches: PlanStats) -> None:
        """Count these too: sums, and the largest peak."""
        for search in searches:
            self.expanded += search.expanded
            self.generated += search.generated
            self.frontier = max(self.frontier, search.frontier)
            self.planning_ms += search.planning_ms
            self.repaired += search.repaired
            self.reused += search.reused

    def __add__(self, other: PlanStats) -> PlanStats:
        """The cost of both; neither is changed."""
        total = PlanStats()
        total.add(self, other)
        return total


@dataclass(frozen=True, slots=True)
class Plan(Generic[N]):
    """A path from start to goal, both included; no path = empty and infinitely dear."""

    path: tuple[N, ...]
    cost: float
    stats: PlanStats

    @property
    def found(self) -> bool:
        """Whether there is a path."""
        return bool(self.path)


def no_plan(stats: PlanStats) -> Plan[Any]:
    """No path was found."""
    return Plan((), INF, stats)


def elapsed_ms(clock: Clock, begin_s: float) -> float:
    """Milliseconds since `begin_s` on that clock."""
    return (clock() - begin_s) * 1000.0
