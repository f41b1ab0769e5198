"""Which nodes a search expands, in order, for people who look. Searches as always; used only where somebody does.

Every planner here looks a node's arcs up once when it expands the node, so whoever stands before the arcs sees all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from bots.planners.budget import UNLIMITED, Budget
from bots.planners.dstar_lite import GridDStarLite
from bots.planners.graph import ArcLookup, Arcs
from bots.planners.grid import SearchGrid
from bots.planners.stats import INF, PlanStats

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


class WatchedDStarLite(GridDStarLite):
    """The list code of D* Lite, which knows what the last search repaired, and what it kept from those before."""

    def __init__(self, grid: SearchGrid, start: int, goal: int) -> None:
        super().__init__(grid, start, goal)
        self._watched = WatchedArcs(grid.arcs_in)
        self._arcs_in = self._watched

    def search(self, *, budget: Budget = UNLIMITED) -> PlanStats:
        """Repair what changed, and keep what that was."""
        self._watched.order.clear()
        return super().search(budget=budget)

    def repaired(self) -> list[int]:
        """Cells that the last search expanded, in order."""
        return self._watched.closed()

    def kept(self) -> list[int]:
        """Cells whose cost it knows from searches before."""
        repaired = set(self._watched.order)
        return [cell for cell in range(self._grid.size) if self._g[cell] < INF and cell not in repaired]
