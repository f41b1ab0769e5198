"""Judge of one match. Knows no sockets, clocks or files: events in, commands out.

Whose answer counts, and what is a fault, is decided here; when a question closes and how the match ends, in
`gridjoust.runner.referee.turns`. Times are match time in milliseconds, handed in by the shell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

import msgspec

from gridjoust.games.api import Dynamics, Seat
from gridjoust.runner.referee.commands import Command
from gridjoust.runner.referee.seat_state import MESSAGES_PER_S, Question
from gridjoust.runner.referee.turns import Course
from gridjoust.runner.results.records.lines import AnswerLine, Fault, Termination
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.refused import seat_named


class Referee(Course):
    """One match from start to end. Call the `on_` methods, obey the commands, wake it at `next_ms`."""

    def start(self, now_ms: float, failed: Mapping[int, str] | None = None, *, excuse: str = "") -> list[Command]:
        """The clock starts; `failed` entrants never got ready (entrant -> why): void, if there is an excuse for it."""
        if excuse:
            self._finish(Termination.VOID, f"{excuse} when bots had to get ready")
        else:
            for entrant, detail in (failed or {}).items():
                self._lose(entrant, Fault.FAILED_TO_START, detail)
        return self._advance(now_ms)

    def on_message(self, entrant: int, payload: bytes, now_ms: float) -> list[Command]:
        """Bytes from an entrant, whatever they are."""
        if self._admits(entrant, now_ms):
            try:
                self._take(entrant, protocol.decode_from_bot(payload), now_ms)
            except ProtocolFault as fault:
                self._on_malformed(entrant, str(fault), now_ms, seat=seat_named(payload))
        return self._advance(now_ms)

    def on_sent(self, entrant: int, message: protocol.FromBot, now_ms: float) -> list[Command]:
        """A message from an entrant that is a valid value already."""
        if self._admits(entrant, now_ms):
            self._take(entrant, message, now_ms)
        return self._advance(now_ms)

    def on_lost(self, entrant: int, fault: Fault, detail: str, now_ms: float, *, excuse: str = "") -> list[Command]:
        """An entrant is gone for good: its process ended or its connection did not come back.

        With an excuse the match is void, unless the entrant itself may have caused it.
        """
        self._catch_up(now_ms)
        if not self.finished and entrant not in self._charges.lost:
            if reason := self._blame.for_loss(entrant, excuse, detail, now_ms):
                self._finish(Termination.VOID, reason)
            else:
                self._lose(entrant, fault, detail)
        return self._advance(now_ms)

    def on_back(self, entrant: int, now_ms: float) -> list[Command]:
        """An entrant's connection came back: ask its open questions again, under the same numbers."""
        self._catch_up(now_ms)
        if not self.finished and entrant not in self._charges.lost:
            for seat in self._entrants[entrant].seats:
                if self._seats[seat].question is not None:
                    self._send_question(seat, now_ms)
        return self._advance(now_ms)

    def on_time(self, now_ms: float) -> list[Command]:
        """The instant `next_ms` has come (earlier calls do nothing)."""
        self._catch_up(now_ms)
        return self._advance(now_ms)

    def _admits(self, entrant: int, now_ms: float) -> bool:
        """Whether what an entrant sent is looked at: not after the end, and not in a flood."""
        self._catch_up(now_ms)
        if self.finished or entrant in self._charges.lost:
            return False
        budget = self._blame.budgets[entrant]
        if budget.take(now_ms):
            return True
        if budget.is_fault:
            detail = f"expected at most {MESSAGES_PER_S} messages a second"
            self._fault(self._answering_seat(entrant), Fault.FLOODING, detail)
        return False

    def _take(self, entrant: int, message: protocol.FromBot, now_ms: float) -> None:
        match message:
            case protocol.Action():
                self._on_answer(entrant, message, now_ms)
            case protocol.BotError(ask=None):
                self._lose(entrant, Fault.CRASHED, message.message)
            case protocol.BotError():
                self._on_no_answer(entrant, message, now_ms)
            case protocol.Ready():
                pass  # a second `ready` says nothing new
            case _:
                assert_never(message)

    def _on_answer(self, entrant: int, answer: protocol.Action, now_ms: float) -> None:
        if answer.match != self._match_id:
            return  # left over from an earlier match
        seats = self._entrants[entrant].seats
        if answer.seat not in seats:
            self._on_malformed(entrant, f"expected an answer for a seat in {list(seats)}, got {answer.seat}", now_ms)
        elif (which := self._seats[answer.seat].asked.get(answer.ask)) is None:
            detail = f"expected the number of a question to seat {answer.seat}, got {answer.ask}"
            self._on_malformed(entrant, detail, now_ms, seat=answer.seat)
        elif not self._is_stale(answer, which):
            self._seats[answer.seat].newest = (which, answer.seq)
            if not self._is_beyond(answer, now_ms):
                self._judge(answer, now_ms)

    def _is_stale(self, answer: protocol.Action, which: int) -> bool:
        """Whether it answers a closed question or has been seen before: dropped, and no fault."""
        seat_state = self._seats[answer.seat]
        if seat_state.question is None or (which, answer.seq) <= seat_state.newest:
            return True
        # with a tick, an answer that is late counts for a later tick
        return answer.ask != seat_state.question.number and self._dynamics is not Dynamics.TICKED

    def _is_beyond(self, answer: protocol.Action, now_ms: float) -> bool:
        """Whether an answer took more CPU time or work than the seat had: its question closes without it."""
        seat_state = self._seats[answer.seat]
        question = seat_state.question
        if question is None:
            return False
        if question.limit_work is not None:
            return self._is_overworked(answer, question, now_ms)
        if question.backstop_ms is None or self._clocks.left_ms(seat_state, question, 0.0) >= 0:
            return False
        self._run_out(answer.seat, question, now_ms, at_ms=now_ms)
        return True

    def _is_overworked(self, answer: protocol.Action, question: Question, now_ms: float) -> bool:
        """The same where work is the limit: a first answer is late then, else the best one so far counts."""
        work = 0 if answer.stats is None else answer.stats.expanded or 0
        excess = self._clocks.excess_work(self._seats[answer.seat], question, work)
        if not excess or question.answer is None:
            question.work = work
        if not excess:
            return False
        if question.answer is None:
            self._refuse(msgspec.structs.replace(answer, final=True), Fault.LATE, excess, now_ms)
        else:
            self._close_question(answer.seat, now_ms)
        return True

    def _judge(self, answer: protocol.Action, now_ms: float) -> None:
        try:
            action = self.game.parse_action(answer.action)
        except ValueError as error:
            self._refuse(answer, Fault.MALFORMED, f"action {answer.action[:80]!r}: {error}", now_ms)
            return
        if not self.game.is_legal(self._state, answer.seat, action):
            self._refuse(answer, Fault.ILLEGAL, self._words.illegal(self._state, answer.seat, action), now_ms)
            return
        self._accept(answer, action, now_ms)

    def _accept(self, answer: protocol.Action, action: Any, now_ms: float) -> None:
        seat_state = self._seats[answer.seat]
        question = seat_state.question
        assert question is not None
        text = str(action)
        measured = self._measure(question, answer, text, now_ms)
        if self._dynamics is Dynamics.REAL_TIME:
            self._out.append(measured)
            self._apply({answer.seat: (action, text)}, int(now_ms))
            return
        question.answer, question.measured = (action, text), measured
        if self._is_timed:
            return
        if answer.final:
            self._close_question(answer.seat, now_ms)
        elif question.limit_ms is not None:  # the bank is for who has no answer yet
            left_ms = self._clocks.left_ms(seat_state, question, now_ms)
            if left_ms <= 0:
                self._close_question(answer.seat, now_ms)
            else:
                question.deadline_ms = now_ms + left_ms

    def _refuse(self, answer: protocol.Action, fault: Fault, detail: str, now_ms: float) -> None:
        question = self._seats[answer.seat].question
        assert question is not None
        line = self._measure(question, answer, answer.action[:80], now_ms)
        self._out.append(msgspec.structs.replace(line, fault=fault.value))
        self._fault(answer.seat, fault, detail)
        if answer.final:
            self._close_question(answer.seat, now_ms)

    def _measure(self, question: Question, answer: protocol.Action, text: str, now_ms: float) -> AnswerLine:
        spent = question.spent = self._clocks.spent(self._seats[answer.seat], question)
        return question.measure(answer, text, turn=self._turn + 1, now_ms=now_ms, is_timed=self._is_timed, spent=spent)

    def _on_no_answer(self, entrant: int, error: protocol.BotError, now_ms: float) -> None:
        """Close the question to which the bot says that it has no answer.

        Where the seat has been asked again since, it is kept as what came in place of an answer.
        """
        for seat in self._entrants[entrant].seats:
            question = self._seats[seat].question
            if question is None or error.ask not in self._seats[seat].asked:
                continue
            if question.number == error.ask:
                self._on_malformed(entrant, error.message, now_ms, seat=seat)
            else:
                question.complaint = question.complaint or error.message

    def _on_malformed(self, entrant: int, detail: str, now_ms: float, *, seat: Seat | None = None) -> None:
        """Charge a message in place of an answer to `seat`, or to the first that has a question if that has none."""
        seats = self._entrants[entrant].seats
        if seat is None or seat not in seats or self._seats[seat].question is None:
            seat = self._answering_seat(entrant)
        question = self._seats[seat].question
        line = AnswerLine(turn=self._turn + 1, seat=seat, fault=Fault.MALFORMED.value)
        if question is not None:
            question.spent = self._clocks.spent(self._seats[seat], question)
            used = {} if question.spent is None else question.spent._asdict()
            line = msgspec.structs.replace(line, after_ms=round(now_ms - question.asked_ms, 3), **used)
        self._out.append(line)
        self._fault(seat, Fault.MALFORMED, detail)
        self._close_question(seat, now_ms)  # garbage in place of an answer: the seat is not faulted twice

    def _answering_seat(self, entrant: int) -> Seat:
        seats = self._entrants[entrant].seats
        return next((seat for seat in seats if self._seats[seat].question is not None), seats[0])

    def _fault(self, seat: Seat, fault: Fault, detail: str) -> None:
        self._charges.fault(seat, fault, detail, turn=self._turn + 1)

    def _lose(self, entrant: int, fault: Fault, detail: str) -> None:
        self._charges.lose(entrant, fault, detail, turn=self._turn + 1)
