"""A bot that repeats the actions and faults of a record.

If the match differs from the record, because another bot acts differently, it plays its recorded actions if they are
legal, and the first legal action otherwise.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property

from gridjoust.games.api import Seat
from gridjoust.in_process import TaskLauncher
from gridjoust.recorded.transcript import exchanges_with
from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.play.launch import Launcher
from gridjoust.runner.results.records.lines import Fault, FaultLine, MatchRecord, TurnLine
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import Bus, Will
from gridjoust.runner.wire.inbox import Inbox
from gridjoust.runner.wire.protocol import bot_prefix

GARBAGE = b"not the message it was"  # sent in place of a recorded malformed message
RECORDED = "recorded"  # bot name of a script

AnyConnect = Callable[[Account, Will], AbstractAsyncContextManager[Bus]]


class Script:
    """What one bot did in a recorded match: its actions and faults by (turn, seat)."""

    def __init__(self, record: MatchRecord, seats: tuple[Seat, ...]) -> None:
        self._record, self._seats = record, seats
        turns = [line for line in record.lines if isinstance(line, TurnLine)]
        faults = [line for line in record.lines if isinstance(line, FaultLine)]
        applied = {(line.turn, int(seat)): text for line in turns for seat, text in line.actions.items()}
        # the last turn may be incomplete: it has answers, but no actions
        given = {(answer.turn, answer.seat): answer.action for answer in record.answers if not answer.fault}
        self.actions = given | applied
        self.faults = {(line.turn, line.seat): line.fault for line in faults}
        self.refused = {(answer.turn, answer.seat): answer.action for answer in record.answers if answer.fault}
        self.stamps = {line.turn: line.stamp for line in turns}
        self.cut_short = record.end.turns + 1  # the turn in which the match ended while bots were still thinking
        self._end = next((line for line in faults if line.seat in seats and line.fault.is_fatal), None)

    @property
    def refusal(self) -> str:
        """The reason why the bot did not start; "" if it did."""
        return self._end.detail if self._end is not None and self._end.fault is Fault.FAILED_TO_START else ""

    def end_by(self, turn: int) -> str:
        """Return why the bot has ended by this turn, "" if it has not."""
        return self._end.detail if self._end is not None and self._end.turn <= turn else ""

    @cached_property
    def timed_replies(self) -> dict[tuple[Seat, int], list[tuple[int, str]]]:
        """The recorded replies by (seat, number of the question from 0), in order: (ms after the question, action).

        They are used in real-time games. Times start at the question, because phases of a game begin a little earlier
        or later each time.
        """
        replies: dict[tuple[Seat, int], list[tuple[int, str]]] = {}
        opened: dict[Seat, tuple[int, int]] = {}  # seat -> number of its open question, and when it came
        for told in exchanges_with(self._record, self._seats):
            turn, seat = told.message.turn, told.message.seat
            if isinstance(told.message, protocol.TurnMessage):
                number = opened[seat][0] + 1 if seat in opened else 0
                opened[seat] = (number, self.stamps.get(turn - 1, 0))
            if (turn, seat) in self.actions and turn in self.stamps:
                number, since_ms = opened[seat]
                reply = (self.stamps[turn] - since_ms, self.actions[turn, seat])
                replies.setdefault((seat, number), []).append(reply)
        return replies


@dataclass(eq=False)
class ScriptedBot:
    """A bot that repeats its recorded actions. `misfits`: answers for which no recorded action was legal."""

    script: Script
    _: KW_ONLY
    planner: str
    version: str
    bus: Bus
    prefix: str
    misfits: int = 0

    def __post_init__(self) -> None:
        self._arrived = asyncio.Event()
        self._inbox = Inbox(arrived=self._arrived)
        self._open: dict[Seat, int] = {}  # the open question of each seat
        self._asked: Counter[Seat] = Counter()
        self._actors: set[asyncio.Task[None]] = set()

    async def run(self) -> int:
        """Play until `stop` comes; return the exit code."""
        await self.bus.subscribe(f"{self.prefix}/in", self._inbox.on_message)
        await self.bus.publish(f"{self.prefix}/status", protocol.encode(protocol.Status(online=True)))
        dynamics = ""
        try:
            while True:
                message = await self._inbox.get(self._arrived.wait)
                match message:
                    case protocol.Stop():
                        return 0
                    case protocol.Hello():
                        await self._send(self._ready(None))
                    case protocol.Start():
                        dynamics = message.dynamics
                        refusal, match = self.script.refusal, message.match
                        refused = protocol.BotError(match=match, message=refusal)
                        await self._send(refused if refusal else self._ready(match))
                    case protocol.TurnMessage():
                        if dynamics == "real_time":
                            self._follow_clock(message)
                        else:
                            await self.answer(message)
                    case _:
                        pass
        finally:
            for actor in self._actors:
                actor.cancel()

    def _ready(self, match: str | None) -> protocol.Ready:
        return protocol.Ready(
            protocol=protocol.PROTOCOL, match=match, planner=self.planner, version=self.version, language="recorded"
        )

    async def answer(self, question: protocol.TurnMessage) -> None:
        """Answer a question as in the record: with an action, a refused answer, silence, or the bot's end."""
        turn, seat = question.turn, question.seat
        if end := self.script.end_by(turn):
            await self._send(protocol.BotError(match=question.match, message=end))
            return
        fault, refused = self.script.faults.get((turn, seat)), self.script.refused.get((turn, seat), "")
        if fault is Fault.LATE:
            return
        if fault is not None and not refused:
            await self.bus.publish(f"{self.prefix}/out", GARBAGE)
            return
        text = refused if fault is not None else self.script.actions.get((turn, seat))
        if text is not None or turn not in self.script.stamps:  # a recorded turn without an answer gets none
            await self._act(question, text, is_free=fault is not None)

    async def _act(self, question: protocol.TurnMessage, text: str | None, *, is_free: bool) -> None:
        """Send a recorded answer; replace an action that is illegal now, unless `is_free`: it was refused then, too."""
        fits = text is not None and (text in question.legal or not question.legal_complete)
        if text is None or not (fits or is_free):
            self.misfits += text is not None or question.turn != self.script.cut_short
            text = question.legal[0]
        await self._send(protocol.Action(match=question.match, ask=question.ask, seat=question.seat, action=text))

    def _follow_clock(self, question: protocol.TurnMessage) -> None:
        """Send every reply to this question at its recorded time, as long as the question is open."""
        replies = self.script.timed_replies.get((question.seat, self._asked[question.seat]), [])
        self._asked[question.seat] += 1
        self._open[question.seat] = question.ask
        actor = asyncio.create_task(self._act_by_clock(question, replies), name=f"recorded[{self.prefix}]")
        self._actors.add(actor)
        actor.add_done_callback(self._actors.discard)

    async def _act_by_clock(self, question: protocol.TurnMessage, replies: list[tuple[int, str]]) -> None:
        loop = asyncio.get_running_loop()
        asked_s = loop.time()
        for seq, (delay_ms, text) in enumerate(replies):
            await asyncio.sleep(max(0.0, asked_s + delay_ms / 1000 - loop.time()))
            if self._open[question.seat] != question.ask:
                return
            sent = protocol.Action(
                match=question.match, ask=question.ask, seat=question.seat, action=text, seq=seq, final=False
            )
            await self._send(sent)

    async def _send(self, message: protocol.FromBot) -> None:
        await self.bus.publish(f"{self.prefix}/out", protocol.encode(message))


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record that is played again, with its entrants and scripted bots."""

    record: MatchRecord
    entrants: tuple[Entrant, ...]
    bots: list[ScriptedBot] = field(default_factory=list)

    def launcher(self, run: str, connect: AnyConnect, *, inner: Launcher) -> TaskLauncher:
        """Return a launcher that runs scripts for programs named `RECORDED`; `inner` starts all other bots."""

        async def serve(program: RoleProgram, slot: str, account: Account) -> int:
            entrant = self.entrants[int(program.options["entrant"])]
            entry = self.record.header.seats[entrant.seats[0]]
            planner = entry.planner if protocol.is_planner(entry.planner) else "other"
            prefix = bot_prefix(run, slot)
            will = Will(f"{prefix}/status", protocol.encode(protocol.Status(online=False)))
            async with connect(account, will) as bus:
                bot = ScriptedBot(
                    Script(self.record, entrant.seats),
                    planner=planner,
                    version=entry.bot_version,
                    bus=bus,
                    prefix=prefix,
                )
                self.bots.append(bot)
                return await bot.run()

        return TaskLauncher(inner, RECORDED, serve)


def scripted(number: int, entrant: Entrant) -> Entrant:
    """Return the entrant with a script as its program; `number`: its index among the entrants of the match."""
    return replace(entrant, program=RoleProgram(bot=RECORDED, options={"entrant": number}))
