"""Draw situations of eidolon: the tiles in play, and what stands on them; nothing on the board is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridjoust.games.api import Seat
from gridjoust.games.drawing import (
    SEATS,
    Beside,
    Circle,
    Drawing,
    Icon,
    Ink,
    Layer,
    Line,
    Point,
    Rect,
    Shape,
    Sign,
    Standing,
    Text,
    ground,
    signs,
)
from gridjoust.games.drawing import side_of as edge
from gridjoust.games.eidolon.dungeon import Placed
from gridjoust.games.eidolon.rules import Eidolon
from gridjoust.games.eidolon.state import State
from gridjoust.games.eidolon.tiles import SEALS, TILES, Kind
from gridjoust.games.grid import DIRECTIONS, Cell

_COLOURS = (Ink.RED, Ink.GREEN, Ink.BLUE)  # in the order of gridjoust.games.eidolon.tiles.Colour
_INSET, _FRAME, _DOOR, _WALL = 0.07, 0.02, 0.4, 0.06
_HERO = 0.26  # radius in cells of a hero who stands alone
_NAMES = {Kind.START: "V", Kind.END: "E"}


def draw(game: Eidolon, state: State, past: Sequence[State] = (), *, seat: Seat | None = None) -> Drawing:  # noqa: ARG001 - no trails, no secrets
    """Draw tiles with their doors, tokens, seals, the Fire, cultists and heroes."""
    cells = list(state.dungeon.at)
    left, top = min(cell.x for cell in cells), min(cell.y for cell in cells)
    moved = {cell: Cell(cell.x - left, cell.y - top) for cell in cells}
    tiles = [shape for cell, placed in state.dungeon.at.items() for shape in _tile(state, placed, moved[cell])]
    things = [shape for cell, placed in state.dungeon.at.items() for shape in _things(state, placed, moved[cell])]
    heroes = [shape for cell, here in moved.items() for shape in _heroes(state, cell, here)]
    width, height = (max(axis) + 1 for axis in zip(*moved.values(), strict=True))
    return Drawing(
        title=f"eidolon, round {state.game_round}, threat {state.threat} of {len(game.rules.track)}",
        width=width,
        height=height,
        layers=(
            ground(width, height, Ink.FOG),
            Layer("tiles", tuple(tiles)),
            Layer("things", tuple(things)),
            Layer("heroes", tuple(heroes)),
        ),
        seats=tuple(_standing(game, state, number) for number in range(len(state.heroes))),
        legend=(
            Beside(signs([(0, 0)], Sign.DIAMOND, Ink.RED)[0], "token"),
            Beside(signs([(0, 0)], Sign.HEXAGON, Ink.RED)[0], "seal"),
            Beside(signs([(0, 0)], Sign.FLAME, Ink.FIRE)[0], "the Fire"),
            Beside(signs([(0, 0)], Sign.STAR, Ink.VIOLET)[0], "passage"),
            Beside(signs([(0, 0)], Sign.SKULL, Ink.WALL)[0], "cultist"),
            Beside(Text(0.5, 0.5, "V", Ink.TEXT, 0.8), "Vestibule"),
            Beside(Text(0.5, 0.5, "E", Ink.TEXT, 0.8), "End"),
        ),
    )


def _tile(state: State, placed: Placed, here: Cell) -> Iterable[Shape]:
    for inset, ink in ((_INSET - _FRAME, Ink.SOFT), (_INSET, Ink.FLOOR)):
        side = 1 - 2 * inset
        yield Rect(here.x + inset, here.y + inset, side, side, ink, 0.08)
    for direction in DIRECTIONS:
        one, other = edge(here, direction.value)
        if not state.dungeon.has_door(placed.cell, direction):
            yield Line((one, other), Ink.WALL, _WALL)
        elif state.dungeon.is_blocked(placed.cell, direction):
            yield Line((one, other), Ink.RED, 2 * _WALL)
        else:
            door = (_between(one, other, 0.5 - _DOOR / 2), _between(one, other, 0.5 + _DOOR / 2))
            yield Line(door, Ink.FLOOR, 2 * _INSET + 2 * _FRAME)


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def _things(state: State, placed: Placed, here: Cell) -> Iterable[Shape]:
    tile = TILES[placed.tile]
    x, y = here.x + 0.5, here.y + 0.34
    if tile.kind is Kind.FIRE and state.carrier is None:
        yield Icon(x, y, Sign.FLAME, Ink.FIRE, 0.45)
    elif tile.kind is Kind.PASSAGE:
        yield Icon(x, y, Sign.STAR, Ink.VIOLET, 0.4)
    elif tile.colour is not None and placed.tile in SEALS and not state.broken >> tile.colour & 1:
        yield Icon(x, y, Sign.HEXAGON, _COLOURS[tile.colour], 0.48)
    elif tile.colour is not None and placed.tile not in SEALS and state.tokens >> placed.tile & 1:
        yield Icon(x, y, Sign.DIAMOND, _COLOURS[tile.colour], 0.36)
    elif tile.kind in _NAMES:
        yield Text(x, y, _NAMES[tile.kind], Ink.TEXT, 0.36)
    if state.cultists >> placed.tile & 1:
        yield Icon(here.x + 0.76, here.y + 0.3, Sign.SKULL, Ink.WALL, 0.26)


def _heroes(state: State, cell: Cell, here: Cell) -> Iterable[Shape]:
    standing = [seat for seat, hero in enumerate(state.heroes) if hero.cell == cell]
    for at, seat in enumerate(standing):
        radius = min(_HERO, 0.48 / len(standing))
        x, y = here.x + 0.5 + 2 * radius * (at - (len(standing) - 1) / 2), here.y + 0.7
        if state.carrier == seat:  # around the hero, who stands in the flame
            yield Icon(x, y - 0.06, Sign.FLAME, Ink.FIRE, 3 * radius)
        yield Circle(x, y, radius, SEATS[seat])
        yield Text(x, y, str(seat), Ink.FLOOR, 1.4 * radius)


def _standing(game: Eidolon, state: State, seat: Seat) -> Standing:
    hero = state.heroes[seat]
    held = zip(hero.tokens, ("red", "green", "blue"), strict=True)
    in_turn = f"in turn, {state.ap_left} AP left" if seat == state.active else ""
    notes = ("has the Fire" if state.carrier == seat else "", in_turn)
    return Standing(
        seat=seat,
        shape=Circle(0.5, 0.5, 0.38, SEATS[seat]),
        role=game.rules.heroes[seat],
        lives="lost" if hero.cell is None else "",
        resources=tuple(f"{count} {name}" for count, name in held if count),
        note=", ".join(filter(None, notes)),
        is_out=hero.cell is None,
    )
