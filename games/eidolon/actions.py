"""What a seat submits: a deed and, if it likes, words for its team-mates; texts to and from them. Judges nothing.

One line, in exactly one form: `move N`, `explore N 90 stay`, `trade 2 give r1 take b2`, `grab say "mine is the red"`.
Cells are written `@x,y`, counted from the Vestibule.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from games.eidolon.tiles import COLOURS, NUMBERS, TILES, Colour
from games.grid import Cell, Direction, parse_direction

Tokens = tuple[int, int, int]  # red, green, blue
NO_TOKENS: Tokens = (0, 0, 0)
WORDS_LIMIT = 80  # characters


def format_cell(cell: Cell) -> str:
    """`@x,y`."""
    return f"@{cell.x},{cell.y}"


def format_tokens(tokens: Tokens) -> str:
    """`r1 b2`: the colours of which there are any."""
    return " ".join(f"{colour.sign}{tokens[colour]}" for colour in COLOURS if tokens[colour])


def tokens_of(colour: Colour, count: int) -> Tokens:
    """So many tokens of one colour."""
    red, green, blue = (count if own is colour else 0 for own in COLOURS)
    return red, green, blue


@dataclass(frozen=True, slots=True)
class Move:
    """Through a doorway to the next tile."""

    direction: Direction

    def __str__(self) -> str:
        return f"move {self.direction}"


@dataclass(frozen=True, slots=True)
class Explore:
    """Lay the top tile of the stack behind a door; it is turned on, clockwise from `degrees`, until it has a door."""

    direction: Direction
    degrees: int = 0
    stay: bool = False  # the Ranger need not enter

    def __str__(self) -> str:
        turned = f" {self.degrees}" if self.degrees else ""
        return f"explore {self.direction}{turned}{' stay' if self.stay else ''}"


@dataclass(frozen=True, slots=True)
class Passage:
    """To the other mouth of the Secret Passage."""

    def __str__(self) -> str:
        return "passage"


@dataclass(frozen=True, slots=True)
class Grab:
    """Take the tile's token."""

    def __str__(self) -> str:
        return "grab"


@dataclass(frozen=True, slots=True)
class BreakSeal:
    """Break the seal on this tile."""

    def __str__(self) -> str:
        return "break"


@dataclass(frozen=True, slots=True)
class BreakBarrier:
    """Clear the barrier in a doorway of this tile."""

    direction: Direction

    def __str__(self) -> str:
        return f"break {self.direction}"


@dataclass(frozen=True, slots=True)
class TakeFire:
    """Take the Fire of Eidolon."""

    def __str__(self) -> str:
        return "fire"


@dataclass(frozen=True, slots=True)
class Trade:
    """Exchange tokens with a hero on the same tile."""

    seat: int
    give: Tokens = NO_TOKENS
    take: Tokens = NO_TOKENS

    def __str__(self) -> str:
        given = f" give {format_tokens(self.give)}" if any(self.give) else ""
        taken = f" take {format_tokens(self.take)}" if any(self.take) else ""
        return f"trade {self.seat}{given}{taken}"


@dataclass(frozen=True, slots=True)
class Attack:
    """Remove a cultist: here, on a neighbour (Warrior) or anywhere (Paladin)."""

    target: Direction | Cell | None = None

    def __str__(self) -> str:
        match self.target:
            case None:
                return "attack"
            case Direction():
                return f"attack {self.target}"
            case _:
                return f"attack {format_cell(self.target)}"


@dataclass(frozen=True, slots=True)
class Send:
    """One token to a hero anywhere (Wizard)."""

    colour: Colour
    seat: int

    def __str__(self) -> str:
        return f"send {self.colour.sign} {self.seat}"


@dataclass(frozen=True, slots=True)
class Redirect:
    """The new cultist goes there instead (Sage, in its own ritual)."""

    cell: Cell

    def __str__(self) -> str:
        return f"redirect {format_cell(self.cell)}"


@dataclass(frozen=True, slots=True)
class Dive:
    """Off a tile that is lost, through a doorway."""

    direction: Direction

    def __str__(self) -> str:
        return f"dive {self.direction}"


@dataclass(frozen=True, slots=True)
class Wait:
    """Give up the AP that are left; in a ritual: let the cultist come where it was drawn."""

    def __str__(self) -> str:
        return "wait"


@dataclass(frozen=True, slots=True)
class Rush:
    """Warrior's master skill: up to three moves, with a free attack after each."""

    directions: tuple[Direction, ...]

    def __str__(self) -> str:
        return f"master {' '.join(map(str, self.directions))}"


@dataclass(frozen=True, slots=True)
class Surge:
    """Rogue's master skill: six AP this turn, and through solid walls."""

    def __str__(self) -> str:
        return "master"


@dataclass(frozen=True, slots=True)
class Strike:
    """Paladin's (attack there and on the four cells around) or Wizard's master skill (teleport there)."""

    cell: Cell

    def __str__(self) -> str:
        return f"master {format_cell(self.cell)}"


@dataclass(frozen=True, slots=True)
class Fetch:
    """Ranger's master skill: the token of any tile, to any hero."""

    cell: Cell
    seat: int

    def __str__(self) -> str:
        return f"master {format_cell(self.cell)} {self.seat}"


