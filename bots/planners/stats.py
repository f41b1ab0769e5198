"""What a plan is and what it cost to find. Knows no search and no clock but the one it is handed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

N = TypeVar("N")

Clock = Callable[[], float]  # seconds from any origin, never going back
INF = float("inf")


@dataclass(frozen=True, slots=True)
class PlanStats:
    """Search cost. All but `planning_ms` are the same on every machine and run."""

    expanded: int  # nodes whose successors were looked at; a node looked at twice counts twice
    generated: int  # entries put into the frontier, the start included
    frontier: int  # most entries the frontier held at once
    planning_ms: float

    def __add__(self, other: PlanStats) -> PlanStats:
        """The cost of both searches: sums, and the larger peak."""
        return PlanStats(
            expanded=self.expanded + other.expanded,
            generated=self.generated + other.generated,
            frontier=max(self.frontier, other.frontier),
            planning_ms=self.planning_ms + other.planning_ms,
        )


class Counted(Protocol):
    """Anything that tells what a search cost: stats of a plan, a Dijkstra map, a sum of them."""

    @property
    def expanded(self) -> int:
        """Nodes whose successors were looked at."""

    @property
    def generated(self) -> int:
        """Entries put into the frontier."""

    @property
    def frontier(self) -> int:
        """Most entries the frontier held at once."""


@dataclass(slots=True)
class SearchCost:
    """The cost of several searches so far."""

    expanded: int = 0
    generated: int = 0
    frontier: int = 0  # the largest peak

    def add(self, *searches: Counted) -> None:
        """Count these too."""
        for search in searches:
            self.expanded += search.expanded
            self.generated += search.generated
            self.frontier = max(self.frontier, search.frontier)


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


def elapsed_ms(clock: Clock, begin_s: float) -> float:
    """Milliseconds since `begin_s` on that clock."""
    return (clock() - begin_s) * 1000.0
