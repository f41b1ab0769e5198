"""Maps of placement: drawn by chance from a generator, or parsed from text. Plays nothing.

Signs of a map text, one row a line: `.` Floor, blank or `_` Void, `#` Wall, `0` to `3` the Floor cell where that seat
starts, `a` to `d` a goal of seat 0 to 3 on Floor, `A` to `D` one on Void. Short rows are filled up with Void. Starts
and goals of seats that do not play are Floor (Void for `A` to `D`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from gridjoust.games.bitset import mask_of, members
from gridjoust.games.grid import Cell
from gridjoust.games.placement.board import Board, Mask, make_board, steps_between
from gridjoust.games.placement.params import MAX_SIZE, Rules
from gridjoust.games.placement.pieces import coverable, orientations, piece_set
from gridjoust.games.placement.state import Layout

START_SIGNS = "0123"
GOAL_SIGNS = "abcd"
VOID_GOAL_SIGNS = "ABCD"
VOID_SIGNS = " _"
SIGNS = VOID_SIGNS + ".#" + START_SIGNS + GOAL_SIGNS + VOID_GOAL_SIGNS
MAX_DRAWS = 200
BUILD_DRAWS = 20  # after so many, a board on which somebody need not build is taken as well
FAR_SHARE = 0.4  # of width + height: steps from a start to its goals at least


def parse_map(text: str, *, seats: int) -> Layout:
    """A map text as a layout; ValueError says what is wrong where (rows and columns from 0)."""
    rows = text.strip("\n").split("\n")
    width, height = max(map(len, rows)), len(rows)
    if not (2 <= width <= MAX_SIZE and height <= MAX_SIZE):
        raise ValueError(f"map: expected 2 to {MAX_SIZE} columns and up to {MAX_SIZE} rows, got {width} and {height}")
    signs = {Cell(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row.ljust(width))}
    for cell, sign in signs.items():
        if sign not in SIGNS:
            raise ValueError(f"map: row {cell.y}, column {cell.x}: expected one of {' '.join(SIGNS)}, got {sign!r}")
    return _layout(make_board(width, height), signs, seats)


def _layout(board: Board, signs: dict[Cell, str], seats: int) -> Layout:
    def where(wanted: str) -> list[int]:
        return [board.bit(cell) for cell, sign in signs.items() if sign in wanted]

    starts, goals = [], []
    for seat in range(seats):
        found = where(START_SIGNS[seat])
        if len(found) != 1:
            raise ValueError(f"map: expected one start {START_SIGNS[seat]}, got {len(found) or 'none'}")
        starts += found
        goals.append(tuple(sorted(where(GOAL_SIGNS[seat] + VOID_GOAL_SIGNS[seat]))))
        if not goals[-1]:
            raise ValueError(f"map: expected a goal {GOAL_SIGNS[seat]} or {VOID_GOAL_SIGNS[seat]}, got none")
    floor = mask_of(where("." + START_SIGNS + GOAL_SIGNS))
    return Layout(board.width, board.height, floor, mask_of(where("#")), tuple(starts), tuple(goals))


def generate(rules: Rules, *, seats: int, rng: random.Random) -> Layout:
    """Islands around starts, goals and in between, all seats' boards images of each other.

    Two seats: half a turn. Three and four: both mirrors and half a turn (with three seats the fourth corner stays as it
    is, without a player). Boards on which a seat could not reach a goal, or need not build, are drawn again; ValueError
    if no goal can be reached for walls.
    """
    board = make_board(rules.width, rules.height)
    connected: Layout | None = None
    for number in range(MAX_DRAWS):
        layout = _draw(rules, board, seats, rng)
        if layout is not None and _can_reach(rules, board, layout):
            if not any(_are_joined(board, layout.floor, layout)):
                return layout
            connected = layout
        if connected is not None and number >= BUILD_DRAWS:
            break
    if connected is None:
        raise ValueError(f"walls: expected fewer on {rules.width} x {rules.height} cells, got {rules.walls}")
    return connected


def _draw(rules: Rules, board: Board, seats: int, rng: random.Random) -> Layout | None:
    share = 2 if seats == 2 else 4
    whole = [cell for cell in board.cells(board.inside) if len(set(_images(board, cell, share))) == share]
    starts = _images(board, rng.choice(whole), share)
    goals = _draw_goals(rules, board, starts, whole, share, rng)
    if goals is None:
        return None
    floor = 0
    seeds = [starts, *goals, *(_images(board, rng.choice(whole), share) for _ in range(-(-rules.islands // share)))]
    for images in seeds:
        for cell in _grow_island(board, images[0], rules.island_cells, rng):
            floor |= board.mask(_images(board, cell, share))
    targets = board.mask(cell for images in goals for cell in images)
    walls = 0
    for cell in rng.sample(whole, min(len(whole), -(-rules.walls // share))):
        walls |= board.mask(_images(board, cell, share)) & ~floor & ~targets
    return Layout(
        board.width,
        board.height,
        floor,
        walls,
        tuple(board.bit(cell) for cell in starts[:seats]),
        tuple(tuple(sorted(board.bit(images[seat]) for images in goals)) for seat in range(seats)),
    )


def _images(board: Board, cell: Cell, share: int) -> tuple[Cell, ...]:
    """The cell as each seat sees it: itself, after half a turn, and in the two mirrors."""
    right, bottom = board.width - 1 - cell.x, board.height - 1 - cell.y
    images = (cell, Cell(right, bottom), Cell(right, cell.y), Cell(cell.x, bottom))
    return images[:share]


def _draw_goals(
    rules: Rules, board: Board, starts: tuple[Cell, ...], whole: list[Cell], share: int, rng: random.Random
) -> list[tuple[Cell, ...]] | None:
    """So many groups of images, each far from its start, none twice; None if there is no room."""
    far = FAR_SHARE * (board.width + board.height)
    taken = set(starts)
    groups: list[tuple[Cell, ...]] = []
    for _ in range(rules.goals):
        room = [cell for cell in whole if cell not in taken and cell.manhattan(starts[0]) >= far]
        if not room:
            return None
        groups.append(_images(board, rng.choice(room), share))
        taken |= set(groups[-1])
    return groups


def _grow_island(board: Board, seed: Cell, cells: int, rng: random.Random) -> Iterator[Cell]:
    """Cells that hang together, the first given, each next drawn from those around."""
    island = board.mask([seed])
    yield seed
    for _ in range(cells - 1):
        around = members(board.spread(island) & ~island)
        if not around:
            return
        cell = board.cell(rng.choice(around))
        island |= board.mask([cell])
        yield cell


def _can_reach(rules: Rules, board: Board, layout: Layout) -> bool:
    """Whether Floor, and Void that pieces can cover, join each start to its goals."""
    if not layout.walls:
        return True
    void = board.inside & ~layout.floor & ~layout.walls
    pieces = piece_set(rules.min_cells, rules.max_cells)
    shapes = [lying.shape for piece in pieces for lying in orientations(piece, reflect=False)]
    return all(_are_joined(board, layout.floor | coverable(board, void, shapes), layout))


def _are_joined(board: Board, open_cells: Mask, layout: Layout) -> Iterator[bool]:
    """By seat, whether ways over the open cells lead from the start to all of the goals."""
    for start, goals in zip(layout.starts, layout.goals, strict=True):
        yield all(steps_between(board, open_cells, start, 1 << goal) is not None for goal in goals)
