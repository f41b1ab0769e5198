"""The board of eidolon: tiles in their cells, doors, barriers and connections.

Cells are counted from the Vestibule, which lies in (0, 0): x east, y south, negative in the other directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from gridjoust.games.bitset import mask_of
from gridjoust.games.eidolon.tiles import (
    BIT,
    DOORS,
    ENDS,
    HEAVY,
    OF_COLOUR,
    PASSAGES,
    TOKENS_NEEDED,
    VESTIBULE,
    TileSet,
)
from gridjoust.games.grid import DIRECTIONS, Cell, Direction

ORIGIN = Cell(0, 0)
Edge = tuple[Cell, Direction]  # named by its western or northern cell, so that the direction is E or S

Ways = Mapping[Cell, Mapping[Direction, Cell]]
Reach = Mapping[Cell, tuple[Cell, ...]]

_DOORS_NEEDED = {"doors": 2, "half": 1, "beside": 0}
_OPPOSITE = {direction: direction.opposite for direction in DIRECTIONS}
_SIDES = tuple((direction, BIT[direction], BIT[_OPPOSITE[direction]]) for direction in DIRECTIONS)


class Placed(NamedTuple):
    """A tile in its cell; `quarters` are clockwise quarter turns from its printed orientation."""

    tile: int
    cell: Cell
    quarters: int

    @property
    def doors(self) -> int:
        """Bit set of the directions in which the tile, as it lies, has doors."""
        return DOORS[self.tile][self.quarters]


@dataclass(frozen=True)
class Dungeon:
    """The tiles in play in the order they were laid, the tiles still to be drawn, and the blocked edges.

    A dungeon never changes; its methods return new ones. Derived values are computed once, on first use.
    """

    placed: tuple[Placed, ...]
    stack: TileSet = 0
    barriers: frozenset[Edge] = frozenset()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.placed, self.stack, self.barriers))

    @cached_property
    def at(self) -> Mapping[Cell, Placed]:
        """Cell -> the tile that lies in it."""
        return {placed.cell: placed for placed in self.placed}

    @cached_property
    def where(self) -> Mapping[int, Cell]:
        """Number of a tile in play -> the cell in which it lies."""
        return {placed.tile: placed.cell for placed in self.placed}

    @cached_property
    def links(self) -> Ways:
        """Cell -> direction -> next cell, if both tiles have a door there and no barrier blocks it."""
        return {cell: self.open_ways(cell, "doors") for cell in self.at} if self.barriers else self.ways("doors")

    def open_ways(self, cell: Cell, kind: str) -> Mapping[Direction, Cell]:
        """Return direction -> neighbouring cell for one cell, without blocked doorways; `kind` is as in `ways`."""
        return {way: other for way, other in self.ways(kind)[cell].items() if not self.is_blocked(cell, way)}

    def ways(self, kind: str) -> Ways:
        """Return cell -> direction -> neighbouring cell that can be entered if no barrier is there.

        Kinds: `doors`, both tiles need a door; `half`, a door of one of them is enough; `beside`, none is needed.
        """
        if kind not in self._ways:
            self._ways[kind] = self._find_ways(_DOORS_NEEDED[kind])
        return self._ways[kind]

    @cached_property
    def _ways(self) -> dict[str, Ways]:
        return {}

    @cached_property
    def _neighbours(self) -> dict[str, Reach]:
        return {}

    def _find_ways(self, doors_needed: int) -> Ways:
        at = self.at
        found: dict[Cell, dict[Direction, Cell]] = {}
        for cell, placed in at.items():
            doors, beside = placed.doors, found.setdefault(cell, {})
            for direction, door, door_beyond in _SIDES:
                if doors & door or doors_needed < 2:
                    beyond = at.get(cell.step(direction))
                    if beyond is not None and bool(doors & door) + bool(beyond.doors & door_beyond) >= doors_needed:
                        beside[direction] = beyond.cell
        return found

    @cached_property
    def passages(self) -> Mapping[Cell, Cell]:
        """Each mouth of the Secret Passage -> the other one; empty until both are in play."""
        mouths = [self.where[tile] for tile in PASSAGES if tile in self.where]
        return dict(zip(mouths, reversed(mouths), strict=True)) if len(mouths) > 1 else {}

    def has_door(self, cell: Cell, direction: Direction) -> bool:
        """Return True if a tile lies there and has a door in that direction."""
        placed = self.at.get(cell)
        return placed is not None and bool(placed.doors & BIT[direction])

    def is_blocked(self, cell: Cell, direction: Direction) -> bool:
        """Return True if a barrier stands in that doorway."""
        return edge_of(cell, direction) in self.barriers

    def frontier(self, cell: Cell) -> list[Direction]:
        """Return the directions of doors that lead from this cell's tile to empty cells, even through a barrier."""
        return [d for d in DIRECTIONS if self.has_door(cell, d) and cell.step(d) not in self.at]

    @cached_property
    def rim(self) -> list[Cell]:
        """The empty cells next to tiles, without duplicates, in the order of the tiles."""
        beside = (cell.step(direction) for cell in self.at for direction in DIRECTIONS)
        return [cell for cell in dict.fromkeys(beside) if cell not in self.at]

    def doorways(self) -> list[Edge]:
        """Return every edge with doors on both sides, blocked or not, row by row."""
        return sorted(
            (
                (cell, direction)
                for cell, beside in self.ways("doors").items()
                for direction in (Direction.E, Direction.S)
                if direction in beside
            ),
            key=edge_key,
        )

    def with_tile(self, placed: Placed) -> Dungeon:
        """Return the dungeon with one more tile laid, which is then no longer in the stack."""
        return replace(self, placed=(*self.placed, placed), stack=self.stack & ~(1 << placed.tile))

    def without_tile(self, tile: int) -> Dungeon:
        """Return the dungeon without a lost tile and the barriers around it."""
        gone = self.where[tile]
        around = {edge_of(gone, direction) for direction in DIRECTIONS}
        left = tuple(placed for placed in self.placed if placed.tile != tile)
        return replace(self, placed=left, barriers=self.barriers - around)

    def with_barriers(self, edges: Iterable[Edge]) -> Dungeon:
        """Return the dungeon with these edges blocked too."""
        return replace(self, barriers=self.barriers.union(edges))

    def without_barrier(self, cell: Cell, direction: Direction) -> Dungeon:
        """Return the dungeon with that doorway cleared."""
        return replace(self, barriers=self.barriers - {edge_of(cell, direction)})

    def reach(self, start: Cell, *, steps: Reach | None = None) -> frozenset[Cell]:
        """Return all cells that a hero can walk to, with `start`; barriers do not count, since they can be cleared.

        `steps` are the cells one step from each cell; by default, through doorways and the Secret Passage.
        """
        neighbours = self.neighbours("doors") if steps is None else steps
        seen = {start}
        queue = [start]
        for cell in queue:
            for other in neighbours.get(cell, ()):
                if other not in seen:
                    seen.add(other)
                    queue.append(other)
        return frozenset(seen)

    def neighbours(self, kind: str) -> Reach:
        """Return cell -> cells one step away, without regard to barriers: those of `ways`, then through the passage."""
        if kind not in self._neighbours:
            beside = {cell: tuple(ways.values()) for cell, ways in self.ways(kind).items()}
            joined = {mouth: (*beside[mouth], other) for mouth, other in self.passages.items()}
            self._neighbours[kind] = beside | joined
        return self._neighbours[kind]

    @property
    def is_solvable(self) -> bool:
        """True if enough tokens of each colour, the seals, the Fire and, in its set, the End can be reached."""
        reached = mask_of([self.at[cell].tile for cell in self.reach(self.where[VESTIBULE])])
        needed = HEAVY | self.stack & mask_of(ENDS)
        if needed & ~reached or any(end in self.where and not reached >> end & 1 for end in ENDS):
            return False
        return all((reached & chambers).bit_count() >= TOKENS_NEEDED for chambers in OF_COLOUR)


def edge_of(cell: Cell, direction: Direction) -> Edge:
    """Return the edge on that side of the cell as (cell, east or south), the only form that barriers use."""
    if direction is Direction.E or direction is Direction.S:
        return cell, direction
    return cell.step(direction), _OPPOSITE[direction]


def edge_key(edge: Edge) -> tuple[int, int, str]:
    """Return a key that sorts edges row by row, the same in every process."""
    (x, y), direction = edge
    return y, x, direction.name


EMPTY = Dungeon((Placed(VESTIBULE, ORIGIN, 0),))
"""The Vestibule alone; `dataclasses.replace` gives it a stack."""
