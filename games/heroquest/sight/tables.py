"""Decide which squares see each other on a board of rooms and corridors, by one of five algorithms.

    >>> board = Board.standard()
    >>> sees(board, (10, 18), (13, 17)), sees(board, (10, 18), (12, 17))
    (True, False)

`exact` (the default) follows the line from centre to centre in whole numbers. Walls, closed doors and blocked squares
obstruct it, and so do figures on squares that it enters; two figures at a corner that it only touches do not. `area`,
`slopes` and `inscribed` treat walls, doors and blocked squares like `exact`, but decide about figures by the part of a
figure's square that the line cuts off. `circle` marks all squares that a number of rays pass. It includes
squares whose centre cannot be seen, and is kept to show how many. A square always sees itself.

The answers are one bit set per square, built when first needed. All holders of the same `Board` value share its table,
so each layout is computed once in a process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from gridjoust.games.grid import Cell
from gridjoust.games.heroquest.sight.board import CORRIDOR, Board, Square
from gridjoust.games.heroquest.sight.lines import (
    EAST,
    QUARTERS,
    SOUTH,
    directions_of,
    flood,
    is_clear,
    is_entered,
    is_inscribed_circle_cut,
    is_mostly_cut,
    is_on_slope_list,
    line_between,
    ray_steps,
    squares_passed,
)

IsCut = Callable[[int, int, int, int], bool]  # line's dx, dy; square's i, j
CUTS: Mapping[str, IsCut] = {
    "exact": is_entered,
    "area": is_mostly_cut,
    "slopes": is_on_slope_list,
    "inscribed": is_inscribed_circle_cut,
}
ALGORITHMS = ("exact", "circle", "area", "slopes", "inscribed")
DEFAULT_RAYS = 64


def sees(board: Board, a: Square, b: Square, los: str = "exact", rays: int = DEFAULT_RAYS) -> bool:
    """Return True if the centre of `b` is seen from the centre of `a`; only `circle` uses `rays`."""
    index = board.index
    try:
        row = board.tables.rows[los, rays][index[a]]
        if row is not None:
            return row >> index[b] & 1 == 1
    except KeyError:  # no table yet, or a square off the board; `number` tells which
        pass
    return _row(board, board.number(a), los, rays) >> board.number(b) & 1 == 1


def visible_from(board: Board, a: Square, los: str = "exact", rays: int = DEFAULT_RAYS) -> set[Cell]:
    """Return every square seen from `a`, with `a` itself, by the algorithm `los`; only `circle` uses `rays`."""
    return set(board.squares(visible_mask(board, a, los, rays)))


def visible_mask(board: Board, a: Square, los: str = "exact", rays: int = DEFAULT_RAYS) -> int:
    """Return the squares seen from `a`, with `a` itself, as a bit set over square numbers; see `visible_from`."""
    number = board.number(a)
    rows = board.tables.rows.get((los, rays))
    row = None if rows is None else rows[number]
    return _row(board, number, los, rays) if row is None else row


def marked_from(board: Board, a: Square) -> set[Cell]:
    """Return the squares seen under `mark_passed`: those that lines to all corridor squares pass, up to a wall.

    They are more than the squares in sight: a line may pass a square whose centre cannot be seen.
    """
    start, tables = board.number(a), board.tables
    marked = {start}
    for number, region in enumerate(board.regions):
        if region == CORRIDOR and number != start:
            marked.update(squares_passed(tables.sides, tables.solid, start, line_between(board.width, start, number)))
    return {board.square(number) for number in marked}


def _row(board: Board, number: int, los: str, rays: int) -> int:
    """Return the bit set of the squares seen from this one, from the table or computed and stored there."""
    if los not in ALGORITHMS:
        raise ValueError(f"los: expected one of {', '.join(ALGORITHMS)}, got {los!r}")
    if rays < 1:
        raise ValueError(f"rays: expected at least 1, got {rays}")
    rows = board.tables.rows.setdefault((los, rays), [None] * len(board.regions))
    row = rows[number]
    if row is None:
        row = _circle_row(board, number, rays) if los == "circle" else _cut_row(board, number, CUTS[los])
        rows[number] = row
    return row


def _wall_row(board: Board, number: int) -> int:
    """Return, as a bit set, the squares seen from this one past walls, doors and blocked squares; figures are ignored.

    Open doors only add to what is seen on the empty board, and blocked squares only take away.
    """
    everything = (1 << len(board.regions)) - 1
    if not (board.open_doors or board.blocked):
        return _lines_row(board, number, everything)
    row = _row(empty_board(board.width, board.height, board.regions), number, "exact", DEFAULT_RAYS)
    doubtful = row & _beyond(board, number, ((square,) for square in board.blocked))
    doubtful |= ~row & _beyond(board, number, board.open_doors)
    return row & ~doubtful | _lines_row(board, number, doubtful)


@lru_cache(maxsize=16)
def empty_board(width: int, height: int, regions: tuple[int, ...]) -> Board:
    """Return the board of these regions with nothing on it; cached, so that all quests on it share its sight tables."""
    return Board(width, height, regions)


def _lines_row(board: Board, number: int, ends: int) -> int:
    """Return, as a bit set, the squares of `ends` that are seen from this square, and the square itself."""
    sides, solid, width = board.tables.sides, board.tables.solid, board.width
    by_column, by_row = _halves(width, board.height)
    mask = 1 << number
    for quarter in QUARTERS:
        aside = by_column[number % width][quarter[0] == EAST] & by_row[number // width][quarter[1] == SOUTH]
        if not ends & aside:
            continue
        for end in flood(sides, solid, number, directions_of(width, quarter)):
            if (ends & ~mask) >> end & 1 and is_clear(sides, solid, number, line_between(width, number, end)):
                mask |= 1 << end
    return mask


def _beyond(board: Board, number: int, places: Iterable[tuple[Square, ...]]) -> int:
    """Return, as a bit set, the squares whose line from this one may pass one of the places.

    It may if the two squares span a rectangle that holds all squares of the place.
    """
    x, y = number % board.width, number // board.width
    by_column, by_row = _halves(board.width, board.height)
    everything = (1 << len(board.regions)) - 1
    found = 0
    for place in places:
        ends = everything
        for column, row in place:
            if column != x:
                ends &= by_column[column][column > x]
            if row != y:
                ends &= by_row[row][row > y]
        found |= ends
    return found


@lru_cache(maxsize=16)
def _halves(width: int, height: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return bit sets for each column: the squares up to it, and those from it on; then the same for each row."""
    column, row = sum(1 << width * y for y in range(height)), (1 << width) - 1
    columns, rows = [column << x for x in range(width)], [row << width * y for y in range(height)]
    return (
        [(sum(columns[: x + 1]), sum(columns[x:])) for x in range(width)],
        [(sum(rows[: y + 1]), sum(rows[y:])) for y in range(height)],
    )


