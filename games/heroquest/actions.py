"""The actions of heroquest and their one-line texts.

| text | who | meaning |
|---|---|---|
| `move E E S` | hero | walk; the hero is asked again where something new appears |
| `open E` | hero | open the door on that side; it costs nothing |
| `attack E`, `attack NE` | hero | with the weapon in hand; diagonally with staff or longsword |
| `shoot 7,3` | hero | with a crossbow |
| `cast sleep 7,3`, `cast genie 4,2\\|5,2` | hero | at a figure, or send the genie to a door |
| `search treasure`, `search traps`, `search doors` | hero | |
| `disarm E`, `jump E` | hero | a trap that has been found |
| `move 4 W W S`, `attack 4 W` | Zargon | monster number 4 |
| `end` | both | end the turn |
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gridjoust.games.grammar import Field, Grammar
from gridjoust.games.grid import Direction
from gridjoust.games.heroquest.catalogue import SPELLS
from gridjoust.games.heroquest.sight.board import Edge, Square, make_edge

SEARCHES = ("treasure", "traps", "doors")
MAX_STEPS = 24  # two dice, doubled by swift wind
COMPASS: dict[str, tuple[int, int]] = {
    "N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1),
    "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1),
}  # fmt: skip


class Act:
    """Base class of everything that a figure can do in its turn; `str` gives the text of the action."""

    __slots__ = ()

    def __str__(self) -> str:
        return _GRAMMAR.format(self)


@dataclass(frozen=True, slots=True)
class Move(Act):
    """Walk with the acting hero or with a monster."""

    steps: tuple[Direction, ...]
    monster: int | None = None


@dataclass(frozen=True, slots=True)
class Attack(Act):
    """Attack a neighbouring square; `side` is a key of COMPASS."""

    side: str
    monster: int | None = None


@dataclass(frozen=True, slots=True)
class Open(Act):
    """Open a door."""

    side: Direction


@dataclass(frozen=True, slots=True)
class Shoot(Act):
    """Shoot at a square with a crossbow."""

    target: Square


@dataclass(frozen=True, slots=True)
class Cast(Act):
    """Cast a spell at a square or at a door."""

    spell: str
    target: Square | Edge


@dataclass(frozen=True, slots=True)
class Search(Act):
    """Search for treasure, traps or doors."""

    what: str


@dataclass(frozen=True, slots=True)
class Disarm(Act):
    """Disarm a trap on a neighbouring square."""

    side: Direction


@dataclass(frozen=True, slots=True)
class Jump(Act):
    """Jump over a trap on a neighbouring square."""

    side: Direction


@dataclass(frozen=True, slots=True)
class End(Act):
    """End the turn."""


Action = Move | Attack | Open | Shoot | Cast | Search | Disarm | Jump | End


def _parse_target(text: str) -> Square | Edge:
    """Return the square in the text, or the edge between two squares; ValueError if the two do not touch."""
    squares = [(int(x), int(y)) for x, y in re.findall("([0-9]+),([0-9]+)", text)]
    return squares[0] if len(squares) == 1 else make_edge(*squares)


def _format_target(target: Square | Edge) -> str:
    squares = [target] if isinstance(target[0], int) else target
    return "|".join("{},{}".format(*square) for square in squares)


_NUMBER = "(?:0|[1-9][0-9]{0,3})"
_SQUARE = f"{_NUMBER},{_NUMBER}"
_FORMS: dict[type[Act], str] = {
    End: "end",
    Move: "move{monster} {steps}",
    Attack: "attack{monster} {side:compass}",
    Open: "open {side}",
    Disarm: "disarm {side}",
    Jump: "jump {side}",
    Shoot: "shoot {target:square}",
    Search: "search {what}",
    Cast: "cast {spell} {target}",
}
_FIELDS = {
    "monster": Field(_NUMBER, int).optional(),
    "steps": Field(
        f"[NESW](?: [NESW]){{0,{MAX_STEPS - 1}}}",
        lambda text: tuple(Direction[name] for name in text.split()),
        lambda steps: " ".join([step.name for step in steps]),
    ),
    "compass": Field("|".join(COMPASS), str),
    "side": Field("[NESW]", lambda name: Direction[name], lambda side: side.name),
    "square": Field(_SQUARE, _parse_target, _format_target),
    "target": Field(rf"{_SQUARE}(?:\|{_SQUARE})?", _parse_target, _format_target),
    "what": Field("|".join(SEARCHES), str),
    "spell": Field("|".join(SPELLS), str),
}
_GRAMMAR = Grammar(_FORMS, _FIELDS)


def parse_action(text: str) -> Action:
    """Parse the canonical text of an action; ValueError for any other text."""
    try:
        action: Action | None = _GRAMMAR.parse(text)
    except ValueError:
        action = None
    if action is None or str(action) != text:
        raise ValueError(f"expected an action such as 'move E E S', 'attack E' or 'end', got {text!r:.80}")
    return action
