"""What of a match is sent to those who watch while it is played: public views, and the lines of its record.

Views are for whoever may listen. The lines also hold what the rules hide: the broker gives them to the live page alone.
Sends nothing itself: messages are (topic, payload), to leave with what else there is to send.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from gridjoust.games.api import AnyGame
from gridjoust.runner.results.records.lines import EndLine, FaultLine, Header, TurnLine
from gridjoust.runner.wire.protocol import bot_prefix, lines_topic, view_topic
from gridjoust.runner.wire.shown import Pace, shown_topic
from gridjoust.runner.wire.text import UNREADABLE

Told = TurnLine | FaultLine
Message = tuple[str, bytes]
HandLines = Callable[[str, Sequence[Header | Told | EndLine]], None]  # (match, what comes next in its record)


class _Seat(msgspec.Struct):
    """What matters here of an answer."""

    seat: int


_SEAT = msgspec.json.Decoder(_Seat)


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
    _shown: dict[bytes, Message] = field(default_factory=dict)  # by slot and seat, to leave with the next turn
    _pace: Pace = field(default_factory=Pace)

    def __post_init__(self) -> None:
        self.has_lines = self.has_lines or self.hand is not None
        self.is_wanted = self.has_views or self.has_lines

    def begin(self, header: Header) -> list[Message]:
        """A match begins, perhaps once more."""
        return self._message([header])

    def turn(self, state: Any, lines: Sequence[Told]) -> list[Message]:
        """A turn is over; `lines`: all so far."""
        told = self._message(self._news(lines))
        if self.has_views:
            told.insert(0, (view_topic(self.run, self.match_id), msgspec.json.encode(self.game.public_view(state))))
        if self._shown:
            told = [*self._shown.values(), *told]  # of this turn: before the line that closes it
            self._shown = {}
        return told

    def show(self, slot: str, answer: bytes) -> None:
        """An answer that carries what its bot thinks."""
        try:
            who = f"{slot}/{_SEAT.decode(answer).seat}".encode()
        except UNREADABLE:
            return  # the referee says what is wrong with it
        if self._pace.is_due(who):
            self._shown[who] = (shown_topic(bot_prefix(self.run, slot)), answer)

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
