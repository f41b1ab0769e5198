"""Small maps of our own in the MovingAI formats, and the cost of a shortest way by brute force. Expects nothing."""

from __future__ import annotations

from collections import deque
from itertools import product
from pathlib import Path

from games.grid import Cell
from games.navigation.movingai import BLOCKED, MapFile

MAPS = Path(__file__).parent / "data" / "maps"
NAMES = ("cave", "rooms", "maze")  # water, swamp and two lakes' islands; doors of one cell; DOS line ends


def brute_force_costs(board: MapFile, start: Cell, *, diagonals: bool = True) -> dict[Cell, float]:
    """The cost of a shortest way to every cell that can be reached: costs are lowered until none falls any more.

    A diagonal costs the root of 2 and needs both cells beside it free.
    """
    free = {Cell(x, y) for y, row in enumerate(board.rows) for x, sign in enumerate(row) if sign not in BLOCKED}
    steps = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if (dx or dy) and (diagonals or not (dx and dy))]
    costs = {start: 0.0}
    queue = deque([start])
    while queue:
        x, y = here = queue.popleft()
        for dx, dy in steps:
            there = Cell(x + dx, y + dy)
            cost = costs[here] + (2**0.5 if dx and dy else 1)
            if free.issuperset((there, (x + dx, y), (x, y + dy))) and cost < costs.get(there, float("inf")) - 1e-9:
                costs[there] = cost
                queue.append(there)
    return costs
