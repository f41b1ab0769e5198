"""Step 1: the hand as it can lie, turned once before the search. Knows no board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.placement.pieces import Orientation, Shape, orientations


class Turned(NamedTuple):
    """One way in which a piece of the hand can lie."""

    piece: int  # its number in the hand
    lying: Orientation


def pre_rotate(hand: Sequence[Shape], *, reflect: bool = False) -> tuple[tuple[Turned, ...], ...]:
    """By piece, every different way in which it can lie: up to 4 each (8 with `reflect`), 12 for a hand of three."""
    return tuple(
        tuple(Turned(number, lying) for lying in orientations(shape, reflect=reflect))
        for number, shape in enumerate(hand)
    )


@lru_cache(maxsize=4096)
def kind_of(shape: Shape, *, reflect: bool) -> Shape:
    """The same for any two pieces that can lie alike."""
    return min(lying.shape for lying in orientations(shape, reflect=reflect))


def unlike(hand: Sequence[Shape], left: Sequence[int], *, reflect: bool = False) -> list[int]:
    """Of the pieces left, one of each kind: the first."""
    first: dict[Shape, int] = {}
    for piece in left:
        first.setdefault(kind_of(hand[piece], reflect=reflect), piece)
    return list(first.values())
