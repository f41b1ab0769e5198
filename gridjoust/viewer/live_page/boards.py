"""Boards of running matches: it reads lines from the bus and writes drawings to the event log while a page is open.

Turns that come faster than `LEAST_GAP_S` are applied but not drawn. The CPU time of drawing is limited, and the referee
never waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

import msgspec

from gridjoust.games.api import Seat
from gridjoust.runner.results.records.lines import EndLine, FaultLine, Header, TurnLine
from gridjoust.runner.wire.errors import RecordError
from gridjoust.viewer.live_page.events import EventLog
from gridjoust.viewer.live_page.match import RunningMatch

LEAST_GAP_S = 0.08  # between two drawings of a board
SHARE = 0.2  # of a core, limit for drawing all boards
MOST_BOARDS = 12
KEPT_S = 20.0  # for which a finished match can still be read
GONE_S = 60.0  # after so long without a reader, drawing stops
Line = Header | TurnLine | FaultLine | EndLine
_LINE = msgspec.json.Decoder(Line)
_HEADER, _END = b'{"type":"header"', b'{"type":"end"'  # first bytes of such lines


@dataclass(slots=True)
class _Board:
    header: Header
    has_ended: bool = False
    unread: list[bytes | Line] = field(default_factory=list)
    gap_s: float = LEAST_GAP_S
    drawn_s: float = 0.0
    timer: asyncio.TimerHandle | None = None
    is_told: bool = False  # its start is in the log
    is_over: bool = False  # its end is in the log
    _match: RunningMatch | None = None

    def match(self) -> RunningMatch:
        """Return the running match with all its lines so far applied; RecordError if the rules are not installed."""
        if self._match is None:
            self._match = RunningMatch(self.header)
        unread, self.unread = self.unread, []
        lines = (_LINE.decode(line) if isinstance(line, bytes) else line for line in unread)
        self._match.hear(line for line in lines if not isinstance(line, Header))
        return self._match


@dataclass(slots=True)
class Boards:
    """Draws running matches: `on_message` takes record lines from the bus, `hear` from the run; fills the event log."""

    log: EventLog
    _boards: dict[str, _Board] = field(default_factory=dict)
    _read_s: float = 0.0  # last time with a reader

    def on_message(self, topic: str, payload: bytes) -> None:
        """Take lines of the match that the topic names."""
        match_id, lines = topic.split("/")[-2], payload.split(b"\n")
        if lines[0].startswith(_HEADER):
            self.hear(match_id, [_LINE.decode(lines[0])])
        else:
            self._hear(match_id, lines, has_ended=lines[-1].startswith(_END))

    def hear(self, match_id: str, lines: list[Line]) -> None:
        """Take the next lines of a match's record; its header comes first and alone."""
        match lines:
            case [Header() as header]:
                self._open(header)
            case _:
                self._hear(match_id, lines, has_ended=isinstance(lines[-1], EndLine))

    @property
    def running(self) -> int:
        """Number of matches that are being played."""
        return sum(not board.has_ended for board in self._boards.values())

    @property
    def shown(self) -> list[str]:
        """Ids of the matches for which more events will come."""
        boards = self._boards.items()
        return [name for name, board in boards if not board.has_ended or (board.is_told and not board.is_over)]

    def bot_at(self, match_id: str, seat: Seat) -> str | None:
        """Return the bot in a seat of a match; None if the match has no board or no such seat."""
        board = self._boards.get(match_id)
        seats = () if board is None else board.header.seats
        return seats[seat].bot if 0 <= seat < len(seats) else None

    def turn_of(self, match_id: str) -> int:
        """Return the number of the last known turn of a match with a board."""
        return self._boards[match_id].match().turn

    def look(self) -> None:
        """Draw all running matches, as a page has opened."""
        self._read_s = perf_counter()
        for board in self._boards.values():
            if not board.has_ended:
                self._draw_soon(board)

    def close_match(self, match_id: str) -> None:
        """Drop the board of a match whose record is complete, unless its end has come over the bus."""
        board = self._boards.get(match_id)
        if board is not None and not board.has_ended:
            self._forget(match_id)

    def _open(self, header: Header) -> None:
        self._forget(header.match_id)
        self._boards[header.match_id] = board = _Board(header)
        self._draw_soon(board)

    def _hear(self, match_id: str, lines: Sequence[bytes | Line], *, has_ended: bool) -> None:
        board = self._boards.get(match_id)
        if board is None:
            return
        board.unread += lines
        board.has_ended = has_ended
        self._draw_soon(board)
        if has_ended and not board.is_told and board.timer is None:
            self._forget(match_id)  # no page has shown it
        elif has_ended:
            asyncio.get_running_loop().call_later(KEPT_S, self._forget_if, match_id, board)

    def _draw_soon(self, board: _Board) -> None:
        if board.timer is not None or not self._is_watched() or not self._is_shown(board):
            return
        due_s = max(0.0, board.drawn_s + board.gap_s - perf_counter())
        board.timer = asyncio.get_running_loop().call_later(due_s, self._draw, board)

    def _draw(self, board: _Board) -> None:
        board.timer, match_id = None, board.header.match_id
        began_s = perf_counter()
        try:
            match = board.match()
            if not board.is_told:
                board.is_told = True
                self.log.add(match_id, match.begin())
            self.log.add(match_id, match.draw())
        except RecordError:  # the rules are not installed here; the list of matches says so
            self._forget(match_id)
            return
        if match.end is not None:
            board.is_over = True
            self.log.end(match_id)
        board.drawn_s = perf_counter()
        board.gap_s = max(LEAST_GAP_S, (board.drawn_s - began_s) * max(1, self.running) / SHARE)

    def _is_watched(self) -> bool:
        if self.log.readers:
            self._read_s = perf_counter()
        return perf_counter() - self._read_s < GONE_S if self._read_s else False

    def _is_shown(self, board: _Board) -> bool:
        """Return True for boards on the page: the first `MOST_BOARDS`, each until its end."""
        if board.is_told:
            return True
        return sum(other.is_told and not other.has_ended for other in self._boards.values()) < MOST_BOARDS

    def _forget_if(self, match_id: str, board: _Board) -> None:
        if self._boards.get(match_id) is board:  # unless the match was restarted
            self._forget(match_id)

    def _forget(self, match_id: str) -> None:
        board = self._boards.pop(match_id, None)
        if board is not None and board.timer is not None:
            board.timer.cancel()
        self.log.forget(match_id)
