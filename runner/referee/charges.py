"""Faults of a match: counts them and messages, makes seats forfeit, and keeps which entrants are lost."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gridjoust.games.api import AnyGame, Seat
from gridjoust.runner.processes.history import Spent
from gridjoust.runner.referee.values import Command, Drop, Question, SeatHolder, SeatState
from gridjoust.runner.results.records.chain import Chain
from gridjoust.runner.results.records.lines import AnswerLine, Fault, FaultLine
from gridjoust.runner.results.records.reasons import Forfeit, forfeit_of
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.text import plain_text

BURST_MESSAGES = 200  # a bot may send this many messages at once ...
MESSAGES_PER_S = 400  # ... and this many a second on average; more is flooding, and is refused unread
MESSAGES_A_FAULT = 500  # of a flood: the first refused message is a fault, and each 500th after it
MAX_DETAIL = 2 * protocol.MAX_ERROR  # characters of a fault's detail: a bot's own words and the referee's


class Charges:
    """The faults of one match and what follows from them; lines and commands go to `emit`, in order."""

    def __init__(
        self,
        game: AnyGame,
        seats: Sequence[SeatState],
        entrants: Sequence[SeatHolder],
        *,
        limit: int,
        chain: Chain,
        emit: Callable[[Command], None],
    ) -> None:
        self.lost: set[int] = set()  # entrants that are out of the match
        self.lost_at: dict[int, int] = {}  # team -> turn in which it forfeited
        self.leave_nothing_to_play_for = False  # forfeits have left at most one side
        self.forfeits: list[Forfeit] = []  # in order
        self._teams = game.teams
        self._seats = seats
        self._entrants = entrants
        self._limit = limit
        self._chain = chain
        self._emit = emit
        self._faults: dict[Seat, list[FaultLine]] = {}

    @property
    def remaining_entrants(self) -> list[int]:
        """The entrants that are still in the match."""
        return [entrant for entrant in range(len(self._entrants)) if entrant not in self.lost]

    def fault(self, seat: Seat, fault: Fault, detail: str, *, turn: int, is_last: bool = False) -> None:
        """Charge a seat with one fault; the seat forfeits at the limit of faults, or at once if `is_last`."""
        seat_state = self._seats[seat]
        if seat_state.forfeited:
            return
        seat_state.faults += 1  # one for each line: `joust verify`, the reasons and the live page count the lines
        detail = plain_text(detail, limit=MAX_DETAIL)
        self._chain.fault(turn, seat, fault.value, detail)
        line = FaultLine(turn=turn, seat=seat, fault=fault, detail=detail)
        self._faults.setdefault(seat, []).append(line)
        self._emit(line)
        if is_last or seat_state.faults >= self._limit:
            self._forfeit(seat, turn)

    def unanswered(self, seat: Seat, question: Question, late: str, *, turn: int, spent: Spent | None = None) -> None:
        """Charge a seat that did not answer in time, and emit a measured line like that of an answer.

        The fault is malformed if the bot sent something else in place of an answer; otherwise late, with detail `late`.
        """
        used = {} if spent is None else spent._asdict()
        if question.complaint and question.deadline_ms is not None:
            after_ms = round(question.deadline_ms - question.asked_ms, 3)
            self._emit(AnswerLine(turn=turn, seat=seat, fault=Fault.MALFORMED.value, after_ms=after_ms, **used))
            self.fault(seat, Fault.MALFORMED, question.complaint, turn=turn)
        else:
            self._emit(AnswerLine(turn=turn, seat=seat, fault=Fault.LATE.value, **used))
            self.fault(seat, Fault.LATE, late, turn=turn)

    def lose(self, entrant: int, fault: Fault, detail: str, *, turn: int) -> None:
        """Remove an entrant from the match: all its seats forfeit."""
        self.lost.add(entrant)
        for seat in self._entrants[entrant].seats:
            self.fault(seat, fault, detail, turn=turn, is_last=True)

    def _forfeit(self, seat: Seat, turn: int) -> None:
        """Make a seat forfeit, in this turn.

        Once all seats of an entrant have forfeited, it is released. Once all of a team have, the team has lost.
        """
        forfeit = forfeit_of(self._faults[seat])
        seat_state = self._seats[seat]
        seat_state.forfeited = True
        seat_state.question = None
        team = self._teams[seat]
        if all(self._seats[mate].forfeited for mate, other in enumerate(self._teams) if other == team):
            self.lost_at[team] = turn
            self.leave_nothing_to_play_for = len(self.lost_at) >= len(set(self._teams)) - 1
        self.forfeits.append(forfeit)
        if all(self._seats[own].forfeited for own in self._entrants[seat_state.entrant].seats):
            self._emit(Drop(seat_state.entrant, forfeit.fault, forfeit.detail))


@dataclass(slots=True)
class Budget:
    """Rate limit on one entrant's messages, a token bucket."""

    tokens: float = BURST_MESSAGES
    filled_ms: float = 0.0
    excess: int = 0  # messages refused in this flood
    refused_ms: float = -math.inf  # when a message was last refused

    def take(self, now_ms: float) -> bool:
        """Count one message; return whether it is within the limit."""
        self._fill(now_ms)
        if self.tokens < 1:
            self.excess += 1
            self.refused_ms = now_ms
            return False
        self.tokens -= 1
        if self.tokens > BURST_MESSAGES / 2:
            self.excess = 0  # the flood is over
        return True

    def grant(self) -> None:
        """Grant one more message, for the answer to a new question: fast questions cause no flood."""
        if self.tokens < BURST_MESSAGES:
            self.tokens = min(BURST_MESSAGES, self.tokens + 1)

    def is_flooding(self, now_ms: float) -> bool:
        """Return whether a flood is going on: messages were refused, and the bucket has not refilled to half since."""
        self._fill(now_ms)
        return self.excess > 0 and self.tokens <= BURST_MESSAGES / 2

    def has_flooded(self, since_ms: float, now_ms: float) -> bool:
        """Return whether a message was refused since `since_ms`, or a flood is going on."""
        return self.refused_ms >= since_ms or self.is_flooding(now_ms)

    def _fill(self, now_ms: float) -> None:
        """Add the tokens of the time since the last call."""
        tokens = self.tokens + (now_ms - self.filled_ms) * MESSAGES_PER_S / 1000
        self.tokens = tokens if tokens < BURST_MESSAGES else BURST_MESSAGES  # twice as fast as min()
        self.filled_ms = now_ms

    @property
    def is_fault(self) -> bool:
        """True if the message just refused is a fault: the first of a flood and each `MESSAGES_A_FAULT`th after it."""
        return self.excess % MESSAGES_A_FAULT == 1
