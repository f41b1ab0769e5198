"""Step 8: fit data kept under the pathability map and the pieces left, and the two kinds of keys to keep it under.

Plain keys are the map itself, a whole number, with the pieces left beside it: no two states share one. Zobrist keys are
64 bits, made from the key before by one XOR; two states may share one by accident, at 2**-64 a pair. The next map takes
an OR that the search needs anyway, and hashing a number of 240 bits is hardly dearer than one of 64: 23.9 ms a case
with plain keys, 24.4 with Zobrist keys (two searches each on a hundred island cases; to be measured anew with
`python -m benchmarks.placement keys`). No gain to set against the accident, so plain keys it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

from bots.placement.potential import Potential
from games.chance import rng_for
from games.placement.board import Mask, bits

CACHE_LIMIT = 20_000  # states; then the cache starts afresh
T = TypeVar("T")
Left = tuple[int, ...]  # numbers of the pieces left, sorted


class Keys(Protocol):
    """How states are told apart."""

    def first(self, floor: Mask, left: Left) -> Hashable:
        """The key of a state from scratch."""

    def after(self, key: Hashable, placement: Potential, floor: Mask, left: Left) -> Hashable:
        """The key of the state that a placement leads to, which has that floor and those pieces left."""


class PlainKeys:
    """Map and pieces left as they are."""

    def first(self, floor: Mask, left: Left) -> Hashable:
        """The pair itself."""
        return floor, left

    def after(self, key: Hashable, placement: Potential, floor: Mask, left: Left) -> Hashable:  # noqa: ARG002
        """The pair itself."""
        return floor, left


class ZobristKeys:
    """64 random bits for every cell that is Floor and every piece that is left, all XORed."""

    def __init__(self) -> None:
        self._rng = rng_for(0, 0, "zobrist keys")
        self._cells: list[int] = []
        self._pieces = [self._rng.getrandbits(64) for _ in range(10)]
        self._masks: dict[Mask, int] = {}

    def first(self, floor: Mask, left: Left) -> Hashable:
        """One XOR for each cell and piece."""
        key = self._of_mask(floor)
        for piece in left:
            key ^= self._pieces[piece]
        return key

    def after(self, key: Hashable, placement: Potential, floor: Mask, left: Left) -> Hashable:  # noqa: ARG002
        """The cells of a placement are XORed once and kept; then one XOR for them and one for the piece."""
        assert isinstance(key, int)
        mask = placement.mask
        known = self._masks.get(mask)
        if known is None:
            known = self._masks[mask] = self._of_mask(mask)
        return key ^ known ^ self._pieces[placement.turned.piece]

    def _of_mask(self, mask: Mask) -> int:
        while len(self._cells) < mask.bit_length():
            self._cells.append(self._rng.getrandbits(64))
        key = 0
        for cell in bits(mask):
            key ^= self._cells[cell]
        return key


class FitCache(Generic[T]):
    """Fit data by key, made once; valid for one board, hand and start."""

    def __init__(self) -> None:
        self._known: dict[Hashable, T] = {}
        self.hits = 0
        self.misses = 0

    def look_up(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is kept under the key, or `make()`, which is then kept."""
        known = self._known.get(key)
        if known is not None:
            self.hits += 1
            return known
        self.misses += 1
        if len(self._known) >= CACHE_LIMIT:
            self._known.clear()
        made = self._known[key] = make()
        return made
