"""The geometry of one board size, computed once: numbered cells, with steps and rays as tables; no blocks."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from gridjoust.games.bomber.actions import MOVES, Action

Rays = tuple[tuple[tuple[int, ...], ...], ...]

OFF_BOARD = -1
NEVER = 10**9  # later than the last tick of any match
OFFSETS: Mapping[Action, tuple[int, int]] = {
    Action.UP: (0, -1),
    Action.DOWN: (0, 1),
    Action.LEFT: (-1, 0),
    Action.RIGHT: (1, 0),
}


@dataclass(frozen=True, slots=True)
class Board:
    """The geometry of a board size: tables of steps between numbered cells; `make_board` makes it."""

    width: int
    height: int
    steps: Mapping[Action, tuple[int, ...]]  # [move][cell] -> next cell or OFF_BOARD
    places: tuple[tuple[int, int], ...]  # [cell] -> (x, y)
    neighbours: tuple[tuple[int, ...], ...]  # [cell] -> cells one step away: up, down, left, right

    def cell(self, x: int, y: int) -> int:
        """Return the number of the cell in column x, row y."""
        return y * self.width + x

    def ray(self, cell: int, move: Action, length: int) -> tuple[int, ...]:
        """Return the cells at distance 1, 2 … `length` from `cell`; fewer if the board ends before."""
        cells: list[int] = []
        for _ in range(length):
            cell = self.steps[move][cell]
            if cell == OFF_BOARD:
                break
            cells.append(cell)
        return tuple(cells)

    def action_to(self, cell: int, neighbour: int) -> Action:
        """Return the move that leads to this neighbour of the cell; `WAIT` if it is no neighbour."""
        return next((move for move in MOVES if self.steps[move][cell] == neighbour), Action.WAIT)

    def distance(self, cell: int, other: int) -> int:
        """Return the number of steps between two cells on an empty board."""
        (x, y), (other_x, other_y) = self.places[cell], self.places[other]
        return abs(x - other_x) + abs(y - other_y)

    def spiral(self) -> Iterator[int]:
        """Yield every cell, ring by ring from the edge to the middle, each ring clockwise from its top left corner."""
        left, top, right, bottom = 0, 0, self.width - 1, self.height - 1
        while left <= right and top <= bottom:
            ring = [(x, top) for x in range(left, right + 1)]
            ring += [(right, y) for y in range(top + 1, bottom + 1)]
            ring += [(x, bottom) for x in range(right - 1, left - 1, -1)] if bottom > top else []
            ring += [(left, y) for y in range(bottom - 1, top, -1)] if right > left else []
            yield from [self.cell(x, y) for x, y in ring]
            left, top, right, bottom = left + 1, top + 1, right - 1, bottom - 1

    def flood(self, start: int, walls: Container[int]) -> Iterator[tuple[int, int]]:
        """Yield (cell, number of steps) for every cell that can be reached around the walls, nearest first."""
        seen = {start}
        frontier = [(start, 0)]
        for cell, steps in frontier:  # the list grows while the loop runs
            yield cell, steps
            for near in self.neighbours[cell]:
                if near not in walls and near not in seen:
                    seen.add(near)
                    frontier.append((near, steps + 1))


@lru_cache(maxsize=64)
def make_board(width: int, height: int) -> Board:
    """Return the board of this size."""
    places = tuple((x, y) for y in range(height) for x in range(width))

    def number(x: int, y: int) -> int:
        return y * width + x if 0 <= x < width and 0 <= y < height else OFF_BOARD

    steps = {move: tuple(number(x + dx, y + dy) for x, y in places) for move, (dx, dy) in OFFSETS.items()}
    around = zip(*steps.values(), strict=True)
    neighbours = tuple(tuple(near for near in cells if near != OFF_BOARD) for cells in around)
    return Board(width, height, steps, places, neighbours)


@lru_cache(maxsize=64)
def closing_ticks(board_size: tuple[int, int], first_tick: int, every_ticks: int) -> tuple[int, ...]:
    """Return by cell the tick in which it becomes metal, from the edge inwards; all `NEVER` if `first_tick` is 0."""
    spiral = list(make_board(*board_size).spiral())
    ticks = dict(zip(spiral, range(first_tick, first_tick + every_ticks * len(spiral), every_ticks), strict=True))
    return tuple(ticks[cell] if first_tick else NEVER for cell in range(len(spiral)))


@lru_cache(maxsize=64)
def closing_cells(board_size: tuple[int, int], first_tick: int, every_ticks: int) -> Mapping[int, int]:
    """Return tick -> the cell that becomes metal in it, earliest first."""
    ticks = closing_ticks(board_size, first_tick, every_ticks)
    return {tick: cell for tick, cell in sorted(zip(ticks, range(len(ticks)), strict=True)) if tick != NEVER}


@lru_cache(maxsize=64)
def make_rays(board_size: tuple[int, int], radius: int) -> Rays:
    """Return for each cell the four rays of a blast: the cells up to `radius` away in each direction, nearest first."""
    board = make_board(*board_size)
    return tuple(tuple(board.ray(cell, move, radius) for move in MOVES) for cell in range(len(board.places)))
