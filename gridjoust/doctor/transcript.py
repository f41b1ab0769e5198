"""What a bot was told in a recorded match, message by message, worked out again by the rules. Knows no bots.

All is as it was but for one thing: in real-time games the recorded turns tell what changed, not how the messages lay in
time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from games.api import AnyGame, Dynamics, Seat
from runner.config.values import TimeLimits
from runner.record.lines import AnswerLine, FaultLine, MatchRecord
from runner.record.replay import game_of, replay
from runner.referee.desk import Question
from runner.referee.wording import Wording, start_message
from runner.schedule import Entrant
from runner.seeds import bot_seed
from runner.wire.protocol import Event, Start, TurnMessage

TIMED = (Dynamics.REAL_TIME, Dynamics.TICKED)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One message to a seat, the situation it speaks of, and what the record says came back in that turn."""

    message: TurnMessage | Event
    state: Any
    recorded: AnswerLine | None


def start_of(record: MatchRecord, entrant: Entrant, *, tournament_seed: int) -> Start:
    """The message with which the match began for one of its entrants."""
    header, game = record.header, game_of(record)
    return start_message(
        game,
        game.initial_state(header.seed),
        match_id=header.match_id,
        variant=header.variant,
        seats=entrant.seats,
        bot_seed=bot_seed(tournament_seed, header.match_id, entrant.seats[0]),
        time=entrant.time,
        options=entrant.program.options,
    )


def exchanges_with(record: MatchRecord, seats: Collection[Seat]) -> Iterator[Exchange]:
    """Questions to (and, in real time, news for) these seats in order, the one that nobody answered included."""
    hall = _Hall(record, game_of(record))
    for moment in replay(record):
        if hall.game.is_terminal(moment.state):
            return
        turn = moment.turn + 1
        for seat, message in hall.messages(moment.state, turn=turn):
            if seat in seats:
                yield Exchange(message, moment.state, hall.recorded(turn, seat))
        hall.settle_clocks(turn)


def last_exchange(record: MatchRecord, seat: Seat, *, turn: int) -> Exchange | None:
    """The last message to a seat up to this turn; None if there was none."""
    found = None
    for told in exchanges_with(record, (seat,)):
        if told.message.turn > turn:
            break
        found = told
    return found


@dataclass(slots=True)
class _Clock:
    """What a seat had left in its bank."""

    time: TimeLimits
    bank_ms: float

    def limit_ms(self) -> float | None:
        return None if self.time.turn_ms is None else self.time.turn_ms + self.bank_ms

    def settle(self, answer: AnswerLine | None) -> None:
        """What the answer of a turn cost the bank, as the referee counts it."""
        if answer is None or self.time.turn_ms is None:
            return
        late = answer.fault == "late"
        overrun_ms = self.bank_ms if late else max(0.0, (answer.latency_ms or 0.0) - self.time.turn_ms)
        self.bank_ms = max(0.0, self.bank_ms - overrun_ms) + (0 if answer.fault else self.time.increment_ms)


@dataclass(slots=True)
class _Hall:
    """Questions and clocks of all seats, as the referee had them."""

    record: MatchRecord
    game: AnyGame
    _asks: int = 0
    _open: dict[Seat, Question] = field(default_factory=dict)
    _clocks: dict[Seat, _Clock] = field(default_factory=dict)
    _answers: dict[tuple[int, Seat], AnswerLine] = field(default_factory=dict)
    _out_from: dict[Seat, int] = field(default_factory=dict)  # seat -> first turn in which it was not asked

    def __post_init__(self) -> None:
        for seat, limits in self.record.header.time.items():
            time = msgspec.convert(limits, TimeLimits)
            self._clocks[int(seat)] = _Clock(time, float(time.bank_ms))
        for answer in self.record.answers:
            self._answers[answer.turn, answer.seat] = answer  # of several in one turn the last one counts
        for line in self.record.lines:
            if isinstance(line, FaultLine) and line.seat in self.record.end.forfeited:
                self._out_from[line.seat] = line.turn + 1

    def recorded(self, turn: int, seat: Seat) -> AnswerLine | None:
        return self._answers.get((turn, seat))

    def messages(self, state: Any, *, turn: int) -> Iterator[tuple[Seat, TurnMessage | Event]]:
        """What every seat that may act is told before this turn."""
        words = Wording(self.game, self.record.header.match_id)
        acting = self.game.seats_to_act(state)
        for seat in range(self.game.seats):
            if seat not in acting or turn >= self._out_from.get(seat, turn + 1):
                self._open.pop(seat, None)
                continue
            key = self._key(state, seat, turn)
            question = self._open.get(seat)
            if question is not None and question.key == key:
                yield seat, words.event(state, seat, question, turn=turn)
                continue
            question = self._open[seat] = Question(self._asks, key, 0.0, self._limit_ms(seat))
            self._asks += 1
            yield seat, words.question(state, seat, question, turn=turn, now_ms=0.0)

    def settle_clocks(self, turn: int) -> None:
        for seat, clock in self._clocks.items():
            clock.settle(self.recorded(turn, seat))

    def _key(self, state: Any, seat: Seat, turn: int) -> object:
        """A question stays open while this is unchanged; all but real-time games ask anew every turn."""
        return self.game.ask_key(state, seat) if self.game.spec.dynamics is Dynamics.REAL_TIME else turn

    def _limit_ms(self, seat: Seat) -> float | None:
        return None if self.game.spec.dynamics in TIMED else self._clocks[seat].limit_ms()
