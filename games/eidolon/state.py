"""The values of eidolon: heroes and the whole situation. Knows no rules, no chance, no text.

Sets of tiles are whole numbers with one bit a tile (`games.eidolon.tiles`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from games.eidolon.actions import NO_TOKENS, Tokens
from games.eidolon.dungeon import Dungeon
from games.eidolon.tiles import TileSet
from games.grid import Cell

Seat = int


class Phase(Enum):
    """What the seat to act is asked for."""

    ACT = "act"  # the next action of its turn
    REDIRECT = "redirect"  # where the new cultist goes (the Sage, in its ritual)
    DIVE = "dive"  # where to dive from a tile that is being lost


class End(Enum):
    """How a match ended."""

    WON = "won"
    PARTIAL = "partial"
    SKULL = "skull"  # the threat track ran out
    TOKENS = "tokens"  # two tokens of a colour were lost while its seal stood
    UNREACHABLE = "unreachable"  # something needed cannot be reached any more
    HEROES = "heroes"  # all heroes were lost
    SEALED = "sealed"  # the unexplored part has no way in
    UNSOLVABLE = "unsolvable"  # the map was so from the start
    ROUNDS = "rounds"  # `max_game_rounds` are over


class Hero(NamedTuple):
    """One seat's figure. The counts from `ap_spent` on are metrics only: no rule reads them."""

    cell: Cell | None = Cell(0, 0)  # None = lost
    tokens: Tokens = NO_TOKENS
    is_lying: bool = False  # dived: pays 1 AP to stand up
    is_master_used: bool = False
    ap_spent: int = 0
    path_length: int = 0
    turns: int = 0
    grabbed: int = 0
    seals_broken: int = 0
    cultists_removed: int = 0


class Message(NamedTuple):
    """Words of a hero; kept until its next turn begins, so that every team-mate sees them once at least."""

    seat: Seat
    words: str


class Ritual(NamedTuple):
    """A ritual that waits for an answer."""

    cards_left: int  # still to be drawn after the present one
    tile: int  # the chamber of the present card
    divers: tuple[Seat, ...] = ()  # heroes on the lost tile that have still to dive
    is_redirect_used: bool = False
    is_reshuffled: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The complete situation before turn number `turns` (from 0) is applied."""

    seed: int
    dungeon: Dungeon
    heroes: tuple[Hero, ...]
    tokens: TileSet  # chambers, in play or not, whose token has not been taken
    turns: int = 0
    game_round: int = 1
    active: Seat = 0  # whose turn (and ritual) it is
    ap_left: int = 3
    is_surging: bool = False  # the Rogue's great turn
    is_strike_used: bool = False  # the Paladin's attack from afar, once a turn
    phase: Phase = Phase.ACT
    ritual: Ritual | None = None  # only in the phases REDIRECT and DIVE
    cultists: TileSet = 0  # chambers with a cultist
    discards: TileSet = 0  # ritual cards drawn since the last shuffle
    removed_cards: TileSet = 0  # ritual cards out of the match
    void: TileSet = 0
    threat: int = 0  # place on the track; past its end is the skull
    broken: int = 0  # seals, one bit a colour
    carrier: Seat | None = None  # of the Fire
    barriers_left: int = 0  # unknown map: doors still to be blocked as tiles come
    tiles_lost: int = 0
    messages: tuple[Message, ...] = ()
    end: End | None = None

    def living(self) -> tuple[Seat, ...]:
        """Seats whose heroes are in the dungeon, sorted."""
        return tuple(seat for seat, hero in enumerate(self.heroes) if hero.cell is not None)
