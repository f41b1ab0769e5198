"""A session with one bot: messages of a match without a match. The bot's faults are returned as text."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from gridjoust.runner.plan import Backend, Plan
from gridjoust.runner.play.link import STOP_PATIENCE_S, BotLink
from gridjoust.runner.play.pool import BotPool
from gridjoust.runner.processes.process import Exit
from gridjoust.runner.results.records.lines import Fault
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import ProtocolFault


@dataclass(frozen=True, slots=True)
class Reply:
    """The answers to one question. `problem`: why no further answer can come, "" if there is no problem."""

    answers: tuple[protocol.Action, ...]
    latency_ms: float | None  # from the question to the last of the answers
    problem: str = ""
    is_silent: bool = False  # the problem is that no answer has come

    @property
    def text(self) -> str | None:
        """The last answer, which counts; None without an answer."""
        return self.answers[-1].action if self.answers else None


@dataclass(frozen=True, slots=True)
class Shutdown:
    """The end of the process after `stop`."""

    exit: Exit
    took_ms: float


@dataclass(frozen=True, slots=True)
class _Problem:
    text: str
    is_end: bool  # of the bot


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
        """Start a match; return "" or why the bot is not ready for it, and the ms that it took."""
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
        """Drop messages that came before a question, as they are no answers to it; keep the bot's end."""
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
            return Reply((), None, self._silence("answer", patience_ms), is_silent=True)
        return Reply(tuple(answers), latency_ms)

    def _silence(self, awaited: str, patience_ms: float | None) -> str:
        lost = ": the connection was lost" if self._is_offline else ""
        return f"no {awaited} within {patience_ms:.0f} ms{lost}"


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
