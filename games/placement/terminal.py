"""Play placement in a terminal: draw what the seat sees, and parse short plans."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gridjoust.games.api import IllegalAction, Json
from gridjoust.games.grid import Cell, format_cells
from gridjoust.games.placement.actions import PASS_TEXT, Plan, parse_plan
from gridjoust.games.placement.apply import play
from gridjoust.games.placement.ascii import draw_pieces, with_axes
from gridjoust.games.placement.pieces import make_shape
from gridjoust.games.placement.view import read_position

KEYS = (
    "p 1 r90 7,3 lays piece 1, turned clockwise, with the top left of its box at column 7, row 3 (m mirrors first); "
    "w een walks; b 1 7,3 lays a piece as a wall; a turn is several of them, parted by ; and nothing at all passes"
)


def draw(view: Mapping[str, Json], briefing: Mapping[str, Json]) -> str:
    """Draw the board with column and row numbers, then the seat's pieces.

    `@` is the seat itself, digits are the others. `.` Floor, `_` Void, `#` Wall, `x` the seat's own goals, `a` the
    goals of seat 0, `b` those of seat 1, and so on.
    """
    seat, (width, height) = view["seat"], briefing["size"]
    signs = {Cell(x, y): sign for y, row in enumerate(view["board"]) for x, sign in enumerate(row) if sign != " "}
    for owner, goals in enumerate(view["missing"]):
        if owner != seat:
            signs |= {Cell(*goal): "abcd"[owner] for goal in goals}
    signs |= {Cell(*goal): "x" for goal in view["missing"][seat]}
    signs |= {Cell(*place): str(owner) for owner, place in enumerate(view["positions"])}
    signs[Cell(*view["positions"][seat])] = "@"
    numbers = f"game round {view['game_round']}   {view['moves']} steps a turn"
    hand = [make_shape(cells) for cells in view["hands"][seat]]
    drawing = with_axes(format_cells(width, height, signs, empty="_"))
    return "\n".join([drawing, numbers, *([draw_pieces(hand)] if hand else [])])


def parse(line: str, view: Mapping[str, Json], legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """Convert a typed plan to the text of the action; ValueError says what is unclear or which part is impossible."""
    plan = parse_typed(line)
    try:
        # a view does not say whether pieces may be mirrored or become barriers
        play(read_position(view, view["seat"], reflect=True, smallest=(make_shape([(0, 0)]),)), plan)
    except IllegalAction as error:
        raise ValueError(str(error)) from None
    return str(plan)


def parse_typed(text: str) -> Plan:
    """Parse a plan as people type it: short words, any case and spacing; ValueError as in `parse_plan`.

    `p 1 r90 7,3; w een` is `place 1 r90 @7,3; walk E E N`; an empty text, or `-`, is `pass`.

    >>> str(parse_typed("P1 R270 @4 5, w nne"))
    'place 1 r270 @4,5; walk N N E'
    """
    text = text.strip().lower()
    if text in ("", "-", "p", PASS_TEXT):
        return parse_plan(PASS_TEXT)
    parts = [part.strip() for part in re.split(r"[;]|,(?=\s*[a-z])", text) if part.strip()]
    return parse_plan("; ".join(_canonical_part(part) for part in parts))


def _canonical_part(text: str) -> str:
    if walk := re.fullmatch(r"w(?:alk)?\s*([nesw\s]+)", text):
        return " ".join(["walk", *walk[1].replace(" ", "").upper()])
    pattern = r"(p(?:lace)?|b(?:ar)?)\s*(\d)(\s*m)?(?:\s*r\s*(0|90|180|270))?\s*@?\s*(\d{1,2})\s*[, ]\s*(\d{1,2})"
    if place := re.fullmatch(pattern, text):
        verb, piece, mirror, turn, x, y = place.groups()
        laid = "bar" if verb.startswith("b") else "place"
        way = f"{' m' if mirror else ''}{f' r{turn}' if turn not in (None, '0') else ''}"
        return f"{laid} {piece}{way} @{int(x)},{int(y)}"
    return text
