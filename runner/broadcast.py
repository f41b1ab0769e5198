"""What of a match is sent to those who watch while it is played: public views, and the lines of its record.

Views are for whoever may listen. The lines also hold what the rules hide: the broker gives them to the live page alone.
Sends nothing itself: messages are (topic, payload), to leave with what else there is to send.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.api import AnyGame
from runner.record.lines import EndLine, FaultLine, Header, TurnLine
from runner.wire.protocol import lines_topic, view_topic

Told = TurnLine | FaultLine
Message = tuple[str, bytes]
HandLines = Callable[[str, Sequence[Header | Told | EndLine]], None]  # (match, what comes next in its record)


@dataclass(slots=True, kw_only=True)
class Broadcast:
    """One match's; there are no messages unless views or lines are wanted."""

    run: str
    match_id: str
    game: AnyGame
    has_views: bool
    has_lines: bool  # on the bus
    hand: HandLines | None = None  # takes the lines past the bus, where others could read them there
    is_wanted: bool = field(init=False)
    _sent: int = 0  # lines

    def __post_init__(self) -> None:
        self.has_lines = self.has_lines or self.hand is not None
        self.is_wanted = self.has_views or self.has_lines

    def begin(self, header: Header) -> list[Message]:
        """A match begins, perhaps once more."""
        return self._message([header])

    def turn(self, state: Any, lines: Sequence[Told]) -> list[Message]:
        """A turn is over; `lines`: all so far."""
        if not self.has_views:
            return self._message(self._news(lines))
        view = msgspec.json.encode(self.game.public_view(state))
        return [(view_topic(self.run, self.match_id), view), *self._message(self._news(lines))]

    def end(self, lines: Sequence[Told], end: EndLine) -> list[Message]:
        """It is over."""
        return self._message([*self._news(lines), end])

    def _news(self, lines: Sequence[Told]) -> Sequence[Told]:
        """What has not been sent yet."""
        news, self._sent = lines[self._sent :], len(lines)
        return news

    def _message(self, lines: Sequence[Header | Told | EndLine]) -> list[Message]:
        if not self.has_lines or not lines:
            return []
        if self.hand is not None:
            self.hand(self.match_id, lines)
            return []
        return [(lines_topic(self.run, self.match_id), b"\n".join(map(msgspec.json.encode, lines)))]
