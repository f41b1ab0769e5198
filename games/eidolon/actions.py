"""The actions of a seat: an act and optional words for its team-mates, with their texts.

A text is one line in exactly one form: `move N`, `explore N 90 stay`, `trade 2 give r1 take b2`,
`grab say "mine is the red"`. Cells are written `@x,y`, counted from the Vestibule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gridjoust.games.eidolon.tiles import COLOURS, NUMBERS, TILES, Colour
from gridjoust.games.grammar import Field, Grammar
from gridjoust.games.grid import Cell, Direction, parse_direction

Tokens = tuple[int, int, int]  # red, green, blue
NO_TOKENS: Tokens = (0, 0, 0)
WORDS_LIMIT = 80  # characters in one message


def tokens_of(colour: Colour, count: int) -> Tokens:
    """Return that many tokens of one colour."""
    red, green, blue = (count if own is colour else 0 for own in COLOURS)
    return red, green, blue


class Act:
    """Base class of everything that a hero can do in its turn or in a ritual; `str` gives its text."""

    __slots__ = ()

    def __str__(self) -> str:
        return _GRAMMAR.format(self)


@dataclass(frozen=True, slots=True)
class Move(Act):
    """Move through a doorway to the next tile."""

    direction: Direction


@dataclass(frozen=True, slots=True)
class Explore(Act):
    """Lay a tile drawn from the stack behind a door, turned by `degrees` and then clockwise until a door fits."""

    direction: Direction
    degrees: int = 0
    stay: bool = False  # only the Ranger may stay where it is


@dataclass(frozen=True, slots=True)
class Passage(Act):
    """Move to the other mouth of the Secret Passage."""


@dataclass(frozen=True, slots=True)
class Grab(Act):
    """Take the token that lies on the hero's tile."""


@dataclass(frozen=True, slots=True)
class BreakSeal(Act):
    """Break the seal on this tile."""


@dataclass(frozen=True, slots=True)
class BreakBarrier(Act):
    """Clear the barrier in a doorway of this tile."""

    direction: Direction


@dataclass(frozen=True, slots=True)
class TakeFire(Act):
    """Take the Fire of Eidolon."""


@dataclass(frozen=True, slots=True)
class Trade(Act):
    """Exchange tokens with a hero on the same tile."""

    seat: int
    give: Tokens = NO_TOKENS
    take: Tokens = NO_TOKENS


@dataclass(frozen=True, slots=True)
class Attack(Act):
    """Remove a cultist: here, on a neighbouring tile (Warrior) or anywhere (Paladin)."""

    target: Direction | Cell | None = None


@dataclass(frozen=True, slots=True)
class Send(Act):
    """Give one token to a hero anywhere (Wizard)."""

    colour: Colour
    seat: int


@dataclass(frozen=True, slots=True)
class Redirect(Act):
    """Put the cultist that a ritual brings on another tile (only the Sage, in the ritual after its own turn)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Dive(Act):
    """Leave a tile that is being lost, through a doorway; the hero then lies on the next tile."""

    direction: Direction


@dataclass(frozen=True, slots=True)
class Wait(Act):
    """Give up the remaining AP; in a ritual, leave the cultist where it was drawn."""


@dataclass(frozen=True, slots=True)
class Rush(Act):
    """Use the Warrior's master skill: up to three moves with a free attack after each."""

    directions: tuple[Direction, ...]


@dataclass(frozen=True, slots=True)
class Surge(Act):
    """Use the Rogue's master skill: six AP this turn, and moves through solid walls."""


@dataclass(frozen=True, slots=True)
class Strike(Act):
    """Use the Paladin's master skill (attack there and on the four cells around) or the Wizard's (teleport there)."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Fetch(Act):
    """Use the Ranger's master skill: give the token of any tile to any hero."""

    cell: Cell
    seat: int


@dataclass(frozen=True, slots=True)
class Restore(Act):
    """Use the Sage's master skill: bring a tile back from the Void."""

    tile: int
    cell: Cell
    degrees: int = 0


MASTER_SKILLS = (Rush, Surge, Strike, Fetch, Restore)


