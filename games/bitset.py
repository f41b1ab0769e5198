"""Sets of small whole numbers, stored as the bits of one integer."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress, count

FEW = 6  # up to this size, a loop over the members is faster
_FLAGS = bytes.maketrans(b"01", b"\0\1")


def mask_of(numbers: Iterable[int]) -> int:
    """Return an integer in which bit n is set for each number n.

    >>> mask_of([0, 3, 3])
    9
    """
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def members(mask: int) -> list[int]:
    """Return, in ascending order, the numbers of the bits that are set.

    >>> members(9)
    [0, 3]
    """
    if mask.bit_count() > FEW:
        return list(compress(count(), bin(mask)[:1:-1].encode().translate(_FLAGS)))
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
