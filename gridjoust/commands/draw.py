"""`joust draw`: a board as text in colours, or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

import games
from bots.ricochet import solve as ricochet
from games.ricochet.actions import parse_moves
from games.ricochet.proof import Position
from games.ricochet.svg import draw_position
from games.ricochet.terminal import GROUND_COLOUR, WALL_COLOUR, draw_rows
from gridjoust.commands.arguments import read_text
from runner.wire.errors import ConfigError

STYLES = {WALL_COLOUR: "white", GROUND_COLOUR: "bright_black", "any": "magenta", "silver": "bright_white"}


def draw(
    game: Annotated[str, typer.Argument(help="ricochet.")],
    file: Annotated[Path | None, typer.Argument(help="Positions (JSON); without it a position is dealt.")] = None,
    seed: Annotated[int, typer.Option(help="Which position is dealt.")] = 0,
    position: Annotated[
        str | None, typer.Option("--id", help="Which position of the file; default: its first.")
    ] = None,
    moves: Annotated[str | None, typer.Option(help="Moves to draw in the SVG: 'red N, blue E'.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Write an SVG picture instead.")] = None,
) -> None:
    """Draw a board in the terminal, or as SVG for a report."""
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
        return
    console = Console(highlight=False)
    for row in draw_rows(shown.board, shown.robots, shown.target):
        line = Text()
        for piece in row:
            style = STYLES.get(piece.colour, piece.colour)
            line.append(piece.text, style=f"bold {style}" if piece.is_bold else style)
        console.print(line)


def _dealt(seed: int) -> Position:
    state: Any = games.make("ricochet").initial_state(seed)
    position: Position = state.position
    return position


def _position_of(file: Path, name: str | None) -> Position:
    try:
        positions = dict(ricochet.parse_positions(read_text(file)))
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from None
    if name is None and positions:
        return next(iter(positions.values()))
    if name not in positions:
        raise ConfigError(f"--id: expected one of {', '.join(list(positions)[:8])} ..., got {name!r}")
    return positions[name]
