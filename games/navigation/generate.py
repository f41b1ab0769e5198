"""Random maps of the kinds in the MovingAI benchmark: random obstacles, mazes, rooms, caves, streets."""

from __future__ import annotations

import random
from collections.abc import Callable

from gridjoust.games.navigation.board import MOVES, Board, Moves
from gridjoust.games.navigation.search import reachable_cells

CAVE_DENSITY = 0.45  # share of rock before it is smoothed
CAVE_ROUNDS = 4
MIN_HOUSES, MAX_HOUSES = 4, 14  # side of a block of houses, in cells
MIN_YARD = 8  # side of a block that may have a yard
YARD_CHANCE = 0.5  # share of the blocks that have a yard with a passage to a street

Room = tuple[int, int]  # column and row of a room
Opened = Callable[[list[int]], list[int]]  # all wall cells between two rooms -> the wall cells to open


def random_map(rng: random.Random, *, width: int, height: int, density: float) -> Board:
    """Block a share `density` of the cells, all equally likely; at least one cell stays free."""
    size = width * height
    blocked = bytearray(size)
    for cell in rng.sample(range(size), min(round(size * density), size - 1)):
        blocked[cell] = 1
    return Board(width, height, bytes(blocked))


def maze_map(rng: random.Random, *, width: int, height: int, corridor: int) -> Board:
    """Make a maze without loops; corridors are `corridor` cells wide, walls one cell."""
    return _rooms_map(rng, width, height, corridor, extra_doors=0.0, opened=lambda side: side)


def rooms_map(rng: random.Random, *, width: int, height: int, room: int, extra_doors: float = 0.5) -> Board:
    """Make connected square rooms, `room` cells wide, with doors of one cell, some more than necessary."""
    return _rooms_map(rng, width, height, room, extra_doors=extra_doors, opened=lambda side: [rng.choice(side)])


def caves_map(rng: random.Random, *, width: int, height: int) -> Board:
    """Make caves: random rock, smoothed by a cellular automaton; a single region with 4 neighbours.

    In each round a cell becomes rock if at least five of the nine cells of the 3 x 3 square around it are rock. Cells
    outside the map count as rock.
    """
    rows = [[int(rng.random() < CAVE_DENSITY) for _ in range(width)] for _ in range(height)]
    for _ in range(CAVE_ROUNDS):
        sums = [[a + b + c for a, b, c in zip((1, *row), row, (*row[1:], 1), strict=False)] for row in rows]
        rim = [3] * width
        triples = zip((rim, *sums), sums, (*sums[1:], rim), strict=False)
        smooth = [[int(a + b + c >= 5) for a, b, c in zip(*three, strict=True)] for three in triples]
        if all(map(all, smooth)):  # of a small map nothing would be left
            break
        rows = smooth
    return with_filled_pockets(Board(width, height, bytes(cell for row in rows for cell in row)), MOVES["4"])


def streets_map(rng: random.Random, *, width: int, height: int) -> Board:
    """Make a town: streets of one to three cells between blocks of houses; some blocks have a yard with a passage."""
    blocked = bytearray(width * height)
    for top, bottom in _blocks(rng, height):
        for left, right in _blocks(rng, width):
            for y in range(top, bottom):
                blocked[y * width + left : y * width + right] = b"\1" * (right - left)
            if min(right - left, bottom - top) >= MIN_YARD and rng.random() < YARD_CHANCE:
                wall = rng.randint(2, 3)
                for y in range(top + wall, bottom - wall):
                    blocked[y * width + left + wall : y * width + right - wall] = bytes(right - left - 2 * wall)
                x = rng.randrange(left + wall, right - wall)
                ends = (0, top + wall) if rng.random() < 0.5 else (bottom - wall, height)
                for y in range(max(ends[0], top - 1), min(ends[1], bottom + 1)):
                    blocked[y * width + x] = 0
    return with_filled_pockets(Board(width, height, bytes(blocked)), MOVES["4"])


def _blocks(rng: random.Random, length: int) -> list[tuple[int, int]]:
    """Return the first cell of each block of houses along one side of the town, and the cell after its last."""
    blocks, here = [], rng.randint(1, 2)
    while here < length:
        end = min(length, here + rng.randint(MIN_HOUSES, MAX_HOUSES))
        blocks.append((here, end))
        here = end + rng.randint(1, 3)
    return blocks


def with_filled_pockets(board: Board, moves: Moves) -> Board:
    """Return the board with everything blocked but its largest connected region (the first of equal ones)."""
    left = {cell for cell in range(board.size) if not board.blocked[cell]}
    largest: list[int] = []
    for cell in range(board.size):
        if cell in left:
            region = reachable_cells(board, moves, cell)
            left.difference_update(region)
            largest = max(largest, region, key=len)
    kept = set(largest)
    return Board(board.width, board.height, bytes(cell not in kept for cell in range(board.size)))


def _rooms_map(rng: random.Random, width: int, height: int, room: int, *, extra_doors: float, opened: Opened) -> Board:
    """Return a lattice of rooms, joined by doors along a random spanning tree; chance adds further doors."""
    pitch = room + 1
    blocked = bytearray(x % pitch == 0 or y % pitch == 0 for y in range(height) for x in range(width))
    columns, rows = -(-(width - 1) // pitch), -(-(height - 1) // pitch)
    tree = _spanning_tree(rng, columns, rows)
    across = [((c, r), (c + 1, r)) for r in range(rows) for c in range(columns - 1)]
    down = [((c, r), (c, r + 1)) for r in range(rows - 1) for c in range(columns)]
    for one, other in across + down:
        if (one, other) in tree or rng.random() < extra_doors:
            for cell in opened(_side_cells(one, other, pitch, width, height)):
                blocked[cell] = 0
    return Board(width, height, bytes(blocked))


def _spanning_tree(rng: random.Random, columns: int, rows: int) -> set[tuple[Room, Room]]:
    """Return pairs of neighbouring rooms that join all rooms without a loop, by a random depth-first walk.

    In each pair, the upper or left room comes first.
    """
    start = (rng.randrange(columns), rng.randrange(rows))
    walk, seen = [start], {start}
    tree = set()
    while walk:
        column, row = walk[-1]
        around = ((column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row))
        fresh = [near for near in around if 0 <= near[0] < columns and 0 <= near[1] < rows and near not in seen]
        if fresh:
            near = rng.choice(fresh)
            tree.add((min((column, row), near), max((column, row), near)))
            seen.add(near)
            walk.append(near)
        else:
            walk.pop()
    return tree


def _side_cells(one: Room, other: Room, pitch: int, width: int, height: int) -> list[int]:
    """Return the wall cells between two rooms; rooms at the right and lower border may be smaller."""
    left, top = other[0] * pitch, other[1] * pitch
    if one[0] != other[0]:
        return [y * width + left for y in range(top + 1, min(top + pitch, height))]
    return [top * width + x for x in range(left + 1, min(left + pitch, width))]
