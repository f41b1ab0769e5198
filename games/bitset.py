"""Sets of small numbers as one whole number, a bit a member, for every game."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress, count

FEW = 6  # members that are found faster one by one
_FLAGS = bytes.maketrans(b"01", b"\0\1")


def mask_of(numbers: Iterable[int]) -> int:
    """The set of these numbers.

    >>> mask_of([0, 3, 3])
    9
    """
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def members(mask: int) -> list[int]:
    """The numbers of a set, ascending.

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
