"""Small maps of our own in the MovingAI formats, and the cost of a shortest way by brute force. Expects nothing."""

from __future__ import annotations

from collections import deque
from itertools import product
from pathlib import Path

from gridjoust.games.grid import Cell
from gridjoust.games.navigation.board import Board

MAPS = Path(__file__).parent / "data" / "maps"
NAMES = ("cave", "rooms", "maze")  # water, swamp and two lakes' islands; doors of one cell; DOS line ends
DIAGONAL_COSTS = {"4": float("inf"), "8": 2**0.5, "8-unit": 1.0}


def brute_force_costs(board: Board, start: Cell, connectivity: str) -> dict[Cell, float]:
    """The cost of a shortest way to every cell that can be reached: costs are lowered until none falls any more.

    A diagonal needs both cells beside it free, but not with "8-unit". The start may be blocked.
    """
    free = {Cell(*board.place(cell)) for cell, is_blocked in enumerate(board.blocked) if not is_blocked}
    costs = {start: 0.0}
    queue = deque([start])
    while queue:
        x, y = here = queue.popleft()
        for dx, dy in product((-1, 0, 1), repeat=2):
            there = Cell(x + dx, y + dy)
            cost = costs[here] + (DIAGONAL_COSTS[connectivity] if dx and dy else 1)
            needed = {there} if connectivity == "8-unit" else {there, (x + dx, y), (x, y + dy)} - {here}
            if free.issuperset(needed) and cost < costs.get(there, float("inf")) - 1e-9:
                costs[there] = cost
                queue.append(there)
    return costs
