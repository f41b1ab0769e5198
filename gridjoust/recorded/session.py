"""A session with one bot outside a match: the bot gets the messages of one, and its faults come back as text.

`joust doctor`, `ask` and `look` put recorded questions to a bot by the same three steps: `open_session` starts the
program as a tournament would (`plan_alone`: with nothing else in the plan), `Session.begin` starts a match, and
`Session.replay` sends the messages of a record in order.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gridjoust.games.api import AnyGame, Seat
from gridjoust.recorded.transcript import Exchange
from gridjoust.runner.config.values import (
    BotEntry,
    Execution,
    GameEntry,
    ResourceLimits,
    RoleProgram,
    TimeLimits,
    Tournament,
)
from gridjoust.runner.plan import Backend, Plan, plan_pairings
from gridjoust.runner.play.breakdown import LOGS
from gridjoust.runner.play.link import STOP_PATIENCE_S, BotLink
from gridjoust.runner.play.pool import BotPool
from gridjoust.runner.processes.logs import MARK, PRINTED, without_stacks
from gridjoust.runner.processes.process import Exit
from gridjoust.runner.results.records.lines import Fault
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import ProtocolFault

EXTRA_MS = 2000.0  # an answer up to so long after its limit is still shown
SETTLE_MS = 200.0  # real time: wait for an answer to an earlier question, so that it is not taken for the next one's
LATE = Fault.LATE.value
NO_EXTRAS = ResourceLimits()


@dataclass(frozen=True, slots=True)
class Reply:
    """A bot's answers to one question. `problem`: why no further answer can come, "" if there is no problem."""

    answers: tuple[protocol.Action, ...]
    latency_ms: float | None  # from the question to the last of the answers
    problem: str = ""
    is_silent: bool = False  # the problem is that no answer has come

    @property
    def text(self) -> str | None:
        """The last answer, which counts; None without an answer."""
        return self.answers[-1].action if self.answers else None

    @property
    def texts(self) -> list[str]:
        """All answers, in order."""
        return [answer.action for answer in self.answers]


@dataclass(frozen=True, slots=True)
class Shutdown:
    """How the bot's process ended after `stop`."""

    exit: Exit
    took_ms: float


@dataclass(frozen=True, slots=True)
class _Problem:
    text: str
    is_end: bool  # of the bot


OnReply = Callable[[Exchange, Reply], object]
Wait = Callable[[Exchange], float | None]
"""How long to wait for the answer to a question, in ms; None: until it comes."""

_Item = tuple[float, protocol.Ready | protocol.Action | _Problem]


