"""Who sees what on a board of rooms and corridors: five algorithms behind one interface.

    >>> board = Board.standard()
    >>> sees(board, (10, 18), (13, 17)), sees(board, (10, 18), (12, 17))
    (True, False)

`exact` (the default) follows the line from centre to centre in whole numbers; walls, closed doors and blocked squares
obstruct it, and figures on squares that it enters: two of them at a corner that it only touches do not. `area`,
`slopes` and `inscribed` take walls, doors and blocked squares as `exact` does and decide about figures by how much of a
figure's square the line cuts off. `circle` marks what a number of rays pass: it claims
squares whose centre cannot be seen, and is kept to show how many. A square always sees itself.

The answers are bit sets per square, built when first asked for. The table of a board is shared by all who hold the
same `Board` value, so a layout is worked out once in a process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from gridjoust.games.grid import Cell
from gridjoust.games.heroquest.sight.board import CORRIDOR, Board, Square
from gridjoust.games.heroquest.sight.lines import (
    QUARTERS,
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
    """Whether the centre of `b` is seen from the centre of `a`; `rays` matters to `circle` only."""
    index = board.index
    try:
        row = board.tables.rows[los, rays][index[a]]
        if row is not None:
            return row >> index[b] & 1 == 1
    except KeyError:  # no table yet, or a square off the board: the slow way tells which
        pass
    return _row(board, board.number(a), los, rays) >> board.number(b) & 1 == 1


def visible_from(board: Board, a: Square, los: str = "exact", rays: int = DEFAULT_RAYS) -> set[Cell]:
    """Every square seen from `a`, itself included."""
    return set(board.squares(visible_mask(board, a, los, rays)))


def visible_mask(board: Board, a: Square, los: str = "exact", rays: int = DEFAULT_RAYS) -> int:
    """`visible_from` as a bit set over square numbers."""
    number = board.number(a)
    rows = board.tables.rows.get((los, rays))
    row = None if rows is None else rows[number]
    return _row(board, number, los, rays) if row is None else row


def marked_from(board: Board, a: Square) -> set[Cell]:
    """What is marked if lines to all corridor squares mark whatever they pass until a wall stops them.

    Too much: the centre of a square that a line passes need not be in sight.
    """
    start, tables = board.number(a), board.tables
    marked = {start}
    for number, region in enumerate(board.regions):
        if region == CORRIDOR and number != start:
            marked.update(squares_passed(tables.sides, tables.solid, start, line_between(board.width, start, number)))
    return {board.square(number) for number in marked}


def _row(board: Board, number: int, los: str, rays: int) -> int:
    """The bit set of one square, from the table or worked out and kept there."""
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
    """What is seen past walls, doors and blocked squares."""
    sides, solid = board.tables.sides, board.tables.solid
    mask = 1 << number
    for quarter in QUARTERS:
        for end in flood(sides, solid, number, directions_of(board.width, quarter)):
            if not mask >> end & 1 and is_clear(sides, solid, number, line_between(board.width, number, end)):
                mask |= 1 << end
    return mask


def _cut_row(board: Board, number: int, is_cut: IsCut) -> int:
    """What is seen past walls, without the squares behind figures."""
    mask = _wall_row(board, number)
    start = board.square(number)
    hidden = [end for end in board.squares(mask) if is_behind_figure(board.figures, start, end, is_cut)]
    for end in hidden:
        mask ^= 1 << board.index[end]
    return mask


def is_behind_figure(figures: Iterable[Square], start: Square, end: Square, is_cut: IsCut) -> bool:
    """Whether a figure in the bounding box of the two squares obstructs; neither of the two does."""
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
    """Whether `a` sees `b` with figures on these squares, without a table for them; neither of the two obstructs."""
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
