"""Path searches for the rules: which cells can be reached, and the length of a shortest path.

Boards get a blocked rim here, so that no neighbour needs a test for the border.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from gridjoust.games.navigation.board import SQRT2, Board, Moves


class Length(NamedTuple):
    """Numbers of straight and of diagonal steps on a shortest path."""

    straight: int
    diagonal: int


class _Rimmed:
    """A board with a rim of blocked cells around it, so its cells have other numbers than on the board."""

    def __init__(self, board: Board) -> None:
        self.width = board.width + 2
        rows = (board.blocked[top : top + board.width] for top in range(0, board.size, board.width))
        rim = b"\1" * self.width
        self.blocked = bytearray(rim + b"".join(b"\1" + row + b"\1" for row in rows) + rim)

    def number(self, cell: int) -> int:
        y, x = divmod(cell, self.width - 2)
        return (y + 1) * self.width + x + 1

    def cell(self, number: int) -> int:
        return (number // self.width - 1) * (self.width - 2) + number % self.width - 1


def reachable_cells(board: Board, moves: Moves, start: int) -> list[int]:
    """Return every cell that can be reached from the start, sorted; the start is included, even if blocked."""
    rimmed = _Rimmed(board)
    seen = _flood(rimmed, moves, rimmed.number(start), goal=0)
    return [rimmed.cell(number) for number in sorted(seen)]


def is_reachable(board: Board, moves: Moves, start: int, goal: int) -> bool:
    """Return True if moves lead from start to goal; a blocked start may be left."""
    if start == goal:
        return True
    rimmed = _Rimmed(board)
    target = rimmed.number(goal)
    return target in _flood(rimmed, moves, rimmed.number(start), goal=target)


def _flood(rimmed: _Rimmed, moves: Moves, start: int, *, goal: int) -> set[int]:
    """Return the cells of the rimmed board reached before the goal is met; goal 0 lies in the rim and is never met.

    Without corner cutting, straight steps lead to every cell that diagonals lead to.
    """
    width = rimmed.width
    headings = [heading for heading in moves.headings if moves.cut_corners or not heading.is_diagonal]
    offsets = [heading.dy * width + heading.dx for heading in headings]
    closed = rimmed.blocked[:]
    closed[start] = 1
    seen = [start]
    for number in seen:  # the list grows while the loop runs
        for offset in offsets:
            near = number + offset
            if not closed[near]:
                closed[near] = 1
                seen.append(near)
                if near == goal:
                    return set(seen)
    return set(seen)


@lru_cache(maxsize=64)
def shortest(board: Board, moves: Moves, start: int, goal: int) -> Length | None:
    """Return the step counts of a cheapest path by A*, or None if there is no path; cached.

    It takes up to a second for long paths over 512 x 512 cells, and less than 0.1 s up to 256 x 256.
    """
    if not is_reachable(board, moves, start, goal):
        return None
    rimmed = _Rimmed(board)
    return _astar(rimmed, moves, rimmed.number(start), rimmed.number(goal))


def _astar(rimmed: _Rimmed, moves: Moves, start: int, goal: int) -> Length:
    """Return the step counts of a cheapest path by A*; the goal must be reachable.

    The heuristic is the Manhattan, Chebyshev or octile distance, depending on the moves.
    """
    blocked, width = rimmed.blocked, rimmed.width
    steps = [
        (heading.dy * width + heading.dx, moves.diagonal_cost if heading.is_diagonal else 1.0, heading)
        for heading in moves.headings
    ]
    saving = moves.diagonal_cost - 2 if moves.connectivity == 8 else 0.0
    goal_x, goal_y = goal % width, goal // width
    costs = {start: 0.0}
    parents = {start: start}
    heap = [(0.0, 0.0, start)]
    while True:
        _, minus_cost, number = heappop(heap)
        if number == goal:
            return _count_steps(parents, goal, width)
        so_far = costs[number]
        if so_far != -minus_cost:
            continue
        for offset, price, heading in steps:
            near = number + offset
            reached = so_far + price
            if blocked[near] or reached >= costs.get(near, SQRT2 * len(blocked)):
                continue
            is_corner = heading.is_diagonal and not moves.cut_corners
            if is_corner and (blocked[number + heading.dx] or blocked[number + heading.dy * width]):
                continue
            costs[near], parents[near] = reached, number
            across, down = abs(near % width - goal_x), abs(near // width - goal_y)
            heappush(heap, (reached + across + down + min(across, down) * saving, -reached, near))


def _count_steps(parents: dict[int, int], number: int, width: int) -> Length:
    steps = []
    while (parent := parents[number]) != number:
        steps.append(abs(number - parent))
        number = parent
    straight = sum(step in (1, width) for step in steps)
    return Length(straight, len(steps) - straight)
