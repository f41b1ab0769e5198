"""Course of one match: questions, deadlines and timers, turns, the end. Hears nobody and judges no answer.

Times are match time in milliseconds, handed in by the shell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gridjoust.games.api import AnyGame, Dynamics, Seat, Turn
from gridjoust.runner.config.values import FaultPolicy
from gridjoust.runner.referee.blame import Blame, LagMs, LoadOf, WaitOf, no_lag, no_load
from gridjoust.runner.referee.charges import Charges
from gridjoust.runner.referee.clocks import Clocks, SpentOf, unmetered
from gridjoust.runner.referee.commands import Command, Finish, SeatHolder, Send
from gridjoust.runner.referee.ending import make_end
from gridjoust.runner.referee.messages import Wording
from gridjoust.runner.referee.seat_state import Question, draw_numbers, make_seat_states
from gridjoust.runner.results.records.chain import open_chain, seal_end
from gridjoust.runner.results.records.lines import Termination, TurnLine
from gridjoust.runner.wire import protocol


class Course:
    """What every match goes through, whatever its bots send.

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
            emit=self._emit,
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

    @property
    def state(self) -> Any:
        """The complete situation, for public views; never for bots."""
        return self._state

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
        commands, self._out = self._out, []
        return commands

    def _emit(self, command: Command) -> None:
        self._out.append(command)

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
