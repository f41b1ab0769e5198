"""The planners' model of a graph, and the one rule by which all of them break ties.

A graph is given by functions: `neighbours(node)` lists successors, `cost(tail, head)` prices an arc (never negative),
`heuristic(node)` estimates the cost that is left. Nodes are hashable; they need no order.

**The tie-break rule.** *Among equally good successors the one that `neighbours` names first wins.* Grids name them
N, E, S, W and then NE, SE, SW, NW. Each planner keeps the rule in the one way its algorithm allows:

* A*: equal f goes to the larger g, then to the entry found first; only a strictly cheaper path replaces a known one.
* D* Lite: the robot steps to the first successor with the least cost + g; of equal keys the older is expanded first.
* Beam: among equal ranks the candidate found first survives; among goals of equal cost the one found first wins.

So planners differ in what they search, not in which of two equally good first steps they prefer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from gridjoust.bots.planners import kernels

N = TypeVar("N")
H = TypeVar("H", bound=Hashable)

Links = tuple[tuple[int, ...], ...]
MOST_PACKED = 16
_LAST_PACKED: dict[
    tuple[int, bool], tuple[Links, Any]
] = {}  # id -> (the table, its packed form); the table is kept so that its id stays valid

Neighbours = Callable[[N], Iterable[N]]
Cost = Callable[[N, N], float]
Heuristic = Callable[[N], float]
Arcs = Sequence[tuple[N, float]]  # (head, cost) of each arc that leaves a node, in tie-break order


class ArcLookup(Protocol[N]):
    """A table of arcs by node, read as a subscript, so that a grid's table and a pair of functions look the same."""

    def __getitem__(self, node: N, /) -> Arcs[N]: ...


class ArcChange(NamedTuple, Generic[N]):
    """A change in the price of one directed arc; infinite = there is no such arc."""

    tail: N  # node that the arc leaves
    head: N  # node that it leads to
    old: float  # price before
    new: float  # price now


def unit_cost(tail: object, head: object) -> float:  # noqa: ARG001 - the signature of a cost function
    """Return 1 as the cost of every arc."""
    return 1


def no_estimate(node: object) -> float:  # noqa: ARG001 - the signature of a heuristic
    """Estimate 0 everywhere, which makes A* Dijkstra's algorithm."""
    return 0


@dataclass(frozen=True, slots=True)
class FunctionArcs(Generic[N]):
    """Arcs that are computed by `neighbours` and `cost` each time they are read, so that none is ever outdated."""

    neighbours: Neighbours[N]
    cost: Cost[N]

    def __getitem__(self, node: N, /) -> Arcs[N]:
        cost = self.cost
        return [(head, cost(node, head)) for head in self.neighbours(node)]


class FunctionArcsIn(FunctionArcs[N]):
    """Arcs that *enter* a node, as (tail, cost); `neighbours` returns the predecessors."""

    __slots__ = ()

    def __getitem__(self, node: N, /) -> Arcs[N]:
        cost = self.cost
        return [(tail, cost(tail, node)) for tail in self.neighbours(node)]


def trace(parent_of: Callable[[N], N], node: N) -> tuple[N, ...]:
    """Return the path from the start, which is its own parent, to `node`."""
    path = [node]
    while (parent := parent_of(node)) != node:
        path.append(parent)
        node = parent
    return tuple(reversed(path))


