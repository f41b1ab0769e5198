"""What of a match is sent to those who watch while it is played: public views, and the lines of its record.

Views are for whoever may listen. The lines also hold what the rules hide: the broker gives them to the live page alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.api import AnyGame
from runner.record.lines import EndLine, FaultLine, Header, TurnLine
from runner.wire.bus import Bus
from runner.wire.protocol import lines_topic, view_topic

Told = TurnLine | FaultLine


@dataclass(slots=True, kw_only=True)
class Broadcast:
    """One match's; silent unless views or lines are wanted."""

    bus: Bus
    run: str
    match_id: str
    game: AnyGame
    has_views: bool
    has_lines: bool
    is_wanted: bool = field(init=False)
    _sent: int = 0  # lines

    def __post_init__(self) -> None:
        self.is_wanted = self.has_views or self.has_lines

    async def begin(self, header: Header) -> None:
        """A match begins, perhaps once more."""
        if self.has_lines:
            await self._send([header])

    async def turn(self, state: Any, lines: Sequence[Told]) -> None:
        """A turn is over; `lines`: all so far."""
        if self.has_views:
            view = self.game.public_view(state)
            await self.bus.publish(view_topic(self.run, self.match_id), msgspec.json.encode(view))
        if self.has_lines:
            await self._send(self._news(lines))

    async def end(self, lines: Sequence[Told], end: EndLine) -> None:
        """It is over."""
        if self.has_lines:
            await self._send([*self._news(lines), end])

    def _news(self, lines: Sequence[Told]) -> Sequence[Told]:
        """What has not been sent yet."""
        news, self._sent = lines[self._sent :], len(lines)
        return news

    async def _send(self, lines: Sequence[Header | Told | EndLine]) -> None:
        await self.bus.publish(lines_topic(self.run, self.match_id), b"\n".join(map(msgspec.json.encode, lines)))
