"""Situations of ricochet as drawings; nothing is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.drawing import Beside, Circle, Drawing, Icon, Ink, Layer, Line, Rect, Shape, Sign, Text, figure, fill, grid
from games.drawing import side_of as edge
from games.grid import DIRECTIONS
from games.ricochet.board import COLOURS, Colour, Symbol, Target
from games.ricochet.rules import Ricochet
from games.ricochet.state import State
from games.ricochet.terminal import ROBOT_SIGNS, is_wall

INKS = {
    Colour.RED: Ink.RED,
    Colour.GREEN: Ink.GREEN,
    Colour.BLUE: Ink.BLUE,
    Colour.YELLOW: Ink.YELLOW,
    Colour.SILVER: Ink.SILVER,
    None: Ink.VIOLET,
}
_SIGNS = {Symbol.TRIANGLE: Sign.TRIANGLE, Symbol.SQUARE: Sign.SQUARE, Symbol.HEXAGON: Sign.HEXAGON}
_WALL = 0.14


def draw(game: Ricochet, state: State, past: Sequence[State] = ()) -> Drawing:  # noqa: ARG001 - nothing leaves a trail
    """The board with its walls, the robots, the targets, the present one larger and in a ring."""
    position = state.position
    board, target = position.board, position.target
    targets = [one for one in dict.fromkeys((*board.targets, target)) if one is not None]
    wanted = Circle(target.cell.x + 0.5, target.cell.y + 0.5, 0.45, INKS[target.colour], is_hollow=True)
    walls = (
        Line(edge(cell, side.value), Ink.WALL, _WALL)
        for cell in board.cells()
        for side in DIRECTIONS
        if is_wall(board, cell, side)
    )
    diagonals = (
        Line(((cell.x, cell.y + one.rising), (cell.x + 1, cell.y + (not one.rising))), INKS[one.colour], _WALL)
        for cell, one in board.diagonals
    )
    robots = [
        shape
        for colour, cell in zip(COLOURS, position.robots, strict=False)
        for shape in figure(cell, ROBOT_SIGNS[colour], INKS[colour])
    ]
    return Drawing(
        title=f"ricochet: bring {target.colour or 'any robot'} to {target.symbol}",
        width=board.width,
        height=board.height,
        layers=(
            Layer("ground", (Rect(0, 0, board.width, board.height, Ink.FLOOR),)),
            grid(board.width, board.height),
            Layer("blocked", fill(board.blocked, Ink.SOFT)),
            Layer("targets", (*(shape for one in targets for shape in _target(one, is_wanted=one == target)), wanted)),
            Layer("diagonals", tuple(diagonals)),
            Layer("walls", tuple(walls)),
            Layer("robots", tuple(robots)),
        ),
        seats=tuple(_seats(game, state)),
        legend=(
            Beside(figure((0, 0), "", Ink.RED)[0], "robot"),
            Beside(Icon(0.5, 0.5, Sign.TRIANGLE, Ink.RED, 0.6), "target"),
            Beside(Circle(0.5, 0.5, 0.4, INKS[target.colour], is_hollow=True), "wanted now"),
            Beside(Line(((0.1, 0.5), (0.9, 0.5)), Ink.WALL, _WALL), "wall"),
        ),
    )


def _target(shown: Target, *, is_wanted: bool) -> Iterable[Shape]:
    x, y, ink = shown.cell.x + 0.5, shown.cell.y + 0.5, INKS[shown.colour]
    size = 0.62 if is_wanted else 0.4
    if shown.symbol in _SIGNS:
        yield Icon(x, y, _SIGNS[shown.symbol], ink, size)
    else:
        yield Circle(x, y, size / 2, ink, is_hollow=shown.symbol is Symbol.VORTEX)


def _seats(game: Ricochet, state: State) -> Iterable[Beside]:
    for seat, metrics in enumerate(game.metrics(state)):
        told = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in list(metrics.items())[:2])
        yield Beside(Text(0.5, 0.5, str(seat), Ink.TEXT, 0.8), f"seat {seat}: {told}")
