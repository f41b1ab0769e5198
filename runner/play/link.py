"""The line to one bot: its conversation outside turns (hello, ready, stop), its budget and, unless remote, its process.

Knows no rules and judges nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Protocol

from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import ResourceLimits, RoleProgram
from gridjoust.runner.play.launch import Launcher, Running
from gridjoust.runner.processes.history import Load, Spent
from gridjoust.runner.processes.process import Ending, Usage
from gridjoust.runner.referee.blame import RECOVERY_MS, STALL_MS, STALL_SHARE
from gridjoust.runner.results.records.lines import Fault
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import Bus
from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.inbox import Allowance
from gridjoust.runner.wire.protocol import HARNESS_MARK, bot_prefix

BURST_BYTES, BYTES_PER_S = 4 * 1024 * 1024, 2 * 1024 * 1024  # of one bot on all its topics, where
MESSAGE_BYTES, STATUS_BYTES = 1024, 64 * 1024  # is what a message weighs beyond its own bytes
GRANT_BYTES = 2 * MESSAGE_BYTES  # what a message to the bot adds: answers are free, however fast questions come
STOP_PATIENCE_S = 2.0
LEAVING_S = 1.0  # from the end of a bot's connection to the end of its process
SHARE_CORES, SHARE_THREADS = 1.5, 128  # of one bot: one core, and what measuring may add
WAIT_SHARE = 0.5  # of a span: who waited longer for a processor was kept from answering
MATCHES_KEPT = 64  # whose late `ready` is no mistake
RECONNECTIONS, RECONNECTIONS_PER_S = 6, 0.1  # after which the bot counts as lost: each sends a whole start again

StallMs = Callable[[float], float]
"""Called with a number of milliseconds; returns the longest delay of broker or runner within that time."""


def no_stall(within_ms: float) -> float:  # noqa: ARG001 - the shape that links call
    """Return 0: delays are not measured."""
    return 0.0


class Listener(Protocol):
    """Interface of a match for its bots' links: what to do when a bot sends, connects or ends."""

    def on_payload(self, payload: bytes) -> None:
        """Handle bytes from the bot's `out` topic."""

    def on_online(self, *, online: bool) -> None:
        """Note that the connection came back, or was lost."""

    def on_gone(self, fault: Fault, detail: str) -> None:
        """Note that the process has ended."""


@dataclass(frozen=True, slots=True)
class NotReady:
    """Why a bot has not said `ready`; `fault` None: it has sent nothing. With an excuse the bot is not to blame."""

    fault: Fault | None
    detail: str = ""
    excuse: str = ""


@dataclass(frozen=True, slots=True)
class _Expected:
    """A `ready` message that the runner waits for: of which match (None: after `hello`), and how the wait ended."""

    match: str | None
    outcome: asyncio.Future[NotReady | None]


