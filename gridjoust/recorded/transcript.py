"""What a bot was sent in a recorded match, message by message: the referee again, fed with the recorded answers.

All is as it was but for two things: in games with a clock the recorded turns tell what changed, not how the messages
lay in time; and what was sent again after a lost connection is not in a record.
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

NO_MESSAGE = b"refused"  # to the referee one refused answer is as good as another
TICKS = 1024  # in a millisecond: finer than the thousandths to which records round

Messages = Iterator[TurnMessage | Event]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One message to a seat, the situation it speaks of, and what the record says came back in that turn."""

    message: TurnMessage | Event
    state: Any
    recorded: AnswerLine | None


def start_of(record: MatchRecord, entrant: Entrant, *, run_key: bytes) -> Start:
    """The message with which the match began for one of its entrants."""
    game, pairing = game_of(record), pairing_of(record.header, (entrant,))
    return start_for(entrant, pairing, game, game.initial_state(pairing.seed), run_key)


def exchanges_with(record: MatchRecord, seats: Collection[Seat]) -> Iterator[Exchange]:
    """Questions to (and, in real time, news for) these seats in order, the one that nobody answered included."""
    answers = {(answer.turn, answer.seat): answer for answer in record.answers}  # of several in a turn the last counts
    moments = replay(record)
    moment = next(moments)
    for message in _RecordedMatch(record).messages():
        while moment.turn < message.turn - 1:
            moment = next(moments)
        if message.seat in seats:
            yield Exchange(message, moment.state, answers.get((message.turn, message.seat)))


def exchanges_until(record: MatchRecord, seat: Seat, *, turn: int) -> Iterator[Exchange]:
    """The messages to a seat up to this turn, and what is recorded after it is not looked at."""
    for exchange in exchanges_with(record, (seat,)):
        if exchange.message.turn > turn:
            return
        yield exchange
        if exchange.message.turn == turn:
            return


def last_exchange(record: MatchRecord, seat: Seat, *, turn: int) -> Exchange | None:
    """The last message to a seat up to this turn; None if there was none."""
    found = None
    for found in exchanges_until(record, seat, turn=turn):  # noqa: B007 - the last one is wanted
        pass
    return found


class _Holder(NamedTuple):
    """An entrant as the referee must know it."""

    seats: tuple[Seat, ...]
    time: TimeLimits


@dataclass(frozen=True, slots=True)
class _Given:
    """What came back from a seat so long after its question; `text` None: something that was refused."""

    after_ms: float
    seat: Seat
    text: str | None
    is_final: bool = True
    expanded: int | None = None


class _RecordedMatch:
    """The referee of the match, every seat an entrant of its own. A seat forfeits where the record says so."""

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
        """Everything that any seat was sent, in order; RecordError where the answers do not lead to the turns."""
        failed = {line.seat: line.detail for line in self._forfeits if line.fault is Fault.FAILED_TO_START}
        yield from self._read(self._referee.start(0.0, failed))
        is_timed = self._game.spec.dynamics in (Dynamics.REAL_TIME, Dynamics.TICKED)
        for turn, line in self._turns.items():
            yield from self._play_by_clock(line) if is_timed else self._play(line)
            if self._applied < turn:
                raise RecordError(f"{self._match_id}: expected {self._applied} turns by the rules, got turn {turn} too")

    def _play_by_clock(self, line: TurnLine) -> Messages:
        """A turn whose moment is recorded: an action of one seat, or a tick with everybody's actions."""
        yield from self._forfeit(line.turn)
        is_tick = self._game.spec.dynamics is Dynamics.TICKED
        at_ms = self._now_ms if is_tick else float(line.stamp)
        for seat, text in line.actions.items():
            yield from self._answer(at_ms, _Given(0.0, int(seat), text))
        if is_tick or not line.actions:
            yield from self._wait(float(line.stamp))

    def _play(self, line: TurnLine) -> Messages:
        """A turn that is over when nobody's question is open any more."""
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
        """What came back in a turn. Silence does so by itself, when the clock runs out."""
        lost = self._lost_in(line.turn)
        for seat, text in ((int(key), text) for key, text in line.actions.items()):
            answers = self._answers.get((line.turn, seat), [])
            if not answers and seat not in lost:
                yield _Given(0.0, seat, text)  # nothing was measured
            for answer in answers:
                used_ms = self._used_ms(answer)
                if not answer.fault:
                    yield _Given(_just_before(used_ms), seat, text, answer.final, answer.expanded)
                elif answer.fault != Fault.LATE.value and answer.final and seat not in lost:
                    yield _Given(_just_before(used_ms), seat, None)

    def _used_ms(self, answer: AnswerLine) -> float | None:
        """What an answer took by its seat's clock: the times of this match are those of the clocks."""
        if self._times[answer.seat].clock == "cpu" and answer.cpu_ms is not None:
            return answer.cpu_ms
        return answer.latency_ms or answer.after_ms

    def _lost_in(self, turn: int) -> set[Seat]:
        return {line.seat for line in self._forfeits if line.turn == turn}

    def _forfeit(self, turn: int) -> Messages:
        """Whoever forfeits in this turn, those last whose questions are open: so the turn cannot end in between."""
        lost = [line for line in self._forfeits if line.turn == turn and line.fault is not Fault.FAILED_TO_START]
        acting = self._game.seats_to_act(self._referee.state)
        answered = [seat for seat in acting if any(not line.fault for line in self._answers.get((turn, seat), ()))]
        for line in sorted(lost, key=lambda line: line.seat in acting and line.seat not in answered):
            yield from self._read(self._referee.on_lost(line.seat, line.fault, line.detail, self._now_ms))

    def _answer(self, at_ms: float, given: _Given) -> Messages:
        payload, seat, text, sent = NO_MESSAGE, given.seat, given.text, self._sent
        if text is not None and (ask := self._asks.get(seat)) is not None:
            final, stats = given.is_final, Stats(expanded=given.expanded)
            answer = Action(match=self._match_id, ask=ask, seat=seat, action=text, seq=sent, final=final, stats=stats)
            payload = encode(answer)
        self._sent += 1
        self._now_ms = max(self._now_ms, at_ms)
        yield from self._read(self._referee.on_message(seat, payload, self._now_ms))

    def _wait(self, until_ms: float) -> Messages:
        self._now_ms = until_ms
        yield from self._read(self._referee.on_time(until_ms))

    def _read(self, commands: Sequence[Command]) -> Messages:
        """The messages among the commands; RecordError if a turn is not the recorded one."""
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
    """A moment just before a rounded one, so that what came in time does so again; sums of such moments are exact."""
    return 0.0 if after_ms is None else max(0, math.floor(after_ms * TICKS) - 1) / TICKS
