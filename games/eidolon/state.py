"""The values of eidolon: heroes, the complete situation, its canonical bytes and its working copy.

Sets of tiles are integers with one bit per tile (`gridjoust.games.eidolon.tiles`).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from gridjoust.games.chance import rng_for
from gridjoust.games.draft import Draft
from gridjoust.games.eidolon.actions import NO_TOKENS, Tokens
from gridjoust.games.eidolon.dungeon import Dungeon, edge_key
from gridjoust.games.eidolon.params import Rules
from gridjoust.games.eidolon.tiles import COLOURS, OF_COLOUR, TileSet
from gridjoust.games.grid import Cell

Seat = int


class Phase(Enum):
    """The question to the seat to act: for an act, or in a ritual for a redirection or a dive."""

    ACT = "act"  # the next action of its turn
    REDIRECT = "redirect"  # the tile for the new cultist (the Sage, in its ritual)
    DIVE = "dive"  # the direction of a dive from a tile that is being lost


class End(Enum):
    """The possible ends of a match."""

    WON = "won"
    PARTIAL = "partial"
    SKULL = "skull"  # the threat track ran out
    TOKENS = "tokens"  # two tokens of a colour were lost while its seal stood
    UNREACHABLE = "unreachable"  # something needed cannot be reached any more
    HEROES = "heroes"  # all heroes were lost
    SEALED = "sealed"  # the unexplored part has no way in
    UNSOLVABLE = "unsolvable"  # the map could not be won from the start
    ROUNDS = "rounds"  # `max_game_rounds` are over


class Hero(NamedTuple):
    """One seat's figure; the counts from `ap_spent` on are metrics, which no rule reads."""

    cell: Cell | None = Cell(0, 0)  # None = lost
    tokens: Tokens = NO_TOKENS
    is_lying: bool = False  # after a dive; the hero pays 1 AP to stand up
    is_master_used: bool = False
    ap_spent: int = 0
    path_length: int = 0
    turns: int = 0
    grabbed: int = 0
    seals_broken: int = 0
    cultists_removed: int = 0


class Message(NamedTuple):
    """Words of a hero, kept until its next turn begins, so that every team-mate sees them at least once."""

    seat: Seat
    words: str


