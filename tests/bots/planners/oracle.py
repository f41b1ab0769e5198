"""What the planners are checked against: the rules of moving on a board and shortest distances, plain and slow.

Shares no code with `gridjoust.bots.planners`.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass, replace
from itertools import pairwise

INF = float("inf")
SQRT2 = 2**0.5


@dataclass(frozen=True)
class Board:
    """Entry costs row by row; infinite = blocked."""

    width: int
    height: int
    costs: tuple[float, ...]
    eight: bool = False
    diagonal_cost: float = SQRT2
    cut_corners: bool = False

    @property
    def cells(self) -> range:
        return range(self.width * self.height)

    def cost_at(self, x: int, y: int) -> float:
        inside = 0 <= x < self.width and 0 <= y < self.height
        return self.costs[y * self.width + x] if inside else INF

    def step_cost(self, tail: int, head: int) -> float:
        """Price of one move, infinite if the rules do not allow it."""
        tail_x, tail_y = tail % self.width, tail // self.width
        head_x, head_y = head % self.width, head // self.width
        across, down = abs(head_x - tail_x), abs(head_y - tail_y)
        if self.cost_at(tail_x, tail_y) == INF:
            return INF
        if across + down == 1:
            return self.cost_at(head_x, head_y)
        if not self.eight or (across, down) != (1, 1):
            return INF
        beside = (self.cost_at(head_x, tail_y), self.cost_at(tail_x, head_y))
        if INF in beside and not self.cut_corners:
            return INF
        return self.cost_at(head_x, head_y) * self.diagonal_cost

    def with_costs(self, changes: dict[int, float]) -> Board:
        return replace(self, costs=tuple(changes.get(cell, cost) for cell, cost in enumerate(self.costs)))


def path_cost(board: Board, path: tuple[int, ...]) -> float:
    """Sum of the moves; infinite if one of them is not allowed."""
    return sum((board.step_cost(tail, head) for tail, head in pairwise(path)), 0.0)


def random_board(rng: random.Random, *, kind: str | None = None, largest: int = 7) -> Board:
    """A small board of any shape, density, connectivity and pricing."""
    width, height = rng.randint(1, largest), rng.randint(1, largest)
    density = rng.choice([0.0, 0.15, 0.3, 0.45])
    prices: list[float] = rng.choice([[1], [1], [1, 2, 3, 9], [1, 1.5, 2.7]])
    costs = tuple(INF if rng.random() < density else rng.choice(prices) for _ in range(width * height))
    kind = kind or rng.choice(["four", "octile", "octile cutting", "unit diagonals"])
    return Board(
        width,
        height,
        costs,
        eight=kind != "four",
        diagonal_cost=1 if kind == "unit diagonals" else SQRT2,
        cut_corners=kind in ("octile cutting", "unit diagonals"),
    )


def dijkstra_to(board: Board, *goals: int) -> list[float]:
    """Cost of the cheapest way from every cell to a goal."""
    left = [INF] * len(board.cells)
    heap = [(0.0, goal) for goal in goals]
    for goal in goals:
        left[goal] = 0.0
    while heap:
        cost, head = heapq.heappop(heap)
        if cost > left[head]:
            continue
        x, y = head % board.width, head // board.width
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        for tail in [b * board.width + a for a, b in around if 0 <= a < board.width and 0 <= b < board.height]:
            reached = cost + board.step_cost(tail, head)
            if reached < left[tail]:
                left[tail] = reached
                heapq.heappush(heap, (reached, tail))
    return left
