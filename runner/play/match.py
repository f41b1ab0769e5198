"""One match: bus, clock and bots around a referee. It moves bytes and time; the referee decides everything."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import assert_never

import msgspec
from msgspec import structs

from gridjoust import games
from gridjoust.games.api import Dynamics
from gridjoust.games.chance import rng_for
from gridjoust.runner.config.values import FaultPolicy
from gridjoust.runner.play.clock import Clock, Timer
from gridjoust.runner.play.heading import make_header, make_usage, start_for
from gridjoust.runner.play.link import BotLink, NotReady, refusal_of
from gridjoust.runner.referee import Command, Drop, Finish, LagMs, Referee, Send
from gridjoust.runner.referee.blame import RECOVERY_MS
from gridjoust.runner.results.records.lines import AnswerLine, EndLine, Fault, FaultLine, Header, MatchRecord, TurnLine
from gridjoust.runner.results.records.reasons import unready
from gridjoust.runner.schedule import Pairing
from gridjoust.runner.spectate.spectators import NO_SPECTATORS, MatchObserver, Message, ObserverGroup, Spectators
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import Bus
from gridjoust.runner.wire.protocol import SHOWN_KEY


@dataclass(frozen=True, slots=True)
class MatchContext:
    """What all matches of a tournament share; `lag_ms` gets instants of `clock`."""

    run: str
    tournament: str
    run_key: bytes  # of all chance; see gridjoust.runner.seeds
    faults: FaultPolicy
    bus: Bus
    clock: Clock
    lag_ms: LagMs
    spectators: Spectators = NO_SPECTATORS


class _Seat:
    """Receives one bot's messages in a match: puts them, with their time of arrival, into the match's inbox."""

    def __init__(self, match: MatchShell, entrant: int, link: BotLink) -> None:
        self._match = match
        self._link = link
        self._entrant = entrant

    def on_payload(self, payload: bytes) -> None:
        self._match.post(_Payload(self._entrant, payload, self._match.now_ms()))

    def on_online(self, *, online: bool) -> None:
        if not online:
            self._link.settle(NotReady(Fault.DISCONNECTED, "the connection was lost", self._link.excuse_of()))
        self._match.post(_Online(self._entrant, online))

    def on_gone(self, fault: Fault, detail: str) -> None:
        self._match.post(_Gone(self._entrant, fault, detail))


class _SearchingSeat(_Seat):
    """Receives the messages of a bot whose answers may contain its search, which spectators see."""

    def on_payload(self, payload: bytes) -> None:
        super().on_payload(payload)
        if SHOWN_KEY in payload:
            self._match.observers.search(self._link.slot, payload)


class _Payload(msgspec.Struct, frozen=True):
    entrant: int
    payload: bytes
    at_ms: float  # stamped at receipt: time in our own queue is not the bot's


@dataclass(frozen=True, slots=True)
class _Online:
    entrant: int
    online: bool


@dataclass(frozen=True, slots=True)
class _Gone:
    entrant: int
    fault: Fault
    detail: str


_Event = _Payload | _Online | _Gone


class MatchShell:
    """Plays one pairing once; `run` returns its record."""

    def __init__(
        self,
        pairing: Pairing,
        links: Sequence[BotLink],
        context: MatchContext,
        *,
        attempt: int = 1,
        observers: Sequence[MatchObserver] = (),
    ) -> None:
        self._pairing = pairing
        self._links = links
        self._context = context
        self._attempt = attempt
        self._game = games.make(pairing.game, dict(pairing.params), seats=pairing.seats)
        self._is_real_time = self._game.spec.dynamics is Dynamics.REAL_TIME
        self._origin_ms = context.clock.now_ms()
        self._loop = asyncio.get_running_loop()
        self._inbox: deque[_Event] = deque()
        self._is_due = False  # the loop will call `_step`
        self._passes, self._seen = 0, -1  # of the loop, that `_step` has waited; and how many events it saw then
        self._over: asyncio.Future[EndLine] | None = None  # while the match is played
        self._alarm: Timer | None = None
        self._alarm_ms = 0.0  # match time at which it rings
        self._chance = rng_for(pairing.seed, 0, f"order of messages/{pairing.match_id}")
        self._places: dict[int, str] | None = None  # of bots that are late now: where in their code they are
        self._asking: asyncio.Task[None] | None = None
        self._timers: list[Timer | None] = [None] * len(links)  # patience with lost connections
        self._lines: list[TurnLine | FaultLine] = []
        self._answers: list[AnswerLine] = []
        self._end: EndLine | None = None
        self.observers = ObserverGroup(observers)
        self._referee = Referee(
            self._game,
            match_id=pairing.match_id,
            seed=pairing.seed,
            entrants=pairing.entrants,
            faults=context.faults,
            load_of=lambda entrant, since: links[entrant].excess_since(since + self._origin_ms),
            wait_of=lambda entrant, since: links[entrant].wait_since(since + self._origin_ms),
            spent_of=lambda entrant, exact: links[entrant].spent(exact=exact),
            place_of=lambda entrant: (self._places or {}).get(entrant, ""),
            lag_ms=lambda since, until: context.lag_ms(since + self._origin_ms, until + self._origin_ms),
        )

    def now_ms(self) -> float:
        """Return the match time in milliseconds."""
        return self._context.clock.now_ms() - self._origin_ms

    def post(self, event: _Event) -> None:
        """Queue an event; while the match is played, events are handled in order in the loop's next pass."""
        self._inbox.append(event)
        self._come_soon()

    async def run(self) -> MatchRecord:
        """Start the match on all bots, play it, and return the record."""
        started = datetime.now(UTC)
        before = [link.usage() for link in self._links]
        for entrant, link in enumerate(self._links):
            seat = _SearchingSeat if link.account.streams_search else _Seat
            link.listener = seat(self, entrant, link)
            link.mark(f"match {self._pairing.match_id} ({self._pairing.variant}, round {self._pairing.round})")
            link.announce(self._pairing.match_id, self._about(entrant))
        failed = await self._seat_all()
        if self.observers.is_needed:
            self._context.bus.post(self.observers.begin(self._game, self._header()))
        self._origin_ms = self._context.clock.now_ms()
        excuse = next((self._links[entrant].excuse for entrant in failed if self._links[entrant].excuse), "")
        end = await self._play(failed, excuse)
        pairing, after = self._pairing, [link.usage() for link in self._links]
        usage = make_usage(
            pairing, started, duration_ms=self.now_ms(), attempt=self._attempt, before=before, after=after
        )
        if self.observers.is_needed:
            self._context.bus.post(self.observers.end(self._lines, end))
        return MatchRecord(header=self._header(), lines=self._lines, answers=self._answers, usage=usage, end=end)

    def _header(self) -> Header:
        ready = [link.ready for link in self._links]
        return make_header(self._pairing, self._game, tournament=self._context.tournament, ready=ready)

    def _about(self, entrant: int) -> str:
        """Describe the match in a few words, for the person who runs this entrant, a remote bot."""
        seats = self._pairing.entrants[entrant].seats
        return f"{self._pairing.variant} with {self._pairing.seats} seats, yours: {', '.join(map(str, seats))}"

    async def _seat_all(self) -> dict[int, str]:
        """Send every bot its `start` and wait until all are ready; return why an entrant is not ready, by its index."""
        starts = map(self._start_message, range(len(self._links)))
        problems = await asyncio.gather(*(self._seat(entrant, start) for entrant, start in enumerate([*starts])))
        failed = {entrant: problem.detail for entrant, problem in enumerate(problems) if problem is not None}
        for link, problem in zip(self._links, problems, strict=True):
            if problem is not None:
                link.fail(Fault.FAILED_TO_START, problem.detail, problem.excuse)
        # what came before the first question answers none
        self._inbox = deque(event for event in self._inbox if not isinstance(event, _Payload))
        return failed

    async def _seat(self, entrant: int, start: protocol.Start) -> NotReady | None:
        """Send a bot its `start`; return why it is not ready for the match, None if it is."""
        link, start_ms = self._links[entrant], self._pairing.entrants[entrant].time.start_ms
        if refusal := refusal_of(link.ready, self._pairing.game):
            return NotReady(Fault.FAILED_TO_START, refusal)
        problem = await link.seat(start, patience_ms=start_ms)
        if problem is not None and await link.start_again():
            # what the process before has said and done is none of this match
            self._inbox = deque(event for event in self._inbox if event.entrant != entrant)
            problem = await link.seat(start, patience_ms=start_ms)
        if problem is None or problem.fault is not None:
            return problem
        return replace(problem, detail=unready(start_ms, problem.detail))

    def _start_message(self, entrant: int) -> protocol.Start:
        pairing = self._pairing
        start = start_for(pairing.entrants[entrant], pairing, self._game, self._referee.state, self._context.run_key)
        return structs.replace(start, lens=True) if self._links[entrant].account.streams_search else start

    async def _play(self, failed: dict[int, str], excuse: str) -> EndLine:
        """Play the match until the referee ends it; an error in a callback of the loop is raised here."""
        self._over = self._loop.create_future()
        try:
            self._obey(self._referee.start(0.0, failed, excuse=excuse))
            self._go_on(self._over)
            return await self._over
        finally:
            self._over = None
            self._drop_alarm()
            if self._asking is not None:
                self._asking.cancel()

    def _come_soon(self) -> None:
        """Let the loop call `_step` in its next pass, if the match is being played."""
        if self._over is not None and not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._step)

    def _step(self) -> None:
        """Handle the events that have arrived; if there are none, tell the referee the time."""
        self._is_due = False
        over = self._over
        if over is None or over.done() or self._must_wait():
            return
        try:
            if not self._inbox and self._places is None and (late := self._referee.overdue_entrants(self.now_ms())):
                self._is_due = True  # what comes meanwhile waits, and is too late
                self._asking = self._loop.create_task(self._find_places(sorted(late), over), name="match.places")
                return
            if not self._inbox:
                self._obey(self._referee.on_time(self.now_ms()))
            self._places = None
            self._go_on(over)
        except Exception as error:
            over.set_exception(error)

    async def _find_places(self, late: Sequence[int], over: asyncio.Future[EndLine]) -> None:
        """Ask the bots whose time is over where in their code they are, then take the next step."""
        try:
            places = await asyncio.gather(*(self._links[entrant].place() for entrant in late))
        except Exception as error:
            over.set_exception(error)
            return
        self._places = dict(zip(late, places, strict=True))
        self._is_due = False
        self._come_soon()

    def _go_on(self, over: asyncio.Future[EndLine]) -> None:
        """Handle the events that have arrived, then end the match or set the next alarm."""
        while self._inbox and self._end is None:
            for event in self._take():
                self._obey(self._commands_for(event))
                if self._end is not None:
                    break
        if self._end is None:
            self._set_alarm(self._referee.next_ms)
        else:
            over.set_result(self._end)

    def _must_wait(self) -> bool:
        """Return True if one more pass of the loop, which may read another message, comes first; arrange that pass.

        The referee hears of the time, and answers are taken as simultaneous, only after a pass that has brought nothing
        new.
        """
        waiting = len(self._inbox)
        if (waiting and not self._is_real_time) or waiting == self._seen or self._passes == len(self._links):
            self._passes, self._seen = 0, -1
            return False
        self._passes, self._seen = self._passes + 1, waiting
        self._come_soon()
        return True

    def _take(self) -> Sequence[_Event]:
        """Take the next event; in a real-time game, take all waiting answers, those of several in random order.

        Answers that were read one right after another count as simultaneous.
        """
        if not self._is_real_time or not isinstance(self._inbox[0], _Payload):
            return [self._inbox.popleft()]
        together: list[_Payload] = []
        while self._inbox and isinstance(event := self._inbox[0], _Payload):
            together.append(event)
            self._inbox.popleft()
        if len({event.entrant for event in together}) == 1:
            return together
        at_ms, rank = together[0].at_ms, self._draw_ranks()
        together = [structs.replace(event, at_ms=at_ms) for event in together]
        return sorted(together, key=lambda event: rank[event.entrant])

    def _commands_for(self, event: _Event) -> list[Command]:
        match event:
            case _Payload():
                return self._referee.on_message(event.entrant, event.payload, event.at_ms)
            case _Online():
                return self._on_online(event)
            case _Gone():
                excuse = self._links[event.entrant].excuse
                return self._referee.on_lost(event.entrant, event.fault, event.detail, self.now_ms(), excuse=excuse)
            case _:
                assert_never(event)

    def _draw_ranks(self) -> list[float]:
        """Draw a random rank for every entrant: it orders answers that came at the same instant."""
        return [self._chance.random() for _ in self._links]

    def _set_alarm(self, when_ms: float | None) -> None:
        """Make sure that `_step` is called at that match time; it may be called earlier too."""
        if when_ms is not None and (self._alarm is None or when_ms < self._alarm_ms):
            self._drop_alarm()  # an earlier one may ring in vain: setting it anew for every answer costs more
            self._alarm_ms = when_ms
            self._alarm = self._context.clock.call_at(when_ms + self._origin_ms, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._come_soon()

    def _drop_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _on_online(self, event: _Online) -> list[Command]:
        """Give a bot that lost its connection time to come back; then repeat its `start` and open questions."""
        timer, self._timers[event.entrant] = self._timers[event.entrant], None
        if timer is not None:
            timer.cancel()
        if event.online:
            start = protocol.encode(self._start_message(event.entrant))
            self._context.bus.post([self._links[event.entrant].packet(start)])
            return self._referee.on_back(event.entrant, self.now_ms())
        link = self._links[event.entrant]
        patience_ms = link.comeback_ms(self._pairing.entrants[event.entrant].time.start_ms)
        detail = f"the connection was lost and did not come back in {patience_ms:.0f} ms"
        self._timers[event.entrant] = self._context.clock.call_at(
            self._context.clock.now_ms() + patience_ms,
            lambda: link.fail(Fault.DISCONNECTED, detail, link.excuse_of(patience_ms + RECOVERY_MS)),
        )
        return []

    def _obey(self, commands: list[Command]) -> None:
        is_closed = False
        sends: list[Send] = []
        for command in commands:
            match command:
                case AnswerLine():
                    self._answers.append(command)
                case Send():
                    sends.append(command)
                case TurnLine():
                    self._lines.append(command)
                    is_closed = True
                case FaultLine():
                    self._lines.append(command)
                    self._tell_fault(command)
                case Drop():
                    self._links[command.entrant].fail(command.fault, command.detail)
                case Finish():
                    self._end = command.end
                case _:
                    assert_never(command)
        is_observed = is_closed and self.observers.is_needed
        observed = self.observers.turn(self._referee.state, self._lines) if is_observed else ()
        if sends or observed:
            self._send(sends, observed)

    def _send(self, sends: Sequence[Send], observed: Sequence[Message]) -> None:
        """Encode all messages first and send in random order, so no seat gains time; spectators last."""
        packets = [(send.entrant, protocol.encode(send.message)) for send in sends]
        if len(packets) > 1:
            ranks = self._draw_ranks()
            packets.sort(key=lambda packet: ranks[packet[0]])  # what goes to the same entrant keeps its order
        messages = [self._links[entrant].packet(payload) for entrant, payload in packets]
        self._context.bus.post([*messages, *observed])

    def _tell_fault(self, line: FaultLine) -> None:
        for entrant, link in zip(self._pairing.entrants, self._links, strict=True):
            if line.seat in entrant.seats:
                link.notify(f"fault in turn {line.turn}: {line.fault.words}: {line.detail}")


async def play_on_bus(pairing: Pairing, links: Sequence[BotLink], context: MatchContext, attempt: int) -> MatchRecord:
    """Play one match over the bus and return its record."""
    observers = context.spectators.observe(context.run, pairing.match_id)
    return await MatchShell(pairing, links, context, attempt=attempt, observers=observers).run()
