"""Zobrist keys of fit data: 64 bits, made from the key before by one XOR; two states may share one by accident.

The next map takes an OR that the search needs anyway, so nothing is saved: 23.9 ms a case with plain keys, 24.4 with
Zobrist keys, when the planner could take either (two searches each on a hundred island cases). The keys alone are
measured by `python -m study.placement keys`. The chance of an accident is 2**-64 a pair.
"""

from __future__ import annotations

from gridjoust import rng_for
from gridjoust.bots.placement.potential import Left, Potential
from gridjoust.games.bitset import members
from gridjoust.games.placement.board import Mask


class ZobristKeys:
    """64 random bits for every cell that is Floor and every piece that is left, all XORed."""

    def __init__(self) -> None:
        self._rng = rng_for(0, 0, "zobrist keys")
        self._cells: list[int] = []
        self._pieces = [self._rng.getrandbits(64) for _ in range(10)]
        self._masks: dict[Mask, int] = {}

    def first(self, floor: Mask, left: Left) -> int:
        """One XOR for each cell and piece."""
        key = self._of_mask(floor)
        for piece in left:
            key ^= self._pieces[piece]
        return key

    def after(self, key: int, placement: Potential) -> int:
        """Return the key after a placement: one XOR for its cells, kept as one number, and one for its piece."""
        mask = placement.mask
        known = self._masks.get(mask)
        if known is None:
            known = self._masks[mask] = self._of_mask(mask)
        return key ^ known ^ self._pieces[placement.turned.piece]

    def _of_mask(self, mask: Mask) -> int:
        while len(self._cells) < mask.bit_length():
            self._cells.append(self._rng.getrandbits(64))
        key = 0
        for cell in members(mask):
            key ^= self._cells[cell]
        return key
