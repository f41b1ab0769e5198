"""Read positions from JSON text.

The text has `boards` by name (`size` [width, height], `walls` as [x1, y1, x2, y2] between neighbours, optional
`blocked_cells` [x, y]) and `positions` (`id`, `board`, `robots` by colour, `active` = a colour or `any`, `target`).
Anything else, such as expected answers, is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gridjoust.games.grid import Cell, Direction
from gridjoust.games.ricochet.board import ANY, COLOURS, Board, Colour, Robots, Symbol, Target, both_sides
from gridjoust.games.ricochet.proof import Position

_KINDS: dict[type, str] = {dict: "an object", list: "a list"}


def parse_positions(text: str) -> list[tuple[str, Position]]:
    """Parse positions as (id, position); ValueError `positions[3].target: expected ..., got ...`."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"expected JSON: {error}") from None
    entries = _member("boards", data, "boards", dict).items()
    boards = {name: _parse_board(f"boards.{name}", entry) for name, entry in entries}
    entries = data.get("positions")
    if not isinstance(entries, list):
        raise ValueError(f"positions: expected a list, got {entries!r:.60}")
    return [_parse_position(f"positions[{index}]", entry, boards) for index, entry in enumerate(entries)]


def _parse_board(where: str, entry: object) -> Board:
    size = _numbers(f"{where}.size", _member(where, entry, "size"), 2)
    width, height = size
    if not (1 <= width <= 32 and 1 <= height <= 32):
        raise ValueError(f"{where}.size: expected 1 to 32 each way, got {list(size)}")
    walls = [_parse_wall(f"{where}.walls[{n}]", wall) for n, wall in enumerate(_member(where, entry, "walls", list))]
    cells = _member(where, entry, "blocked_cells", list) if isinstance(entry, dict) and "blocked_cells" in entry else []
    blocked = [Cell(*_numbers(f"{where}.blocked_cells[{n}]", cell, 2)) for n, cell in enumerate(cells)]
    board = Board(width, height, frozenset(blocked), both_sides(walls))
    outside = [cell for cell in [*blocked, *(cell for cell, _ in board.walls)] if not board.is_inside(cell)]
    if outside:
        raise ValueError(f"{where}: expected walls and blocked cells on the board, got cell {list(outside[0])}")
    return board


def _parse_wall(where: str, entry: object) -> tuple[Cell, Direction]:
    x1, y1, x2, y2 = _numbers(where, entry, 4)
    step = (x2 - x1, y2 - y1)
    side = next((direction for direction in Direction if direction.value == step), None)
    if side is None:
        raise ValueError(f"{where}: expected two neighbouring cells, got {[x1, y1, x2, y2]}")
    return Cell(x1, y1), side


def _parse_position(where: str, entry: object, boards: Mapping[str, Board]) -> tuple[str, Position]:
    name = _member(where, entry, "board")
    board = boards.get(name) if isinstance(name, str) else None
    if board is None:
        raise ValueError(f"{where}.board: expected one of the boards, got {name!r}")
    robots = _parse_robots(f"{where}.robots", _member(where, entry, "robots", dict), board)
    active = _member(where, entry, "active")
    names = [str(colour) for colour in COLOURS[: len(robots)]]
    if active not in (ANY, *names):
        raise ValueError(f"{where}.active: expected {ANY} or one of {', '.join(names)}, got {active!r}")
    colour = None if active == ANY else Colour[active.upper()]
    cell = _cell(f"{where}.target", _member(where, entry, "target"), board)
    symbol = Symbol.VORTEX if colour is None else Symbol.HEXAGON  # files name no symbols
    return str(_member(where, entry, "id")), Position(board, robots, Target(cell, colour, symbol))


def _parse_robots(where: str, entry: Mapping[str, Any], board: Board) -> Robots:
    names = [str(colour) for colour in COLOURS]
    unknown = [name for name in entry if name not in names]
    count = 5 if "silver" in entry else 4
    if unknown or len(entry) != count:
        raise ValueError(f"{where}: expected {', '.join(names[:4])} and perhaps silver, got {', '.join(entry)}")
    robots = tuple(_cell(f"{where}.{name}", entry[name], board) for name in names[:count])
    if len(set(robots)) != count:
        raise ValueError(f"{where}: expected every robot on a cell of its own")
    return robots


def _cell(where: str, entry: object, board: Board) -> Cell:
    cell = Cell(*_numbers(where, entry, 2))
    if not board.is_free(cell):
        raise ValueError(f"{where}: expected a free cell of the board, got {list(cell)}")
    return cell


def _member(where: str, entry: object, name: str, kind: type = object) -> Any:
    if not isinstance(entry, dict) or name not in entry:
        raise ValueError(f"{where}.{name}: expected a value, got none")
    if not isinstance(entry[name], kind):
        raise ValueError(f"{where}.{name}: expected {_KINDS[kind]}, got {entry[name]!r:.60}")
    return entry[name]


def _numbers(where: str, entry: object, count: int) -> tuple[int, ...]:
    if not isinstance(entry, list) or len(entry) != count or not all(type(number) is int for number in entry):
        raise ValueError(f"{where}: expected {count} whole numbers, got {entry!r:.60}")
    return tuple(entry)
