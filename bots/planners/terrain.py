"""Where a Dijkstra map lies: numbered cells (0 ... n-1) and the steps between them. Searches nothing.

A grid row by row (`cell = y * width + x`) or any finite graph.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeVar

N = TypeVar("N", bound=Hashable)

Links = tuple[tuple[int, ...], ...]
_Offset = tuple[int, int]
_ORTHOGONAL: tuple[_Offset, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
_DIAGONAL: tuple[_Offset, ...] = ((1, -1), (1, 1), (-1, 1), (-1, -1))


@dataclass(frozen=True, slots=True)
class Terrain:
    """Numbered cells and the steps between them; `walls` are cells that nothing enters, leaves or values.

    `out[a]` lists where one steps from `a`, `into[b]` from where one steps to `b` (links of walls are ignored).
    `into_costs` stands beside `into`; None means that every step costs 1, which is scanned fastest. Costs > 0.
    """

    out: Links
    into: Links
    walls: frozenset[int] = frozenset()
    into_costs: tuple[tuple[float, ...], ...] | None = None

    @property
    def size(self) -> int:
        """Number of cells, walls included."""
        return len(self.out)

    def neighbours(self, cell: int) -> list[int]:
        """Cells one step away, in the terrain's order (grids: N, E, S, W, then NE, SE, SW, NW)."""
        return [other for other in self.out[cell] if other not in self.walls]


def grid_terrain(
    width: int,
    height: int,
    *,
    walls: Iterable[int] = (),
    connectivity: Literal[4, 8] = 4,
    cut_corners: bool = False,
    diagonal_cost: float = 1.0,
    entry_costs: Sequence[float] | None = None,
) -> Terrain:
    """A board row by row. A step costs `entry_costs` of the entered cell (1), times `diagonal_cost` if diagonal.

    Without `cut_corners` a diagonal step needs both cells beside it free.
    """
    blocked = frozenset(walls)
    links = _lattice(width, height, connectivity)
    if connectivity == 8 and not cut_corners and blocked:
        links = _without_corners(links, width, blocked)
    if entry_costs is None and (connectivity == 4 or diagonal_cost == 1):
        return Terrain(links, links, blocked)
    entry = [1.0] * len(links) if entry_costs is None else entry_costs
    if len(entry) != len(links) or min(entry) <= 0 or diagonal_cost <= 0:
        raise ValueError(f"entry_costs: expected {len(links)} costs above 0, got {len(entry)} from {min(entry)}")
    costs = tuple(
        tuple(entry[cell] * (diagonal_cost if _is_diagonal(cell, other, width) else 1) for other in row)
        for cell, row in enumerate(links)
    )
    return Terrain(links, links, blocked, costs)


def graph_terrain(
    nodes: Iterable[N], neighbours: Callable[[N], Iterable[tuple[N, float]]]
) -> tuple[Terrain, dict[N, int]]:
    """Any finite directed graph and the number of each node: all reached from `nodes` by (node, cost > 0) steps."""
    names = list(dict.fromkeys(nodes))
    numbers = {name: number for number, name in enumerate(names)}
    out: list[tuple[int, ...]] = []
    into: list[list[int]] = [[] for _ in names]
    costs: list[list[float]] = [[] for _ in names]
    for number, name in enumerate(names):  # grows while it is walked
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


# ---- grids ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _lattice(width: int, height: int, connectivity: int) -> Links:
    offsets = _ORTHOGONAL if connectivity == 4 else _ORTHOGONAL + _DIAGONAL
    return tuple(
        tuple((y + dy) * width + x + dx for dx, dy in offsets if 0 <= x + dx < width and 0 <= y + dy < height)
        for y in range(height)
        for x in range(width)
    )


def _is_diagonal(cell: int, other: int, width: int) -> bool:
    return cell % width != other % width and cell // width != other // width


def _without_corners(links: Links, width: int, walls: frozenset[int]) -> Links:
    """The 8-way links without diagonals that pass a wall; only cells around walls are looked at."""
    kept = list(links)
    for cell in {cell for wall in walls for cell in links[wall]}:
        kept[cell] = tuple([n for n in links[cell] if not _passes_wall(cell, n, width, walls)])
    return tuple(kept)


def _passes_wall(cell: int, other: int, width: int, walls: frozenset[int]) -> bool:
    if not _is_diagonal(cell, other, width):
        return False
    return cell // width * width + other % width in walls or other // width * width + cell % width in walls
