"""Small maps of our own in the MovingAI formats, and the cost of a shortest way by brute force. Expects nothing."""

from __future__ import annotations

from collections import deque
from pathlib import Path

from games.grid import Cell
from games.navigation.movingai import BLOCKED, MapFile

MAPS = Path(__file__).parent / "data" / "movingai"
NAMES = ("cave", "rooms", "maze")  # water, swamp and two lakes' islands; doors of one cell; DOS line ends


def brute_force_cost(board: MapFile, start: Cell, goal: Cell, *, diagonals: bool = True) -> float | None:
    """The cost of a shortest way, None if there is none: costs are lowered step by step until none falls any more.

    A diagonal costs the root of 2 and needs both cells beside it free.
    """
    free = {Cell(x, y) for y, row in enumerate(board.rows) for x, sign in enumerate(row) if sign not in BLOCKED}
    costs = {start: 0.0}
    queue = deque([start])
    while queue:
        x, y = here = queue.popleft()
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)):
            beside = (Cell(x + dx, y), Cell(x, y + dy), Cell(x + dx, y + dy))
            cost = costs[here] + (2**0.5 if dx and dy else 1)
            is_step = free.issuperset(beside) if dx and dy else beside[2] in free
            if is_step and (diagonals or not (dx and dy)) and cost < costs.get(beside[2], float("inf")) - 1e-9:
                costs[beside[2]] = cost
                queue.append(beside[2])
    return costs.get(goal)
