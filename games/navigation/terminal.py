"""Play navigation in a terminal: the map as far as the robot knows it, and one key per step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridjoust.games.api import Json
from gridjoust.games.grid import Cell, format_cells
from gridjoust.games.navigation.board import MOVES, cells_in_range

_KEYS = {"w": "N", "s": "S", "a": "W", "d": "E", "q": "NW", "e": "NE", "z": "SW", "c": "SE", "l": "wait", "": "wait"}
_WINDOW = Cell(76, 24)  # the part of a larger map to draw, around the robot

KEYS = (
    "@ is you, x your goal; w a s d move, q e z c move diagonally, l or Enter wait, p advice, u let the bot play on, "
    "or an action's text"
)
RESERVED = {"p": "hint", "u": "auto"}


class Drawing:
    """Draw observations; keep what the robot has learnt, because an observation holds only the news.

    `@` the robot, `x` its goal, `#` blocked, `.` free, `?` not sensed yet, `o` other robots.
    """

    def __init__(self, briefing: Mapping[str, Json]) -> None:
        width, height = briefing["size"]
        rows = briefing["rows"] or ["?" * width] * height
        self._size = Cell(width, height)
        self._signs = {Cell(x, y): "#" if s == "@" else s for y, row in enumerate(rows) for x, s in enumerate(row)}
        params = briefing["params"]
        self._sensor = params["sensor"], MOVES[params["connectivity"]].connectivity

    def __call__(self, view: Mapping[str, Json]) -> str:
        """Draw the map around the robot, and the cost so far."""
        here, goal = Cell(*view["position"]), Cell(*view["goal"])
        for x, y, is_blocked in view["news"]:
            self._signs[Cell(x, y)] = "#" if is_blocked else "."
        covered = cells_in_range(*self._size, here.y * self._size.x + here.x, *self._sensor)
        self._signs |= {Cell(cell % self._size.x, cell // self._size.x): "." for cell in covered}
        self._signs |= {
            Cell(*place): "#" for place in view["sensed"]
        }  # a cell in the sensor's range is free unless it is listed as blocked
        others = {Cell(*place): "o" for place in view["robots"]}
        corner, size = self._window(here)
        signs = {
            Cell(cell.x - corner.x, cell.y - corner.y): sign
            for cell, sign in {**self._signs, **others, goal: "x", here: "@"}.items()
            if 0 <= cell.x - corner.x < size.x and 0 <= cell.y - corner.y < size.y
        }
        drawn = format_cells(size.x, size.y, signs)
        return f"{drawn}\nat {here.x},{here.y}, goal {goal.x},{goal.y}, cost so far {view['cost']:g}"

    def _window(self, here: Cell) -> tuple[Cell, Cell]:
        """Return the top left cell and the size of the part to draw."""
        size = Cell(min(self._size.x, _WINDOW.x), min(self._size.y, _WINDOW.y))
        left = min(max(0, here.x - size.x // 2), self._size.x - size.x)
        top = min(max(0, here.y - size.y // 2), self._size.y - size.y)
        return Cell(left, top), size


def parse(line: str, view: Mapping[str, Json], legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """Convert a key, or the text of an action, to the text of the action; ValueError says what was expected."""
    word = line.strip()
    text = _KEYS.get(word, word)  # E is east as an action, e the key for north-east
    if text not in legal and " " not in text:
        raise ValueError(f"expected {KEYS}, got {word!r}; legal now: {', '.join(legal)}")
    return text
