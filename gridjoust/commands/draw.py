"""`joust draw`: draw a start position, or a position of a file, in the terminal or as a picture."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from gridjoust import games
from gridjoust.commands.shared.arguments import mistakes_of, read_text, require_pictures
from gridjoust.commands.shared.bot_argument import parse_pair
from gridjoust.drawing.find import draw_state
from gridjoust.drawing.terminal import board_text
from gridjoust.games import find_room
from gridjoust.games.api import AnyGame
from gridjoust.games.drawing import Drawing
from gridjoust.games.svg import write_svg
from gridjoust.runner.wire.errors import ConfigError

PICTURES = "pictures"  # module of a game with `deal`, `read`, `rows` and `picture`


def draw(
    game: Annotated[str, typer.Argument(help="The game; `joust games` lists them.")],
    file: Annotated[
        Path | None, typer.Argument(help="ricochet: a file of positions (JSON); default: a start position.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the start position.")] = 0,
    param: Annotated[list[str] | None, typer.Option(help="A parameter of the game, name=value.")] = None,
    seats: Annotated[int | None, typer.Option(help="Number of seats; default: the game's minimum.")] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Draw only what this seat may know; default: everything.")
    ] = None,
    position: Annotated[
        str | None, typer.Option("--id", help="ricochet: id of the position in the file; default: the first.")
    ] = None,
    moves: Annotated[str | None, typer.Option(help="ricochet: moves to draw: 'red N, blue E'.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Write an SVG picture instead.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write a PNG picture of a start position instead.")] = None,
    width: Annotated[int, typer.Option(min=100, max=8000, help="With --png: width in pixels.")] = 640,
) -> None:
    """Draw a board in the terminal, or as SVG or PNG for a report."""
    with mistakes_of("draw"):
        made = games.make(game, dict(parse_pair("--param", text) for text in param or []), seats=seats)
    given = {"FILE": file, "--id": position, "--moves": moves}
    if all(value is None for value in given.values()):
        drawing = _draw_deal(made, seed, seat=seat)
        if png is not None:
            _write_png(png, drawing, width)
        if svg is not None:
            _write(svg, write_svg(drawing))
        if svg is None and png is None:
            Console(highlight=False).print(board_text(drawing), soft_wrap=True)
        return
    if png is not None:
        raise ConfigError("--png draws only start positions: use --svg with FILE, --id or --moves")
    pictures = find_room(game, PICTURES)
    if pictures is None or param or seats is not None or seat is not None:
        foreign = next(name for name, value in given.items() if value is not None)
        expected = " or ".join(name for name in games.game_names() if find_room(name, PICTURES) is not None)
        raise ConfigError(f"{foreign} works only with {expected}, without parameters, seats and seat")
    _draw_position(pictures, file, position, seed=seed, moves=moves or "", svg=svg)


def _draw_deal(game: AnyGame, seed: int, *, seat: int | None) -> Drawing:
    if seat is not None and seat >= game.seats:
        raise ConfigError(f"--seat: expected 0 to {game.seats - 1}, got {seat}")
    with mistakes_of("draw"):
        return draw_state(game, game.initial_state(seed), past=[], seat=seat)


def _write_png(path: Path, drawing: Drawing, width_px: int) -> None:
    require_pictures("--png")
    from gridjoust.drawing.pixels import paint

    paint(drawing, width_px=width_px).save(path, "PNG")
    print(f"drawn: {path}")


def _draw_position(
    pictures: ModuleType, file: Path | None, name: str | None, *, seed: int, moves: str, svg: Path | None
) -> None:
    shown = pictures.deal(seed) if file is None else _position_of(file, name, pictures)
    with mistakes_of("--moves"):
        picture = pictures.picture(shown, moves)
    if svg is not None:
        _write(svg, picture)
        return
    console = Console(highlight=False)
    for row in pictures.rows(shown, moves):
        console.print(Text.assemble(*row))


def _write(path: Path, picture: str) -> None:
    path.write_text(picture, encoding="utf-8")
    print(f"drawn: {path}")


def _position_of(file: Path, name: str | None, pictures: ModuleType) -> object:
    with mistakes_of(str(file)):
        positions: dict[str, object] = pictures.read(read_text(file))
    if name is None and positions:
        return next(iter(positions.values()))
    if name is None or name not in positions:
        raise ConfigError(f"--id: expected one of {', '.join(list(positions)[:8])} ..., got {name!r}")
    return positions[name]
