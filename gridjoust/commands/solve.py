"""`joust solve` and `joust draw`: positions of a file to answers, boards to pictures. Searches nothing itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import games
from bots.placement import solve as placement
from bots.ricochet import solve as ricochet
from games.ricochet.draw import GROUND_COLOUR, WALL_COLOUR, draw_position, draw_rows
from games.ricochet.proof import MoveRules, Position
from games.ricochet.state import parse_moves
from runner.wire.errors import ConfigError

Result = dict[str, Any]  # one task's answer, as `--json` prints it

WIDE = 160  # columns where there is no terminal to ask
STYLES = {WALL_COLOUR: "white", GROUND_COLOUR: "bright_black", "any": "magenta", "silver": "bright_white"}


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """What the command line asks for; None = not given."""

    bot: str | None = None
    variant: str | None = None
    early_stop: str | None = None
    width: int | None = None
    limit_ms: float | None = None


def solve_file(game: str, file: Path, options: SolveOptions, *, as_json: bool) -> int:
    """Solve every task of a file; the exit code."""
    if game not in SOLVERS:
        raise ConfigError(f"solve: expected {' or '.join(SOLVERS)}, got {game!r}")
    solver = SOLVERS[game]
    foreign = [name for name in _GAME_OPTIONS if getattr(options, name) is not None and name not in solver.options]
    if foreign:
        raise ConfigError(f"--{foreign[0].replace('_', '-')}: expected it for another game than {game}")
    try:
        results = solver.solve(_read(file), options)
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from None
    if as_json:
        print(json.dumps(results))
    else:
        console = Console() if sys.stdout.isatty() else Console(width=WIDE)
        console.print(_table(results, solver.columns))
    return 0


def _solve_ricochet(text: str, options: SolveOptions) -> list[Result]:
    printed = _choice("--variant", options.variant or "plain", {"plain": False, "printed": True})
    early_stop = _choice("--early-stop", options.early_stop or "true", {"true": True, "false": False})
    rules = MoveRules(printed=printed, early_stop=early_stop)
    found = ricochet.solve_text(text, bot=options.bot or "astar", rules=rules, limit_ms=options.limit_ms)
    return [result.as_json() for result in found]


def _solve_placement(text: str, options: SolveOptions) -> list[Result]:
    width = 16 if options.width is None else options.width
    found = placement.solve_text(text, bot=options.bot or "beam", width=width, limit_ms=options.limit_ms)
    return [result.as_json() for result in found]


@dataclass(frozen=True, slots=True)
class _Solver:
    """How one game's tasks are solved, which options it takes, and the columns of its table."""

    solve: Callable[[str, SolveOptions], list[Result]]
    options: tuple[str, ...]
    columns: tuple[str, ...]


_GAME_OPTIONS = ("variant", "early_stop", "width")
SOLVERS = {
    "ricochet": _Solver(
        _solve_ricochet,
        ("variant", "early_stop"),
        ("id", "status", "moves", "optimal_proven", "expanded", "frontier", "planning_ms", "solution"),
    ),
    "placement": _Solver(
        _solve_placement,
        ("width",),
        ("id", "status", "best_distance", "best_steps", "pieces_used", "states", "planning_ms", "plan"),
    ),
}


def _choice(option: str, given: str, choices: Mapping[str, bool]) -> bool:
    if given not in choices:
        raise ConfigError(f"{option}: expected {' or '.join(choices)}, got {given!r}")
    return choices[given]


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file}: expected a readable file, got: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: expected UTF-8 text") from None


def _table(results: Iterable[Result], columns: Sequence[str]) -> Table:
    table = Table()
    for name in columns:
        is_text = name in ("id", "status", "solution", "plan")
        table.add_column(name.replace("_", " "), justify="left" if is_text else "right")
    for result in results:
        table.add_row(*(_cell(result[name]) for name in columns))
    return table


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.1f}"
        case list():
            return ", ".join(" ".join(map(str, part)) for part in value)
        case _:
            return str(value)


def draw_board(
    game: str, *, seed: int, file: Path | None, position: str | None, moves: str | None, svg: Path | None
) -> int:
    """A position in colours on the terminal, or as an SVG file; the exit code."""
    if game != "ricochet":
        raise ConfigError(f"draw: expected ricochet, got {game!r}")
    shown = _dealt(seed) if file is None else _position_of(file, position)
    try:
        way = parse_moves(moves) if moves else ()
        picture = draw_position(shown, way)
    except ValueError as error:
        raise ConfigError(f"--moves: {error}") from None
    if svg is not None:
        svg.write_text(picture, encoding="utf-8")
        print(f"drawn: {svg}")
        return 0
    console = Console(highlight=False)
    for row in draw_rows(shown.board, shown.robots, shown.target):
        line = Text()
        for piece in row:
            style = STYLES.get(piece.colour, piece.colour)
            line.append(piece.text, style=f"bold {style}" if piece.is_bold else style)
        console.print(line)
    return 0


def _dealt(seed: int) -> Position:
    state: Any = games.make("ricochet").initial_state(seed)
    position: Position = state.position
    return position


def _position_of(file: Path, name: str | None) -> Position:
    try:
        positions = dict(ricochet.parse_positions(_read(file)))
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from None
    if name is None and positions:
        return next(iter(positions.values()))
    if name not in positions:
        raise ConfigError(f"--id: expected one of {', '.join(list(positions)[:8])} ..., got {name!r}")
    return positions[name]
