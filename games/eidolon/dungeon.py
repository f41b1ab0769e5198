"""The board of eidolon: tiles in their cells, doors, barriers, and what is connected. Heroes and turns are elsewhere.

Cells count from the Vestibule, which lies in (0, 0): x east, y south, negative to the other sides.
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
Edge = tuple[Cell, Direction]  # seen from its western or northern cell: the direction is E or S

Ways = Mapping[Cell, Mapping[Direction, Cell]]
Reach = Mapping[Cell, tuple[Cell, ...]]

_DOORS_NEEDED = {"doors": 2, "half": 1, "beside": 0}
_OPPOSITE = {direction: direction.opposite for direction in DIRECTIONS}
_SIDES = tuple((direction, BIT[direction], BIT[_OPPOSITE[direction]]) for direction in DIRECTIONS)


class Placed(NamedTuple):
    """A tile in its cell, turned clockwise by quarters from its printed orientation."""

    tile: int
    cell: Cell
    quarters: int

    @property
    def doors(self) -> int:
        """One bit a direction."""
        return DOORS[self.tile][self.quarters]


@dataclass(frozen=True)
class Dungeon:
    """The tiles that lie, in the order they were laid; the tiles still to be drawn; the blocked edges.

    A value: changes make new dungeons. What follows from it is computed once, when first asked for.
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
        """Cell -> the tile in it."""
        return {placed.cell: placed for placed in self.placed}

    @cached_property
    def where(self) -> Mapping[int, Cell]:
        """Tile -> its cell."""
        return {placed.tile: placed.cell for placed in self.placed}

    @cached_property
    def links(self) -> Ways:
        """Cell -> where its open doorways lead: both tiles have a door there and no barrier blocks it."""
        return {cell: self.open_ways(cell, "doors") for cell in self.at} if self.barriers else self.ways("doors")

    def open_ways(self, cell: Cell, kind: str) -> Mapping[Direction, Cell]:
        """As `ways`, from one cell and without the blocked ones."""
        return {way: other for way, other in self.ways(kind)[cell].items() if not self.is_blocked(cell, way)}

    def ways(self, kind: str) -> Ways:
        """Cell -> where it leads, barriers aside: through `doors`, `half` doors (one of the two) or to all `beside`."""
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
        """From mouth to mouth of the Secret Passage, once both are in play."""
        mouths = [self.where[tile] for tile in PASSAGES if tile in self.where]
        return dict(zip(mouths, reversed(mouths), strict=True)) if len(mouths) > 1 else {}

    def has_door(self, cell: Cell, direction: Direction) -> bool:
        """Whether a tile lies there and has a door in that direction."""
        placed = self.at.get(cell)
        return placed is not None and bool(placed.doors & BIT[direction])

    def is_blocked(self, cell: Cell, direction: Direction) -> bool:
        """Whether a barrier stands in that doorway."""
        return edge_of(cell, direction) in self.barriers

    def frontier(self, cell: Cell) -> list[Direction]:
        """Directions of the tile's doors onto empty cells, blocked or not."""
        return [d for d in DIRECTIONS if self.has_door(cell, d) and cell.step(d) not in self.at]

    @cached_property
    def rim(self) -> list[Cell]:
        """Empty cells beside tiles, in the order of the tiles."""
        beside = (cell.step(direction) for cell in self.at for direction in DIRECTIONS)
        return [cell for cell in dict.fromkeys(beside) if cell not in self.at]

    def doorways(self) -> list[Edge]:
        """Every edge with a door from both sides, blocked or not, row by row."""
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
        """The dungeon with one tile more; it leaves the stack."""
        return replace(self, placed=(*self.placed, placed), stack=self.stack & ~(1 << placed.tile))

    def without_tile(self, tile: int) -> Dungeon:
        """The dungeon after a tile is lost, and the barriers around it with it."""
        gone = self.where[tile]
        around = {edge_of(gone, direction) for direction in DIRECTIONS}
        left = tuple(placed for placed in self.placed if placed.tile != tile)
        return replace(self, placed=left, barriers=self.barriers - around)

    def with_barriers(self, edges: Iterable[Edge]) -> Dungeon:
        """The dungeon with these edges blocked too."""
        return replace(self, barriers=self.barriers.union(edges))

    def without_barrier(self, cell: Cell, direction: Direction) -> Dungeon:
        """The dungeon with that doorway cleared."""
        return replace(self, barriers=self.barriers - {edge_of(cell, direction)})

    def reach(self, start: Cell, *, steps: Reach | None = None) -> frozenset[Cell]:
        """All cells that can be walked to: through doorways (barriers can be cleared) and the passage."""
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
        """Cell -> cells one action away once barriers are cleared: `ways`, then the other mouth of the passage."""
        if kind not in self._neighbours:
            beside = {cell: tuple(ways.values()) for cell, ways in self.ways(kind).items()}
            joined = {mouth: (*beside[mouth], other) for mouth, other in self.passages.items()}
            self._neighbours[kind] = beside | joined
        return self._neighbours[kind]

    @property
    def is_solvable(self) -> bool:
        """Six tokens of each colour, the seals, the Fire and, in its set, the End lie and can be reached."""
        reached = mask_of([self.at[cell].tile for cell in self.reach(self.where[VESTIBULE])])
        needed = HEAVY | self.stack & mask_of(ENDS)
        if needed & ~reached or any(end in self.where and not reached >> end & 1 for end in ENDS):
            return False
        return all((reached & chambers).bit_count() >= TOKENS_NEEDED for chambers in OF_COLOUR)


def edge_of(cell: Cell, direction: Direction) -> Edge:
    """The edge on that side of the cell, in the one form in which barriers are kept."""
    if direction is Direction.E or direction is Direction.S:
        return cell, direction
    return cell.step(direction), _OPPOSITE[direction]


def edge_key(edge: Edge) -> tuple[int, int, str]:
    """Sorts edges row by row, the same in every process."""
    (x, y), direction = edge
    return y, x, direction.name


EMPTY = Dungeon((Placed(VESTIBULE, ORIGIN, 0),))
"""The Vestibule alone; `dataclasses.replace` gives it a stack."""
