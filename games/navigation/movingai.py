"""Parse and format maps and queries in the text formats of the MovingAI benchmark.

Sturtevant, "Benchmarks for Grid-Based Pathfinding", IEEE Trans. Computational Intelligence and AI in Games 4(2), 2012.

A `.map` has four header lines (`type octile`, `height H`, `width W`, `map`), then H rows of W signs: `.` and `G` are
ground, `S` is swamp that ground units may enter, `@` and `O` lie out of bounds, `T` is trees, `W` is water.

A `.scen` has a line `version 1`, then nine fields a row: bucket, map, map width, map height, start x, start y, goal x,
goal y, optimal length; x is the column, (0, 0) top left. Lengths are octile without corner cutting; old sets print six
significant digits. Length 0 with different start and goal means that the goal cannot be reached.

Real files have unix or DOS line ends, blank lines at the end, tabs or spaces between fields, and `version 1` or
`version 1.0`. They name the map by a path in their collection; only the last part of that path matters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

from gridjoust.games.grid import Cell
from gridjoust.games.navigation.board import Board

PASSABLE = ".GS"
BLOCKED = "@OTW"
SIGNS = PASSABLE + BLOCKED
_TYPES = ("octile", "tile")
_SCEN_HEADS = ("version 1", "version 1.0")
_FIELDS_AFTER_MAP = 7
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

T = TypeVar("T")


class ScenRow(NamedTuple):
    """One query of a `.scen`; `width` and `height` are those of the map, `length` is the optimal one in the file."""

    bucket: int
    map: str
    width: int
    height: int
    start: Cell
    goal: Cell
    length: float

    @property
    def is_reachable(self) -> bool:
        """True if a path exists; length 0 with different ends means that there is none."""
        return self.length > 0 or self.start == self.goal


def parse_map(text: str) -> Board:
    """Parse a `.map` text for ground units; ValueError says which line (from 1) is wrong and what was expected."""
    lines = _lines(text)
    _expect(lines, 0, [f"type {kind}" for kind in _TYPES])
    is_swapped = len(lines) > 2 and lines[1].split()[:1] == ["width"] and lines[2].split()[:1] == ["height"]
    height, width = _size(lines, 1 + is_swapped, "height"), _size(lines, 2 - is_swapped, "width")
    _expect(lines, 3, ["map"])
    rows = [row.rstrip(" \t") for row in lines[4:]]
    if len(rows) != height:
        raise ValueError(f"line {len(lines)}: expected {height} rows, got {len(rows)}")
    for number, row in enumerate(rows, start=5):
        if len(row) != width:
            raise ValueError(f"line {number}: expected {width} signs, got {len(row)}")
        if strange := row.strip(SIGNS) and next(sign for sign in row if sign not in SIGNS):
            raise ValueError(f"line {number}: expected signs {' '.join(SIGNS)}, got {strange!r}")
    return Board(width, height, bytes(sign in BLOCKED for row in rows for sign in row))


def format_map(board: Board) -> str:
    """Return the board as a `.map` text, with `.` for free and `@` for blocked cells."""
    drawn = board.blocked.translate(bytes.maketrans(b"\0\1", b".@")).decode()
    rows = [drawn[top : top + board.width] for top in range(0, board.size, board.width)]
    return "\n".join(["type octile", f"height {board.height}", f"width {board.width}", "map", *rows, ""])


def load_map(path: Path) -> Board:
    """Return the map in a file; ValueError names the file."""
    return named(str(path), lambda: parse_map(read_text(path)))


def read_text(path: Path) -> str:
    """Return the text of a file; ValueError says which line is not UTF-8."""
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, kind = raw[: error.start].count(b"\n") + 1, "UTF-16" if raw[:2] in _UTF16_MARKS else "another encoding"
        raise ValueError(f"line {line}: expected UTF-8 text, got byte {raw[error.start]:#04x} of {kind}") from None


def _lines(text: str) -> list[str]:
    """Return the lines without their ends; drop blank lines at the end and the ^Z of DOS."""
    lines = text.rstrip(" \t\r\n\x1a").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _expect(lines: list[str], index: int, choices: list[str]) -> None:
    got = " ".join(lines[index].split()) if index < len(lines) else "the end"
    if got.lower() not in choices:
        raise ValueError(f"line {index + 1}: expected {' or '.join(map(repr, choices))}, got {got[:60]!r}")


def _size(lines: list[str], index: int, name: str) -> int:
    words = lines[index].lower().split() if index < len(lines) else []
    if len(words) != 2 or words[0] != name or not _is_whole(words[1]) or int(words[1]) == 0:
        got = lines[index] if index < len(lines) else "the end"
        raise ValueError(f"line {index + 1}: expected '{name}' and a whole number above 0, got {got[:60]!r}")
    return int(words[1])


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def parse_scen(text: str) -> tuple[ScenRow, ...]:
    """Parse the queries of a `.scen` text; ValueError says which line (from 1) is wrong and what was expected."""
    lines = _lines(text)
    first = 0 if lines and _is_row(lines[0]) else 1  # some sets have no version line
    if first:
        _expect(lines, 0, list(_SCEN_HEADS))
    rows = enumerate(lines[first:], start=first + 1)
    return tuple(_scen_row(number, line) for number, line in rows if line.strip())


def format_scen(rows: Iterable[ScenRow]) -> str:
    """Return queries as a `.scen` text; lengths have eight decimals."""
    lines = [
        f"{row.bucket}\t{row.map}\t{row.width}\t{row.height}\t{row.start.x}\t{row.start.y}\t{row.goal.x}\t{row.goal.y}"
        f"\t{row.length:.8f}"
        for row in rows
    ]
    return "\n".join(["version 1", *lines, ""])


def load_scen(path: Path) -> tuple[ScenRow, ...]:
    """Return the queries in a file; ValueError names the file."""
    return named(str(path), lambda: parse_scen(read_text(path)))


def own_queries(text: str, map_name: str) -> tuple[str, Counter[str]]:
    """Return a `.scen` text with the rows of other maps blanked, and the number of those rows by map.

    Maps are compared by the last part of their names, in any case. ValueError if every row is about another map.
    """
    lines, others, has_own = _lines(text), Counter[str](), False
    if not lines or _is_row(lines[0]):
        lines.insert(0, "version 1")
    for number, line in enumerate(lines[1:], start=1):
        try:
            name = _last_part(_scen_row(number, line).map)
        except ValueError:
            has_own |= bool(line.strip())  # the parser of this row reports the fault
            continue
        if name.casefold() == map_name.casefold():
            has_own = True
        else:
            others[name] += 1
            lines[number] = ""
    if others and not has_own:
        raise ValueError(f"expected a query of {map_name}, got those of {named_first(others)}")
    return "\n".join([lines[0].lower(), *lines[1:], ""]), others


def left_out(file: Path, others: Counter[str]) -> str:
    """Say that queries of other maps were left out.

    >>> left_out(Path("a.map.scen"), Counter({"b.map": 2}))
    'a.map.scen: left out 2 queries of other maps (b.map)'
    """
    count = others.total()
    return f"{file}: left out {count} quer{'y' if count == 1 else 'ies'} of other maps ({named_first(others)})"


def named_first(others: Counter[str]) -> str:
    """Name the maps that have most rows, and how many more there are.

    >>> named_first(Counter({"a.map": 3, "b.map": 2, "c.map": 1}))
    'a.map, b.map and 1 more map'
    """
    names = [name for name, _ in others.most_common(2)]
    more = len(others) - len(names)
    return ", ".join(names) + (f" and {more} more map{'s' if more > 1 else ''}" if more else "")


def _is_row(line: str) -> bool:
    try:
        _scen_row(1, line)
    except ValueError:
        return False
    return True


def _last_part(name: str) -> str:
    return re.split(r"[/\\]", name)[-1].strip()


def named(name: str, parse: Callable[[], T]) -> T:
    """Return the result of `parse`; a ValueError that it raises gets this name (a file or parameter) in front."""
    try:
        return parse()
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def check_fits(row: ScenRow, board: Board) -> None:
    """Raise ValueError if the query is for a map of another size, or one of its ends is outside or blocked."""
    if (row.width, row.height) != (board.width, board.height):
        size = f"{row.width} x {row.height}"
        raise ValueError(f"expected a map of {size}, as the query says, got {board.width} x {board.height}")
    for name, cell in (("start", row.start), ("goal", row.goal)):
        if not (cell.x < board.width and cell.y < board.height):
            raise ValueError(f"{name}: expected a cell on the map, got ({cell.x}, {cell.y})")
        check_free(name, board, board.number(*cell))


def check_free(name: str, board: Board, cell: int) -> None:
    """Raise ValueError if a start or goal is blocked."""
    if board.blocked[cell]:
        raise ValueError(f"{name}: expected a passable cell, got a blocked one at {board.place(cell)}")


def _scen_row(number: int, line: str) -> ScenRow:
    """Return the query in row `number` of a `.scen`; fields are counted from the end, as map names may have spaces."""
    head, *numbers = line.rsplit(maxsplit=_FIELDS_AFTER_MAP)
    bucket, _, name = head.strip().partition("\t" if "\t" in head else " ")
    whole = [bucket, *numbers[:-1]]
    if len(numbers) != _FIELDS_AFTER_MAP or not name.strip() or not all(map(_is_whole, whole)):
        expected = "bucket, map, width, height, start x, start y, goal x, goal y, length"
        raise ValueError(f"line {number}: expected {expected}, got {line[:80]!r}")
    length = numbers[-1]
    if not re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,2})?", length, re.IGNORECASE):
        raise ValueError(f"line {number}: expected a length of at least 0, got {length[:40]!r}")
    width, height, *ends = map(int, numbers[:-1])
    return ScenRow(int(bucket), name.strip(), width, height, Cell(*ends[:2]), Cell(*ends[2:]), float(length))
