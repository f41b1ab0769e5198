"""The actions of heroquest and their one-line texts. Judges nothing.

| text | who | meaning |
|---|---|---|
| `move E E S` | hero | walk; asked again where something new appears |
| `open E` | hero | open the door on that side; free |
| `attack E`, `attack NE` | hero | with weapon in hand; diagonally with staff or longsword |
| `shoot 7,3` | hero | with a crossbow |
| `cast sleep 7,3`, `cast genie 4,2\\|5,2` | hero | at a figure, or the genie at a door |
| `search treasure`, `search traps`, `search doors` | hero | |
| `disarm E`, `jump E` | hero | a trap that has been found |
| `move 4 W W S`, `attack 4 W` | Zargon | monster number 4 |
| `end` | both | end the turn |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from games.grid import Direction
from games.heroquest.catalogue import SPELLS
from games.heroquest.sight import Edge, Square

SEARCHES = ("treasure", "traps", "doors")
MAX_STEPS = 24  # two dice, doubled by swift wind
COMPASS: dict[str, tuple[int, int]] = {
    "N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1),
    "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Move:
    """Steps of the acting hero, or of a monster."""

    steps: tuple[Direction, ...]
    monster: int | None = None

    def __str__(self) -> str:
        number = () if self.monster is None else (str(self.monster),)
        return " ".join(("move", *number, *(step.name for step in self.steps)))


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack on a neighbouring square; `side` is a key of COMPASS."""

    side: str
    monster: int | None = None

    def __str__(self) -> str:
        return f"attack {self.side}" if self.monster is None else f"attack {self.monster} {self.side}"


@dataclass(frozen=True, slots=True)
class Open:
    """A door."""

    side: Direction

    def __str__(self) -> str:
        return f"open {self.side.name}"


@dataclass(frozen=True, slots=True)
class Shoot:
    """A crossbow's target."""

    target: Square

    def __str__(self) -> str:
        return "shoot {},{}".format(*self.target)


@dataclass(frozen=True, slots=True)
class Cast:
    """A spell at a square, or at a door."""

    spell: str
    target: Square | Edge

    def __str__(self) -> str:
        if isinstance(self.target[0], int):
            return "cast {} {},{}".format(self.spell, *self.target)
        one, other = self.target
        return f"cast {self.spell} {one[0]},{one[1]}|{other[0]},{other[1]}"


@dataclass(frozen=True, slots=True)
class Search:
    """For treasure, traps or doors."""

    what: str

    def __str__(self) -> str:
        return f"search {self.what}"


@dataclass(frozen=True, slots=True)
class Disarm:
    """A trap on a neighbouring square."""

    side: Direction

    def __str__(self) -> str:
        return f"disarm {self.side.name}"


@dataclass(frozen=True, slots=True)
class Jump:
    """Over a trap on a neighbouring square."""

    side: Direction

    def __str__(self) -> str:
        return f"jump {self.side.name}"


@dataclass(frozen=True, slots=True)
class End:
    """No more this turn."""

    def __str__(self) -> str:
        return "end"


Action = Move | Attack | Open | Shoot | Cast | Search | Disarm | Jump | End

_Form = tuple[re.Pattern[str], Callable[[re.Match[str]], Action | None]]
_NUMBER = r"(0|[1-9][0-9]{0,3})"
_PLACE = rf"{_NUMBER},{_NUMBER}"
_SIDE = re.compile("[NESW]")


def _monster(number: str | None) -> int | None:
    return None if number is None else int(number)


def _cast(found: re.Match[str]) -> Cast | None:
    x, y = int(found[2]), int(found[3])
    if found[4] is None:
        return Cast(found[1], (x, y))
    other = int(found[4]), int(found[5])
    return Cast(found[1], ((x, y), other)) if other in ((x + 1, y), (x, y + 1)) else None


_FORMS: Mapping[str, _Form] = {
    "end": (re.compile(""), lambda _: End()),
    "move": (
        re.compile(rf"(?:{_NUMBER} )?([NESW](?: [NESW]){{,{MAX_STEPS - 1}}})"),
        lambda found: Move(tuple(Direction[name] for name in found[2].split()), _monster(found[1])),
    ),
    "attack": (
        re.compile(rf"(?:{_NUMBER} )?({'|'.join(COMPASS)})"),
        lambda found: Attack(found[2], _monster(found[1])),
    ),
    "open": (_SIDE, lambda found: Open(Direction[found[0]])),
    "disarm": (_SIDE, lambda found: Disarm(Direction[found[0]])),
    "jump": (_SIDE, lambda found: Jump(Direction[found[0]])),
    "shoot": (re.compile(_PLACE), lambda found: Shoot((int(found[1]), int(found[2])))),
    "search": (re.compile("|".join(SEARCHES)), lambda found: Search(found[0])),
    "cast": (re.compile(rf"({'|'.join(SPELLS)}) {_PLACE}(?:\|{_PLACE})?"), _cast),
}  # verb -> what follows it, and the action that this stands for


def parse_action(text: str) -> Action:
    """The action of a canonical text; ValueError for any other."""
    verb, _, rest = text.partition(" ")
    if verb in _FORMS:
        pattern, make = _FORMS[verb]
        found = pattern.fullmatch(rest)
        action = make(found) if found else None
        if action is not None and str(action) == text:
            return action
    raise ValueError(f"expected an action such as 'move E E S', 'attack E' or 'end', got {text!r:.80}")
