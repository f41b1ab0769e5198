"""What the parameters say about board and tasks, parsed and checked. Draws nothing by chance.

A map text is a MovingAI `.map`, which the lines of a `.scen` (from `version 1` on) may follow, or a drawn board:
`.` free, `#` blocked, the signs of a `.map`, `0` to `7` where that seat starts and `a` to `h` where it is to go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from games.api import ParamValue
from games.grid import Cell
from games.navigation.board import Board
from games.navigation.movingai import BLOCKED, SIGNS, ScenRow, check_free, parse_map, parse_scen
from games.navigation.params import DRAWN_QUERY, MAX_CELLS

START_SIGNS = "01234567"
GOAL_SIGNS = "abcdefgh"
_WITHOUT_SIGNS = str.maketrans("", "", SIGNS + "#" + START_SIGNS + GOAL_SIGNS)

T = TypeVar("T")


class Task(NamedTuple):
    """From where to where; cells are numbers."""

    start: int
    goal: int


@dataclass(frozen=True, slots=True)
class Given:
    """What the parameters say about board and tasks; None and empty = left to chance."""

    board: Board | None
    tasks: tuple[Task, ...] = ()  # by seat, one for all without `shared`
    rows: tuple[ScenRow, ...] = ()  # queries, of which one is played

    @property
    def has_ends(self) -> bool:
        """Whether starts and goals are not drawn from the map's cells."""
        return bool(self.tasks or self.rows)


def parse_given(params: Mapping[str, ParamValue], *, seats: int) -> Given:
    """The parameters' texts, checked against each other; ValueError names the parameter."""
    count = seats if params["shared"] else 1
    given = _parse_map_text(str(params["map"]), count)
    if params["scen"]:
        rows = _named("scen", lambda: parse_scen(str(params["scen"])))
        given = replace(given, tasks=(), rows=rows)
        if not rows:
            raise ValueError("scen: expected at least one query, got none")
    starts, goals = (_parse_cells(name, str(params[name]), count) for name in ("start", "goal"))
    width, height = (given.board.width, given.board.height) if given.board else generated_size(params)
    if bool(starts) != bool(goals):
        raise ValueError(f"{'goal' if starts else 'start'}: expected cells, as the other end is given, got none")
    if starts:
        tasks = [Task(_number(a, width, height), _number(b, width, height)) for a, b in zip(starts, goals, strict=True)]
        given = replace(given, tasks=tuple(tasks), rows=())
    _check_given(given, params, count, (width, height))
    return given


def _parse_map_text(text: str, count: int) -> Given:
    if not text.strip():
        return Given(None)
    if not text.lstrip("\ufeff").startswith("type"):
        return _named("map", lambda: _parse_drawn(text, count))
    lines = text.replace("\r\n", "\n").split("\n")
    cut = next((number for number, line in enumerate(lines) if line.startswith("version")), len(lines))
    board = _named("map", lambda: parse_map("\n".join(lines[:cut])))
    rows = _named("map: queries", lambda: parse_scen("\n".join(lines[cut:]))) if cut < len(lines) else ()
    return Given(board, rows=rows)


def _parse_drawn(text: str, count: int) -> Given:
    rows = text.replace("\r\n", "\n").strip("\n").split("\n")
    for y, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(f"row {y}: expected {len(rows[0])} cells, got {len(row)}")
        if strange := row.translate(_WITHOUT_SIGNS):
            x = row.index(strange[0])
            raise ValueError(f"row {y}, column {x}: expected . # {' '.join(SIGNS)} 0-7 a-h, got {strange[0]!r}")
    drawn = "".join(rows)
    board = Board(len(rows[0]), len(rows), bytes(sign in BLOCKED + "#" for sign in drawn))
    if not any(sign in drawn for sign in START_SIGNS + GOAL_SIGNS):
        return Given(board)
    ends = [[_only(drawn, sign) for sign in kind[:count]] for kind in (START_SIGNS, GOAL_SIGNS)]
    return Given(board, tuple(map(Task, *ends)))


def _only(drawn: str, sign: str) -> int:
    if drawn.count(sign) != 1:
        raise ValueError(f"expected one {sign}, got {drawn.count(sign) or 'none'}")
    return drawn.index(sign)


def _parse_cells(name: str, text: str, count: int) -> list[Cell]:
    """`3,4 5,6` as cells, one for each task; none for an empty text."""
    words = text.split()
    pairs = [word.split(",") for word in words]
    if not all(len(pair) == 2 and all(n.isascii() and n.isdigit() and len(n) < 9 for n in pair) for pair in pairs):
        raise ValueError(f"{name}: expected cells such as 12,12, got {text[:60]!r}")
    if words and len(words) != count:
        raise ValueError(f"{name}: expected {count}, got {len(words)}")
    return [Cell(int(x), int(y)) for x, y in pairs]


def _number(cell: Cell, width: int, height: int) -> int:
    if not (cell.x < width and cell.y < height):
        raise ValueError(f"start or goal: expected cells on {width} x {height}, got ({cell.x}, {cell.y})")
    return cell.y * width + cell.x


def _check_given(given: Given, params: Mapping[str, ParamValue], count: int, size: tuple[int, int]) -> None:
    """ValueError for a map too large, queries of another map or out of the list, ends that meet or are blocked."""
    width, height = size
    if width * height > MAX_CELLS:
        raise ValueError(f"map: expected at most {MAX_CELLS} cells, got {width} x {height}")
    for row in given.rows:
        if (row.width, row.height) != size:
            raise ValueError(f"scen: expected queries of a map of {width} x {height}, got {row.width} x {row.height}")
        for place in (row.start, row.goal):
            _number(place, width, height)
    query = int(params["query"])
    if query != DRAWN_QUERY and query + count > len(given.rows):
        raise ValueError(f"query: expected at most {len(given.rows) - count}, got {query}")
    if 0 < len(given.rows) < count:
        raise ValueError(f"scen: expected at least {count} queries, got {len(given.rows)}")
    ends = [("start", [task.start for task in given.tasks]), ("goal", [task.goal for task in given.tasks])]
    for name, cells in ends:
        if len(set(cells)) < len(cells):
            raise ValueError(f"{name}: expected different cells, got one twice")
    if given.board is not None:
        for name, cells in ends:
            for cell in cells:
                check_free(name, given.board, cell)


def generated_size(params: Mapping[str, ParamValue]) -> tuple[int, int]:
    """Width and height of a map that is not given."""
    return int(params["width"]), int(params["height"])


def _named(name: str, parse: Callable[[], T]) -> T:
    """What `parse` gives; its ValueError gets the parameter's name in front."""
    try:
        return parse()
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
