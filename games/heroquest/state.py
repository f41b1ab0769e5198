"""The values of heroquest: heroes, monsters in sight, the whole situation and its canonical bytes. Rules are elsewhere.

Squares are numbers (see `games.heroquest.dungeon`), sets of squares are bit sets, monsters in sight have numbers in
the order in which they came into sight. A body of 0 is dead; the dead stand nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.heroquest.dungeon import Door, Dungeon, Lurker

Seat = int
Change = Door | int  # a door that was opened (or found and opened), or a square that a falling block closed


class Event(NamedTuple):
    """One thing that everyone saw happen; the table in `games.heroquest.view` says what each kind fills in."""

    what: str
    who: str = ""  # a hero's kind, a monster's number, or ""
    cell: int = -1
    value: int = 0
    name: str = ""
    cells: tuple[int, ...] = ()


class Hero(NamedTuple):
    """One hero. What stands after `gold` are metrics only."""

    kind: str
    cell: int
    body: int
    mind: int
    items: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()  # not yet cast
    potions: tuple[str, ...] = ()  # a potion is drunk when it first helps
    effects: tuple[str, ...] = ()  # spells that wait for their moment: swift wind, veil of mist …
    is_in_pit: bool = False
    searched: tuple[int, ...] = ()  # rooms in which this hero has searched for treasure
    gold: int = 0
    killed: int = 0
    steps: int = 0
    revealed: int = 0


class Monster(NamedTuple):
    """A monster that has come into sight."""

    kind: str
    cell: int
    body: int
    bonus: int = 0  # attack dice beyond its kind's
    is_asleep: bool = False
    is_dazed: bool = False  # misses its next turn
    has_moved: bool = False
    has_acted: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The complete situation before one more action."""

    seed: int
    turn: int  # actions applied so far: the address of chance
    round: int  # game round, from 1
    seat: Seat  # whose turn it is
    dungeon: Dungeon
    heroes: tuple[Hero, ...]
    rolled: int = 0  # movement dice of the acting hero's turn
    points: int = 0  # what is left of them
    has_moved: bool = False
    has_acted: bool = False
    monsters: tuple[Monster, ...] = ()  # by number, the dead too
    lurkers: tuple[Lurker, ...] = ()  # monsters not yet in sight
    changes: tuple[Change, ...] = ()  # of the board, in the order they happened
    seen: int = 0  # squares revealed
    found_traps: int = 0  # squares of known traps
    gone_traps: int = 0  # squares of traps that are no more
    found_doors: tuple[Door, ...] = ()  # secret doors that are known
    looted: int = 0  # squares of emptied chests
    deck: tuple[int, ...] = ()  # how many of each card of `catalogue.CARDS` are left
    idle_rounds: int = 0  # rounds without anything but walking (mode open)
    has_done: bool = False  # some hero did something but walk this round
    winner: str = ""  # "heroes" or "zargon" once it is over
    events: tuple[Event, ...] = ()  # of the last action, in order


def without(names: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    """The potions, spells or effects of a hero but for these."""
    return tuple(name for name in names if name not in gone)


def encode(state: State) -> bytes:
    """The dungeon, then all the rest as text."""
    rest = [getattr(state, name) for name in State.__slots__ if name != "dungeon"]
    return state.dungeon.code + repr([_plain(value) for value in rest]).encode()


def _plain(value: object) -> object:
    """Named tuples as plain ones: shorter, and the same in every version of Python."""
    return tuple(_plain(item) for item in value) if isinstance(value, tuple) else value