class Ritual(NamedTuple):
    """A ritual that has stopped until a seat answers."""

    cards_left: int  # cards to be drawn after the present one
    tile: int  # the chamber of the present card
    divers: tuple[Seat, ...] = ()  # heroes who still have to dive off the lost tile
    is_redirect_used: bool = False
    is_reshuffled: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a match before turn number `turns` (from 0) is applied."""

    seed: int
    dungeon: Dungeon
    heroes: tuple[Hero, ...]
    tokens: TileSet  # chambers, in play or not, that still have their token
    turns: int = 0
    game_round: int = 1
    hero_turns: int = 0  # hero turns that have ended
    active: Seat = 0  # the seat whose turn (and ritual) it is
    ap_left: int = 3
    is_surging: bool = False  # the Rogue's master turn
    is_strike_used: bool = False  # the Paladin's attack from afar, once a turn
    phase: Phase = Phase.ACT
    ritual: Ritual | None = None  # only in the phases REDIRECT and DIVE
    cultists: TileSet = 0  # chambers with a cultist
    discards: TileSet = 0  # ritual cards drawn since the last shuffle
    removed_cards: TileSet = 0  # ritual cards out of the match
    void: TileSet = 0
    threat: int = 0  # place on the track; the skull lies past its end
    broken: int = 0  # broken seals, one bit per colour
    carrier: Seat | None = None  # the seat that carries the Fire
    barriers_left: int = 0  # unknown map: doors that will be blocked as tiles are laid
    tiles_lost: int = 0
    messages: tuple[Message, ...] = ()
    end: End | None = None

    def living(self) -> tuple[Seat, ...]:
        """Return the seats whose heroes are in the dungeon, sorted."""
        return tuple(seat for seat, hero in enumerate(self.heroes) if hero.cell is not None)

    def is_living(self, seat: Seat) -> bool:
        """Return True if that seat has a hero in the dungeon."""
        return seat < len(self.heroes) and self.heroes[seat].cell is not None

    def cell_of(self, seat: Seat) -> Cell:
        """Return the cell of a living hero."""
        cell = self.heroes[seat].cell
        assert cell is not None
        return cell

    def tile_of(self, seat: Seat) -> int:
        """Return the tile on which a living hero stands."""
        return self.dungeon.at[self.cell_of(seat)].tile

    def has_cultist(self, cell: Cell) -> bool:
        """Return True if a tile with a cultist lies there."""
        placed = self.dungeon.at.get(cell)
        return placed is not None and bool(self.cultists >> placed.tile & 1)

    def lost_tokens(self) -> list[int]:
        """Return the numbers of red, green and blue tokens lost: on lost tiles and with lost heroes."""
        with_heroes = [hero.tokens for hero in self.heroes if hero.cell is None]
        gone = self.tokens & self.void
        return [
            (gone & OF_COLOUR[colour]).bit_count() + sum(held[colour] for held in with_heroes) for colour in COLOURS
        ]


def encode(state: State) -> bytes:
    """Return canonical bytes with every field of the state: equal if and only if the states are equal."""
    dungeon, ritual = state.dungeon, state.ritual
    fields = (
        state.seed,
        [(placed.tile, *placed.cell, placed.quarters) for placed in dungeon.placed],
        dungeon.stack,
        sorted(edge_key(edge) for edge in dungeon.barriers),
        [None if hero.cell is None else tuple(hero.cell) for hero in state.heroes],
        [tuple(hero[1:]) for hero in state.heroes],
        (state.tokens, state.turns, state.game_round, state.hero_turns, state.active, state.ap_left),
        (state.is_surging, state.is_strike_used, state.phase.value, None if ritual is None else tuple(ritual)),
        (state.cultists, state.discards, state.removed_cards, state.void, state.threat, state.broken, state.carrier),
        (state.barriers_left, state.tiles_lost, [tuple(message) for message in state.messages]),
        None if state.end is None else state.end.value,
    )
    return repr(fields).encode()


class TurnDraft(Draft[State]):
    """The next state while an answer and its consequences are applied; see `Draft`."""

    def __init__(self, rules: Rules, state: State) -> None:
        super().__init__(state)
        self.set(turns=state.turns + 1)
        self.rules = rules

    def rng(self, purpose: str) -> random.Random:
        """Return this turn's random generator for one purpose; every call starts it afresh."""
        return rng_for(self.state.seed, self.state.turns - 1, purpose)

    def set_hero(self, seat: Seat, **fields: Any) -> None:
        """Set fields of a hero."""
        self.set_item("heroes", seat, **fields)

    def pay(self, seat: Seat, ap: int) -> None:
        """Take AP from the seat whose turn it is, and count them."""
        if ap:
            self.set(ap_left=self.state.ap_left - ap)
            self.set_hero(seat, ap_spent=self.state.heroes[seat].ap_spent + ap)

    def walk(self, seat: Seat, cell: Cell) -> None:
        """Put the hero on that cell, and count the step."""
        self.set_hero(seat, cell=cell, path_length=self.state.heroes[seat].path_length + 1)

    def remove_cultist(self, seat: Seat, cell: Cell) -> None:
        """Remove the cultist there, if there is one, and count it for this hero."""
        if self.state.has_cultist(cell):
            self.set(cultists=self.state.cultists & ~(1 << self.state.dungeon.at[cell].tile))
            self.set_hero(seat, cultists_removed=self.state.heroes[seat].cultists_removed + 1)

    def raise_threat(self) -> None:
        """Move the threat one place further on the track."""
        self.set(threat=self.state.threat + 1)
