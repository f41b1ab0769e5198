"""Blast and reach maps by kernels where they were built, by the code of the rules elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from gridjoust.bots.planners import kernels
from gridjoust.games.bomber.params import Rules

_KERNELS: Any = kernels.compiled_kernels("bomber")


def active() -> Any:
    """The kernels, or None where the list code is to run."""
    return None if kernels.active is None else _KERNELS


def shape_of(rules: Rules) -> tuple[int, int, int]:
    """A board as the kernels want it."""
    return rules.width, rules.height, rules.blast_radius


def flood(rules: Rules, start: int, walls: Collection[int]) -> Iterable[tuple[int, int]]:
    """As `gridjoust.games.bomber.board.Board.flood`."""
    fast = active()
    reached: Iterable[tuple[int, int]] = (
        rules.board.flood(start, walls) if fast is None else fast.flood(shape_of(rules), start, walls)
    )
    return reached
