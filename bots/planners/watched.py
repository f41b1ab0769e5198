"""Records which nodes a search expands, in order, for spectators; only watched searches use it.

Every planner here reads a node's arcs once, when it expands the node. So a wrapper around the arcs sees every
expansion.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

from gridjoust.bots.planners.dstar_lite import DStarLite, GridDStarLite
from gridjoust.bots.planners.graph import ArcLookup, Arcs
from gridjoust.bots.planners.stats import INF

N = TypeVar("N")


@dataclass(slots=True)
class WatchedArcs(Generic[N]):
    """Arcs that record the nodes whose arcs are read."""

    arcs: ArcLookup[N]
    order: list[N] = field(default_factory=list)

    def __getitem__(self, node: N, /) -> Arcs[N]:
        self.order.append(node)
        return self.arcs[node]

    def closed(self) -> list[N]:
        """Return every node that was expanded, in the order of its first expansion."""
        return list(dict.fromkeys(self.order))

    def frontier(self) -> list[N]:
        """Return the nodes next to expanded ones that were not expanded."""
        closed = self.closed()
        beside = dict.fromkeys(head for node in closed for head, cost in self.arcs[node] if cost < INF)
        return [node for node in beside if node not in set(closed)]


class WatchedDStarLite(DStarLite[N]):
    """D* Lite in pure Python that reports which nodes it repairs and which it keeps from earlier searches."""

    def _begin(self, start: N, goal: N) -> None:
        self._watched = WatchedArcs(self._arcs_in)
        self._arcs_in = self._watched
        super()._begin(start, goal)

    def take(self) -> tuple[list[N], list[N]]:
        """Return (nodes expanded since the last call, in order; others whose cost is known from before)."""
        repaired = self._watched.closed()
        self._watched.order.clear()
        return repaired, [node for node in self._known() if node not in set(repaired)]

    def _known(self) -> list[N]:
        return [node for node, cost in cast(dict[N, float], self._g).items() if cost < INF]


class WatchedGridDStarLite(WatchedDStarLite[int], GridDStarLite):
    """D* Lite on flat cells that reports which nodes it repairs and which it keeps."""

    def _known(self) -> list[int]:
        return [cell for cell in range(self._grid.size) if self._g[cell] < INF]


def dstar_lite_class(*, is_watched: bool) -> type[DStarLite[Any]]:
    """Return the class that reports its repairs to spectators if `is_watched`, else the faster one that does not."""
    return WatchedDStarLite if is_watched else DStarLite


def repairs(planner: DStarLite[N] | None) -> tuple[list[N], list[N]]:
    """Return (nodes expanded since the last call, in order; nodes kept from before); both empty if not watched."""
    return planner.take() if isinstance(planner, WatchedDStarLite) else ([], [])
