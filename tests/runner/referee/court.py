"""A referee on a test bench: answers in words, everything it said kept in lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gridjoust.games.api import AnyGame
from gridjoust.runner.config.values import FaultPolicy, TimeLimits
from gridjoust.runner.referee import Command, Drop, Finish, LagMs, LoadOf, Referee, Send, no_lag, no_load
from gridjoust.runner.referee.blame import PlaceOf, WaitOf, no_place
from gridjoust.runner.referee.clocks import SpentOf, unmetered
from gridjoust.runner.results.records.lines import AnswerLine, EndLine, Fault, FaultLine, TurnLine
from gridjoust.runner.wire import protocol
from tests.doubles.games.reference import Numbers

MATCH = "m1"


class Holder(NamedTuple):
    """An entrant as the referee must know it."""

    seats: tuple[int, ...]
    time: TimeLimits


class Court:
    """Drives one referee; `now_ms` moves only by hand."""

    def __init__(
        self,
        game: AnyGame,
        *,
        seats: Sequence[tuple[int, ...]] | None = None,
        time: TimeLimits | None = None,
        fault_limit: int = 3,
        lag_ms: LagMs = no_lag,
        load_of: LoadOf = no_load,
        wait_of: WaitOf = no_load,
        spent_of: SpentOf = unmetered,
        place_of: PlaceOf = no_place,
        failed: dict[int, str] | None = None,
    ) -> None:
        held_seats = seats or [(seat,) for seat in range(game.seats)]
        self.referee = Referee(
            game,
            match_id=MATCH,
            seed=7,
            entrants=[Holder(held, time or TimeLimits()) for held in held_seats],
            faults=FaultPolicy(limit=fault_limit),
            lag_ms=lag_ms,
            load_of=load_of,
            wait_of=wait_of,
            spent_of=spent_of,
            place_of=place_of,
        )
        self.holder = {seat: entrant for entrant, held in enumerate(held_seats) for seat in held}
        self.now_ms = 0.0
        self.questions: dict[int, protocol.TurnMessage] = {}  # newest by seat
        self.asked: list[protocol.TurnMessage] = []
        self.events: list[protocol.Event] = []
        self.told: dict[int, protocol.End] = {}  # entrant -> end
        self.turns: list[TurnLine] = []
        self.faults: list[FaultLine] = []
        self.answers: list[AnswerLine] = []
        self.dropped: list[tuple[int, Fault]] = []
        self._end: EndLine | None = None
        self._hear(self.referee.start(self.now_ms, failed))

    @property
    def end(self) -> EndLine:
        """The end; fails while the match goes on."""
        assert self._end is not None, "the match goes on"
        return self._end

    @property
    def is_over(self) -> bool:
        return self._end is not None

    @property
    def actions(self) -> list[dict[str, str]]:
        """The actions of every turn so far."""
        return [line.actions for line in self.turns]

    def answer(
        self, seat: int, text: str, *, ask: int | None = None, seq: int = 0, final: bool = True, match: str = MATCH
    ) -> None:
        """An answer of the seat's holder to its newest question."""
        number = self.questions[seat].ask if ask is None else ask
        action = protocol.Action(match=match, ask=number, seat=seat, action=text, seq=seq, final=final)
        self.send(self.holder[seat], protocol.encode(action))

    def send(self, entrant: int, payload: bytes) -> None:
        self._hear(self.referee.on_message(entrant, payload, self.now_ms))

    def lose(self, entrant: int, fault: Fault = Fault.CRASHED, detail: str = "exited with code 1") -> None:
        self._hear(self.referee.on_lost(entrant, fault, detail, self.now_ms))

    def come_back(self, entrant: int) -> None:
        self._hear(self.referee.on_back(entrant, self.now_ms))

    def wait(self, by_ms: float) -> None:
        """Time passes, the referee being woken whenever it asked to be."""
        end_ms = self.now_ms + by_ms
        while (due_ms := self.referee.next_ms) is not None and due_ms <= end_ms:
            self.now_ms = max(self.now_ms, due_ms)
            self._hear(self.referee.on_time(self.now_ms))
        self.now_ms = end_ms

    def sleep(self, by_ms: float) -> None:
        """Time passes and nobody wakes the referee."""
        self.now_ms += by_ms

    def fault_names(self, seat: int) -> list[str]:
        return [line.fault.value for line in self.faults if line.seat == seat]

    def _hear(self, commands: list[Command]) -> None:
        for command in commands:
            match command:
                case Send(entrant, protocol.TurnMessage() as question):
                    assert self.holder[question.seat] == entrant
                    self.questions[question.seat] = question
                    self.asked.append(question)
                case Send(_, protocol.Event() as event):
                    self.events.append(event)
                case Send(entrant, protocol.End() as end):
                    self.told[entrant] = end
                case TurnLine() as line:
                    self.turns.append(line)
                case FaultLine() as line:
                    self.faults.append(line)
                case AnswerLine() as line:
                    self.answers.append(line)
                case Drop(entrant, fault, _):
                    self.dropped.append((entrant, fault))
                case Finish(end):
                    self._end = end
                case other:
                    raise AssertionError(f"unexpected {other}")


def numbers(seats: int = 2, **options: Any) -> Court:
    """A match of the simultaneous game."""
    return Court(Numbers(seats=seats), **options)
