"""`joust solve` and `joust draw`: positions of a file to answers, boards to pictures. Searches nothing itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import games
from bots.ricochet.solve import SolveResult, parse_positions, solve_text
from games.ricochet.draw import GROUND_COLOUR, WALL_COLOUR, draw_position, draw_rows
from games.ricochet.proof import MoveRules, Position
from games.ricochet.state import parse_moves
from runner.errors import ConfigError

STYLES = {WALL_COLOUR: "white", GROUND_COLOUR: "bright_black", "any": "magenta", "silver": "bright_white"}


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """What the command line asks for; None = not given."""

    bot: str
    variant: str | None = None
    early_stop: str | None = None
    width: int | None = None
    limit_ms: float | None = None


def solve_file(game: str, file: Path, options: SolveOptions, *, as_json: bool) -> int:
    """Solve every position of a file; the exit code."""
    if game != "ricochet":
        raise ConfigError(f"solve: expected ricochet, got {game!r}")
    results = _solve_ricochet(_read(file), options, file)
    if as_json:
        print(json.dumps([result.as_json() for result in results]))
        return 0
    Console().print(_table(results))
    return 0


def _solve_ricochet(text: str, options: SolveOptions, file: Path) -> Iterable[SolveResult]:
    if options.width is not None:
        raise ConfigError("--width: expected it with placement only")
    printed = _choice("--variant", options.variant or "plain", {"plain": False, "printed": True})
    early_stop = _choice("--early-stop", options.early_stop or "true", {"true": True, "false": False})
    try:
        rules = MoveRules(printed=printed, early_stop=early_stop)
        return list(solve_text(text, bot=options.bot, rules=rules, limit_ms=options.limit_ms))
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from None


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


def _table(results: Iterable[SolveResult]) -> Table:
    table = Table()
    for name in ("id", "status", "moves", "expanded", "frontier", "planning ms", "solution"):
        table.add_column(name, justify="left" if name in ("id", "status", "solution") else "right")
    for result in results:
        moves = "" if result.moves is None else f"{result.moves}{'' if result.optimal_proven else ' ?'}"
        solution = ", ".join(" ".join(move) for move in result.solution or ())
        cost = f"{result.planning_ms:.1f}"
        table.add_row(result.id, result.status, moves, str(result.expanded), str(result.frontier), cost, solution)
    return table


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
        positions = dict(parse_positions(_read(file)))
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from None
    if name is None and positions:
        return next(iter(positions.values()))
    if name not in positions:
        raise ConfigError(f"--id: expected one of {', '.join(list(positions)[:8])} ..., got {name!r}")
    return positions[name]
