"""Play bomber in a terminal: draw what the seat sees, and parse keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridjoust.games.api import Json
from gridjoust.games.bomber.actions import Action
from gridjoust.games.grid import Cell, format_cells

KEYS = "w a s d move, b bomb, Enter or . wait"

_ACTIONS = {
    "w": Action.UP,
    "a": Action.LEFT,
    "s": Action.DOWN,
    "d": Action.RIGHT,
    "b": Action.BOMB,
    ".": Action.WAIT,
    "": Action.WAIT,
}
_SIGNS = {"metal": "#", "soft": "s", "ore": "o", "ammo_tokens": "a", "treasure": "t", "bombs": "!"}


def draw(view: Mapping[str, Json], briefing: Mapping[str, Json]) -> str:  # noqa: ARG001 - same for every game
    """Draw the board as the seat sees it, with one line of numbers below.

    `@` is the seat itself, digits are the others. `#` metal, `s` soft, `o` ore, `a` ammo, `t` treasure, `!` bomb,
    `*` fire (if it is visible).
    """
    signs = {Cell(*place): sign for kind, sign in _SIGNS.items() for place in view[kind]}
    signs |= {Cell(x, y): "*" for x, y, _ in view.get("fire", ())}
    signs |= {Cell(*other["position"]): str(other["seat"]) for other in view["opponents"]}
    signs[Cell(*view["position"])] = "@"
    width, height = view["size"]
    numbers = f"tick {view['tick']}   HP {view['hp']}   ammo {view['ammo']}   score {view['score']}"
    return f"{format_cells(width, height, signs)}\n{numbers}"


def parse(line: str, view: Mapping[str, Json], legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """Convert a key, or the text of an action, to the text of the action; ValueError lists the keys."""
    word = line.strip().lower()
    try:
        return str(_ACTIONS.get(word) or Action(word))
    except ValueError:
        raise ValueError(f"expected {KEYS}, got {line.strip()!r}") from None