@dataclass(frozen=True, slots=True)
class Action:
    """An act with words for the team-mates; "" = no words."""

    act: Act
    words: str = ""

    def __str__(self) -> str:
        return f'{self.act} say "{self.words}"' if self.words else str(self.act)


def _parse_tokens(text: str) -> Tokens:
    counts = dict(re.findall("([rgb])([0-9]+)", text))
    red, green, blue = (int(counts.get(colour.sign, 0)) for colour in COLOURS)
    return red, green, blue


def _format_tokens(tokens: Tokens) -> str:
    return " ".join(f"{colour.sign}{tokens[colour]}" for colour in COLOURS if tokens[colour])


def _parse_place(text: str) -> Direction | Cell:
    return Cell(*map(int, text[1:].split(","))) if "@" in text else parse_direction(text)


def _format_place(place: Direction | Cell) -> str:
    return f"@{place.x},{place.y}" if isinstance(place, Cell) else str(place)


def _parse_tile(name: str) -> int:
    if name not in NUMBERS:
        raise ValueError(f"expected the name of a tile, got {name!r}")
    return NUMBERS[name]


_CELL = "@-?[0-9]{1,3},-?[0-9]{1,3}"
_SOME = Field("(?:r[0-9]{1,2} ?)?(?:g[0-9]{1,2} ?)?(?:b[0-9]{1,2})?", _parse_tokens, _format_tokens)
_FIELDS = {
    "direction": Field("[NESW]", parse_direction),
    "directions": Field(
        "(?:[NESW] ?){1,3}", lambda text: tuple(map(parse_direction, text.split())), lambda way: " ".join(map(str, way))
    ),
    "degrees": Field("90|180|270", int).optional(0),
    "stay": Field("stay", bool, lambda _: "stay").optional(default=False),
    "seat": Field("[0-5]", int),
    "give": _SOME.optional(NO_TOKENS, prefix=" give "),
    "take": _SOME.optional(NO_TOKENS, prefix=" take "),
    "target": Field(f"[NESW]|{_CELL}", _parse_place, _format_place).optional(),
    "colour": Field("[rgb]", lambda sign: Colour("rgb".index(sign)), lambda colour: colour.sign),
    "cell": Field(_CELL, _parse_place, _format_place),
    "tile": Field("[a-z_]+", _parse_tile, lambda tile: TILES[tile].name),
}
_FORMS: dict[type[Act], str] = {
    Move: "move {direction}",
    Explore: "explore {direction}{degrees}{stay}",
    Passage: "passage",
    Grab: "grab",
    BreakSeal: "break",
    BreakBarrier: "break {direction}",
    TakeFire: "fire",
    Trade: "trade {seat}{give}{take}",
    Attack: "attack{target}",
    Send: "send {colour} {seat}",
    Redirect: "redirect {cell}",
    Dive: "dive {direction}",
    Wait: "wait",
    Surge: "master",
    Rush: "master {directions}",
    Strike: "master {cell}",
    Fetch: "master {cell} {seat}",
    Restore: "master {tile} {cell}{degrees}",
}
_GRAMMAR = Grammar(_FORMS, _FIELDS)
_SAYING = re.compile(r'(.*?)(?: say "([^"]*)")?')


def parse_action(text: str) -> Action:
    """Parse the text of an action in its only form; ValueError for any other text."""
    split = _SAYING.fullmatch(text) if len(text) <= 200 else None
    act = _GRAMMAR.parse(split[1]) if split else None
    if split is None or act is None:
        raise ValueError(f"expected an action of eidolon, got {(split[1] if split else text)[:60]!r}")
    if isinstance(act, Trade) and not any(act.give) and not any(act.take):
        raise ValueError(f"expected tokens to give or take, got {split[1]!r}")
    action = Action(act, _checked_words(split[2]))
    if str(action) != text:
        raise ValueError(f"expected {str(action)!r}, got {text!r}")
    return action


def _checked_words(words: str | None) -> str:
    if words is None:
        return ""
    if not 1 <= len(words) <= WORDS_LIMIT or not words.isprintable():
        raise ValueError(f"say: expected 1 to {WORDS_LIMIT} printable characters, got {words[:90]!r}")
    return words
