"""Rebuilds the messages that a bot received in a recorded match: the referee runs again on the recorded answers.

The messages are the original ones with two exceptions: in games with a clock their exact times are unknown, and records
do not contain messages that were repeated after a lost connection.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from gridjoust.games.api import Dynamics, Seat
from gridjoust.runner.config.values import FaultPolicy, TimeLimits
from gridjoust.runner.play.heading import pairing_of, start_for
from gridjoust.runner.referee import Command, Referee, Send
from gridjoust.runner.results.records.lines import AnswerLine, Fault, FaultLine, MatchRecord, TurnLine
from gridjoust.runner.results.replay import game_of, replay
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire.errors import RecordError
from gridjoust.runner.wire.protocol import Action, Event, Start, Stats, TurnMessage, encode

NO_MESSAGE = b"refused"  # stands for any refused answer
TICKS = 1024  # per ms: finer than the thousandths to which records round

Messages = Iterator[TurnMessage | Event]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message to a seat in a recorded match, the state at that time, and the recorded answer of that turn."""

    message: TurnMessage | Event
    state: Any
    recorded: AnswerLine | None


def start_of(record: MatchRecord, entrant: Entrant, *, run_key: bytes) -> Start:
    """Return the `start` message of one entrant."""
    game, pairing = game_of(record), pairing_of(record.header, (entrant,))
    return start_for(entrant, pairing, game, game.initial_state(pairing.seed), run_key)


def exchanges_with(record: MatchRecord, seats: Collection[Seat]) -> Iterator[Exchange]:
    """Yield all questions to these seats (and news, in real time) in order, also questions without an answer."""
    answers = {(answer.turn, answer.seat): answer for answer in record.answers}  # the last answer of a turn counts
    moments = replay(record)
    moment = next(moments)
    for message in _RecordedMatch(record).messages():
        while moment.turn < message.turn - 1:
            moment = next(moments)
        if message.seat in seats:
            yield Exchange(message, moment.state, answers.get((message.turn, message.seat)))


def exchanges_until(record: MatchRecord, seat: Seat, *, turn: int) -> Iterator[Exchange]:
    """Yield the messages to a seat up to this turn, without reading the record beyond it."""
    for exchange in exchanges_with(record, (seat,)):
        if exchange.message.turn > turn:
            return
        yield exchange
        if exchange.message.turn == turn:
            return


class _Holder(NamedTuple):
    """An entrant of the recorded match with its seats and limits, as the referee needs it."""

    seats: tuple[Seat, ...]
    time: TimeLimits


@dataclass(frozen=True, slots=True)
class _Given:
    """A recorded answer and its time after the question; `text` is None if the answer was refused."""

    after_ms: float
    seat: Seat
    text: str | None
    is_final: bool = True
    generated: int | None = None
    tactics: int | None = None


