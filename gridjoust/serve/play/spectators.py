"""Sends the lines of running matches to the process of the pages, for the live boards, while somebody watches them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from gridjoust.runner.results.records.lines import EndLine
from gridjoust.runner.spectate.spectators import LineObserver, MatchObserver, Message, RecordLine, Spectators

_MOST_WAITING = 8 << 20  # bytes that the other process has not read yet, before further lines wait


@dataclass(slots=True)
class BoardPipe:
    """The pipe to the process of the pages."""

    out: asyncio.WriteTransport
    is_watched: bool = False  # a page of boards is open

    @property
    def is_wanted(self) -> bool:
        """True if lines are to be sent now."""
        return self.is_watched and self.out.get_write_buffer_size() < _MOST_WAITING

    def send(self, match_id: str, lines: Sequence[RecordLine]) -> None:
        """Send lines of a match as one line of text."""
        self.out.write(msgspec.json.encode((match_id, lines)) + b"\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSpectators(Spectators):
    """Spectators of the live boards."""

    pipe: BoardPipe

    def observe(self, run: str, match_id: str) -> list[MatchObserver]:  # noqa: ARG002 - one contest, one pipe
        """Return the observer of one match."""
        return [LineSender(match_id, self.pipe)]


@dataclass(slots=True)
class LineSender(LineObserver):
    """Sends the lines of one match; while nobody watches, it keeps them until somebody does."""

    match_id: str
    pipe: BoardPipe
    _waiting: list[RecordLine] = field(default_factory=list)
    _is_shown: bool = False  # the header is sent

    def _pass_on(self, lines: Sequence[RecordLine]) -> Sequence[Message]:
        self._waiting += lines
        if self.pipe.is_wanted or (self._is_shown and isinstance(lines[-1], EndLine)):
            parts = [self._waiting] if self._is_shown else [self._waiting[:1], self._waiting[1:]]  # a header is alone
            for part in filter(None, parts):
                self.pipe.send(self.match_id, part)
            self._waiting, self._is_shown = [], True
        return ()
