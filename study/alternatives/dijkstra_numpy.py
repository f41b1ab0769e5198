"""Dijkstra maps of large boards, a whole frontier at a time with numpy. Unit costs only; knows no terrain and no game.

The values are those of `gridjoust.bots.planners.dijkstra_map.scan` on the same board. Worth its overhead (some 20
microseconds a layer) from about a hundred thousand cells on; small boards, mazes, weights and updates are better served
there. This is the only planner that needs numpy.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridjoust.bots.planners.dijkstra_map import DEFAULT_MAXIMUM
from gridjoust.bots.planners.grid import DIAGONAL, STRAIGHT

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]
Cells = NDArray[np.intp]


def scan_board(
    blocked: Mask,
    goals: Mapping[int, float],
    *,
    connectivity: int = 4,
    cut_corners: bool = False,
    maximum: float = DEFAULT_MAXIMUM,
) -> Values:
    """Return the map of these goals (cell `y * width + x` -> start value) on a board of shape (height, width).

    Walls and cells that no goal reaches have the value `maximum`; goals on walls are dropped. Every step costs 1, a
    diagonal one too.
    """
    if connectivity not in (4, 8):
        raise ValueError(f"connectivity: expected 4 or 8, got {connectivity}")
    height, width = blocked.shape
    free = np.zeros((height + 2, width + 2), dtype=bool)  # a rim of walls: no test for the border
    free[1:-1, 1:-1] = ~blocked
    board = _Board(free.ravel(), _steps(width + 2, connectivity), cut_corners or connectivity == 4)
    values = np.full((height + 2) * (width + 2), float(maximum))
    _spread(board, values, _rimmed(board, goals, width, maximum))
    return np.ascontiguousarray(values.reshape(height + 2, width + 2)[1:-1, 1:-1])


class _Step(NamedTuple):
    """Offsets of the cell stepped to and, for a diagonal, of the two cells beside the step."""

    offset: int
    beside: int
    across: int


class _Board(NamedTuple):
    free: Mask
    steps: tuple[_Step, ...]
    ignores_corners: bool


def _steps(stride: int, connectivity: int) -> tuple[_Step, ...]:
    headings = STRAIGHT if connectivity == 4 else STRAIGHT + DIAGONAL
    return tuple(_Step(dy * stride + dx, dx, dy * stride) for dx, dy in headings)


def _rimmed(board: _Board, goals: Mapping[int, float], width: int, maximum: float) -> dict[float, list[int]]:
    """Return the goals that count, by their value, as cells of the board with a rim of walls."""
    by_value: dict[float, list[int]] = {}
    for goal, value in goals.items():
        cell = (goal // width + 1) * (width + 2) + goal % width + 1
        if value < maximum and board.free[cell]:
            by_value.setdefault(float(value), []).append(cell)
    return by_value


def _spread(board: _Board, values: Values, goals: dict[float, list[int]]) -> None:
    """Lower `values` from the goals, a whole frontier at a time; frontiers leave in rising order of value.

    A goal that was undercut was lowered by an earlier frontier, so nothing is higher because of it.
    """
    frontiers: dict[float, list[Cells]] = {}
    for value, seeds in goals.items():
        values[seeds] = value
        frontiers[value] = [np.array(seeds, dtype=np.intp)]
    order = sorted(frontiers)
    while order:
        value = heappop(order)
        parts = frontiers.pop(value)
        cells = parts[0] if len(parts) == 1 else np.concatenate(parts)
        fresh = _lower(board, values, cells, value + 1)
        if fresh.size:
            if value + 1 not in frontiers:
                frontiers[value + 1] = []
                heappush(order, value + 1)
            frontiers[value + 1].append(fresh)


def _lower(board: _Board, values: Values, cells: Cells, value: float) -> Cells:
    """Set the neighbours of these cells that are higher to `value`, and return the cells that were set, each once."""
    free = board.free
    lowered = []
    for offset, beside, across in board.steps:
        heads = cells + offset
        is_lower = free[heads] & (values[heads] > value)
        if beside and across and not board.ignores_corners:
            is_lower &= free[cells + beside] & free[cells + across]
        heads = heads[is_lower]
        values[heads] = value
        lowered.append(heads)
    return np.concatenate(lowered)
