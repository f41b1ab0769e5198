"""Judge of one match (pure, no I/O): it decides whose answer counts and what is a fault.

When a question closes and how the match ends is decided in `gridjoust.runner.referee.turns`. Times are match time in
milliseconds; the match shell passes them in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

import msgspec

from gridjoust.games.api import AnyGame, Dynamics, Seat
from gridjoust.runner.config.values import FaultPolicy
from gridjoust.runner.referee.blame import Blame, LagMs, LoadOf, PlaceOf, WaitOf, no_lag, no_load, no_place
from gridjoust.runner.referee.charges import MESSAGES_PER_S, Charges
from gridjoust.runner.referee.clocks import Clocks, SpentOf, unmetered
from gridjoust.runner.referee.messages import Messages, measured_line
from gridjoust.runner.referee.turns import TurnFlow
from gridjoust.runner.referee.values import Command, Question, SeatHolder, SeatState, make_seat_states
from gridjoust.runner.results.records.chain import open_chain
from gridjoust.runner.results.records.lines import AnswerLine, Fault
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.text import seat_named


class Referee:
    """The referee of one match: call the `on_` methods, carry out the commands they return, and wake it at `next_ms`.

    `lag_ms(since_ms, until_ms)` returns the delay of the event loop or the broker: if it exceeds the seat's `grace_ms`,
    a missing answer or a timer of the rules voids the match, unless an entrant caused it. `load_of(entrant, since_ms)`
    says what the entrant's processes did meanwhile, `wait_of` how the machine delayed them, `spent_of` what they used.
    `place_of(entrant)` says where in its code a silent bot is. Without `is_hashed` the lines of the record have no
    hashes.
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
        place_of: PlaceOf = no_place,
        is_hashed: bool = True,
    ) -> None:
        self._game = game
        self._match_id = match_id
        self._entrants = tuple(entrants)
        self._commands: list[Command] = []  # since the last call
        self._is_ticked = game.spec.dynamics is Dynamics.TICKED
        self._seats = make_seat_states(game.seats, self._entrants)
        state, emit = game.initial_state(seed), self._commands.append
        chain = open_chain(game, seed=seed, initial_state=state)
        self._charges = Charges(game, self._seats, self._entrants, limit=faults.limit, chain=chain, emit=emit)
        self._blame = Blame(
            self._seats, self._charges, lag_ms=lag_ms, load_of=load_of, wait_of=wait_of, place_of=place_of
        )
        self._clocks = Clocks(spent_of)
        self._messages = Messages(game, match_id)
        self._flow = TurnFlow(
            game,
            state=state,
            chain=chain,
            seats=self._seats,
            charges=self._charges,
            blame=self._blame,
            clocks=self._clocks,
            messages=self._messages,
            emit=emit,
            is_hashed=is_hashed,
        )

    @property
    def state(self) -> Any:
        """The complete state, for public views; never for bots."""
        return self._flow.state

    @property
    def next_ms(self) -> float | None:
        """The match time at which `on_time` is due, None if only an answer can change something."""
        return self._flow.next_ms

    def overdue_entrants(self, now_ms: float) -> set[int]:
        """Return the entrants that `on_time` would charge now, because a question to them has no answer."""
        return self._flow.overdue_entrants(now_ms)

    # events

    def start(self, now_ms: float, failed: Mapping[int, str] | None = None, *, excuse: str = "") -> list[Command]:
        """Start the clock. `failed` entrants (entrant -> why) were not ready and lose; an `excuse` voids the match."""
        if excuse:
            self._flow.void(f"{excuse} when bots had to get ready")
        else:
            for entrant, detail in (failed or {}).items():
                self._lose(entrant, Fault.FAILED_TO_START, detail)
        return self._proceed(now_ms)

    # turns whose answers come all at once, in a turn-based game

    def hold_turns(self) -> None:
        """Wait for `play_turn` or `open_turn` before every turn; call it before `start`."""
        self._flow.is_held = not self._flow.is_timed

    @property
    def is_between_turns(self) -> bool:
        """True if the next turn waits for `play_turn` or `open_turn`."""
        return self._flow.is_between_turns

    def draw_questions(self, now_ms: float) -> list[protocol.TurnMessage]:
        """Return the questions of the next turn, for bots that answer at once; [] if only `open_turn` can ask them."""
        return self._flow.draw_questions(now_ms)

    def play_turn(
        self, answers: Sequence[protocol.Action], now_ms: float, *, latency_ms: float
    ) -> list[Command] | None:
        """Judge the answers to `draw_questions`, all within `turn_ms` of wall time, and apply the turn.

        Return None, with nothing changed, if one is not a legal action: then call `open_turn`, and take the answers as
        usual.
        """
        return self._proceed(now_ms) if self._flow.play_turn(answers, latency_ms=latency_ms) else None

    def open_turn(self, now_ms: float) -> list[Command]:
        """Ask the seats of the next turn."""
        self._flow.open_turn(now_ms)
        return self._proceed(now_ms)

    # messages of the bots

    def on_message(self, entrant: int, payload: bytes, now_ms: float) -> list[Command]:
        """Take bytes from an entrant; bytes that are no message are a fault."""
        if self._admits(entrant, now_ms):
            try:
                self._take(entrant, protocol.decode_from_bot(payload), now_ms)
            except ProtocolFault as fault:
                self._on_malformed(entrant, str(fault), now_ms, seat=seat_named(payload))
        return self._proceed(now_ms)

    def on_sent(self, entrant: int, message: protocol.FromBot, now_ms: float) -> list[Command]:
        """Take a message from an entrant that has been decoded already."""
        if self._admits(entrant, now_ms):
            self._take(entrant, message, now_ms)
        return self._proceed(now_ms)

    def on_lost(self, entrant: int, fault: Fault, detail: str, now_ms: float, *, excuse: str = "") -> list[Command]:
        """Remove an entrant whose process ended or whose connection did not come back.

        An excuse voids the match, unless the entrant itself may have caused the loss.
        """
        self._flow.catch_up(now_ms)
        if self._is_playing(entrant):
            if reason := self._blame.for_loss(entrant, excuse, detail, now_ms):
                self._flow.void(reason)
            else:
                self._lose(entrant, fault, detail)
        return self._proceed(now_ms)

    def on_back(self, entrant: int, now_ms: float) -> list[Command]:
        """Repeat the open questions of an entrant whose connection came back."""
        self._flow.catch_up(now_ms)
        if self._is_playing(entrant):
            self._flow.repeat_questions(self._entrants[entrant].seats, now_ms)
        return self._proceed(now_ms)

    def on_time(self, now_ms: float) -> list[Command]:
        """Let timers and deadlines take effect at `next_ms`; an earlier call changes nothing."""
        self._flow.catch_up(now_ms)
        return self._proceed(now_ms)

    def _proceed(self, now_ms: float) -> list[Command]:
        """Go on until an answer or the time is needed; return all commands since the last call, in order."""
        self._flow.proceed(now_ms)
        commands = self._commands.copy()
        self._commands.clear()
        return commands

    # messages

    def _is_playing(self, entrant: int) -> bool:
        """Return True if the match goes on and the entrant is still in it."""
        return not self._flow.is_finished and entrant not in self._charges.lost

    def _admits(self, entrant: int, now_ms: float) -> bool:
        """Return True if an entrant's message is to be read: not after the match, its loss, or during its flood."""
        self._flow.catch_up(now_ms)
        if not self._is_playing(entrant):
            return False
        budget = self._blame.budgets[entrant]
        if budget.take(now_ms):
            return True
        if budget.is_fault:
            detail = f"expected at most {MESSAGES_PER_S} messages a second"
            self._fault(self._answering_seat(entrant), Fault.FLOODING, detail)
        return False

    def _take(self, entrant: int, message: protocol.FromBot, now_ms: float) -> None:
        """Handle a message of an entrant by its type, such as an answer."""
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
        """Judge an answer to a question that its sender was asked in this match."""
        if answer.match != self._match_id:
            return  # left over from an earlier match
        seat, seats = answer.seat, self._entrants[entrant].seats
        if seat not in seats:
            self._on_malformed(entrant, f"expected an answer for a seat in {list(seats)}, got {seat}", now_ms)
            return
        seat_state = self._seats[seat]
        if (which := seat_state.asked.get(answer.ask)) is None:
            detail = f"expected the number of a question to seat {seat}, got {answer.ask}"
            self._on_malformed(entrant, detail, now_ms, seat=seat)
        elif not self._is_stale(answer, seat_state, which):
            seat_state.newest = (which, answer.seq)
            if not self._exceeds_limit(answer, now_ms):
                self._judge(answer, now_ms)

    def _is_stale(self, answer: protocol.Action, seat_state: SeatState, which: int) -> bool:
        """Return whether to drop an answer without a fault: it is a repetition, or its question is closed."""
        if seat_state.question is None or (which, answer.seq) <= seat_state.newest:
            return True
        # in a ticked game a late answer counts for a later tick
        return answer.ask != seat_state.question.number and not self._is_ticked

    # answers

    def _exceeds_limit(self, answer: protocol.Action, now_ms: float) -> bool:
        """Return whether an answer took more CPU time or work than its seat had; its question closes without it."""
        seat_state = self._seats[answer.seat]
        question = seat_state.question
        if question is None:
            return False
        if question.limit_work is not None:
            return self._exceeds_work(answer, question, now_ms)
        if question.backstop_ms is None or self._clocks.left_ms(seat_state, question, 0.0) >= 0:
            return False
        self._flow.run_out(answer.seat, question, now_ms, at_ms=now_ms)
        return True

    def _exceeds_work(self, answer: protocol.Action, question: Question, now_ms: float) -> bool:
        """Return whether an answer took too much work: a first one is then late, else the best one so far counts."""
        work = 0 if answer.stats is None else answer.stats.work or 0
        excess = self._clocks.excess_work(self._seats[answer.seat], question, work)
        if not excess or question.answer is None:
            question.work = work
        if not excess:
            return False
        if question.answer is None:
            self._refuse(msgspec.structs.replace(answer, final=True), Fault.LATE, excess, now_ms)
        else:
            self._flow.close_question(answer.seat, now_ms)
        return True

    def _judge(self, answer: protocol.Action, now_ms: float) -> None:
        """Accept an answer that is a legal action; refuse one that is no action, or not a legal one now."""
        state = self._flow.state
        try:
            action = self._game.parse_action(answer.action)
        except ValueError as error:
            self._refuse(answer, Fault.MALFORMED, f"action {answer.action[:80]!r}: {error}", now_ms)
            return
        if not self._game.is_legal(state, answer.seat, action):
            self._refuse(answer, Fault.ILLEGAL, self._messages.illegal(state, answer.seat, action), now_ms)
            return
        text = str(action)
        self._flow.accept(answer.seat, (action, text), self._measure(answer, text, now_ms), now_ms)

    def _refuse(self, answer: protocol.Action, fault: Fault, detail: str, now_ms: float) -> None:
        """Charge the sender of an answer that does not count; a final one closes its question all the same."""
        line = self._measure(answer, answer.action[:80], now_ms)
        self._commands.append(msgspec.structs.replace(line, fault=fault.value))
        self._fault(answer.seat, fault, detail)
        if answer.final:
            self._flow.close_question(answer.seat, now_ms)

    def _measure(self, answer: protocol.Action, text: str, now_ms: float) -> AnswerLine:
        """Return the record's line of an answer (its cost and latency), and note what the bot has used so far."""
        seat_state, flow = self._seats[answer.seat], self._flow
        question = seat_state.question
        assert question is not None
        spent = question.spent = self._clocks.spent(seat_state, question)
        is_newest = answer.ask == question.number  # an answer to an older question has no latency
        return measured_line(
            answer,
            text,
            turn=flow.turn,
            latency_ms=round(now_ms - question.asked_ms, 3) if is_newest else None,
            is_final=answer.final or flow.is_timed,  # in a timed game every answer counts as final
            spent=spent,
        )

    # what is no answer

    def _on_no_answer(self, entrant: int, error: protocol.BotError, now_ms: float) -> None:
        """Close the question to which a bot says that it has no answer.

        If the seat has been asked again since, keep the bot's words: they say why it may miss the new deadline.
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
        """Charge a message that is no answer to `seat`; if it is not asked, to the entrant's first seat that is."""
        seats = self._entrants[entrant].seats
        if seat is None or seat not in seats or self._seats[seat].question is None:
            seat = self._answering_seat(entrant)
        question = self._seats[seat].question
        line = AnswerLine(turn=self._flow.turn, seat=seat, fault=Fault.MALFORMED.value)
        if question is not None:
            question.spent = self._clocks.spent(self._seats[seat], question)
            used = {} if question.spent is None else question.spent._asdict()
            line = msgspec.structs.replace(line, after_ms=round(now_ms - question.asked_ms, 3), **used)
        self._commands.append(line)
        self._fault(seat, Fault.MALFORMED, detail)
        self._flow.close_question(seat, now_ms)  # so that the seat is not late as well

    def _answering_seat(self, entrant: int) -> Seat:
        """Return the entrant's first seat with an open question, or its first seat if it has none."""
        seats = self._entrants[entrant].seats
        return next((seat for seat in seats if self._seats[seat].question is not None), seats[0])

    def _fault(self, seat: Seat, fault: Fault, detail: str) -> None:
        """Charge a seat with a fault in the turn under way."""
        self._charges.fault(seat, fault, detail, turn=self._flow.turn)

    def _lose(self, entrant: int, fault: Fault, detail: str) -> None:
        """Remove an entrant in the turn under way."""
        self._charges.lose(entrant, fault, detail, turn=self._flow.turn)
