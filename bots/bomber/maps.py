"""Blast and reach maps, by compiled kernels if they are built, else by the code of the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from gridjoust.bots.planners import kernels
from gridjoust.games.bomber.params import Rules

_KERNELS: Any = kernels.compiled_kernels("bomber")


def active() -> Any:
    """Return the compiled kernels, or None if pure Python is to run."""
    return None if kernels.active is None else _KERNELS


def shape_of(rules: Rules) -> tuple[int, int, int]:
    """Return the board's width, height and blast radius, as the kernels take them."""
    return rules.width, rules.height, rules.blast_radius


def flood(rules: Rules, start: int, walls: Collection[int]) -> Iterable[tuple[int, int]]:
    """Yield (cell, steps) from `start` on, as `gridjoust.games.bomber.board.Board.flood` does."""
    fast = active()
    reached: Iterable[tuple[int, int]] = (
        rules.board.flood(start, walls) if fast is None else fast.flood(shape_of(rules), start, walls)
    )
    return reached
