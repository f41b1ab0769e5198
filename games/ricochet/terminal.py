"""How a person plays ricochet in a terminal: the board drawn, bids and moves in a few keys. Pure text both ways."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from games.api import Json
from games.grid import Cell
from games.ricochet.ascii import parse_board
from games.ricochet.board import ANY, COLOURS, Board, Colour, Symbol, Target
from games.ricochet.draw import draw_text

KEYS = "a number bids, rE bN ... solves (r g b y s and N E S W), p passes"

_ROBOTS = {colour.value: str(colour) for colour in COLOURS}
_MOVE = re.compile(r"([rgbys])\s*([nesw])", re.IGNORECASE)


def draw(view: Mapping[str, Json], briefing: Mapping[str, Json]) -> str:
    """The board with robots and target, then who has bid what and what is asked."""
    target = view["target"]
    colour = None if target["colour"] == ANY else Colour[target["colour"].upper()]
    wanted = Target(Cell(*target["cell"]), colour, Symbol[target["symbol"].upper()])
    robots = tuple(Cell(*view["robots"][str(colour)]) for colour in COLOURS if str(colour) in view["robots"])
    lines = [draw_text(_board(view.get("board") or briefing["board"]), robots, wanted)]
    lines.append(f"{view['phase']}: bring {target['colour']} to {target['colour']} {target['symbol']}")
    if "bids" in view:
        bids = ", ".join(f"seat {seat}: {bid or '-'}" for seat, bid in enumerate(view["bids"]))
        lines.append(f"round {view['round']}   chips {view['chips']}   bids {bids}")
    return "\n".join(lines)


def parse(line: str, view: Mapping[str, Json], legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """Keys, or an action's own text -> action text; ValueError names the keys."""
    word = line.strip()
    if word.isdecimal():
        return f"bid {int(word)}"
    if word in ("p", "pass"):
        return "pass"
    if word.startswith(("bid ", "solve ")):
        return word
    moves = _MOVE.findall(word)
    if not moves or _MOVE.sub("", word).strip(" ,"):
        raise ValueError(f"expected {KEYS}, got {word!r}")
    return "solve " + ", ".join(f"{_ROBOTS[robot.lower()]} {heading.upper()}" for robot, heading in moves)


@lru_cache(maxsize=8)
def _board(text: str) -> Board:
    return parse_board(text)[0]
