"""Positions as pictures, for `joust draw`: dealt or read from JSON, as rows of coloured text or as SVG."""

from __future__ import annotations

from games.ricochet import svg, terminal
from games.ricochet.actions import parse_moves
from games.ricochet.positions import parse_positions
from games.ricochet.proof import Position
from games.ricochet.rules import Ricochet

_COLOURS = {
    terminal.WALL_COLOUR: "white",
    terminal.GROUND_COLOUR: "bright_black",
    "any": "magenta",
    "silver": "bright_white",
}  # of a terminal; the others bear its names


def deal(seed: int) -> Position:
    """The position that a match of this seed begins with."""
    return Ricochet().initial_state(seed).position


def read(text: str) -> dict[str, Position]:
    """Positions by name; ValueError says what is wrong with the text."""
    return dict(parse_positions(text))


def rows(position: Position) -> list[list[tuple[str, str]]]:
    """Every row as (text, style), a style being a terminal's colour, after `bold` where it matters."""
    return [[(piece.text, _style(piece)) for piece in row] for row in terminal.draw_rows(position)]


def picture(position: Position, moves: str) -> str:
    """As SVG, with the way of moves such as `red N, blue E`; ValueError for moves that cannot be made."""
    return svg.draw_position(position, parse_moves(moves) if moves else ())


def _style(piece: terminal.Piece) -> str:
    colour = _COLOURS.get(piece.colour, piece.colour)
    return f"bold {colour}" if piece.is_bold else colour
