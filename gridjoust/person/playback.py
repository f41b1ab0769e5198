"""Random access to the turns of a recorded match, and its events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridjoust.games import DRAWING, find_room
from gridjoust.games.api import AnyGame
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord
from gridjoust.runner.results.replay import Moment, game_of, replay

HIDDEN = "hidden"  # name of the layers that show hidden things


class Playback:
    """The states of a match, computed on demand and cached."""

    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        self.game: AnyGame = game_of(record)
        self.last = record.end.turns
        self._coming: Iterator[Moment] = replay(record)
        self._moments: list[Moment] = []
        self._faults: dict[int, list[FaultLine]] = {}
        for line in record.lines:
            if isinstance(line, FaultLine):
                self._faults.setdefault(line.turn, []).append(line)

    def moment(self, turn: int) -> Moment:
        """Return the match after this number of turns."""
        while len(self._moments) <= turn:
            self._moments.append(next(self._coming))
        return self._moments[turn]

    def states_before(self, turn: int) -> list[Any]:
        """Return the states before a turn, from the start position on."""
        self.moment(turn)
        return [moment.state for moment in self._moments[:turn]]

    def faults(self, turn: int) -> list[FaultLine]:
        """Return the faults of a turn."""
        return self._faults.get(turn, [])

    def is_event(self, turn: int) -> bool:
        """Return True for a turn in which something notable happens: start, end, a fault, or changed returns."""
        if turn in (0, self.last) or turn in self._faults:
            return True
        before, after = self.moment(turn - 1).state, self.moment(turn).state
        return self.game.returns(before) != self.game.returns(after)

    def next_event(self, turn: int, step: int) -> int:
        """Return the nearest turn with an event after `turn`, else the last turn.

        With `step` -1: the nearest before `turn`, else 0.
        """
        turns = range(turn + 1, self.last + 1) if step > 0 else range(turn - 1, -1, -1)
        return next(filter(self.is_event, turns), self.last if step > 0 else 0)

    @property
    def drawing_room(self) -> Any:
        """The game's module that draws positions; None if it has none."""
        return find_room(self.game.spec.name, DRAWING)