class BotLink:
    """The runner's link to one bot process: messages outside turns (hello, ready, stop), limits, start and end.

    A remote bot starts and ends its process itself.
    """

    outlives_the_run: ClassVar[bool] = False  # after an error or an interrupt it waits for the run to go on

    def __init__(
        self, bot: str, slot: str, *, run: str, bus: Bus, account: Account, stall_ms: StallMs = no_stall
    ) -> None:
        self.bot = bot
        self.slot = slot
        self.account = account
        self.program: RoleProgram | None = None
        self.ready: protocol.Ready | None = None
        self.running: Running | None = None
        self.listener: Listener | None = None
        self.slots: Sequence[BotLink] = (self,)  # all of the same bot
        self.is_busy = False
        self.is_online = False
        self.fault: tuple[Fault, str] | None = None
        self.excuse = ""  # why the bot is not to blame for its fault
        self.error: Exception | None = None  # of ours, while a message of the bot was read
        self._bus = bus
        self._stall_ms = stall_ms
        self._topic_in = f"{bot_prefix(run, slot)}/in"
        self._hello = protocol.Hello(protocol=protocol.PROTOCOL, run=run, bot=bot)
        self._expected: _Expected | None = None
        self._stray = ""  # a `ready` that may be another's, as it is told where the awaited one does not come
        self._matches: deque[str] = deque(maxlen=MATCHES_KEPT)
        self._grant_process()
        self._watcher: asyncio.Task[None] | None = None

    def _grant_process(self) -> None:
        """Reset how many bytes the bot process may send, and how often it may lose its connection."""
        self._allowance = Allowance(BURST_BYTES, per_s=BYTES_PER_S)
        self._is_charged = False
        self._has_played = False  # a match, to its end
        self._reconnections = Allowance(RECONNECTIONS, per_s=RECONNECTIONS_PER_S)

    async def send(self, message: protocol.ToBot) -> None:
        """Publish one message to the bot."""
        await self._bus.publish(*self.packet(protocol.encode(message)))

    def packet(self, payload: bytes) -> tuple[str, bytes]:
        """Return topic and payload of an encoded message to the bot; grant the bot more bytes, for its answer."""
        self._allowance.grant(GRANT_BYTES)
        return self._topic_in, payload

    def notify(self, text: str) -> None:
        """Show a line to the person who runs the bot; only remote bots have one."""

    def announce(self, match: str, about: str) -> None:
        """Tell the person who runs the bot that a match begins."""

    def comeback_ms(self, start_ms: float) -> float:
        """Return how long a connection that breaks during a match may stay lost, in milliseconds."""
        return start_ms

    def usage(self) -> Usage:
        """Return what the process has used; unknown for remote bots."""
        return Usage(None, None) if self.running is None else self.running.usage()

    def excess_since(self, when_ms: float) -> str:
        """Say what the bot's processes used beyond their share since a moment of the monotonic clock; "" = nothing."""
        loads = [link.running.load_since(when_ms) for link in self.slots if link.running is not None]
        return next(filter(None, map(_excess_of, filter(None, loads))), "")

    def spent(self, *, exact: bool) -> Spent | None:
        """Return the CPU time that the bot's processes have used so far; None for remote bots."""
        return None if self.running is None else self.running.spent(exact=exact)

    def wait_since(self, when_ms: float) -> str:
        """Say that the machine delayed the bot for over half of the time since `when_ms`; "" if not.

        It is also "" if the bot caused the delay itself.
        """
        if self.running is None or self.excess_since(when_ms) or (load := self.running.load_since(when_ms)) is None:
            return ""
        if load.waited_ms <= WAIT_SHARE * load.span_ms or self.running.has_yielded():
            return ""
        return f"the machine was busy for {load.waited_ms:.0f} of {load.span_ms:.0f} ms"

    async def place(self) -> str:
        """Return where a Python bot on this machine is now, `still in act, first.py line 8`; "" if unknown."""
        return "" if self.running is None else await self.running.place()

    def mark(self, text: str) -> None:
        """Write a line into the bot's log."""
        if self.running is not None:
            self.running.mark(text)

    async def seat(self, start: protocol.Start, *, patience_ms: float | None) -> NotReady | None:
        """Start a match and wait until the bot is ready for it; None if it is."""
        if self.fault is not None:
            return NotReady(*self.fault, self.excuse)
        self._matches.append(start.match)
        problem = await self._await_ready(start.match, self.send(start), patience_ms)
        self._has_played = self._has_played or problem is None
        return problem

    async def start_again(self) -> bool:
        """Start the process anew if it left by itself after a match; return True if it is ready then.

        A program may leave when its match has ended: that is known only when the next one begins.
        """
        if self.running is None or not self._has_played:
            return False
        try:
            async with asyncio.timeout(LEAVING_S):
                ended = await self.running.wait()
        except TimeoutError:
            return False
        if ended.code != 0 or ended.ending is Ending.KILLED:
            return False
        await self.end()
        await self._prepare_again()
        return self.fault is None

    def excuse_of(self, within_ms: float = RECOVERY_MS, *, limit_ms: float = STALL_MS) -> str:
        """Return why a bot that was lost or not ready is not to blame: a stall above the limit; "" if it is.

        A bot that used more than its share meanwhile may have caused the stall.
        """
        late_ms = self._stall_ms(within_ms)
        if late_ms <= limit_ms or self.excess_since(time.monotonic() * 1000 - within_ms):
            return ""
        return f"this machine was {late_ms:.0f} ms late"

    def admits(self, payload: bytes, weight: int) -> bool:
        """Return True if the bot may still send this payload; end a bot that exceeds its byte budget.

        `weight`: bytes that count in addition to the payload.
        """
        if self._allowance.spend(len(payload) + weight):
            return True
        self.charge(f"expected at most {BYTES_PER_S // 2**20} MB of messages a second")
        return False

    def charge(self, detail: str) -> None:
        """Charge the bot with flooding its topics or the broker, and kill its process."""
        self.fail(Fault.FLOODING, detail)
        if self.running is not None and not self._is_charged:
            self._is_charged = True
            self.running.kill()

    def on_payload(self, payload: bytes) -> None:
        """Pass a message from the bot to its match, or take it as the expected `ready`."""
        if self._expected is None and self.listener is not None:
            self.listener.on_payload(payload)
            return
        is_seating = self._expected is not None and self._expected.match is not None
        try:
            message = protocol.decode_from_bot(payload)
        except ProtocolFault as fault:
            self.settle(NotReady(Fault.MALFORMED, str(fault)))  # where nobody is asking, nobody is blamed
            return
        match message:
            case protocol.Ready(match=None) if not is_seating:
                self.ready = message
                self.settle(None)
            case protocol.Ready() if self._expected is not None and message.match == self._expected.match:
                self.settle(None)
            case protocol.Ready(match=None):
                self._stray = ": got one with match null"  # perhaps the answer to a second hello
            case protocol.Ready() if message.match not in self._matches:
                awaited = None if self._expected is None else self._expected.match
                expected = "null" if awaited is None else repr(awaited)
                self.settle(NotReady(Fault.MALFORMED, f"ready: match: expected {expected}, got {message.match!r}"))
            case protocol.BotError() if is_seating:
                self.settle(NotReady(Fault.CRASHED, message.message))
            case protocol.BotError():
                self.fail(Fault.CRASHED, message.message)
            case _:
                pass

    async def on_status(self, payload: bytes) -> None:
        """Handle the bot's status: it is online, or its connection is lost."""
        try:
            status = protocol.decode_status(payload)
        except ProtocolFault:
            return
        if status.online == self.is_online:
            return  # only a change says something
        self.is_online = status.online
        if not status.online and not self._reconnections.spend(1):
            self.fail(Fault.DISCONNECTED, f"expected at most {RECONNECTIONS} lost connections a minute")
        if status.online and self.ready is None:
            await self.send(self._hello)
        if self.listener is not None:
            self.listener.on_online(online=status.online)
        elif not status.online and self.running is None:
            self.ready = None  # a remote bot that left between matches

    def fail(self, fault: Fault, detail: str, excuse: str = "") -> None:
        """Note that the bot is gone, with the fault that ended it; only the first call counts."""
        if self.fault is None:
            self.fault, self.excuse = (fault, detail), excuse
            self.settle(NotReady(fault, detail, excuse))
            if self.listener is not None:
                self.listener.on_gone(fault, detail)

    async def prepare(self, program: RoleProgram, launcher: Launcher, limits: ResourceLimits, start_ms: float) -> None:
        """Start this program, unless it runs already, and wait until it is ready; set `fault` if that fails."""
        if self.program not in (None, program) or self.fault is not None:
            await self.end()
        self.program = program
        self._prepare_again = partial(self.prepare, program, launcher, limits, start_ms)
        if self.ready is None:
            is_there = program.remote or self.running is not None  # perhaps before us
            invitation = self.send(self._hello) if is_there else self._start(program, launcher, limits)
            if (problem := await self._await_ready(None, invitation, start_ms)) is not None:
                who = "no remote bot has connected" if program.remote else "no ready after hello"
                silent = f"{who} within {start_ms:.0f} ms{problem.detail}"
                detail = silent if problem.fault is None else problem.detail
                self.fail(Fault.FAILED_TO_START, detail, problem.excuse)
        if self.ready is not None and self.ready.protocol != protocol.PROTOCOL:
            self.fail(Fault.FAILED_TO_START, f"expected protocol {protocol.PROTOCOL}, got {self.ready.protocol}")

    async def _start(self, program: RoleProgram, launcher: Launcher, limits: ResourceLimits) -> None:
        self._grant_process()
        self.running = await launcher.start(program, slot=self.slot, account=self.account, limits=limits)
        self._watcher = asyncio.create_task(self._watch(self.running, launcher), name=f"watch[{self.slot}]")

    async def end(self, *, for_good: bool = False) -> None:
        """Ask the bot to leave, then end its process.

        `for_good`: also tell a remote bot that is at fault or has not been seen online, so that it does not wait for
        matches that never come.
        """
        running, self.running = self.running, None
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.cancel()
        try:
            if for_good or (self.fault is None and (running is not None or self.is_online)):
                await self.send(protocol.Stop())
        finally:  # also where the broker is lost
            if running is not None:
                await running.stop(patience_s=STOP_PATIENCE_S if self.fault is None else 0.0)
            self.is_online = False
            self.ready = None
            self.fault, self.excuse = None, ""

    def raise_error(self) -> None:
        """Raise the error that a message of this bot has led to, if any, once."""
        error, self.error = self.error, None
        if error is not None:
            raise error

    def settle(self, outcome: NotReady | None) -> None:
        """End the wait for a `ready` message, if there is one; `outcome` None: the bot is ready."""
        expected, self._expected = self._expected, None
        if expected is not None and not expected.outcome.done():
            expected.outcome.set_result(outcome)

    async def _await_ready(
        self, match: str | None, invitation: Awaitable[None], patience_ms: float | None
    ) -> NotReady | None:
        """Send `hello` (`match` None) or a match's `start` and wait for `ready`; return None if it came."""
        self._stray = ""
        expected = self._expected = _Expected(match, asyncio.get_running_loop().create_future())
        await invitation
        try:
            async with asyncio.timeout(None if patience_ms is None else patience_ms / 1000):
                return await expected.outcome
        except TimeoutError:
            waited_ms = patience_ms or 0.0
            excuse = self.excuse_of(waited_ms, limit_ms=min(STALL_MS, STALL_SHARE * waited_ms))
            place = await self.place()
            return NotReady(None, self._stray or (place and f": {place}"), excuse)
        finally:
            self._expected = None

    async def _watch(self, running: Running, launcher: Launcher) -> None:
        ended = await running.wait()
        said = launcher.log_tail(self.slot)
        if ended.ending is Ending.KILLED or not said:  # then its output does not say why
            detail = ended.reason
        elif said.startswith(HARNESS_MARK):  # the harness has said why: its exit code adds nothing
            detail = said.removeprefix(HARNESS_MARK)
        else:
            detail = f"{ended.reason}: {said}"
        is_lost = ended.code == protocol.CONNECTION_LOST
        self.fail(Fault.DISCONNECTED if is_lost else Fault.CRASHED, detail, self.excuse_of())


def _excess_of(load: Load) -> str:
    cores = load.cpu_ms / max(load.span_ms, 1.0)
    if cores > SHARE_CORES:
        return f"its processes kept {cores:.1f} cores busy"
    if load.threads > SHARE_THREADS:
        return f"its processes ran {load.threads} threads"
    return ""


def refusal_of(ready: protocol.Ready | None, game: str) -> str:
    """Return why a bot cannot play the game, from what it has declared; "" if it can."""
    plays = [] if ready is None else ready.plays
    return f"plays {', '.join(plays)}, not {game}" if plays and game not in plays else ""
