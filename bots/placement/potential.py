"""Steps 5 and 6: every placement that is legal now, and per cell those that would make it passable. Chooses none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bots.placement.shapes import Turned, pre_rotate, unlike
from games.bitset import members
from games.placement.actions import Place
from games.placement.apply import Position
from games.placement.board import Board, Mask
from games.placement.pieces import fits, offsets, shape_mask


class Potential(NamedTuple):
    """A placement that is legal on some board."""

    turned: Turned
    corner: int  # bit of the top left
    mask: Mask  # the cells that become Floor

    def place(self, board: Board) -> Place:
        """The part of a plan that does it."""
        lying = self.turned.lying
        return Place(self.turned.piece, lying.quarters, lying.mirrored, board.cell(self.corner))


def potential_placements(board: Board, void: Mask, beside: Mask, ways: Iterable[Turned]) -> list[Potential]:
    """Step 5: every placement of pieces as they can lie, all on `void` and at least one cell in `beside`.

    With all Void cells that touch Floor as `beside` these are the legal ones; with those that the figure can step to,
    the legal ones that it can use at once. Ordered by way, then row by row.
    """
    stride = board.stride
    found = []
    for turned in ways:
        cells = shape_mask(turned.lying.shape, stride)
        found += [
            Potential(turned, corner, cells << corner)
            for corner in members(fits(turned.lying.shape, stride, void, beside))
        ]
    return found


def placements_left(position: Position, floor: Mask, left: Sequence[int], beside: Mask) -> list[Potential]:
    """The legal placements of the pieces left, one of each kind, that cover a cell of `beside` on that `floor`."""
    void = position.board.inside & ~position.walls & ~floor
    if not beside & void:
        return []
    ways = pre_rotate(position.hand, reflect=position.reflect)
    kinds = unlike(position.hand, left, reflect=position.reflect)
    return potential_placements(position.board, void, beside, [way for piece in kinds for way in ways[piece]])


def potential_map(placements: Sequence[Potential], stride: int) -> dict[int, int]:
    """Step 6: per cell the set of placements that would make it passable; bit i stands for the i-th."""
    sets: dict[int, int] = {}
    member = 1
    for turned, corner, _ in placements:
        for offset in offsets(turned.lying.shape, stride):
            cell = corner + offset
            sets[cell] = sets.get(cell, 0) | member
        member <<= 1
    return sets
