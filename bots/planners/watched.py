"""Which nodes a search expands, in order, for people who look. Searches as always; used only where somebody does.

Every planner here looks a node's arcs up once when it expands the node, so whoever stands before the arcs sees all.
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
    """Arcs that keep who asked for them."""

    arcs: ArcLookup[N]
    order: list[N] = field(default_factory=list)

    def __getitem__(self, node: N, /) -> Arcs[N]:
        self.order.append(node)
        return self.arcs[node]

    def closed(self) -> list[N]:
        """Every node that was expanded, in the order of its first time."""
        return list(dict.fromkeys(self.order))

    def frontier(self) -> list[N]:
        """Nodes next to these that were not."""
        closed = self.closed()
        beside = dict.fromkeys(head for node in closed for head, cost in self.arcs[node] if cost < INF)
        return [node for node in beside if node not in set(closed)]


class WatchedDStarLite(DStarLite[N]):
    """The list code of D* Lite, which knows what it repairs, and what it keeps from searches before."""

    def _begin(self, start: N, goal: N) -> None:
        self._watched = WatchedArcs(self._arcs_in)
        self._arcs_in = self._watched
        super()._begin(start, goal)

    def take(self) -> tuple[list[N], list[N]]:
        """(nodes expanded since the last call, in order; others whose cost is known from before)."""
        repaired = self._watched.closed()
        self._watched.order.clear()
        return repaired, [node for node in self._known() if node not in set(repaired)]

    def _known(self) -> list[N]:
        return [node for node, cost in cast(dict[N, float], self._g).items() if cost < INF]


class WatchedGridDStarLite(WatchedDStarLite[int], GridDStarLite):
    """The same on flat cells."""

    def _known(self) -> list[int]:
        return [cell for cell in range(self._grid.size) if self._g[cell] < INF]


def dstar_lite_class(*, is_watched: bool) -> type[DStarLite[Any]]:
    """What to search with: the code that knows what it repairs where somebody looks, else the fastest."""
    return WatchedDStarLite if is_watched else DStarLite


def repairs(planner: DStarLite[N] | None) -> tuple[list[N], list[N]]:
    """(nodes expanded since the last call, in order; those that were kept); none of a search that is not watched."""
    return planner.take() if isinstance(planner, WatchedDStarLite) else ([], [])
