"""Judge of one match. Knows no sockets, clocks or files: events in, commands out.

Every fairness decision is here: whose answer counts, when a question closes, what a fault costs, who wins. Times are
match time in milliseconds, handed in by the shell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

import msgspec

from games.api import AnyGame, Dynamics, Seat, Turn
from runner.config.values import FaultPolicy
from runner.record.chain import open_chain, seal_end
from runner.record.lines import AnswerLine, Fault, Termination, TurnLine
from runner.referee.blame import Blame, LagMs, LoadOf, WaitOf, no_lag, no_load
from runner.referee.charges import Charges
from runner.referee.clocks import Clocks, SpentOf, unmetered
from runner.referee.commands import Command, Finish, SeatHolder, Send
from runner.referee.ending import make_end
from runner.referee.seat_state import MESSAGES_PER_S, Question, draw_numbers, make_seat_states
from runner.referee.wording import Wording
from runner.wire import protocol
from runner.wire.errors import ProtocolFault


class Referee:
    """One match from start to end. Call the `on_` methods, obey the commands, wake it at `next_ms`.

    `lag_ms(since_ms, until_ms)` tells how late loop or broker were: above the seat's `grace_ms` a missing answer, or a
    timer of the rules, makes the match void, unless an entrant has caused it. `load_of(entrant, since_ms)` says what
    its processes did meanwhile, `wait_of` how the machine kept them waiting, `spent_of` what they have used.
    """

    def __init__(
        self,
        game: AnyGame,
        *,
        match_id: str,
        seed: int,
        entrants: Sequence[SeatHolder],
        faults: FaultPolicy,
        lag_ms: LagMs = no_lag,
        load_of: LoadOf = no_load,
        wait_of: WaitOf = no_load,
        spent_of: SpentOf = unmetered,
    ) -> None:
        self.game = game
        self.finished = False
        self.next_ms: float | None = None  # match time at which `on_time` is due, or None
        self._match_id = match_id
        self._entrants = tuple(entrants)
        self._out: list[Command] = []
        self._state: Any = game.initial_state(seed)
        self._chain = open_chain(game, seed=seed, initial_state=self._state)
        self._is_terminal = game.is_terminal(self._state)
        self._seats = make_seat_states(game.seats, self._entrants)
        self._charges = Charges(
            game,
            self._seats,
            self._entrants,
            limit=faults.limit,
            chain=self._chain,
            emit=self._out.append,
        )
        self._blame = Blame(self._seats, self._charges, lag_ms, load_of, wait_of)
        self._clocks = Clocks(spent_of)
        self._choices: dict[Seat, tuple[Any, str]] | None = None  # of the open turn; None = not opened
        self._acting: tuple[Seat, ...] = ()  # seats of the open turn
        self._numbers = draw_numbers()
        self._turn = 0  # turns applied
        self._timer_set_ms = 0.0  # since when `next_ms` of a timed game is what it is
        self._is_changed = True  # since the questions of a real-time game were last looked at
        self._dynamics = game.spec.dynamics
        self._is_timed = self._dynamics in (Dynamics.REAL_TIME, Dynamics.TICKED)
        self._words = Wording(game, match_id)

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
                self._on_malformed(entrant, str(fault), now_ms)
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

    @property
    def state(self) -> Any:
        """The complete situation, for public views; never for bots."""
        return self._state

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
            self._on_malformed(entrant, detail, now_ms)
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
        if not self._clocks.is_used_up(seat_state, question):
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
        """The bot itself says that what its author's code gave is no answer to an open question."""
        questions = (self._seats[seat].question for seat in self._entrants[entrant].seats)
        if any(question is not None and question.number == error.ask for question in questions):
            self._on_malformed(entrant, error.message, now_ms)

    def _on_malformed(self, entrant: int, detail: str, now_ms: float) -> None:
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

    def _catch_up(self, now_ms: float) -> None:
        """Let every timer and deadline up to now take effect, oldest first."""
        while (due_ms := self.next_ms) is not None and due_ms <= now_ms:
            if self._is_timed:
                self._go_off(due_ms, now_ms)
            else:
                self._expire(now_ms)
            self._proceed(now_ms)

    def _go_off(self, due_ms: float, now_ms: float) -> None:
        """A timer of the rules, unless the match is void or over because the world was late before it."""
        if reason := self._blame.for_lag(min(self._timer_set_ms, due_ms), due_ms, now_ms, turn=self._turn + 1):
            self._finish(Termination.VOID, reason)
        elif not self._is_over():
            self._apply(self._collect(), int(due_ms))

    def _collect(self) -> dict[Seat, tuple[Any, str]]:
        """The newest answers, for games with a tick; one that has become illegal meanwhile is left out."""
        chosen: dict[Seat, tuple[Any, str]] = {}
        for seat in self.game.seats_to_act(self._state):
            question = self._seats[seat].question
            if question is None or question.answer is None or question.measured is None:
                continue
            self._out.append(question.measured)
            if self.game.is_legal(self._state, seat, question.answer[0]):
                chosen[seat] = question.answer
        return chosen

    def _expire(self, now_ms: float) -> None:
        for seat, seat_state in enumerate(self._seats):
            question = seat_state.question
            if question is None or question.deadline_ms is None or question.deadline_ms > now_ms:
                continue
            if (look_ms := self._clocks.next_look_ms(seat_state, question, now_ms)) is not None:
                question.deadline_ms = look_ms
                continue
            # the clock is the bot's, not that of whoever looks at it
            self._run_out(seat, question, now_ms, at_ms=question.deadline_ms)
            if self.finished:
                return

    def _run_out(self, seat: Seat, question: Question, now_ms: float, *, at_ms: float) -> None:
        """A seat's time was over at `at_ms`: its best answer counts, none is a fault or makes the match void."""
        if question.answer is None:
            question.work = question.limit_work or 0
            spent = question.spent = self._clocks.spent(self._seats[seat], question)
            if reason := self._blame.for_silence(seat, question, now_ms, turn=self._turn + 1, spent=spent):
                self._finish(Termination.VOID, reason)
                return
        self._close_question(seat, at_ms)

    def _advance(self, now_ms: float) -> list[Command]:
        """Go on as far as possible without an answer and hand out the commands."""
        self._proceed(now_ms)
        commands = self._out.copy()
        self._out.clear()  # others append to it too
        return commands

    def _proceed(self, now_ms: float) -> None:
        while not self.finished:
            if self._is_over():
                self._conclude()
            elif self._is_timed:
                self._refresh(now_ms)
                self._note_timer(now_ms)
                return
            elif self._choices is None:
                self._open_turn(now_ms)
            elif self._note_deadline():
                return
            else:
                self._close_turn()
        self.next_ms = None

    def _note_timer(self, now_ms: float) -> None:
        """Keep when the rules' next timer goes off, and since when that is known."""
        wake_ms = self.game.wake_at(self._state)
        if wake_ms != self.next_ms:
            self._timer_set_ms = now_ms
        self.next_ms = wake_ms

    def _note_deadline(self) -> bool:
        """Keep when the next question closes; whether any is open."""
        is_open, next_ms = False, None
        for seat_state in self._seats:  # after every answer: a plain loop is twice as fast as any() and min()
            if (question := seat_state.question) is not None:
                is_open, due_ms = True, question.deadline_ms
                if due_ms is not None and (next_ms is None or due_ms < next_ms):
                    next_ms = due_ms
        self.next_ms = next_ms
        return is_open

    def _open_turn(self, now_ms: float) -> None:
        self._choices = {}
        self._acting = seats = self.game.seats_to_act(self._state)
        if not seats:
            raise RuntimeError(f"{self.game.spec.name}: nobody may act in a turn-based game that is not over")
        for seat in seats:
            if not self._seats[seat].forfeited:
                self._ask(seat, None, now_ms)

    def _ask(self, seat: Seat, key: object, now_ms: float) -> None:
        seat_state = self._seats[seat]
        number = next(self._numbers)
        seat_state.asked[number] = len(seat_state.asked)
        seat_state.question = self._clocks.ask(seat_state, number, key, now_ms, is_timed=self._is_timed)
        self._blame.budgets[seat_state.entrant].grant()
        self._send_question(seat, now_ms)

    def _close_question(self, seat: Seat, now_ms: float) -> None:
        """Settle the clock and keep the answer; timed games keep their questions open."""
        seat_state = self._seats[seat]
        question = seat_state.question
        if question is None or self._is_timed or self._choices is None:
            return
        seat_state.question = None
        if question.answer is not None and question.measured is not None:
            self._choices[seat] = question.answer
            self._out.append(question.measured)
        self._clocks.settle(seat_state, question, now_ms)

    def _close_turn(self) -> None:
        given = self._choices or {}
        self._choices = None
        actions = {}
        for seat in self._acting:
            if seat not in given:
                default = self.game.default_action(self._state, seat)
                given[seat] = (default, str(default))
            actions[seat] = given[seat]
        self._apply(actions, self._turn + 1)

    def _apply(self, chosen: Mapping[Seat, tuple[Any, str]], stamp: int) -> None:
        actions = {seat: action for seat, (action, _) in chosen.items()}
        texts = {str(seat): text for seat, (_, text) in chosen.items()}
        self._state = self.game.apply(self._state, Turn(actions, stamp))
        self._is_terminal = self.game.is_terminal(self._state)
        self._turn += 1
        self._is_changed = True
        link = self._chain.turn(self._turn, stamp, texts, self.game.encode(self._state))
        self._out.append(TurnLine(turn=self._turn, stamp=stamp, actions=texts, hash=link))

    def _refresh(self, now_ms: float) -> None:
        """Real-time: open, keep (with news) or close every seat's question after a change."""
        if not self._is_changed:
            return
        self._is_changed = False
        acting = self.game.seats_to_act(self._state)
        for seat, seat_state in enumerate(self._seats):
            if seat_state.forfeited or seat not in acting:
                seat_state.question = None
                continue
            key = self._turn if self._dynamics is Dynamics.TICKED else self.game.ask_key(self._state, seat)
            if seat_state.question is None or seat_state.question.key != key:
                self._ask(seat, key, now_ms)
            else:
                event = self._words.event(self._state, seat, seat_state.question, turn=self._turn + 1)
                self._out.append(Send(seat_state.entrant, event))

    def _is_over(self) -> bool:
        """Whether the rules say so, or forfeits leave nothing to play for: one side, or nobody."""
        return self._is_terminal or self._charges.leave_nothing_to_play_for

    def _conclude(self) -> None:
        blames = self._charges.blames
        blamed = "; ".join(reason for _, reason in blames)
        if not self._is_terminal:
            self._finish(Termination(blames[-1][0].value), blamed)
            return
        reason = self.game.reason(self._state)
        self._finish(Termination.COMPLETED, f"{reason}; {blamed}" if blamed else reason)

    def _finish(self, termination: Termination, reason: str) -> None:
        self.finished = True
        charges = self._charges
        end = make_end(
            self.game,
            self._state,
            termination,
            reason,
            seats=self._seats,
            lost_at=charges.lost_at,
            turns=self._turn,
        )
        told = protocol.End(
            match=self._match_id, termination=termination.value, reason=reason, returns=end.returns, ranks=end.ranks
        )
        self._out += [Send(entrant, told) for entrant in range(len(self._entrants)) if entrant not in charges.lost]
        self._out.append(Finish(seal_end(self._chain, end)))

    def _send_question(self, seat: Seat, now_ms: float) -> None:
        seat_state = self._seats[seat]
        assert seat_state.question is not None
        message = self._words.question(self._state, seat, seat_state.question, turn=self._turn + 1, now_ms=now_ms)
        self._out.append(Send(seat_state.entrant, message))
