"""Flow of turns in one match: questions open and close, timers fire, turns are applied, the match ends.

Which answers count is decided in `gridjoust.runner.referee.judge`. Times are match time in milliseconds.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gridjoust.games.api import AnyGame, Dynamics, EndlessMatchError, MatchStuckError, Seat, Turn
from gridjoust.runner.referee.blame import Blame
from gridjoust.runner.referee.charges import Charges
from gridjoust.runner.referee.clocks import Clocks
from gridjoust.runner.referee.messages import Messages, make_end, measured_line
from gridjoust.runner.referee.values import Choice, Command, Finish, Question, SeatState, Send
from gridjoust.runner.results.records.chain import Chain, seal_end
from gridjoust.runner.results.records.lines import AnswerLine, Termination, TurnLine
from gridjoust.runner.wire import protocol

NUMBERS_AT_ONCE = 32  # numbers of questions per system call


def draw_numbers() -> Iterator[int]:
    """Yield numbers of questions below 2^53 that a bot cannot guess, so that it answers only what it was sent.

    They come from the system's random source. They enter no record, and earlier numbers do not reveal later ones.
    """
    while True:
        for (bits,) in struct.iter_unpack("Q", os.urandom(8 * NUMBERS_AT_ONCE)):
            yield bits >> 11


class TurnFlow:
    """The flow of turns in one match: call it with accepted answers and with the time, and wake it at `next_ms`.

    Commands and lines of the record go to `emit`, in order.
    """

    def __init__(
        self,
        game: AnyGame,
        *,
        state: Any,
        chain: Chain,
        seats: Sequence[SeatState],
        charges: Charges,
        blame: Blame,
        clocks: Clocks,
        messages: Messages,
        emit: Callable[[Command], None],
        is_hashed: bool = True,
    ) -> None:
        self.state: Any = state  # complete: for the rules and public views, never for bots
        self.turn = 1  # number of the turn under way
        self.is_finished = False
        self.is_timed = game.spec.dynamics in (Dynamics.REAL_TIME, Dynamics.TICKED)
        self.is_held = False  # True: turns wait for `open_turn` or `play_turn`
        self.is_between_turns = False  # True: one does
        self.next_ms: float | None = None  # match time at which `catch_up` is due, or None
        self._game = game
        self._chain = chain
        self._seats = seats
        self._charges = charges
        self._blame = blame
        self._clocks = clocks
        self._messages = messages
        self._emit = emit
        self._is_hashed = is_hashed
        self._dynamics = game.spec.dynamics
        self._is_terminal = game.is_terminal(state)
        self._choices: dict[Seat, Choice] | None = None  # of the turn under way; None: it has not been opened
        self._acting: tuple[Seat, ...] = ()  # seats of the turn under way
        self._numbers = draw_numbers()
        self._drawn: dict[Seat, int] = {}  # numbers of the questions of the next turn, by `draw_questions`
        self._timer_set_ms = 0.0  # when `next_ms` of a timed game got its value
        self._is_changed = True  # the state has changed since `_refresh` last compared it with the open questions

    # what the judge calls

    def catch_up(self, now_ms: float) -> None:
        """Let every timer and deadline up to now take effect, oldest first."""
        while (due_ms := self.next_ms) is not None and due_ms <= now_ms:
            if self.is_timed:
                self._fire_timer(due_ms, now_ms)
            else:
                self._expire_questions(now_ms)
            self.proceed(now_ms)

    def overdue_entrants(self, now_ms: float) -> set[int]:
        """Return the entrants with a question whose time is over and that has no answer yet."""
        due = [seat for seat in self._seats if self._is_overdue(seat, now_ms)]
        return {seat.entrant for seat in due}

    def _is_overdue(self, seat_state: SeatState, now_ms: float) -> bool:
        question = seat_state.question
        if question is None or question.answer is not None or question.deadline_ms is None:
            return False
        is_due = question.deadline_ms <= now_ms
        return is_due and self._clocks.next_look_ms(seat_state, question, now_ms) is None

    def proceed(self, now_ms: float) -> None:
        """Go on until an answer or the time is needed, and set `next_ms`.

        EndlessMatchError if the rules go on after the most turns that they declare.
        """
        while not self.is_finished:
            if self._is_terminal or self._charges.leave_nothing_to_play_for:
                self._conclude()
            elif self.turn > self._game.spec.max_turns:
                raise EndlessMatchError(self._game.spec)
            elif self.is_timed:
                self._refresh(now_ms)
                self._set_timer(now_ms)
                return
            elif self._choices is None:
                if self.is_held:
                    self.is_between_turns = True
                    break
                self._open_turn(now_ms)
            elif self._set_deadline():
                return
            else:
                self._close_turn()
        self.next_ms = None

    # one turn at a time, for answers that come all at once

    def draw_questions(self, now_ms: float) -> list[protocol.TurnMessage]:
        """Return the questions of the next turn, whose contents are made when a bot reads them.

        Return none if the seats cannot all answer at once: one has forfeited, or a bot holds several of them.
        """
        state, turn = self.state, self.turn
        self._drawn = {}
        messages: list[protocol.TurnMessage] = []
        asked: set[int] = set()  # entrants
        for seat in self._game.seats_to_act(state):
            seat_state = self._seats[seat]
            if seat_state.forfeited or seat_state.entrant in asked:
                return []
            asked.add(seat_state.entrant)
            number = self._drawn[seat] = next(self._numbers)
            turn_ms = seat_state.time.turn_ms
            left_ms = None if turn_ms is None else int(now_ms + (turn_ms + seat_state.bank_ms) - now_ms)
            messages.append(self._messages.outline(state, seat, number, turn=turn, limit_ms=left_ms))
        return messages

    def play_turn(self, answers: Sequence[protocol.Action], *, latency_ms: float) -> bool:
        """Apply the turn of `draw_questions` if every answer is a legal action; all must have come within `turn_ms`.

        Return False, with nothing changed, if one is not legal: `open_turn` then asks under the same numbers.
        """
        chosen: dict[Seat, Choice] = {}
        game, state, turn = self._game, self.state, self.turn
        for answer in answers:
            try:
                action = game.parse_action(answer.action)
            except ValueError:
                return False
            if not game.is_legal(state, answer.seat, action):
                return False
            chosen[answer.seat] = (action, str(action))
        for answer in answers:
            seat, text = answer.seat, chosen[answer.seat][1]
            self._emit(measured_line(answer, text, turn=turn, latency_ms=latency_ms, is_final=True, spent=None))
            seat_state = self._seats[seat]
            if seat_state.time.turn_ms is not None:
                seat_state.bank_ms += seat_state.time.increment_ms
        self.is_between_turns, self._drawn = False, {}
        self._apply(chosen, turn)
        return True

    def open_turn(self, now_ms: float) -> None:
        """Ask the seats of the next turn; questions that were drawn keep their numbers."""
        self._open_turn(now_ms)
        self.is_between_turns, self._drawn = False, {}

    def accept(self, seat: Seat, choice: Choice, measured: AnswerLine, now_ms: float) -> None:
        """Apply a legal action now (real time), or keep it and close its question if no better answer can come."""
        if self._dynamics is Dynamics.REAL_TIME:
            self._emit(measured)
            self._apply({seat: choice}, int(now_ms))
            return
        seat_state = self._seats[seat]
        question = seat_state.question
        assert question is not None
        question.answer, question.measured = choice, measured
        if self.is_timed:
            return
        if measured.final:
            self.close_question(seat, now_ms)
        elif question.limit_ms is not None:  # with an answer there, no more is taken from the bank
            left_ms = self._clocks.left_ms(seat_state, question, now_ms)
            if left_ms <= 0:
                self.close_question(seat, now_ms)
            else:
                question.deadline_ms = now_ms + left_ms

    def close_question(self, seat: Seat, now_ms: float) -> None:
        """Settle a seat's clock and keep its best answer for the turn; a timed game keeps the question open."""
        seat_state = self._seats[seat]
        question = seat_state.question
        if question is None or self.is_timed or self._choices is None:
            return
        seat_state.question = None
        if question.answer is not None and question.measured is not None:
            self._choices[seat] = question.answer
            self._emit(question.measured)
        self._clocks.settle(seat_state, question, now_ms)

    def run_out(self, seat: Seat, question: Question, now_ms: float, *, at_ms: float) -> None:
        """Close a question whose time ended at `at_ms`; the best answer so far counts.

        Without an answer, the seat is charged with a fault, or the match is void if the machine is to blame.
        """
        if question.answer is None:
            if question.limit_work is not None:
                question.work = question.limit_work
            spent = question.spent = self._clocks.spent(self._seats[seat], question)
            if reason := self._blame.for_silence(seat, question, now_ms, turn=self.turn, spent=spent):
                self.void(reason)
                return
        self.close_question(seat, at_ms)

    def repeat_questions(self, seats: Iterable[Seat], now_ms: float) -> None:
        """Send the open questions of these seats again, under the same numbers."""
        for seat in seats:
            if self._seats[seat].question is not None:
                self._send_question(seat, now_ms)

    def void(self, reason: str) -> None:
        """End the match without a result."""
        self._finish(Termination.VOID, reason)

    # timers and deadlines

    def _fire_timer(self, due_ms: float, now_ms: float) -> None:
        """Fire a timer of the rules; void the match if the host lagged before it."""
        if reason := self._blame.for_lag(min(self._timer_set_ms, due_ms), due_ms, now_ms, turn=self.turn):
            self.void(reason)
        elif not self._charges.leave_nothing_to_play_for:
            self._apply(self._collect(), int(due_ms))

    def _collect(self) -> dict[Seat, Choice]:
        """Return the newest answers of a tick without those that have become illegal since they came."""
        chosen: dict[Seat, Choice] = {}
        for seat in self._game.seats_to_act(self.state):
            question = self._seats[seat].question
            if question is None or question.answer is None or question.measured is None:
                continue
            self._emit(question.measured)
            if self._game.is_legal(self.state, seat, question.answer[0]):
                chosen[seat] = question.answer
        return chosen

    def _expire_questions(self, now_ms: float) -> None:
        """Close every question whose deadline has come; set a later deadline if the bot has CPU time left."""
        for seat, seat_state in enumerate(self._seats):
            question = seat_state.question
            if question is None or question.deadline_ms is None or question.deadline_ms > now_ms:
                continue
            if (look_ms := self._clocks.next_look_ms(seat_state, question, now_ms)) is not None:
                question.deadline_ms = look_ms
                continue
            # the bot is charged up to its deadline, even if the referee was woken later
            self.run_out(seat, question, now_ms, at_ms=question.deadline_ms)
            if self.is_finished:
                return

    def _set_timer(self, now_ms: float) -> None:
        """Set `next_ms` to the rules' next timer; if that changes, note the time at which it was set.

        MatchStuckError if there is neither a timer nor an open question.
        """
        wake_ms = self._game.wake_at(self.state)
        if wake_ms is None and all(seat_state.question is None for seat_state in self._seats):
            raise MatchStuckError(self._game.spec)
        if wake_ms != self.next_ms:
            self._timer_set_ms = now_ms
        self.next_ms = wake_ms

    def _set_deadline(self) -> bool:
        """Set `next_ms` to the first deadline of an open question; return whether any question is open."""
        is_open, next_ms = False, None
        for seat_state in self._seats:  # after every answer: a plain loop is twice as fast as any() and min()
            if (question := seat_state.question) is not None:
                is_open, due_ms = True, question.deadline_ms
                if due_ms is not None and (next_ms is None or due_ms < next_ms):
                    next_ms = due_ms
        self.next_ms = next_ms
        return is_open

    # questions

    def _open_turn(self, now_ms: float) -> None:
        """Ask every seat that is to act and has not forfeited; MatchStuckError if no seat is to act."""
        self._choices = {}
        self._acting = seats = self._game.seats_to_act(self.state)
        if not seats:
            raise MatchStuckError(self._game.spec)
        for seat in seats:
            if not self._seats[seat].forfeited:
                self._ask(seat, None, now_ms)

    def _refresh(self, now_ms: float) -> None:
        """Open, update or close every seat's question in a timed game whose state has changed."""
        if not self._is_changed:
            return
        self._is_changed = False
        acting = self._game.seats_to_act(self.state)
        for seat, seat_state in enumerate(self._seats):
            if seat_state.forfeited or seat not in acting:
                seat_state.question = None
                continue
            key = self.turn if self._dynamics is Dynamics.TICKED else self._game.ask_key(self.state, seat)
            if seat_state.question is None or seat_state.question.key != key:
                self._ask(seat, key, now_ms)
            else:
                event = self._messages.event(self.state, seat, seat_state.question, turn=self.turn)
                self._emit(Send(seat_state.entrant, event))

    def _ask(self, seat: Seat, key: object, now_ms: float) -> None:
        """Open a question to a seat; its clock runs from now on."""
        seat_state = self._seats[seat]
        number = self._drawn[seat] if seat in self._drawn else next(self._numbers)
        seat_state.asked[number] = len(seat_state.asked)
        seat_state.question = self._clocks.ask(seat_state, number, key, now_ms, is_timed=self.is_timed)
        self._blame.budgets[seat_state.entrant].grant()
        self._send_question(seat, now_ms)

    def _send_question(self, seat: Seat, now_ms: float) -> None:
        """Send a seat's open question with the time that is left."""
        seat_state = self._seats[seat]
        assert seat_state.question is not None
        message = self._messages.question(self.state, seat, seat_state.question, turn=self.turn, now_ms=now_ms)
        self._emit(Send(seat_state.entrant, message))

    # turns and the end

    def _close_turn(self) -> None:
        """Apply the answers of a turn, with the rules' default action for every seat that has none."""
        choices = self._choices or {}
        self._choices = None
        actions = {}
        for seat in self._acting:
            if seat not in choices:
                default = self._game.default_action(self.state, seat)
                choices[seat] = (default, str(default))
            actions[seat] = choices[seat]
        self._apply(actions, self.turn)

    def _apply(self, chosen: Mapping[Seat, Choice], stamp: int) -> None:
        """Apply one turn of the rules, add it to the hash chain and to the record.

        `stamp`: the turn's number or, in timed games, its time.
        """
        actions, texts = {}, {}
        for seat, (action, text) in chosen.items():  # a plain loop: two comprehensions cost half a microsecond more
            actions[seat] = action
            texts[str(seat)] = text
        self.state = state = self._game.apply(self.state, Turn(actions, stamp))
        self._is_terminal = self._game.is_terminal(state)
        self._is_changed = True
        link = self._chain.turn(self.turn, stamp, texts, self._game.encode(state)) if self._is_hashed else ""
        self._emit(TurnLine(turn=self.turn, stamp=stamp, actions=texts, hash=link))
        self.turn += 1

    def _conclude(self) -> None:
        """End a match by its rules, or because forfeits have left at most one team; the reason names the forfeits."""
        forfeits = self._charges.forfeits
        blamed = "; ".join(forfeit.sentence for forfeit in forfeits)
        if not self._is_terminal:
            self._finish(Termination(forfeits[-1].fault.value), blamed)
            return
        reason = self._game.reason(self.state)
        self._finish(Termination.COMPLETED, f"{reason}; {blamed}" if blamed else reason)

    def _finish(self, termination: Termination, reason: str) -> None:
        """End the match: tell every entrant that is still in it, and seal the record's last line."""
        self.is_finished = True
        end = make_end(
            self._game,
            self.state,
            termination,
            reason,
            seats=self._seats,
            lost_at=self._charges.lost_at,
            turns=self.turn - 1,
        )
        message = self._messages.end(end)
        for entrant in self._charges.remaining_entrants:
            self._emit(Send(entrant, message))
        self._emit(Finish(seal_end(self._chain, end) if self._is_hashed else end))
