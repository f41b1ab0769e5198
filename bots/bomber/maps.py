"""Blast and reach maps, by compiled kernels if they are built, else by the code of the rules."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import Budget, OutOfWork
from gridjoust.games.bomber.params import Rules

_KERNELS: Any = kernels.compiled_kernels("bomber")


def active() -> Any:
    """Return the compiled kernels, or None if pure Python is to run."""
    return None if kernels.active is None else _KERNELS


def shape_of(rules: Rules) -> tuple[int, int, int]:
    """Return the board's width, height and blast radius, as the kernels take them."""
    return rules.width, rules.height, rules.blast_radius


def flood(rules: Rules, start: int, walls: Collection[int], work: Budget) -> list[tuple[int, int]]:
    """Return (cell, steps to it) for every cell that can be reached around the walls, nearest first.

    The result is that of `gridjoust.games.bomber.board.Board.flood`; the successors count as work. Raise OutOfWork if
    the work does not suffice.
    """
    reached: list[tuple[int, int]] = []
    generated, is_whole = 0, True
    if (fast := active()) is not None:
        reached, generated, is_whole = fast.flood(shape_of(rules), start, walls, work.left)
    else:
        for cell, steps in rules.board.flood(start, walls):
            if not (is_whole := generated < work.left):
                break
            reached.append((cell, steps))
            generated += open_steps(rules, cell, walls)
    count(work, generated, is_whole=is_whole)
    return reached


def count(work: Budget, generated: int, *, is_whole: bool) -> None:
    """Count the successors of a flood as tactics; raise OutOfWork if the work ended before the flood did."""
    work.count_tactics(generated)
    if not is_whole:
        raise OutOfWork


def open_steps(rules: Rules, cell: int, walls: Collection[int]) -> int:
    """Return the number of steps from a cell to cells that are no walls: its successors in a flood."""
    return sum([near not in walls for near in rules.board.neighbours[cell]])
