"""The working copy of one turn; private to the rules, gone when the new state is made. Decides nothing."""

from __future__ import annotations

import random
from typing import Any

from games.chance import rng_for
from games.eidolon.dungeon import Dungeon
from games.eidolon.params import Rules
from games.eidolon.state import Hero, Phase, Seat, State
from games.eidolon.tiles import COLOURS, OF_COLOUR
from games.grid import Cell


class Work:
    """A state whose fields may be set; `frozen` makes the next state."""

    __slots__ = (
        "active", "ap_left", "barriers_left", "broken", "carrier", "cultists", "discards", "dungeon", "end",
        "game_round", "heroes", "is_strike_used", "is_surging", "messages", "phase", "removed_cards", "ritual", "rules",
        "seed", "threat", "tiles_lost", "tokens", "turns", "void",
    )  # fmt: skip

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.seed = state.seed
        self.dungeon: Dungeon = state.dungeon
        self.heroes = list(state.heroes)
        self.tokens = state.tokens
        self.turns = state.turns
        self.game_round = state.game_round
        self.active = state.active
        self.ap_left = state.ap_left
        self.is_surging = state.is_surging
        self.is_strike_used = state.is_strike_used
        self.phase = state.phase
        self.ritual = state.ritual
        self.cultists = state.cultists
        self.discards = state.discards
        self.removed_cards = state.removed_cards
        self.void = state.void
        self.threat = state.threat
        self.broken = state.broken
        self.carrier = state.carrier
        self.barriers_left = state.barriers_left
        self.tiles_lost = state.tiles_lost
        self.messages = state.messages
        self.end = state.end

    def frozen(self) -> State:
        """The state before the next turn."""
        return State(
            seed=self.seed,
            dungeon=self.dungeon,
            heroes=tuple(self.heroes),
            tokens=self.tokens,
            turns=self.turns + 1,
            game_round=self.game_round,
            active=self.active,
            ap_left=self.ap_left,
            is_surging=self.is_surging,
            is_strike_used=self.is_strike_used,
            phase=self.phase,
            ritual=self.ritual,
            cultists=self.cultists,
            discards=self.discards,
            removed_cards=self.removed_cards,
            void=self.void,
            threat=self.threat,
            broken=self.broken,
            carrier=self.carrier,
            barriers_left=self.barriers_left,
            tiles_lost=self.tiles_lost,
            messages=self.messages,
            end=self.end,
        )

    def rng(self, purpose: str) -> random.Random:
        """This turn's chance for one purpose."""
        return rng_for(self.seed, self.turns, purpose)

    def living(self) -> list[Seat]:
        """Seats whose heroes are in the dungeon."""
        return [seat for seat, hero in enumerate(self.heroes) if hero.cell is not None]

    def cell_of(self, seat: Seat) -> Cell:
        """Where a living hero stands."""
        cell = self.heroes[seat].cell
        assert cell is not None
        return cell

    def change_hero(self, seat: Seat, **fields: Any) -> Hero:
        """The hero with some fields set."""
        self.heroes[seat] = self.heroes[seat]._replace(**fields)
        return self.heroes[seat]

    def pay(self, seat: Seat, ap: int) -> None:
        """AP spent by the seat whose turn it is."""
        self.ap_left -= ap
        self.change_hero(seat, ap_spent=self.heroes[seat].ap_spent + ap)

    def walk(self, seat: Seat, cell: Cell) -> None:
        """The hero is there now, one tile further on its path."""
        self.change_hero(seat, cell=cell, path_length=self.heroes[seat].path_length + 1)

    def remove_cultist(self, seat: Seat, cell: Cell) -> None:
        """The cultist there, if there is one, is gone by this hero's hand."""
        tile = self.dungeon.at[cell].tile
        if self.cultists >> tile & 1:
            self.cultists &= ~(1 << tile)
            self.change_hero(seat, cultists_removed=self.heroes[seat].cultists_removed + 1)

    def raise_threat(self) -> None:
        """One place further on the track."""
        self.threat += 1

    @property
    def is_acting(self) -> bool:
        """Whether the active hero's turn goes on."""
        return self.phase is Phase.ACT and self.end is None


def lost_tokens(tokens: int, void: int, heroes: tuple[Hero, ...] | list[Hero]) -> list[int]:
    """Tokens of each colour in the Void, on lost tiles and with lost heroes."""
    with_heroes = [hero.tokens for hero in heroes if hero.cell is None]
    return [
        (tokens & void & OF_COLOUR[colour]).bit_count() + sum(held[colour] for held in with_heroes)
        for colour in COLOURS
    ]