@dataclass(frozen=True, slots=True)
class Restore:
    """Sage's master skill: a tile comes back from the Void."""

    tile: int
    cell: Cell
    degrees: int = 0

    def __str__(self) -> str:
        turned = f" {self.degrees}" if self.degrees else ""
        return f"master {TILES[self.tile].name} {format_cell(self.cell)}{turned}"


Deed = (
    Move | Explore | Passage | Grab | BreakSeal | BreakBarrier | TakeFire | Trade | Attack | Send | Redirect | Dive
    | Wait | Rush | Surge | Strike | Fetch | Restore
)  # fmt: skip
MASTER_SKILLS = (Rush, Surge, Strike, Fetch, Restore)


@dataclass(frozen=True, slots=True)
class Action:
    """A deed with words for the team-mates ("" = none)."""

    deed: Deed
    words: str = ""

    def __str__(self) -> str:
        return f'{self.deed} say "{self.words}"' if self.words else str(self.deed)


_Groups = re.Match[str]
_CELL = r"@(-?[0-9]{1,3}),(-?[0-9]{1,3})"
_DEGREES = r"(?: (90|180|270))?"
_TOKENS = r"(?:r([0-9]{1,2}) ?)?(?:g([0-9]{1,2}) ?)?(?:b([0-9]{1,2}))?"


def _tokens(groups: _Groups, first: int) -> Tokens:
    red, green, blue = (int(groups[group] or 0) for group in range(first, first + 3))
    return red, green, blue


def _cell(groups: _Groups) -> Cell:
    return Cell(int(groups[1]), int(groups[2]))


def _attack(groups: _Groups) -> Attack:
    if groups[1]:
        return Attack(parse_direction(groups[1]))
    return Attack(None if groups[2] is None else Cell(int(groups[2]), int(groups[3])))


def _restore(groups: _Groups) -> Restore:
    if groups[1] not in NUMBERS:
        raise ValueError(f"expected the name of a tile, got {groups[1]!r}")
    return Restore(NUMBERS[groups[1]], Cell(int(groups[2]), int(groups[3])), int(groups[4] or 0))


def _trade(groups: _Groups) -> Trade:
    give, take = _tokens(groups, 2), _tokens(groups, 5)
    if not any(give) and not any(take):
        raise ValueError(f"expected tokens to give or take, got {groups[0]!r}")
    return Trade(int(groups[1]), give, take)


_FORMS: tuple[tuple[str, Callable[[_Groups], Deed]], ...] = (
    (r"move ([NESW])", lambda m: Move(parse_direction(m[1]))),
    (rf"explore ([NESW]){_DEGREES}( stay)?", lambda m: Explore(parse_direction(m[1]), int(m[2] or 0), bool(m[3]))),
    (r"passage", lambda _: Passage()),
    (r"grab", lambda _: Grab()),
    (r"break", lambda _: BreakSeal()),
    (r"break ([NESW])", lambda m: BreakBarrier(parse_direction(m[1]))),
    (r"fire", lambda _: TakeFire()),
    (rf"trade ([0-5])(?: give {_TOKENS})?(?: take {_TOKENS})?", _trade),
    (rf"attack(?: ([NESW])| {_CELL})?", _attack),
    (r"send ([rgb]) ([0-5])", lambda m: Send(Colour("rgb".index(m[1])), int(m[2]))),
    (rf"redirect {_CELL}", lambda m: Redirect(_cell(m))),
    (r"dive ([NESW])", lambda m: Dive(parse_direction(m[1]))),
    (r"wait", lambda _: Wait()),
    (r"master", lambda _: Surge()),
    (r"master ((?:[NESW] ?){1,3})", lambda m: Rush(tuple(parse_direction(sign) for sign in m[1].split()))),
    (rf"master {_CELL}", lambda m: Strike(_cell(m))),
    (rf"master {_CELL} ([0-5])", lambda m: Fetch(_cell(m), int(m[3]))),
    (rf"master ([a-z_]+) {_CELL}{_DEGREES}", _restore),
)  # fmt: skip


_COMPILED = tuple((re.compile(form), make) for form, make in _FORMS)
_SAYING = re.compile(r'(.*?)(?: say "([^"]*)")?')


def parse_action(text: str) -> Action:
    """The action of a text in its one form; ValueError for any other text."""
    split = _SAYING.fullmatch(text) if len(text) <= 200 else None
    if split is None:
        raise ValueError(f"expected an action of eidolon, got {text[:60]!r}")
    action = Action(_parse_deed(split[1]), _checked_words(split[2]))
    if str(action) != text:
        raise ValueError(f"expected {str(action)!r}, got {text!r}")
    return action


def _parse_deed(text: str) -> Deed:
    for form, make in _COMPILED:
        if found := form.fullmatch(text):
            return make(found)
    raise ValueError(f"expected an action of eidolon, got {text[:60]!r}")


def _checked_words(words: str | None) -> str:
    if words is None:
        return ""
    if not 1 <= len(words) <= WORDS_LIMIT or not words.isprintable():
        raise ValueError(f"say: expected 1 to {WORDS_LIMIT} printable characters, got {words[:90]!r}")
    return words
