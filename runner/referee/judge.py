"""Judge of one match. Knows no sockets, clocks or files: events in, commands out.

Every fairness decision is here: whose answer counts, when a question closes, what a fault costs, who wins. Times are
match time in milliseconds, handed in by the shell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

import msgspec

from games.api import AnyGame, Dynamics, Seat, Turn
from runner.config.values import FaultPolicy
from runner.record.chain import open_chain, seal_end
from runner.record.lines import AnswerLine, EndLine, Fault, FaultLine, Termination, TurnLine
from runner.referee.commands import Command, Drop, Finish, SeatHolder, Send
from runner.referee.seat_state import MESSAGES_PER_S, Budget, Question, SeatState, make_seat_states
from runner.referee.wording import Wording
from runner.scoring import rank_seats, share_points
from runner.wire import protocol
from runner.wire.errors import ProtocolFault
from runner.wire.text import plain_text

MAX_DETAIL = 2 * protocol.MAX_ERROR  # characters of what is said about a fault: a bot's own words and ours


def no_lag(asked_ms: float, deadline_ms: float) -> float:  # noqa: ARG001 - the shape the referee calls
    """The world is never late: for tests and in-process play."""
    return 0.0


class Referee:
    """One match from start to end. Call the `on_` methods, obey the commands, wake it at `next_ms`.

    `lag_ms(asked_ms, deadline_ms)` tells how late loop or broker were just before a deadline: above the seat's
    `grace_ms` a missing answer makes the match void instead of the seat late.
    """

    def __init__(
        self,
        game: AnyGame,
        *,
        match_id: str,
        seed: int,
        entrants: Sequence[SeatHolder],
        faults: FaultPolicy,
        lag_ms: Callable[[float, float], float] = no_lag,
    ) -> None:
        self.game = game
        self.finished = False
        self.next_ms: float | None = None  # match time at which `on_time` is due, or None
        self._match_id = match_id
        self._entrants = tuple(entrants)
        self._policy = faults
        self._lag_ms = lag_ms
        self._state: Any = game.initial_state(seed)
        self._chain = open_chain(game, seed=seed, initial_state=self._state)
        self._teams = game.teams
        self._is_terminal = game.is_terminal(self._state)
        self._seats = make_seat_states(game.seats, self._entrants)
        self._budgets = [Budget() for _ in self._entrants]
        self._lost: set[int] = set()  # entrants that are gone
        self._lost_at: dict[int, int] = {}  # team -> turn in which it forfeited
        self._blames: list[tuple[Fault, str]] = []
        self._choices: dict[Seat, tuple[Any, str]] | None = None  # of the open turn; None = not opened
        self._acting: tuple[Seat, ...] = ()  # seats of the open turn
        self._asks = 0
        self._turn = 0  # turns applied
        self._is_changed = True  # since the questions of a real-time game were last looked at
        self._dynamics = game.spec.dynamics
        self._is_timed = self._dynamics in (Dynamics.REAL_TIME, Dynamics.TICKED)
        self._words = Wording(game, match_id)
        self._out: list[Command] = []

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

        With an excuse the match is void, unless the entrant itself was flooding.
        """
        self._catch_up(now_ms)
        if not self.finished and entrant not in self._lost:
            if excuse and not self._budgets[entrant].is_flooding(now_ms):
                self._finish(Termination.VOID, f"{excuse} when a bot was lost: {detail}")
            else:
                self._lose(entrant, fault, detail)
        return self._advance(now_ms)

    def on_back(self, entrant: int, now_ms: float) -> list[Command]:
        """An entrant's connection came back: ask its open questions again, under the same numbers."""
        self._catch_up(now_ms)
        if not self.finished and entrant not in self._lost:
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
        if self.finished or entrant in self._lost:
            return False
        budget = self._budgets[entrant]
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
            case protocol.BotError():
                self._lose(entrant, Fault.CRASHED, message.message)
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
        elif not 0 <= answer.ask < self._asks:
            self._on_malformed(entrant, f"expected a question below {self._asks}, got {answer.ask}", now_ms)
        elif not self._is_stale(self._seats[answer.seat], answer):
            self._judge(answer, now_ms)

    def _is_stale(self, seat_state: SeatState, answer: protocol.Action) -> bool:
        """Whether it answers a closed question or has been seen before: dropped, and no fault."""
        if seat_state.question is None or (answer.ask, answer.seq) <= seat_state.newest:
            return True
        # with a tick, an answer that is late counts for a later tick
        return answer.ask != seat_state.question.number and self._dynamics is not Dynamics.TICKED

    def _judge(self, answer: protocol.Action, now_ms: float) -> None:
        seat_state = self._seats[answer.seat]
        seat_state.newest = (answer.ask, answer.seq)
        try:
            action = self.game.parse_action(answer.action)
        except ValueError as error:
            self._refuse(answer, Fault.MALFORMED, f"action {answer.action[:80]!r}: {error}", now_ms)
            return
        if not self.game.is_legal(self._state, answer.seat, action):
            self._refuse(answer, Fault.ILLEGAL, f"action {str(action)[:80]!r} is not legal now", now_ms)
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
        if answer.final and not self._is_timed:
            self._close_question(answer.seat, now_ms)

    def _refuse(self, answer: protocol.Action, fault: Fault, detail: str, now_ms: float) -> None:
        question = self._seats[answer.seat].question
        assert question is not None
        line = self._measure(question, answer, answer.action[:80], now_ms)
        self._out.append(msgspec.structs.replace(line, fault=fault.value))
        self._fault(answer.seat, fault, detail)
        if answer.final:
            self._close_question(answer.seat, now_ms)

    def _measure(self, question: Question, answer: protocol.Action, text: str, now_ms: float) -> AnswerLine:
        return question.measure(answer, text, turn=self._turn + 1, now_ms=now_ms, is_timed=self._is_timed)

    def _on_malformed(self, entrant: int, detail: str, now_ms: float) -> None:
        seat = self._answering_seat(entrant)
        question = self._seats[seat].question
        after_ms = None if question is None else round(now_ms - question.asked_ms, 3)
        self._out.append(AnswerLine(turn=self._turn + 1, seat=seat, fault=Fault.MALFORMED.value, after_ms=after_ms))
        self._fault(seat, Fault.MALFORMED, detail)
        self._close_question(seat, now_ms)  # garbage in place of an answer: the seat is not faulted twice

    def _answering_seat(self, entrant: int) -> Seat:
        seats = self._entrants[entrant].seats
        return next((seat for seat in seats if self._seats[seat].question is not None), seats[0])

    def _fault(self, seat: Seat, fault: Fault, detail: str, *, is_last: bool = False) -> None:
        seat_state = self._seats[seat]
        if seat_state.forfeited:
            return
        seat_state.faults += 1
        detail = plain_text(detail, limit=MAX_DETAIL)
        turn = self._turn + 1
        self._chain.fault(turn, seat, fault.value, detail)
        self._out.append(FaultLine(turn=turn, seat=seat, fault=fault, detail=detail))
        if is_last or seat_state.faults >= self._policy.limit:
            self._forfeit(seat, fault, detail)

    def _forfeit(self, seat: Seat, fault: Fault, detail: str) -> None:
        seat_state = self._seats[seat]
        seat_state.forfeited = True
        seat_state.question = None
        team = self._teams[seat]
        if all(self._seats[mate].forfeited for mate, other in enumerate(self._teams) if other == team):
            self._lost_at[team] = self._turn + 1
        count = "" if fault.is_fatal else f", fault {seat_state.faults}"
        self._blames.append((fault, f"seat {seat} forfeits ({fault.value}{count}): {detail}"))
        if all(self._seats[own].forfeited for own in self._entrants[seat_state.entrant].seats):
            self._out.append(Drop(seat_state.entrant, fault, detail))

    def _lose(self, entrant: int, fault: Fault, detail: str) -> None:
        self._lost.add(entrant)
        for seat in self._entrants[entrant].seats:
            self._fault(seat, fault, detail, is_last=True)

    def _catch_up(self, now_ms: float) -> None:
        """Let every timer and deadline up to now take effect, oldest first."""
        while (due_ms := self.next_ms) is not None and due_ms <= now_ms:
            if self._is_timed:
                self._apply(self._collect(), int(due_ms))
            else:
                self._expire(now_ms)
            self._proceed(now_ms)

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
            if question.answer is None and not self._blame_silence(seat, question, now_ms):
                return
            self._close_question(seat, now_ms)

    def _blame_silence(self, seat: Seat, question: Question, now_ms: float) -> bool:
        """Whose fault a missing answer is: the seat's, a flooder's, or (False: the match is void) the world's."""
        assert question.deadline_ms is not None
        lag_ms = self._lag_ms(question.asked_ms, question.deadline_ms)
        if lag_ms <= self._seats[seat].time.grace_ms:
            self._out.append(AnswerLine(turn=self._turn + 1, seat=seat, fault=Fault.LATE.value))
            self._fault(seat, Fault.LATE, f"no answer within {question.limit_ms:.0f} ms")
            return True
        flooders = [entrant for entrant, budget in enumerate(self._budgets) if budget.is_flooding(now_ms)]
        for entrant in flooders:  # nobody may escape a match by choking the broker
            self._lose(entrant, Fault.FLOODING, f"its messages made the broker {lag_ms:.0f} ms late")
        if not flooders:
            self._finish(Termination.VOID, f"referee or broker {lag_ms:.0f} ms late when seat {seat} had to answer")
        return bool(flooders)

    def _advance(self, now_ms: float) -> list[Command]:
        """Go on as far as possible without an answer and hand out the commands."""
        self._proceed(now_ms)
        commands, self._out = self._out, []
        return commands

    def _proceed(self, now_ms: float) -> None:
        while not self.finished:
            if self._is_over():
                self._conclude()
            elif self._is_timed:
                self._refresh(now_ms)
                self.next_ms = self.game.wake_at(self._state)
                return
            elif self._choices is None:
                self._open_turn(now_ms)
            elif self._note_deadline():
                return
            else:
                self._close_turn()
        self.next_ms = None

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
        turn_ms = seat_state.time.turn_ms
        if turn_ms is None or self._is_timed:
            seat_state.question = Question(self._asks, key, now_ms)
        else:
            limit_ms = turn_ms + seat_state.bank_ms
            seat_state.question = Question(self._asks, key, now_ms, limit_ms, now_ms + limit_ms)
        self._asks += 1
        self._budgets[seat_state.entrant].grant()
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
        if seat_state.time.turn_ms is not None:
            overrun_ms = now_ms - question.asked_ms - seat_state.time.turn_ms
            if overrun_ms > 0:
                seat_state.bank_ms = max(0.0, seat_state.bank_ms - overrun_ms)
            if question.answer is not None:
                seat_state.bank_ms += seat_state.time.increment_ms

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
        return self._is_terminal or (bool(self._lost_at) and len(self._lost_at) >= len(set(self._teams)) - 1)

    def _conclude(self) -> None:
        blamed = "; ".join(reason for _, reason in self._blames)
        if not self._is_terminal:
            self._finish(Termination(self._blames[-1][0].value), blamed)
            return
        reason = self.game.reason(self._state)
        self._finish(Termination.COMPLETED, f"{reason}; {blamed}" if blamed else reason)

    def _finish(self, termination: Termination, reason: str) -> None:
        self.finished = True
        is_void = termination is Termination.VOID
        returns = [float(value) for value in self.game.returns(self._state)]
        ranks = rank_seats(self._teams, returns, self._lost_at)
        points: list[float | None] = [None] * self.game.seats
        if not is_void:
            points = share_points(self._teams, ranks)
        end = EndLine(
            termination=termination,
            reason=reason,
            counted=not is_void,
            returns=returns,
            ranks=ranks,
            points=points,
            metrics=[_as_floats(metrics) for metrics in self.game.metrics(self._state)],
            faults=[seat_state.faults for seat_state in self._seats],
            forfeited=[seat for seat, seat_state in enumerate(self._seats) if seat_state.forfeited],
            turns=self._turn,
            hash="",
        )
        end = seal_end(self._chain, end)
        told = protocol.End(
            match=self._match_id, termination=termination.value, reason=reason, returns=returns, ranks=ranks
        )
        self._out += [Send(entrant, told) for entrant in range(len(self._entrants)) if entrant not in self._lost]
        self._out.append(Finish(end))

    def _send_question(self, seat: Seat, now_ms: float) -> None:
        seat_state = self._seats[seat]
        assert seat_state.question is not None
        message = self._words.question(self._state, seat, seat_state.question, turn=self._turn + 1, now_ms=now_ms)
        self._out.append(Send(seat_state.entrant, message))


def _as_floats(metrics: Mapping[str, float]) -> dict[str, float]:
    """Numbers as they come back from a record: 3 and 3.0 are not the same text in a hash."""
    return {name: float(value) for name, value in metrics.items()}
