"""Make the board and the tasks of a match: parse and check what the parameters give, draw the rest.

A map text is a MovingAI `.map`, which the lines of a `.scen` (from `version 1` on) may follow, or a drawn board: `.`
free, `#` blocked, the signs of a `.map`, `0` to `7` the start of that seat and `a` to `h` its goal. Without `shared`
all seats have the task of seat 0. The first of these that is present decides: `start` and `goal`, `scen`, the queries
or signs of the map text, chance.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gridjoust.games.api import ParamValue
from gridjoust.games.chance import rng_for
from gridjoust.games.grid import Cell
from gridjoust.games.navigation.board import Board, Moves
from gridjoust.games.navigation.generate import (
    caves_map,
    maze_map,
    random_map,
    rooms_map,
    streets_map,
    with_filled_pockets,
)
from gridjoust.games.navigation.movingai import (
    BLOCKED,
    SIGNS,
    ScenRow,
    check_fits,
    check_free,
    named,
    parse_map,
    parse_scen,
)
from gridjoust.games.navigation.params import DRAWN_QUERY, MAX_CELLS
from gridjoust.games.navigation.search import reachable_cells

START_SIGNS = "01234567"
GOAL_SIGNS = "abcdefgh"
MAX_DRAWS = 200
_WITHOUT_SIGNS = str.maketrans("", "", SIGNS + "#" + START_SIGNS + GOAL_SIGNS)


class Task(NamedTuple):
    """Start and goal of one robot, as cell numbers."""

    start: int
    goal: int


@dataclass(frozen=True, slots=True)
class Given:
    """The board and tasks that the parameters give; what is None or empty is drawn by chance later."""

    board: Board | None
    tasks: tuple[Task, ...] = ()  # by seat; a single task for all seats without `shared`
    rows: tuple[ScenRow, ...] = ()  # queries, one of which is played

    @property
    def has_ends(self) -> bool:
        """True if the parameters give the starts and goals."""
        return bool(self.tasks or self.rows)


def parse_given(params: Mapping[str, ParamValue], *, seats: int) -> Given:
    """Parse the texts in the parameters and check them against each other; ValueError names the parameter."""
    count = seats if params["shared"] else 1
    given = _parse_map_text(str(params["map"]), count)
    if params["scen"]:
        rows = named("scen", lambda: parse_scen(str(params["scen"])))
        given = replace(given, tasks=(), rows=rows)
        if not rows:
            raise ValueError("scen: expected at least one query, got none")
    starts, goals = (_parse_cells(name, str(params[name]), count) for name in ("start", "goal"))
    width, height = int(params["width"]), int(params["height"])
    if given.board is not None:
        width, height = given.board.width, given.board.height
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
    if not text.lstrip("\ufeff").lower().startswith("type"):
        return named("map", lambda: _parse_drawn(text, count))
    lines = text.replace("\r\n", "\n").split("\n")
    cut = next((number for number, line in enumerate(lines) if line.startswith("version")), len(lines))
    board = named("map", lambda: parse_map("\n".join(lines[:cut])))
    rows = named("map: queries", lambda: parse_scen("\n".join(lines[cut:]))) if cut < len(lines) else ()
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
    """Parse cells such as `3,4 5,6`, one for each task; an empty text gives no cells."""
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
    """Raise ValueError for a map that is too large, unfit or too few queries, or ends that repeat or are blocked."""
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


def make_board(given: Given, moves: Moves, params: Mapping[str, ParamValue], seed: int) -> Board:
    """Return the given board or a generated one, on which the starts and goals of given tasks are free.

    If starts and goals are drawn with a path between them, a map of random obstacles is a single region.
    """
    if given.board is not None:
        return given.board
    board = _generated(params, rng_for(seed, 0, "map"))
    if params["generator"] == "random" and params["solvable"] and not given.has_ends:
        board = with_filled_pockets(board, moves)
    blocked_ends = sorted({cell for task in given.tasks for cell in task if board.blocked[cell]})
    return board.with_flipped(tuple(blocked_ends))


def _generated(params: Mapping[str, ParamValue], rng: random.Random) -> Board:
    width, height = int(params["width"]), int(params["height"])
    match params["generator"]:
        case "maze":
            return maze_map(rng, width=width, height=height, corridor=int(params["corridor"]))
        case "rooms":
            return rooms_map(rng, width=width, height=height, room=int(params["room"]))
        case "caves":
            return caves_map(rng, width=width, height=height)
        case "streets":
            return streets_map(rng, width=width, height=height)
        case _:
            return random_map(rng, width=width, height=height, density=float(params["density"]))


def make_tasks(
    given: Given, board: Board, moves: Moves, params: Mapping[str, ParamValue], *, seats: int, seed: int
) -> tuple[Task, ...]:
    """Return one task for every seat; ValueError if the map or its queries do not give so many."""
    count = seats if params["shared"] else 1
    if given.tasks:
        tasks = given.tasks
    elif given.rows:
        tasks = _tasks_of_rows(given.rows, board, int(params["query"]), count, seed)
    else:
        rng = rng_for(seed, 0, "tasks")
        tasks = _drawn_tasks(board, moves, count, rng, is_solvable=bool(params["solvable"]))
    return tasks if params["shared"] else tasks * seats


def _tasks_of_rows(rows: Sequence[ScenRow], board: Board, query: int, count: int, seed: int) -> tuple[Task, ...]:
    """Return `count` tasks: that of the chosen row, then of the next rows whose starts and goals are not taken."""
    first = rng_for(seed, 0, "query").randrange(len(rows)) if query == DRAWN_QUERY else query
    tasks: list[Task] = []
    for row in (*rows[first:], *rows[:first]):
        check_fits(row, board)
        task = Task(board.number(*row.start), board.number(*row.goal))
        if all(task.start != other.start and task.goal != other.goal for other in tasks):
            tasks.append(task)
        if len(tasks) == count:
            return tuple(tasks)
    raise ValueError(f"scen: expected {count} queries with different starts and goals, got {len(tasks)}")


def _drawn_tasks(board: Board, moves: Moves, count: int, rng: random.Random, *, is_solvable: bool) -> tuple[Task, ...]:
    """Draw tasks on free cells; all starts differ, all goals differ, and so do the start and goal of a task."""
    free = [cell for cell, blocked in enumerate(board.blocked) if not blocked]
    tasks: list[Task] = []
    for _ in range(MAX_DRAWS * count):
        start = rng.choice(free or [0])
        goals = reachable_cells(board, moves, start) if is_solvable else free
        goal = rng.choice(goals or [0])
        is_fresh = all(start != other.start and goal != other.goal for other in tasks)
        if start != goal and is_fresh:
            tasks.append(Task(start, goal))
        if len(tasks) == count:
            return tuple(tasks)
    way = "with a path between them" if is_solvable else "that are free"
    raise ValueError(f"map: expected {count} different starts and goals {way}, found {len(tasks)}")