class Session:
    """A started bot, made by `open_session`; `problem` says why it did not start, "" if it is ready."""

    def __init__(self, link: BotLink, *, started_ms: float) -> None:
        self.started_ms = started_ms  # from the start of the process to its `ready`
        self.problem = "" if link.fault is None else link.fault[1]
        self._link = link
        self.has_ended = link.fault is not None
        self._is_offline = False
        self._inbox: asyncio.Queue[_Item] = asyncio.Queue()
        link.listener = self

    @property
    def ready(self) -> protocol.Ready | None:
        """The bot's `ready` message; None before it."""
        return self._link.ready

    @property
    def pid(self) -> int | None:
        """The number of the bot's process; None for a bot in this process."""
        return getattr(self._link.running, "pid", None)

    def mark(self, text: str) -> None:
        """Write a line into the bot's log."""
        self._link.mark(text)

    async def begin(self, start: protocol.Start, *, patience_ms: float | None) -> tuple[str, float]:
        """Start a match; return ("" or why the bot is not ready for it, ms that this took)."""
        if self.problem:
            return self.problem, 0.0
        self._forget()
        sent_ms = _now_ms()
        problem = await self._link.seat(start, patience_ms=patience_ms)
        took_ms = _now_ms() - sent_ms
        if problem is None:
            return "", took_ms
        if problem.fault is None:
            return f"{self._silence('ready', patience_ms)}{problem.detail}", took_ms
        self.has_ended |= problem.fault is not Fault.MALFORMED
        return _text(problem.fault, problem.detail), took_ms

    async def ask(
        self, question: protocol.TurnMessage | protocol.Event, *, patience_ms: float | None, until_final: bool = True
    ) -> Reply:
        """Send a question, or news of an open one; wait for the final answer or (`until_final=False`) the first."""
        self._forget()
        sent_ms = _now_ms()
        await self._link.send(question)
        return await self._listen(question.ask, sent_ms, patience_ms, until_final=until_final)

    async def replay(
        self, told: Iterable[Exchange], on_reply: OnReply, *, wait_ms: Wait, until_final: bool
    ) -> tuple[Exchange, Reply] | None:
        """Send recorded messages in order, and wait `wait_ms(exchange)` for the answer to each question.

        Return the question at which the bot ended and its reply, and send no more then; None if the bot did not end.
        """
        for exchange in told:
            if not isinstance(exchange.message, protocol.TurnMessage):
                await self.tell(exchange.message)
                continue
            reply = await self.ask(exchange.message, patience_ms=wait_ms(exchange), until_final=until_final)
            if reply.problem and self.has_ended:
                return exchange, reply
            on_reply(exchange, reply)
        return None

    async def tell(self, message: protocol.ToBot) -> None:
        """Send a message without waiting for an answer."""
        await self._link.send(message)

    async def leave(self) -> Shutdown:
        """Send `stop` and wait for the process to exit; end it after `STOP_PATIENCE_S`."""
        running = self._link.running
        assert running is not None
        self._link.listener = None
        began_ms = _now_ms()
        await self._link.send(protocol.Stop())
        ended = await running.stop(patience_s=STOP_PATIENCE_S)
        return Shutdown(ended, _now_ms() - began_ms)

    def on_payload(self, payload: bytes) -> None:
        """Decode a message of the bot and queue it."""
        try:
            message = protocol.decode_from_bot(payload)
        except ProtocolFault as fault:
            self._post(_Problem(f"malformed: {fault}", is_end=False))
            return
        if isinstance(message, protocol.BotError):
            is_end = message.ask is None
            self._post(_Problem(f"{'crashed' if is_end else 'malformed'}: {message.message}", is_end=is_end))
        else:
            self._post(message)

    def on_online(self, *, online: bool) -> None:
        """Note that the connection is back or lost; a loss mostly means that the process is ending."""
        self._is_offline = not online

    def on_gone(self, fault: Fault, detail: str) -> None:
        """Queue the end of the process as a problem."""
        self._post(_Problem(_text(fault, detail), is_end=True))

    def _post(self, item: protocol.Ready | protocol.Action | _Problem) -> None:
        self.has_ended |= isinstance(item, _Problem) and item.is_end
        self._inbox.put_nowait((_now_ms(), item))

    def _forget(self) -> None:
        """Drop messages that came before a question, as they do not answer it; keep the news that the bot has ended."""
        while not self._inbox.empty():
            at_ms, item = self._inbox.get_nowait()
            if isinstance(item, _Problem) and item.is_end:
                self._inbox.put_nowait((at_ms, item))
                return

    async def _listen(self, ask: int, sent_ms: float, patience_ms: float | None, *, until_final: bool) -> Reply:
        answers: list[protocol.Action] = []
        latency_ms: float | None = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if patience_ms is None else patience_ms / 1000):
                while True:
                    at_ms, item = await self._inbox.get()
                    if isinstance(item, _Problem):
                        return Reply(tuple(answers), latency_ms, item.text)
                    if isinstance(item, protocol.Action) and item.ask == ask:
                        answers.append(item)
                        latency_ms = at_ms - sent_ms
                        if item.final or not until_final:
                            break
        if not answers:
            place = await self._link.place()
            problem = self._silence("answer", patience_ms) + (place and f": {place}")
            return Reply((), None, problem, is_silent=True)
        return Reply(tuple(answers), latency_ms)

    def _silence(self, awaited: str, patience_ms: float | None) -> str:
        lost = ": the connection was lost" if self._is_offline else ""
        return f"no {awaited} within {patience_ms:.0f} ms{lost}"


def bot_entry(name: str, program: RoleProgram, limits: ResourceLimits = NO_EXTRAS) -> BotEntry:
    """Return a program as an entry of a tournament file's `bots`."""
    fields = {key: getattr(program, key) for key in RoleProgram.__struct_fields__}
    return BotEntry(name=name, limits=limits, **fields)


