"""A dungeon as dealt: the board and everything a quest puts on it, as one frozen value. Nothing in it changes.

Squares are numbers, row by row: `y * board.width + x`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import NamedTuple

from games.bitset import mask_of
from games.heroquest.sight import Board
from games.heroquest.sight.board import CORRIDOR, ROCK

Door = tuple[int, int]  # two neighbouring squares, the smaller number first


class Furniture(NamedTuple):
    """A piece and the squares it stands on."""

    kind: str
    cells: tuple[int, ...]


class Chest(NamedTuple):
    """A chest and the gold in it."""

    cell: int
    gold: int


class Trap(NamedTuple):
    """A trap; who steps on it springs it."""

    kind: str
    cell: int


class Lurker(NamedTuple):
    """A monster that nobody has seen yet; `bonus` is added to its attack dice."""

    kind: str
    cell: int
    bonus: int = 0


class Goal(NamedTuple):
    """What heroes must do: kill all monsters of a kind, empty all chests, come back; "" and False = no need."""

    kill: str
    loot: bool
    back: bool


class Layout(NamedTuple):
    """Bit sets and tables that follow from a board alone."""

    corridor: int
    rock: int
    rooms: dict[int, int]  # room number -> its squares
    everything: int


class Things(NamedTuple):
    """Bit sets of what a quest has put on a board."""

    blocked: int  # rock not included
    furniture: int  # chests included


@dataclass(frozen=True, slots=True)
class Dungeon:
    """What a quest has put where. `board` has all doors closed and the quest's squares blocked."""

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
    dark: int = 0  # bit set of squares that are never seen, only entered
    code: bytes = field(init=False, repr=False, compare=False)  # canonical
    layout: Layout = field(init=False, repr=False, compare=False)
    things: Things = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        board = self.board
        blocked = sorted(board.number(square) for square in board.blocked)
        parts = [getattr(self, part.name) for part in fields(self) if part.init and part.name != "board"]
        pieces = mask_of(cell for piece in self.furniture for cell in piece.cells)
        chests = mask_of(chest.cell for chest in self.chests)
        object.__setattr__(self, "code", repr((board.width, board.height, board.regions, blocked, parts)).encode())
        object.__setattr__(self, "layout", layout_of(board))
        object.__setattr__(self, "things", Things(mask_of(blocked), pieces | chests))

    def __hash__(self) -> int:
        return hash(self.code)


def layout_of(board: Board) -> Layout:
    """The layout of a board; doors and blocked squares do not matter."""
    return _layout(board.regions)


@lru_cache(maxsize=64)
def _layout(regions: tuple[int, ...]) -> Layout:
    masks: dict[int, int] = {}
    for number, region in enumerate(regions):
        masks[region] = masks.get(region, 0) | 1 << number
    rooms = {region: mask for region, mask in sorted(masks.items()) if region > CORRIDOR}
    return Layout(masks.get(CORRIDOR, 0), masks.get(ROCK, 0), rooms, (1 << len(regions)) - 1)
