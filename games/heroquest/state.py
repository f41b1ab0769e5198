"""The values of heroquest: a dungeon, its figures, the complete situation and its canonical bytes.

Squares are numbers, row by row: `y * board.width + x`; sets of squares are bit sets. Monsters in sight are numbered in
the order in which they came into sight. A body of 0 means dead; the dead are not on the board.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import NamedTuple

from gridjoust.games.bitset import mask_of
from gridjoust.games.heroquest.sight.board import CORRIDOR, ROCK, Board

DEFAULT_ROUNDS = 30  # rounds of a quest that names none
MAX_ROUNDS = 500  # most rounds that a quest or a parameter may name
Door = tuple[int, int]  # two neighbouring squares, the smaller number first


class Furniture(NamedTuple):
    """A piece of furniture and the squares it stands on."""

    kind: str
    cells: tuple[int, ...]


class Chest(NamedTuple):
    """A chest and the gold in it."""

    cell: int
    gold: int


class Trap(NamedTuple):
    """A trap; a hero who steps on it springs it."""

    kind: str
    cell: int


class Lurker(NamedTuple):
    """A monster that no hero has seen yet; it has `bonus` attack dice beyond those of its kind."""

    kind: str
    cell: int
    bonus: int = 0


class Goal(NamedTuple):
    """The heroes' goal: kill all monsters of one kind, empty all chests, come back; "" or False = not needed."""

    kill: str
    loot: bool
    back: bool


class Layout(NamedTuple):
    """Bit sets of squares that follow from the regions of a board."""

    corridor: int
    rock: int
    rooms: dict[int, int]  # room number -> its squares
    everything: int


class Things(NamedTuple):
    """The things that a quest has put on a board, as bit sets of their squares."""

    blocked: int  # without rock
    furniture: int  # with chests
    stairs: int
    pits: int
    doors: tuple[int, ...]  # the two squares of each door, without secret ones
    traps: dict[int, Trap]  # by square


@dataclass(frozen=True, slots=True)
class Dungeon:
    """The things of a quest and their places; `board` has all doors closed and the quest's squares blocked."""

    name: str
    board: Board
    starts: tuple[int, ...]  # the stairs; hero n starts on the n-th
    goal: Goal
    wandering: str  # kind of the monster that a treasure card brings
    doors: tuple[Door, ...] = ()
    secret_doors: tuple[Door, ...] = ()
    furniture: tuple[Furniture, ...] = ()
    chests: tuple[Chest, ...] = ()
    traps: tuple[Trap, ...] = ()
    monsters: tuple[Lurker, ...] = ()
    rounds: int = DEFAULT_ROUNDS  # game rounds after which Zargon has won
    dark: int = 0  # bit set of squares that are revealed only when a hero enters them
    code: bytes = field(init=False, repr=False, compare=False)  # canonical bytes
    layout: Layout = field(init=False, repr=False, compare=False)
    things: Things = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        board = self.board
        blocked = sorted(board.number(square) for square in board.blocked)
        parts = [getattr(self, part.name) for part in fields(self) if part.init and part.name != "board"]
        pieces = mask_of(cell for piece in self.furniture for cell in piece.cells)
        chests = mask_of(chest.cell for chest in self.chests)
        object.__setattr__(self, "code", repr((board.width, board.height, board.regions, blocked, parts)).encode())
        object.__setattr__(self, "layout", layout_of(board.regions))
        pits = mask_of(trap.cell for trap in self.traps if trap.kind == "pit")
        doors, traps = tuple(map(mask_of, self.doors)), {trap.cell: trap for trap in self.traps}
        things = Things(mask_of(blocked), pieces | chests, mask_of(self.starts), pits, doors, traps)
        object.__setattr__(self, "things", things)

    def __hash__(self) -> int:
        return hash(self.code)


@lru_cache(maxsize=64)
def layout_of(regions: tuple[int, ...]) -> Layout:
    """Return the bit sets of corridor, rock, each room and everything on a board of these regions."""
    masks: dict[int, int] = {}
    for number, region in enumerate(regions):
        masks[region] = masks.get(region, 0) | 1 << number
    rooms = {region: mask for region, mask in sorted(masks.items()) if region > CORRIDOR}
    return Layout(masks.get(CORRIDOR, 0), masks.get(ROCK, 0), rooms, (1 << len(regions)) - 1)


Seat = int
Change = Door | int  # a door that was opened (or found and opened), or a square that a falling block closed


class Event(NamedTuple):
    """One event that everyone saw; `gridjoust.games.heroquest.view` has a table of the fields of each kind."""

    what: str
    who: str = ""  # a hero's kind, a monster's number, or ""
    cell: int = -1
    value: int = 0
    name: str = ""
    cells: tuple[int, ...] = ()


class Hero(NamedTuple):
    """One hero; the fields after `gold` are counts for metrics, which no rule reads."""

    kind: str
    cell: int
    body: int
    mind: int
    items: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()  # not yet cast
    potions: tuple[str, ...] = ()  # a hero drinks a potion as soon as it helps
    effects: tuple[str, ...] = ()  # spells that wait for their use: swift wind, veil of mist …
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
    bonus: int = 0  # attack dice beyond those of its kind
    is_asleep: bool = False
    is_dazed: bool = False  # misses its next turn
    has_moved: bool = False
    has_acted: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a match between two actions."""

    seed: int
    turn: int  # actions applied so far; part of the address of chance
    round: int  # game round, from 1
    seat: Seat  # seat whose turn it is
    dungeon: Dungeon
    heroes: tuple[Hero, ...]
    rolled: int = 0  # movement that the acting hero has rolled
    points: int = 0  # movement that is left
    has_moved: bool = False
    has_acted: bool = False
    monsters: tuple[Monster, ...] = ()  # by number, with the dead
    lurkers: tuple[Lurker, ...] = ()  # monsters not yet in sight
    changes: tuple[Change, ...] = ()  # changes of the board, oldest first
    seen: int = 0  # squares revealed
    found_traps: int = 0  # squares of known traps
    gone_traps: int = 0  # squares of traps that are gone
    proven: int = 0  # squares that heroes walked on or searched: no unknown trap lies there
    found_doors: tuple[Door, ...] = ()  # secret doors that the heroes know
    looted: int = 0  # squares of emptied chests
    deck: tuple[int, ...] = ()  # number of cards left for each of `catalogue.CARDS`
    idle_rounds: int = 0  # rounds with nothing but walks over known squares
    has_done: bool = False  # this round some hero did something but walk, or saw new squares
    winner: str = ""  # "heroes" or "zargon" when the match is over
    events: tuple[Event, ...] = ()  # events of the last action, in order


def without(names: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    """Return the names without those in `gone`."""
    return tuple(name for name in names if name not in gone)
