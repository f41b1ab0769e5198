"""The working copy of one turn, and what several of its stages change. Decides nothing."""

from __future__ import annotations

import random
from typing import Any

from games.chance import rng_for
from games.draft import Draft
from games.eidolon.params import Rules
from games.eidolon.state import Seat, State
from games.grid import Cell


class TurnDraft(Draft[State]):
    """The state before the next turn, in the making."""

    def __init__(self, rules: Rules, state: State) -> None:
        super().__init__(state)
        self.set(turns=state.turns + 1)
        self.rules = rules

    def rng(self, purpose: str) -> random.Random:
        """This turn's chance for one purpose."""
        return rng_for(self.state.seed, self.state.turns - 1, purpose)

    def set_hero(self, seat: Seat, **fields: Any) -> None:
        """Set fields of a hero."""
        self.set_item("heroes", seat, **fields)

    def pay(self, seat: Seat, ap: int) -> None:
        """AP spent by the seat whose turn it is."""
        if ap:
            self.set(ap_left=self.state.ap_left - ap)
            self.set_hero(seat, ap_spent=self.state.heroes[seat].ap_spent + ap)

    def walk(self, seat: Seat, cell: Cell) -> None:
        """The hero is there now, one tile further on its path."""
        self.set_hero(seat, cell=cell, path_length=self.state.heroes[seat].path_length + 1)

    def remove_cultist(self, seat: Seat, cell: Cell) -> None:
        """The cultist there, if there is one, is gone by this hero's hand."""
        if self.state.has_cultist(cell):
            self.set(cultists=self.state.cultists & ~(1 << self.state.dungeon.at[cell].tile))
            self.set_hero(seat, cultists_removed=self.state.heroes[seat].cultists_removed + 1)

    def raise_threat(self) -> None:
        """One place further on the track."""
        self.set(threat=self.state.threat + 1)
