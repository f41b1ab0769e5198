"""Blast and reach maps, by compiled kernels if they are built, else by the code of the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import Budget
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

    They are those of `gridjoust.games.bomber.board.Board.flood`; the successors count as work.
    """
    reached: list[tuple[int, int]]
    if (fast := active()) is not None:
        reached, generated = fast.flood(shape_of(rules), start, walls)
    else:
        reached = [*rules.board.flood(start, walls)]
        generated = open_steps(rules, [cell for cell, _ in reached], walls)
    work.count_tactics(generated)
    return reached


def open_steps(rules: Rules, cells: Iterable[int], walls: Collection[int]) -> int:
    """Return the number of steps from these cells to cells that are no walls: the successors of a flood."""
    return sum(near not in walls for cell in cells for near in rules.board.neighbours[cell])
