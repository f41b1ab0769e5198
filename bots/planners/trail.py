"""Records where on the board a search has been, for spectators; only watched searches use it.

Nodes may be cells, cells in time, or whole states: `place` tells where on the board each of them is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from gridjoust.bots.planners.graph import Neighbours

N = TypeVar("N")
Place = tuple[int, int]
PlaceOf = Callable[[N], Place | None]  # None = not on the board


class Trail(Generic[N]):
    """The places of expanded nodes, in the order of first expansion, with the number of nodes expanded at each."""

    def __init__(self, place: PlaceOf[N]) -> None:
        self.expanded: dict[Place, int] = {}
        self._place = place
        self._reached: dict[Place, None] = {}

    def around(self, neighbours: Neighbours[N]) -> Neighbours[N]:
        """Wrap `neighbours` so that each call notes its node as expanded."""

        def noted(node: N) -> list[N]:
            heads = list(neighbours(node))
            self.expand(node, heads)
            return heads

        return noted

    def expand(self, node: N, heads: Iterable[N]) -> None:
        """Note an expanded node and its successors."""
        at = self._place(node)
        if at is not None:
            self.expanded[at] = self.expanded.get(at, 0) + 1
        self._reached.update((to, None) for to in map(self._place, heads) if to is not None)

    def frontier(self) -> list[Place]:
        """Return the places of nodes that were reached, except places where a node was expanded."""
        return [at for at in self._reached if at not in self.expanded]


def noted(neighbours: Neighbours[N], trail: Trail[N] | None) -> Neighbours[N]:
    """Return the `neighbours` that a search should use: wrapped to record it in `trail`, or unchanged without one."""
    return neighbours if trail is None else trail.around(neighbours)


def by_depth(layers: Sequence[Iterable[N]], place: PlaceOf[N]) -> dict[Place, int]:
    """Return the first depth at which a beam kept a node of each place; `layers` begin at depth 1."""
    found: dict[Place, int] = {}
    for depth, layer in enumerate(layers, start=1):
        for at in map(place, layer):
            if at is not None:
                found.setdefault(at, depth)
    return found
