"""Views of navigation for each seat and for everyone, as fresh lists of plain JSON values.

A place is `[x, y]`, x to the right, y down, `[0, 0]` top left. Rows of a map have one sign a cell: `.` free, `@`
blocked, `?` not seen.

Briefing: `params` (all but the texts of `map` and `scen`), `size` `[width, height]`, `start`, `goal`, `rows` (null if
the map is unknown: a bot may then assume that every cell is free).

Observation:

| key | value |
|---|---|
| `step` | rounds that are over |
| `seat`, `position`, `goal` | of the seat itself |
| `status` | `walking`, `arrived`, `gave up` (correctly) or `lost` |
| `cost`, `steps` | cost of all its steps and waits, number of steps |
| `sensed` | places of the blocked cells in the range of its sensor now; its own cell may be one after a flip |
| `news` | since its last answer, oldest first: `[x, y, 1]` a cell is blocked after all, `[x, y, 0]` free after all |
| `robots` | shared: places of the other robots that still walk; if the map is unknown, only those in range |

A seat gets news when its sensor covers the cell or, if the map is known, whenever cells flip. A sensor covers all cells
at most `sensor` moves away on an empty board. Steps into cells that are neither in `sensed` nor in `robots` are
legal.

Public view: `step`, `size` and `robots`, by seat: `{"seat", "status", "cost", "steps"}`. If the map is known, or for a
single seat, whose knowledge it shows, also `rows` (null above 4096 cells) and each robot's `position` and `goal`.
"""

from __future__ import annotations

from collections.abc import Iterable

from gridjoust.games.api import Json
from gridjoust.games.navigation.board import Board
from gridjoust.games.navigation.params import Rules
from gridjoust.games.navigation.state import Robot, Seat, State, Status

MAX_SHOWN_CELLS = 4096  # cells of a board that goes into every public view
_MEMORY_SIGNS = bytes.maketrans(b"\0\1\2", b"?.@")
_BOARD_SIGNS = bytes.maketrans(b"\0\1", b".@")


def briefing(rules: Rules, params: dict[str, Json], state: State, seat: Seat) -> Json:
    """Return what stays true for the whole match; a known map is shown as it is at the start."""
    robot, board = state.robots[seat], state.initial
    return {
        "params": {name: value for name, value in params.items() if name not in ("map", "scen")},
        "size": [board.width, board.height],
        "start": [*board.place(robot.start)],
        "goal": [*board.place(robot.goal)],
        "rows": _rows(board, board.blocked.translate(_BOARD_SIGNS)) if rules.is_known else None,
    }


def observation(rules: Rules, state: State, seat: Seat) -> dict[str, Json]:
    """Return what the seat may know now."""
    robot, board = state.robots[seat], state.board
    in_range = rules.in_range(board, robot.cell)
    return {
        "step": state.step,
        "seat": seat,
        "position": [*board.place(robot.cell)],
        "goal": [*board.place(robot.goal)],
        "status": robot.status.value,
        "cost": cost(rules, robot),
        "steps": robot.straight + robot.diagonal,
        "sensed": [[*board.place(cell)] for cell in in_range if board.blocked[cell]],
        "news": [[*board.place(cell), int(is_blocked)] for cell, is_blocked in robot.news],
        "robots": _others(rules, state, seat, in_range) if rules.shared else [],
    }


def public_view(rules: Rules, state: State) -> dict[str, Json]:
    """Return what everyone may know now."""
    board, is_open = state.board, rules.is_known or len(state.robots) == 1
    view: dict[str, Json] = {
        "step": state.step,
        "size": [board.width, board.height],
        "robots": [_shown(rules, board, seat, robot, is_open=is_open) for seat, robot in enumerate(state.robots)],
    }
    if is_open:
        signs = board.blocked.translate(_BOARD_SIGNS)
        if not rules.is_known:
            signs = state.robots[0].memory.translate(_MEMORY_SIGNS)
        view["rows"] = _rows(board, signs) if board.size <= MAX_SHOWN_CELLS else None
    return view


def cost(rules: Rules, robot: Robot) -> float:
    """Return the cost of the robot's steps and waits; a wait costs 1."""
    return rules.moves.cost(robot.straight, robot.diagonal) + robot.waits


def _others(rules: Rules, state: State, seat: Seat, in_range: Iterable[int]) -> list[Json]:
    cells = [robot.cell for n, robot in enumerate(state.robots) if n != seat and robot.status is Status.WALKING]
    return [[*state.board.place(cell)] for cell in sorted(cells) if rules.is_known or cell in in_range]


def _shown(rules: Rules, board: Board, seat: Seat, robot: Robot, *, is_open: bool) -> dict[str, Json]:
    shown: dict[str, Json] = {
        "seat": seat,
        "status": robot.status.value,
        "cost": cost(rules, robot),
        "steps": robot.straight + robot.diagonal,
    }
    if is_open:
        shown |= {"position": [*board.place(robot.cell)], "goal": [*board.place(robot.goal)]}
    return shown


def _rows(board: Board, signs: bytes) -> list[str]:
    text = signs.decode("ascii")
    return [text[top : top + board.width] for top in range(0, board.size, board.width)]
