"""`joust solve` and `joust draw`: positions of a file to answers and to drawings. Searches nothing itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import games
from bots.solvers import load_solver
from games.api import Json
from games.registry import find_room
from gridjoust.commands.arguments import JsonOption, mistakes_of, read_text
from gridjoust.commands.bot_argument import parse_pair
from runner.wire.errors import ConfigError

PICTURES = "pictures"  # module of a game with `deal`, `read`, `rows` and `picture`
WIDE = 160  # columns where there is no terminal to ask


def solve(
    game: Annotated[str, typer.Argument(help="ricochet or placement.")],
    file: Annotated[Path, typer.Argument(help="Positions or cases (JSON); expected answers in it are ignored.")],
    bot: Annotated[str | None, typer.Option(help="The planner; default: astar in ricochet, beam in placement.")] = None,
    variant: Annotated[str | None, typer.Option(help="ricochet: plain (default) or printed.")] = None,
    early_stop: Annotated[str | None, typer.Option(help="ricochet, printed: true (default) or false.")] = None,
    width: Annotated[int | None, typer.Option(min=1, help="placement: width of the beam (16).")] = None,
    limit_ms: Annotated[float | None, typer.Option(min=0, help="Planning time per task.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve the positions of a file with one planner."""
    with mistakes_of("solve"):
        solver = load_solver(game)
    own = {"variant": variant, "early_stop": early_stop, "width": width}
    given = {name: value for name, value in own.items() if value is not None}
    if foreign := [_flag(name) for name in given if name not in solver.OPTIONS]:
        raise ConfigError(f"{foreign[0]}: expected it for another game than {game}")
    text = read_text(file)
    for name, value in given.items():
        if (choices := solver.OPTIONS[name]) and value not in choices:
            raise ConfigError(f"{_flag(name)}: expected {' or '.join(choices)}, got {value!r}")
    with mistakes_of(str(file)):
        answers = solver.solve_text(text, limit_ms=limit_ms, **given, **({"bot": bot} if bot else {}))
        results = [answer.as_json() for answer in answers]
    if as_json:
        print(json.dumps(results))
    else:
        console = Console() if sys.stdout.isatty() else Console(width=WIDE)
        console.print(_table(results, solver.COLUMNS))


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _table(results: Iterable[Mapping[str, Json]], columns: Mapping[str, str]) -> Table:
    table = Table()
    for name, side in columns.items():
        table.add_column(name.replace("_", " "), justify="left" if side == "left" else "right")
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


def draw(
    game: Annotated[str, typer.Argument(help="The game; `joust games` lists them.")],
    file: Annotated[
        Path | None, typer.Argument(help="ricochet: positions (JSON); without it a position is dealt.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Which position is dealt.")] = 0,
    param: Annotated[list[str] | None, typer.Option(help="A parameter of the game, name=value.")] = None,
    seats: Annotated[int | None, typer.Option(help="How many seats; default: the game's fewest.")] = None,
    position: Annotated[
        str | None, typer.Option("--id", help="ricochet: which position of the file; default: its first.")
    ] = None,
    moves: Annotated[str | None, typer.Option(help="ricochet: moves to draw in the SVG: 'red N, blue E'.")] = None,
    svg: Annotated[Path | None, typer.Option(help="ricochet: write an SVG picture instead.")] = None,
) -> None:
    """Draw a board in the terminal, or as SVG for a report."""
    with mistakes_of("draw"):
        made = games.make(game, dict(parse_pair("--param", text) for text in param or []), seats=seats)
    pictures = find_room(game, PICTURES)
    if pictures is None or param or seats is not None:
        given = {"FILE": file, "--id": position, "--moves": moves, "--svg": svg}
        if foreign := [name for name, value in given.items() if value is not None]:
            expected = " or ".join(name for name in games.game_names() if find_room(name, PICTURES) is not None)
            raise ConfigError(f"{foreign[0]}: expected {expected} as it comes for that, got {game} and its parameters")
        print(made.render(made.initial_state(seed)))
        return
    shown = pictures.deal(seed) if file is None else _position_of(file, position, pictures)
    with mistakes_of("--moves"):
        picture = pictures.picture(shown, moves or "")
    if svg is not None:
        svg.write_text(picture, encoding="utf-8")
        print(f"drawn: {svg}")
        return
    console = Console(highlight=False)
    for row in pictures.rows(shown):
        console.print(Text.assemble(*row))


def _position_of(file: Path, name: str | None, pictures: ModuleType) -> object:
    with mistakes_of(str(file)):
        positions: dict[str, object] = pictures.read(read_text(file))
    if name is None and positions:
        return next(iter(positions.values()))
    if name is None or name not in positions:
        raise ConfigError(f"--id: expected one of {', '.join(list(positions)[:8])} ..., got {name!r}")
    return positions[name]
