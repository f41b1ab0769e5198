"""`joust draw`: a board as text in colours, or as a picture."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from games.registry import find_room, game_names
from gridjoust.commands.arguments import read_text
from runner.wire.errors import ConfigError

ROOM = "pictures"  # module of a game with `deal`, `read`, `rows` and `picture`


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
    pictures = find_room(game, ROOM)
    if pictures is None:
        drawn = [name for name in game_names() if find_room(name, ROOM) is not None]
        raise ConfigError(f"draw: expected {' or '.join(drawn)}, got {game!r}")
    shown = pictures.deal(seed) if file is None else _position_of(file, position, pictures)
    try:
        picture = pictures.picture(shown, moves or "")
    except ValueError as error:
        raise ConfigError(f"--moves: {error}") from None
    if svg is not None:
        svg.write_text(picture, encoding="utf-8")
        print(f"drawn: {svg}")
        return
    console = Console(highlight=False)
    for row in pictures.rows(shown):
        console.print(Text.assemble(*row))


def _position_of(file: Path, name: str | None, pictures: ModuleType) -> object:
    try:
        positions: dict[str, object] = pictures.read(read_text(file))
    except ValueError as error:
        raise ConfigError(f"{file}: {error}") from None
    if name is None and positions:
        return next(iter(positions.values()))
    if name is None or name not in positions:
        raise ConfigError(f"--id: expected one of {', '.join(list(positions)[:8])} ..., got {name!r}")
    return positions[name]
