"""The latest debug layers of bots in running matches, by match and seat, as they come over the bus.

A page fetches them on demand: they are not in the stream of events, so they cost nothing if no page shows them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from gridjoust.runner.wire.protocol import Shown
from gridjoust.runner.wire.text import UNREADABLE
from gridjoust.viewer.live_page.boards import Boards

_SHOWN = msgspec.json.Decoder(Shown)


@dataclass(slots=True)
class LatestSearches:
    """The latest debug layers of running matches, only for matches in `boards` and for a bot's own seats."""

    boards: Boards
    _latest: dict[str, dict[int, Shown]] = field(default_factory=dict)

    def on_message(self, topic: str, payload: bytes) -> None:
        """Store the layers of one answer; ignore invalid ones."""
        try:
            shown = _SHOWN.decode(payload)
        except UNREADABLE:
            return
        bot = topic.split("/")[-2].rpartition(".")[0]
        if self.boards.bot_at(shown.match, shown.seat) != bot:
            return
        if not shown.turn:  # layers that came with an answer belong to the open question
            shown = replace(shown, turn=self.boards.turn_of(shown.match) + 1, layers=shown.shown, shown=[])
        if not shown.layers:
            return
        if shown.match not in self._latest:
            self._latest = {match: seats for match, seats in self._latest.items() if self.boards.bot_at(match, 0)}
        self._latest.setdefault(shown.match, {})[shown.seat] = shown

    def of(self, match_id: str) -> dict[int, Shown]:
        """Return the latest layers of a match, by seat."""
        return self._latest.get(match_id, {})
