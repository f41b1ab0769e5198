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
from dataclasses import dataclass

from games.grid import Direction
from games.heroquest.catalogue import SPELLS
from games.heroquest.sight import Edge, Square, make_edge

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

_NUMBER = r"(0|[1-9][0-9]{0,3})"
_PLACE = rf"{_NUMBER},{_NUMBER}"
_MOVE = re.compile(rf"move(?: {_NUMBER})?((?: [NESW])+)")
_ATTACK = re.compile(rf"attack(?: {_NUMBER})? (NE|NW|SE|SW|N|E|S|W)")
_TOWARDS = re.compile(r"(open|disarm|jump) ([NESW])")
_SHOOT = re.compile(rf"shoot {_PLACE}")
_CAST = re.compile(rf"cast ({'|'.join(SPELLS)}) {_PLACE}(?:\|{_PLACE})?")
_SEARCH = re.compile(rf"search ({'|'.join(SEARCHES)})")
_TOWARDS_KINDS: dict[str, type[Open] | type[Disarm] | type[Jump]] = {"open": Open, "disarm": Disarm, "jump": Jump}


def parse_action(text: str) -> Action:
    """The action of a canonical text; ValueError for any other."""
    action = _parse(text) if text.isascii() else None
    if action is None or str(action) != text:
        raise ValueError(f"expected an action such as 'move E E S', 'attack E' or 'end', got {text!r:.80}")
    return action


def _parse(text: str) -> Action | None:
    if text == "end":
        return End()
    if found := _MOVE.fullmatch(text):
        steps = tuple(Direction[name] for name in found[2].split())
        return None if len(steps) > MAX_STEPS else Move(steps, None if found[1] is None else int(found[1]))
    if found := _ATTACK.fullmatch(text):
        return Attack(found[2], None if found[1] is None else int(found[1]))
    if found := _TOWARDS.fullmatch(text):
        return _TOWARDS_KINDS[found[1]](Direction[found[2]])
    if found := _SHOOT.fullmatch(text):
        return Shoot((int(found[1]), int(found[2])))
    if found := _SEARCH.fullmatch(text):
        return Search(found[1])
    return _parse_cast(text)


def _parse_cast(text: str) -> Cast | None:
    found = _CAST.fullmatch(text)
    if found is None:
        return None
    place = (int(found[2]), int(found[3]))
    if found[4] is None:
        return Cast(found[1], place)
    try:
        one, other = make_edge(place, (int(found[4]), int(found[5])))
    except ValueError:
        return None
    return Cast(found[1], (tuple(one), tuple(other)))  # type: ignore[arg-type]  # plain tuples, as in texts