class _RecordedMatch:
    """A referee that plays a recorded match again, with one entrant per seat; seats forfeit as recorded."""

    def __init__(self, record: MatchRecord) -> None:
        self._game = game_of(record)
        self._match_id = record.header.match_id
        self._turns = {line.turn: line for line in record.lines if isinstance(line, TurnLine)}
        self._answers: dict[tuple[int, Seat], list[AnswerLine]] = {}
        for answer in record.answers:
            self._answers.setdefault((answer.turn, answer.seat), []).append(answer)
        last_faults = {line.seat: line for line in record.lines if isinstance(line, FaultLine)}
        self._forfeits = [last_faults[seat] for seat in record.end.forfeited if seat in last_faults]
        self._now_ms = 0.0
        self._applied = 0  # turns
        self._asks: dict[Seat, int] = {}  # number of the newest question
        self._sent = 0  # messages to the referee
        seats = range(self._game.seats)
        self._times = [msgspec.convert(record.header.time[str(seat)], TimeLimits) for seat in seats]
        self._referee = Referee(
            self._game,
            match_id=self._match_id,
            seed=record.header.seed,
            entrants=[_Holder((seat,), self._times[seat]) for seat in seats],
            faults=FaultPolicy(limit=sys.maxsize),
        )

    def messages(self) -> Messages:
        """Yield the messages to all seats in order; RecordError if the answers do not lead to the recorded turns."""
        failed = {line.seat: line.detail for line in self._forfeits if line.fault is Fault.FAILED_TO_START}
        yield from self._read(self._referee.start(0.0, failed))
        is_timed = self._game.spec.dynamics in (Dynamics.REAL_TIME, Dynamics.TICKED)
        for turn, line in self._turns.items():
            yield from self._play_by_clock(line) if is_timed else self._play(line)
            if self._applied < turn:
                raise RecordError(f"{self._match_id}: expected {self._applied} turns by the rules, got turn {turn} too")

    def _play_by_clock(self, line: TurnLine) -> Messages:
        """Apply a turn with a recorded time, an action of one seat or a tick with all actions; yield the messages."""
        yield from self._forfeit(line.turn)
        is_tick = self._game.spec.dynamics is Dynamics.TICKED
        at_ms = self._now_ms if is_tick else float(line.stamp)
        for seat, text in line.actions.items():
            yield from self._answer(at_ms, _Given(0.0, int(seat), text))
        if is_tick or not line.actions:
            yield from self._wait(float(line.stamp))

    def _play(self, line: TurnLine) -> Messages:
        """Apply a recorded turn that ends when no question is open; yield the messages that follow."""
        answers = sorted(self._given(line), key=lambda given: given.after_ms)
        lost = self._lost_in(line.turn)
        before = max((number for number, given in enumerate(answers, 1) if given.seat in lost), default=0)
        opened_ms = self._now_ms
        for given in answers[:before]:
            yield from self._answer(opened_ms + given.after_ms, given)
        yield from self._forfeit(line.turn)
        for given in answers[before:]:
            yield from self._answer(opened_ms + given.after_ms, given)
        while self._applied < line.turn and (next_ms := self._referee.next_ms) is not None:
            yield from self._wait(next_ms)

    def _given(self, line: TurnLine) -> Iterator[_Given]:
        """Yield the recorded answers of a turn; nothing for a seat without one, as its time limit ends the question."""
        lost = self._lost_in(line.turn)
        for seat, text in ((int(key), text) for key, text in line.actions.items()):
            answers = self._answers.get((line.turn, seat), [])
            if not answers and seat not in lost:
                yield _Given(0.0, seat, text)  # nothing was measured
            for answer in answers:
                used_ms = self._used_ms(answer)
                if not answer.fault:
                    at_ms = _just_before(used_ms)
                    yield _Given(at_ms, seat, text, answer.final, answer.generated, answer.tactics)
                elif answer.fault != Fault.LATE.value and answer.final and seat not in lost:
                    yield _Given(_just_before(used_ms), seat, None)

    def _used_ms(self, answer: AnswerLine) -> float | None:
        """Return the time that an answer took in ms, by the seat's clock (CPU or wall time)."""
        if self._times[answer.seat].clock == "cpu" and answer.cpu_ms is not None:
            return answer.cpu_ms
        return answer.latency_ms or answer.after_ms

    def _lost_in(self, turn: int) -> set[Seat]:
        return {line.seat for line in self._forfeits if line.turn == turn}

    def _forfeit(self, turn: int) -> Messages:
        """Let seats forfeit in this turn as recorded, and yield the messages that follow.

        Seats with open questions forfeit last, so that the turn does not end too early.
        """
        lost = [line for line in self._forfeits if line.turn == turn and line.fault is not Fault.FAILED_TO_START]
        acting = self._game.seats_to_act(self._referee.state)
        answered = [seat for seat in acting if any(not line.fault for line in self._answers.get((turn, seat), ()))]
        for line in sorted(lost, key=lambda line: line.seat in acting and line.seat not in answered):
            yield from self._read(self._referee.on_lost(line.seat, line.fault, line.detail, self._now_ms))

    def _answer(self, at_ms: float, given: _Given) -> Messages:
        payload, seat, text, sent = NO_MESSAGE, given.seat, given.text, self._sent
        if text is not None and (ask := self._asks.get(seat)) is not None:
            final, stats = given.is_final, Stats(generated=given.generated, tactics=given.tactics)
            answer = Action(match=self._match_id, ask=ask, seat=seat, action=text, seq=sent, final=final, stats=stats)
            payload = encode(answer)
        self._sent += 1
        self._now_ms = max(self._now_ms, at_ms)
        yield from self._read(self._referee.on_message(seat, payload, self._now_ms))

    def _wait(self, until_ms: float) -> Messages:
        self._now_ms = until_ms
        yield from self._read(self._referee.on_time(until_ms))

    def _read(self, commands: Sequence[Command]) -> Messages:
        """Yield the messages among the referee's commands; RecordError if a turn differs from the recorded one."""
        for command in commands:
            match command:
                case TurnLine() as line:
                    self._applied = line.turn
                    recorded = self._turns.get(line.turn)
                    if recorded is None or recorded.actions != line.actions:
                        got = "none" if recorded is None else recorded.actions
                        where = f"{self._match_id}: turn {line.turn}"
                        raise RecordError(f"{where}: expected {line.actions} by the recorded answers, got {got}")
                case Send(_, TurnMessage() | Event() as message):
                    self._asks[message.seat] = message.ask
                    yield message
                case _:
                    pass


def _just_before(after_ms: float | None) -> float:
    """Return a time just before a rounded one, in ms, so that rounding makes no answer late; sums of them are exact."""
    return 0.0 if after_ms is None else max(0, math.floor(after_ms * TICKS) - 1) / TICKS
