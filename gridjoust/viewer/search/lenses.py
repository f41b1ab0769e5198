"""What bots of running matches showed last of their searches, by match and seat. Hears the bus, draws nothing.

What a page wants of it, it fetches: layers are in no stream of events, and cost nothing where nobody looks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from gridjoust.runner.wire.shown import Shown
from gridjoust.runner.wire.text import UNREADABLE
from gridjoust.viewer.live_page.boards import Boards

_SHOWN = msgspec.json.Decoder(Shown)


@dataclass(slots=True)
class Lenses:
    """Only of matches that `boards` knows, and only what a bot shows of a seat of its own."""

    boards: Boards
    _latest: dict[str, dict[int, Shown]] = field(default_factory=dict)

    def on_message(self, topic: str, payload: bytes) -> None:
        """The layers of one answer; what cannot be read is nobody's fault."""
        try:
            shown = _SHOWN.decode(payload)
        except UNREADABLE:
            return
        bot = topic.split("/")[-2].rpartition(".")[0]
        if self.boards.bot_at(shown.match, shown.seat) != bot:
            return
        if not shown.turn:  # in an answer: to the question that is open
            shown = replace(shown, turn=self.boards.turn_of(shown.match) + 1, layers=shown.shown, shown=[])
        if not shown.layers:
            return
        if shown.match not in self._latest:
            self._latest = {match: seats for match, seats in self._latest.items() if self.boards.bot_at(match, 0)}
        self._latest.setdefault(shown.match, {})[shown.seat] = shown

    def of(self, match_id: str) -> dict[int, Shown]:
        """By seat."""
        return self._latest.get(match_id, {})