@dataclass(frozen=True, slots=True)
class Terrain:
    """A graph as tables, for Dijkstra maps: cells 0 ... n-1 and the steps between them.

    Links of walls are ignored. Steps that all cost 1 are scanned fastest.
    """

    out: Links  # out[a]: the cells that a step from a leads to
    into: Links  # into[b]: the cells from which a step leads to b
    walls: frozenset[int] = frozenset()  # cells without steps and values
    into_costs: tuple[tuple[float, ...], ...] | None = None  # costs (> 0) of the steps in `into`; None: all cost 1
    _packed: list[Any] = field(default_factory=list, init=False, repr=False, compare=False)

    def packed(self) -> Any:
        """Return this graph in the form that the kernels read; `_kernels/terrain.py` describes it."""
        if not self._packed:
            costs = None if self.into_costs is None else kernels.active.pack_costs(self.into_costs)
            links = _packed_links(self.into, costs is None)
            walls = kernels.active.pack_walls(self.walls, self.size, links[0])
            self._packed.append((*links, costs, walls, self.size))
        return self._packed[0]

    @property
    def size(self) -> int:
        """Number of cells, walls included."""
        return len(self.out)

    def neighbours(self, cell: int) -> list[int]:
        """Return the cells one step away, in the terrain's order (grids: N, E, S, W, then NE, SE, SW, NW)."""
        return [other for other in self.out[cell] if other not in self.walls]

    def arcs_in(self, cell: int) -> list[tuple[int, float]]:
        """Return (tail, cost) of every step to the cell."""
        tails = self.into[cell]
        costs = self.into_costs[cell] if self.into_costs else (1.0,) * len(tails)
        return [(tail, cost) for tail, cost in zip(tails, costs, strict=True) if tail not in self.walls]

    def arcs_out(self, cell: int) -> list[tuple[int, float]]:
        """Return (head, cost) of every step from the cell."""
        heads, into, costs = self.neighbours(cell), self.into, self.into_costs
        if costs is None:
            return [(head, 1) for head in heads]
        return [(head, c) for head in heads for tail, c in zip(into[head], costs[head], strict=True) if tail == cell]


def _packed_links(links: Links, is_uniform: bool) -> Any:  # noqa: FBT001 - a property of the terrain
    """Return the table of neighbours in the form that the kernels read, made once for terrains that share a table.

    Tables are compared by identity, as hashing is slow.
    """
    key = id(links), is_uniform
    known = _LAST_PACKED.get(key)
    if known is None:
        if len(_LAST_PACKED) >= MOST_PACKED:
            _LAST_PACKED.clear()
        known = _LAST_PACKED[key] = (links, kernels.active.pack_links(links, is_uniform))
    return known[1]


def directed_terrain(out: Links) -> Terrain:
    """Make a terrain of one-way steps of cost 1.

    Args:
        out: for each cell, the cells to which a step leads
    """
    into: list[list[int]] = [[] for _ in out]
    for cell, heads in enumerate(out):
        for head in heads:
            into[head].append(cell)
    return Terrain(out, tuple(map(tuple, into)))


def graph_terrain(
    nodes: Iterable[H], neighbours: Callable[[H], Iterable[tuple[H, float]]]
) -> tuple[Terrain, dict[H, int]]:
    """Make a terrain of a directed graph; return it with the number of each node.

    ValueError if a cost is not above 0.

    Args:
        nodes: nodes to begin with; all that steps reach from them belong to the terrain
        neighbours: returns (node, cost) of each step from a node
    """
    names = list(dict.fromkeys(nodes))
    numbers = {name: number for number, name in enumerate(names)}
    out: list[tuple[int, ...]] = []
    into: list[list[int]] = [[] for _ in names]
    costs: list[list[float]] = [[] for _ in names]
    for number, name in enumerate(names):  # the list grows while it is walked
        steps = list(neighbours(name))
        for other, cost in steps:
            if cost <= 0:
                raise ValueError(f"step {name!r} to {other!r}: expected a cost above 0, got {cost}")
            if other not in numbers:
                numbers[other] = len(names)
                names.append(other)
                into.append([])
                costs.append([])
            into[numbers[other]].append(number)
            costs[numbers[other]].append(cost)
        out.append(tuple(numbers[other] for other, _ in steps))
    terrain = Terrain(tuple(out), tuple(map(tuple, into)), into_costs=tuple(map(tuple, costs)))
    return terrain, numbers
