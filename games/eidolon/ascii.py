"""Draw views of eidolon as text.

A tile is a box of seven by three signs. A gap in its frame is a door, `x` a barrier. Inside is what lies there (`r`,
`g`, `b` a token, `R`, `G`, `B` a seal, `F` the Fire, `X`, `Y` the passages, `E` the End, `V` the Vestibule), then `c`
for a cultist or `*` for a step of a planned path, then the heroes by seat.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gridjoust.games.eidolon.tiles import NUMBERS, SEALS, TILES, Kind
from gridjoust.games.grid import Cell, Direction, format_cells, parse_direction

WIDTH, HEIGHT = 7, 3
NARROW = 3  # heroes that fit beside the other signs in a tile
_DOORS: Mapping[Direction, tuple[int, int]] = {
    Direction.N: (3, 0),
    Direction.E: (6, 1),
    Direction.S: (3, 2),
    Direction.W: (0, 1),
}
_FRAME = ("+-----+", "|     |", "+-----+")
_SIGNS: Mapping[Kind, str] = {Kind.START: "V", Kind.FIRE: "F", Kind.END: "E"}


def draw_dungeon(view: Mapping[str, Any], cells: Collection[Cell] = ()) -> str:
    """Draw an observation or a public view: tiles, heroes and the state of the match; mark `cells` with `*`."""
    return "\n".join([draw_board(view, path=cells), *_status(view)])


def draw_board(view: Mapping[str, Any], *, path: Collection[Cell] = ()) -> str:
    """Draw the tiles without any lines below."""
    places = [Cell(*tile["at"]) for tile in view["tiles"]]
    left, top = min(cell.x for cell in places), min(cell.y for cell in places)
    signs: dict[Cell, str] = {}
    for tile, cell in zip(view["tiles"], places, strict=True):
        corner = Cell((cell.x - left) * WIDTH, (cell.y - top) * HEIGHT)
        rows = _rows(view, tile, is_on_path=cell in path)
        signs |= {Cell(corner.x + x, corner.y + y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    columns, lines = (max(axis) + 1 for axis in zip(*signs, strict=True))
    return "\n".join(line.rstrip() for line in format_cells(columns, lines, signs, empty=" ").split("\n"))


def _rows(view: Mapping[str, Any], tile: Mapping[str, Any], *, is_on_path: bool) -> list[list[str]]:
    rows = [list(row) for row in _FRAME]
    cell = Cell(*tile["at"])
    for direction, (x, y) in _DOORS.items():
        if direction.name in tile["doors"]:
            rows[y][x] = " "
        if _is_blocked(view, cell, direction):
            rows[y][x] = "x"
    here = "".join(str(seat) for seat, hero in enumerate(view["heroes"]) if hero["at"] == tile["at"])
    things = (_thing(tile, view["broken"]), "c" if tile["cultists"] else "*" if is_on_path else " ")
    inside = here.ljust(5) if len(here) > NARROW else "".join(things) + here.ljust(NARROW)
    rows[1][1:6] = inside[:5]
    return rows


def _is_blocked(view: Mapping[str, Any], cell: Cell, direction: Direction) -> bool:
    barriers = {(Cell(x, y), parse_direction(side)) for x, y, side in view["barriers"]}
    return (cell, direction) in barriers or (cell.step(direction), direction.opposite) in barriers


def _thing(tile: Mapping[str, Any], broken: str) -> str:
    number = NUMBERS[tile["tile"]]
    kind, colour = TILES[number].kind, TILES[number].colour
    if kind is Kind.PASSAGE:
        return str(tile["tile"])[-1].upper()
    if colour is None:
        return _SIGNS[kind]
    if number in SEALS:
        return " " if colour.sign in broken else colour.sign.upper()
    return colour.sign if tile["token"] else " "


def _status(view: Mapping[str, Any]) -> list[str]:
    lines = []
    for seat, hero in enumerate(view["heroes"]):
        held = " ".join(f"{sign}{count}" for sign, count in zip("rgb", hero["tokens"], strict=True))
        place = "lost" if hero["at"] is None else "at {},{}".format(*hero["at"])
        turn = f", its turn, {view['ap_left']} AP left" if seat == view["active"] else ""
        fire = ", has the Fire" if seat == view["carrier"] else ""
        lines.append(f"{seat} {hero['hero']} {place}: {held}, {hero['ap_spent']} AP spent{turn}{fire}")
    spent = sum(hero["ap_spent"] for hero in view["heroes"])
    broken = view["broken"] or "none"
    lines.append(f"round {view['game_round']}, cost so far {spent} AP, seals broken: {broken}")
    if view["void"] or view["threat"]:
        lines.append(f"threat {view['threat']}, tiles lost: {view['tiles_lost']}")
    if view["stack"]:
        lines.append(f"tiles to explore: {len(view['stack'])}")
    return lines