def bot_name(program: RoleProgram) -> str:
    """Return a short name of a program for tables and logs, from its bot, class or file."""
    spec = program.bot or (program.path or "").rpartition(":")[2]
    if program.command:  # the last word that names a file, without its ending; else the command itself
        files = [Path(word).stem for word in program.command if Path(word).is_file()]
        spec = files[-1] if files else Path(program.command[0]).name
    return re.sub(r"[^A-Za-z0-9_-]+", "-", spec).strip("-")[:40] or "bot"


def logs_of(plan: Plan) -> Path:
    """Return the folder of the bots' logs; make it if needed."""
    logs = plan.out / LOGS
    logs.mkdir(parents=True, exist_ok=True)
    return logs


def bot_output(logs: Path, bot: str) -> tuple[list[str], list[str]]:
    """Return what a bot wrote to its log, and its lines on standard output that are no answers (`protocol: stdio`).

    The runner's own lines and the stack traces that it asked for are left out.
    """
    file = logs / f"{bot}.0.log"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    lines = list(without_stacks(text.splitlines()))
    printed = [line.removeprefix(PRINTED) for line in lines if line.startswith(PRINTED)]
    return [line for line in lines if not line.startswith(MARK)], printed


def plan_alone(program: RoleProgram, *, game: str, out: Path, folder: Path, limits: ResourceLimits = NO_EXTRAS) -> Plan:
    """Plan a tournament of one bot without a match; its log goes to `out`, and it starts in `folder`."""
    config = Tournament(
        tournament="alone",
        games=(GameEntry(game=game),),
        bots=(bot_entry(bot_name(program), program, limits),),
        execution=Execution(parallel=1),
    )
    return plan_pairings(config, out, folder=folder)


def entrant_alone(plan: Plan, program: RoleProgram, *, seats: tuple[Seat, ...], time: TimeLimits) -> Entrant:
    """Return the only bot of a plan made by `plan_alone`, as the entrant that holds these seats."""
    [bot] = plan.loaded.config.bots
    return Entrant(bot.name, program, "", seats, time, bot.limits)


@contextlib.asynccontextmanager
async def open_session(plan: Plan, backend: Backend, entrant: Entrant) -> AsyncIterator[Session]:
    """Start the entrant's program as a tournament would, and end it at the end of the context."""
    pool = BotPool(run=plan.run, bus=backend.bus, launcher=backend.launcher, accounts=plan.accounts)
    began_ms = _now_ms()
    async with pool.open(), pool.seated([entrant]) as links:
        yield Session(links[0], started_ms=_now_ms() - began_ms)


def _text(fault: Fault, detail: str) -> str:
    return f"{fault.words}: {detail}"


def _now_ms() -> float:
    return time.perf_counter() * 1000


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """An earlier question whose answer differs from the recorded one."""

    turn: int
    seat: int
    recorded: str
    now: str


def patience_ms(message: protocol.TurnMessage | protocol.Event) -> float:
    """Return how long to wait for an answer in ms: `EXTRA_MS` beyond its limit."""
    limit_ms = message.limit_ms if isinstance(message, protocol.TurnMessage) else None
    return (limit_ms or 0.0) + EXTRA_MS


def changed_answer(
    game: AnyGame, told: Exchange, answers: Sequence[str], *, is_timed: bool = False
) -> ChangedAnswer | None:
    """Return how the last answer differs from the recorded one; None if it does not, or if that was late or is unknown.

    `is_timed`: the recorded answer may be any of the answers.
    """
    recorded = told.recorded
    if recorded is None or recorded.fault == LATE:
        return None
    if not recorded.action and not answers:
        return None
    now = [_as_recorded(game, text) for text in answers] or ["no answer"]
    if recorded.action in (now if is_timed else now[-1:]):
        return None
    return ChangedAnswer(told.message.turn, told.message.seat, recorded.action or "no action", now[-1])


def _as_recorded(game: AnyGame, text: str) -> str:
    try:
        return str(game.parse_action(text))
    except ValueError:
        return text[:80]  # records store invalid actions like this
