"""What one seat of a bomber bot remembers from tick to tick. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from bots.api import MatchSetup
from bots.bomber.tracker import Tracker, setup_rules
from games.bomber.params import Rules
from games.bomber.state import Seat

BARRED_TICKS = 20  # how long nothing is sought, and no bomb laid, in a cell where it could not be had

M = TypeVar("M")


@dataclass
class Memory(Generic[M]):
    """The rules, what the seat has seen, and the cells it stays away from; `kept` is the bot's own."""

    rules: Rules
    seat: Seat
    tracker: Tracker
    kept: M
    refusals: int = 0  # of steps to a target, in a row
    _barred: dict[int, int] = field(default_factory=dict)  # cell -> tick until which it is no target

    def bar(self, cell: int, *, tick: int) -> None:
        """Take a cell from the targets for a while."""
        self._barred[cell] = tick + BARRED_TICKS

    def barred(self, tick: int) -> Collection[int]:
        """Cells that are no targets now."""
        self._barred = {cell: until for cell, until in self._barred.items() if until > tick}
        return self._barred.keys()


def make_memories(setup: MatchSetup, make_kept: Callable[[Rules], M]) -> dict[Seat, Memory[M]]:
    """One for each seat held."""
    rules = setup_rules(setup)
    return {
        seat: Memory(rules, seat, Tracker(rules, seat=seat, seat_count=setup.seat_count), make_kept(rules))
        for seat in setup.seats
    }