def _cut_row(board: Board, number: int, is_cut: IsCut) -> int:
    """Return, as a bit set, the squares seen from this one past walls and figures; `is_cut` decides about figures."""
    mask = _wall_row(board, number)
    if not board.figures:
        return mask
    start = board.square(number)
    hidden = [end for end in board.squares(mask) if is_behind_figure(board.figures, start, end, is_cut)]
    for end in hidden:
        mask ^= 1 << board.index[end]
    return mask


def is_behind_figure(figures: Iterable[Square], start: Square, end: Square, is_cut: IsCut) -> bool:
    """Return True if a figure between the two squares obstructs the line; figures on the two squares do not."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    left, right = sorted((start[0], end[0]))
    top, bottom = sorted((start[1], end[1]))
    return any(
        left <= x <= right
        and top <= y <= bottom
        and (x, y) not in (start, end)
        and is_cut(dx, dy, x - start[0], y - start[1])
        for x, y in figures
    )


def sees_past_figures(
    board: Board, a: Square, b: Square, figures: Iterable[Square], *, los: str = "exact", rays: int = DEFAULT_RAYS
) -> bool:
    """Return True if `a` sees `b` past figures on these squares; figures on `a` and `b` do not block.

    It uses no lookup table.
    """
    if los == "circle":
        return sees(board.with_figures(figures), a, b, los, rays)
    return sees(board, a, b) and not is_behind_figure(figures, a, b, CUTS[los])


def _circle_row(board: Board, number: int, rays: int) -> int:
    sides, solid = board.tables.sides, bytearray(board.tables.solid)
    for place in board.figures:
        solid[board.index[place]] = 1
    mask = 1 << number
    for steps in ray_steps(board.width, board.height, rays):
        for square in squares_passed(sides, solid, number, steps):
            mask |= 1 << square
    return mask
