"""How a person plays eidolon in a terminal: the dungeon drawn, the paper's keys. Pure text both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from games.api import Json
from games.eidolon.ascii import draw as draw_dungeon
from games.eidolon.keys import Command, parse_input
from games.grid import Cell

KEYS = "w a s d move, explore or break, e take, q passage, l wait, p advice, u let the bot play on, or an action's text"
RESERVED = {Command.SHOW_PLAN.value: "hint", Command.PLAY_ON.value: "auto"}


def draw(view: Mapping[str, Json], briefing: Mapping[str, Json]) -> str:  # noqa: ARG001 - same for every game
    """The dungeon as the seat knows it, and how things stand."""
    return draw_dungeon(view)


def draw_plan(view: Mapping[str, Json], cells: Iterable[Cell]) -> str:
    """The dungeon with a planned way marked by `*`."""
    return draw_dungeon(view, path=list(cells))


def parse(line: str, view: Mapping[str, Json], legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """A key or an action's own text -> action text; ValueError says what was expected."""
    found = parse_input(line, legal)
    if isinstance(found, Command):
        raise ValueError(f"expected {KEYS}, got {line.strip()!r}")
    return found
