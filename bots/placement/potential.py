"""Steps 1, 5, 6, 8 of the article: orientations of the hand, legal placements, and placements that open each cell.

`gridjoust.bots.placement` names the article and lists its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from gridjoust.games.bitset import members
from gridjoust.games.placement.actions import Place, Plan, Walk
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import Board, Mask, path_back
from gridjoust.games.placement.pieces import Orientation, Shape, fits, offsets, orientations, shape_mask

CACHE_LIMIT = 20_000  # states; then the cache is emptied
Left = tuple[int, ...]  # numbers of the pieces left, sorted


class Turned(NamedTuple):
    """A piece of the hand in one of its orientations."""

    piece: int  # its number in the hand
    lying: Orientation


def pre_rotate(hand: Sequence[Shape], *, reflect: bool = False) -> tuple[tuple[Turned, ...], ...]:
    """Return, by piece, its different orientations (step 1): up to 4 each, 8 with `reflect`."""
    return tuple(
        tuple(Turned(number, lying) for lying in orientations(shape, reflect=reflect))
        for number, shape in enumerate(hand)
    )


@lru_cache(maxsize=4096)
def kind_of(shape: Shape, *, reflect: bool) -> Shape:
    """Return a key of the shape: pieces that can be turned into each other have the same one."""
    return min(lying.shape for lying in orientations(shape, reflect=reflect))


def unlike(hand: Sequence[Shape], left: Sequence[int], *, reflect: bool = False) -> list[int]:
    """Return the numbers of the pieces left, but only the first of those that can be turned into each other."""
    first: dict[Shape, int] = {}
    for piece in left:
        first.setdefault(kind_of(hand[piece], reflect=reflect), piece)
    return list(first.values())


class Potential(NamedTuple):
    """A placement that is legal on some board."""

    turned: Turned
    corner: int  # bit of the top left cell
    mask: Mask  # the cells that become Floor

    def place(self, board: Board) -> Place:
        """Return this placement as the part of a plan that lays the piece."""
        lying = self.turned.lying
        return Place(self.turned.piece, lying.quarters, lying.mirrored, board.cell(self.corner))


def placements_left(
    position: Position, floor: Mask, left: Sequence[int], beside: Mask, walls: Mask | None = None
) -> list[Potential]:
    """Return every placement of the pieces left (step 5), equal pieces once, on Void and with a cell in `beside`.

    If `beside` are the cells that touch Floor, these are the legal placements; if they are the cells that the figure
    can step to, the legal ones that it can use at once. They are ordered by piece and orientation, then row by row.
    `walls` default to the position's; pass them if barriers were laid since.
    """
    board = position.board
    void = board.inside & ~(position.walls if walls is None else walls) & ~floor
    if not beside & void:
        return []
    ways = pre_rotate(position.hand, reflect=position.reflect)
    found = []
    for piece in unlike(position.hand, left, reflect=position.reflect):
        for turned in ways[piece]:
            cells = shape_mask(turned.lying.shape, board.stride)
            corners = members(fits(turned.lying.shape, board.stride, void, beside))
            found += [Potential(turned, corner, cells << corner) for corner in corners]
    return found


def plan_to(board: Board, laid: Iterable[Potential], layers: list[Mask], cell: int) -> Plan:
    """Return the plan that lays these in order, then walks to the cell; `layers`: cells by the steps to them."""
    steps = path_back(board, layers, cell)
    parts = tuple(placement.place(board) for placement in laid)
    return Plan((*parts, Walk(steps)) if steps else parts)


def potential_map(placements: Sequence[Potential], stride: int) -> dict[int, int]:
    """Return cell -> bit set of the placements that would make it passable (step 6); bit i is the i-th placement."""
    sets: dict[int, int] = {}
    member = 1
    for turned, corner, _ in placements:
        for offset in offsets(turned.lying.shape, stride):
            cell = corner + offset
            sets[cell] = sets.get(cell, 0) | member
        member <<= 1
    return sets


class FitCache:
    """Keeps the list of placements found for each state (step 8); valid for one board, hand and start.

    The key is the pathability map itself, a whole number, with the pieces left: no two states share a key, and hashing
    240 bits takes hardly longer than 64. `study.alternatives.zobrist` has the article's Zobrist keys.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, list[Potential]] = {}
        self.hits = 0
        self.misses = 0

    def look_up(self, key: Hashable, make: Callable[[], list[Potential]]) -> list[Potential]:
        """Return the placements stored under the key; if there are none, store and return those that `make` returns."""
        known = self._known.get(key)
        if known is not None:
            self.hits += 1
            return known
        self.misses += 1
        if len(self._known) >= CACHE_LIMIT:
            self._known.clear()
        made = self._known[key] = make()
        return made
