"""Fast slides on one board: where a robot can stop, from each cell and for each pattern of blockers.

Cells are numbers (y * width + x); sets of cells are bit sets. Robots of one kind slide alike: the same diagonals turn
them, and the same target stops them. The moves of a robot depend only on the blockers on its rays (`cross`), so results
are stored under that pattern and found again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from gridjoust.games.bitset import mask_of
from gridjoust.games.grid import DIRECTIONS, Cell
from gridjoust.games.ricochet.board import COLOURS, Board, Colour, Robots

FAR = 1 << 20  # number of lines from a cell that cannot reach the target
CURVED = -1  # mark for a ray that is not straight, in place of its set of cells

NORTH_SOUTH, EAST_WEST, BOTH_AXES = 1, 2, 3
_AXIS = (NORTH_SOUTH, EAST_WEST, NORTH_SOUTH, EAST_WEST)  # by direction number


class Arrival(NamedTuple):
    """One possible move: direction number, cell of the stop, heading at the stop, axes along which it went (bits)."""

    direction: int
    stop: int
    heading: int
    axes: int


class _Ray(NamedTuple):
    """The cells that a robot passes in one direction on an empty board; `endless` if it would never stop."""

    cells: tuple[int, ...]
    headings: tuple[int, ...]  # direction number on entering each cell
    endless: bool


_Turns = Mapping[int, tuple[int, ...]]  # cell -> heading after entering it, by heading


class Slides:
    """All moves on a board, computed on demand; `kind_of` numbers the robots so that equal ones slide alike."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.width = board.width
        self.size = board.width * board.height
        self.bit = [1 << cell for cell in range(self.size)]
        self.kind_of = _kinds(board)
        self._steps = _steps(board)
        firsts = [self.kind_of.index(kind) for kind in range(max(self.kind_of) + 1)]
        self._turns = [_turns(board, robot) for robot in firsts]
        self._halts = [_halt(board, robot) for robot in firsts]
        self._rays: dict[tuple[int, int, int], _Ray] = {}
        self._arrivals: dict[tuple[int, int, int], tuple[Arrival, ...]] = {}
        self._lines: dict[tuple[int, int], list[int]] = {}

    @property
    def steps(self) -> list[list[int]]:
        """Direction number -> cell -> the next cell, also through openings; -1 at a wall or closed border."""
        return self._steps

    @cached_property
    def cross(self) -> list[list[int]]:
        """Kind of robot -> cell -> bit set of the cells on the four rays of a robot there, where blockers matter."""
        return [self._cross_of(kind) for kind in range(len(self._turns))]

    @cached_property
    def stops(self) -> list[list[dict[int, tuple[int, ...]]]]:
        """Kind of robot -> cell -> bit set of the blockers on its rays -> distinct stops, in the order N, E, S, W."""
        return [[{} for _ in self.bit] for _ in self._turns]

    @cached_property
    def _ahead(self) -> list[tuple[list[int], ...]]:
        straight = {halt: self._straight_masks(halt) for halt in set(self._halts)}
        return [self._bend(straight[halt], turns) for turns, halt in zip(self._turns, self._halts, strict=True)]

    def number(self, cell: Cell) -> int:
        """Return the number of a cell, y * width + x."""
        return cell.y * self.width + cell.x

    def cell(self, number: int) -> Cell:
        """Return the cell that has this number."""
        return Cell(number % self.width, number // self.width)

    def numbers(self, robots: Robots) -> tuple[int, ...]:
        """Return the numbers of the robots' cells."""
        return tuple(cell.y * self.width + cell.x for cell in robots)

    def others(self, numbers: tuple[int, ...], robot: int) -> int:
        """Return, as a bit set, the cells of all robots but this one."""
        return sum(self.bit[cell] for other, cell in enumerate(numbers) if other != robot)

    def stops_from(self, kind: int, cell: int, blockers: int) -> tuple[int, ...]:
        """Return the distinct cells on which a robot can stop; `blockers` is a bit set of the other robots' cells."""
        pattern = self.cross[kind][cell] & blockers
        known = self.stops[kind][cell].get(pattern)
        return self.work_out(kind, cell, pattern) if known is None else known

    def work_out(self, kind: int, cell: int, pattern: int) -> tuple[int, ...]:
        """Return the cells on which a robot of this kind can stop, and keep them in `stops`.

        `pattern`: the bit set of the robots that stand in its row, column or other lines of movement.
        """
        stops = [self._stop(kind, cell, direction, pattern) for direction in range(4)]
        found = tuple(dict.fromkeys(stop for stop in stops if stop != cell))
        self.stops[kind][cell][pattern] = found
        return found

    def arrivals(self, kind: int, cell: int, blockers: int) -> tuple[Arrival, ...]:
        """Return every move of a robot, in the order N, E, S, W; `blockers`: bit set of the other robots' cells."""
        pattern = self.cross[kind][cell] & blockers
        key = (kind, cell, pattern)
        known = self._arrivals.get(key)
        if known is None:
            moves = (self._arrival(kind, cell, direction, pattern) for direction in range(4))
            known = self._arrivals[key] = tuple(move for move in moves if move is not None)
        return known

    def lines(self, kind: int, target: int) -> list[int]:
        """Return for every cell the fewest moves to the target if the robot could stop anywhere; `FAR` if impossible.

        This lower bound is admissible and consistent, because other robots can only make a robot stop earlier.
        """
        known = self._lines.get((kind, target))
        if known is None:
            known = self._lines[kind, target] = self._lines_to(self.cross[kind], target)
        return known

    def _lines_to(self, cross: list[int], target: int) -> list[int]:
        fewest = [FAR] * self.size
        fewest[target] = 0
        waiting = [cell for cell in range(self.size) if cell != target]
        level, reached = 0, self.bit[target]
        while reached:
            level += 1
            frontier, reached, missed = reached, 0, []
            for cell in waiting:
                if cross[cell] & frontier:
                    fewest[cell] = level
                    reached |= self.bit[cell]
                else:
                    missed.append(cell)
            waiting = missed
        return fewest

    def _cross_of(self, kind: int) -> list[int]:
        cross = [0] * self.size
        for direction, masks in enumerate(self._ahead[kind]):
            for cell, mask in enumerate(masks):
                cross[cell] |= mask_of(self._ray(kind, cell, direction).cells) if mask == CURVED else mask
        return cross

    def _straight_masks(self, halt: int) -> tuple[list[int], ...]:
        """Return, by direction and cell, a bit set of the cells up to a wall or `halt`; `CURVED` at an opening."""
        ahead = tuple([0] * self.size for _ in DIRECTIONS)
        bit = self.bit
        for masks, steps, stride in zip(ahead, self._steps, self._strides(), strict=True):
            for cell in range(self.size) if stride < 0 else range(self.size - 1, -1, -1):
                there = steps[cell]
                if there < 0:
                    continue
                curved = there - cell != stride or masks[there] == CURVED
                beyond = 0 if there == halt else masks[there]
                masks[cell] = CURVED if curved else beyond | bit[there]
        return ahead

    def _bend(self, straight: tuple[list[int], ...], turns: _Turns) -> tuple[list[int], ...]:
        """Return these bit sets of cells ahead, with `CURVED` for each ray that meets a diagonal of `turns`."""
        mirrors = mask_of(turns)
        if not mirrors:
            return straight
        return tuple([CURVED if mask & mirrors else mask for mask in masks] for masks in straight)

    def _strides(self) -> tuple[int, int, int, int]:
        """Return what a step to the N, E, S and W adds to the number of a cell."""
        return (-self.width, 1, self.width, -1)

    def _stop(self, kind: int, cell: int, direction: int, pattern: int) -> int:
        """Return the stop of a move, or the cell itself if the robot cannot move.

        On a straight ray the nearest blocker is the lowest (E, S) or highest (N, W) bit ahead.
        """
        ahead = self._ahead[kind][direction][cell]
        if ahead == CURVED:
            arrival = self._arrival(kind, cell, direction, pattern)
            return cell if arrival is None else arrival.stop
        if not ahead:
            return cell
        hit = ahead & pattern
        stride = self._strides()[direction]
        if stride > 0:
            return (hit & -hit).bit_length() - 1 - stride if hit else ahead.bit_length() - 1
        return hit.bit_length() - 1 - stride if hit else (ahead & -ahead).bit_length() - 1

    def _arrival(self, kind: int, cell: int, direction: int, pattern: int) -> Arrival | None:
        ray = self._ray(kind, cell, direction)
        reached = next((n for n, passed in enumerate(ray.cells) if self.bit[passed] & pattern), None)
        if reached is None:
            reached = 0 if ray.endless else len(ray.cells)
        if reached == 0 or ray.cells[reached - 1] == cell:
            return None
        axes = 0
        for heading in ray.headings[:reached]:
            axes |= _AXIS[heading]
        return Arrival(direction, ray.cells[reached - 1], ray.headings[reached - 1], axes)

    def _ray(self, kind: int, cell: int, direction: int) -> _Ray:
        known = self._rays.get((kind, cell, direction))
        if known is None:
            known = self._rays[kind, cell, direction] = self._cast(kind, cell, direction)
        return known

    def _cast(self, kind: int, cell: int, direction: int) -> _Ray:
        steps, turns, halt = self._steps, self._turns[kind], self._halts[kind]
        cells: list[int] = []
        headings: list[int] = []
        heading, there = direction, steps[direction][cell]
        while there >= 0:
            cells.append(there)
            headings.append(heading)
            if there == halt:
                break
            if there in turns:
                heading = turns[there][heading]
            if there == cell and heading == direction:
                return _Ray(tuple(cells), tuple(headings), endless=True)
            there = steps[heading][there]
        return _Ray(tuple(cells), tuple(headings), endless=False)


def _kinds(board: Board) -> tuple[int, ...]:
    """Return a kind number for each colour, equal for robots that slide alike on this board.

    A colour with a diagonal of its own, or with the target that stops it, slides unlike the others.
    """
    own = {diagonal.colour for _, diagonal in board.diagonals}
    if board.halt is not None and board.halt.colour is not None:
        own.add(board.halt.colour)
    numbers: dict[Colour | None, int] = {}
    return tuple(numbers.setdefault(colour if colour in own else None, len(numbers)) for colour in COLOURS)


def _steps(board: Board) -> list[list[int]]:
    """Return direction number -> cell -> the next cell, also through openings; -1 at a wall or closed border."""
    width, height, size = board.width, board.height, board.width * board.height
    steps = [[cell + d.dy * width + d.dx for cell in range(size)] for d in DIRECTIONS]
    for x in range(width):
        steps[0][x] = steps[2][size - width + x] = -1
    for y in range(height):
        steps[1][y * width + width - 1] = steps[3][y * width] = -1
    for (x, y), side in board.walls:
        steps[DIRECTIONS.index(side)][y * width + x] = -1
    for cell in board.blocked:
        for number, side in enumerate(DIRECTIONS):
            steps[number][cell.y * width + cell.x] = -1
            neighbour = cell.step(side.opposite)
            if board.is_inside(neighbour):
                steps[number][neighbour.y * width + neighbour.x] = -1
    for cell, side in board.openings:
        there = board.next_cell(cell, side)
        if there is not None:
            steps[DIRECTIONS.index(side)][cell.y * width + cell.x] = there.y * width + there.x
    return steps


def _turns(board: Board, robot: int) -> _Turns:
    """Return the diagonals that deflect this robot: cell -> the direction in which it leaves, by that of arrival."""
    return {
        cell.y * board.width + cell.x: tuple(DIRECTIONS.index(diagonal.turned(way)) for way in DIRECTIONS)
        for cell, diagonal in board.diagonals
        if diagonal.colour is not COLOURS[robot]
    }


def _halt(board: Board, robot: int) -> int:
    """Return the target cell that this robot may not slide over, or -1 if there is none."""
    halt = board.halt
    return halt.cell.y * board.width + halt.cell.x if halt and board.is_halt(halt.cell, COLOURS[robot]) else -1


@lru_cache(maxsize=16)
def slides_of(board: Board) -> Slides:
    """Return the `Slides` of a board; those of the most recent boards are cached."""
    return Slides(board)
