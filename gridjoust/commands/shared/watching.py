"""`joust run --watch`: the process that serves the live page, started beside the run. The run never waits for it."""

from __future__ import annotations

import asyncio
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

import msgspec

from gridjoust.commands.shared.watch_address import ADDRESS
from gridjoust.runner.broker import allow_search, credentials, page_account
from gridjoust.runner.config.programs import connects_itself, programs_of
from gridjoust.runner.config.values import Tournament
from gridjoust.runner.plan import Backend, Plan
from gridjoust.runner.processes.process import end_by_input
from gridjoust.runner.remote.access import remote_bots
from gridjoust.runner.spectate.spectators import RecordLine, Spectators
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.viewer.address import READY, Task, address_of, hosts_of, listen

P = TypeVar("P", bound=Plan)

_PATIENCE_S = 30.0  # for its start
_FAREWELL_S = 3.0  # for its end
_MOST_WAITING = 8 << 20  # bytes that the process has not read yet; the next lines of matches are dropped


@dataclass(frozen=True, slots=True)
class PageListener:
    """The open socket on which the live page of a run is served, and its address."""

    listening: socket.socket
    host: str

    @property
    def address(self) -> str:
        """The URL of the live page."""
        return f"{address_of(self.listening, self.host)}live"


def open_page_listener(text: str) -> PageListener:
    """Open a socket for the live page; ConfigError for a bad address or a used port."""
    address = ADDRESS.fullmatch(text)
    if address is None or int(address[2]) > 65535:
        raise ConfigError(f"--watch: expected HOST:PORT, got {text!r}")
    host = (address[1] or "127.0.0.1").strip("[]")
    try:
        return PageListener(listen(host, int(address[2])), host)
    except OSError as error:
        raise ConfigError(f"--watch: expected a free address, got {text}: {error.strerror or error}") from None


def let_in(plan: P, *, stream_search: bool = False) -> P:
    """Return the plan with the live page as a spectator; `stream_search`: bots also show it their searches.

    If the broker keeps accounts apart, the page gets one. Otherwise the run writes the lines to the page's standard
    input, as bots could read them on a shared broker. ConfigError if a rival or anyone else could see the searches.
    """
    config = plan.loaded.config
    execution = config.execution
    is_inside = execution.where == "local" and execution.isolation == "none"
    is_apart = execution.where == "local" and execution.isolation != "none" and config.broker.use != "external"
    if stream_search and (not (is_apart or is_inside) or remote_bots(config)):
        raise ConfigError("--lens: expected bots on this machine and a broker of their own, which keeps them apart")
    if stream_search and not (plan.trust or is_inside or _cannot_ask(config)):
        raise ConfigError(
            "--lens: a bot could read its rivals' searches from the page; use --trust if all bots are your own, "
            "otherwise isolation: sandbox, without programs that connect to the broker themselves"
        )
    page = page_account(plan.run, stream_search=stream_search) if is_apart else None
    plan = replace(plan, spectators=replace(plan.spectators, page=page, stream_search=stream_search))
    if not stream_search:
        return plan
    return replace(plan, accounts={slot: allow_search(one, plan.run, slot) for slot, one in plan.accounts.items()})


def _cannot_ask(config: Tournament) -> bool:
    """Return True if all bots are built-in or installed, or a sandbox keeps the others from connecting to the page."""
    programs = [program for bot in config.bots for program in programs_of(bot).values()]
    others = [program for program in programs if program.path is not None or program.command is not None]
    return not others or (config.execution.isolation == "sandbox" and not any(map(connects_itself, others)))


class Watcher:
    """The process that serves the live page, as the run sees it."""

    def __init__(self, process: Process, spectators: Spectators) -> None:
        """Take the `spectators` of the plan; a page without a broker account gets all lines from this process."""
        self._process = process
        self.spectators = spectators
        if spectators.page is None:
            self.spectators = replace(spectators, on_lines=self._on_lines, on_search=self._on_search)

    def tell(self, note: str) -> None:
        """Send a note for readers to the page; a run never waits for it."""
        stdin = self._process.stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(msgspec.json.encode(note) + b"\n")

    def _on_lines(self, match_id: str, lines: Sequence[RecordLine]) -> None:
        self._write((match_id, lines))

    def _on_search(self, topic: str, payload: bytes) -> None:
        self._write({"topic": topic, "shown": msgspec.Raw(payload)})

    def _write(self, message: object) -> None:
        """Send a message to the page's process if it keeps up; a run never waits for it."""
        stdin = self._process.stdin
        if stdin is None or stdin.is_closing() or stdin.transport.get_write_buffer_size() > _MOST_WAITING:
            return
        stdin.write(msgspec.json.encode(message) + b"\n")


@asynccontextmanager
async def watched(plan: Plan, backend: Backend | None, listener: PageListener) -> AsyncIterator[Watcher]:
    """Serve the live page until the context is left; ConfigError if the process does not start.

    The matches are played for the `spectators` of the yielded watcher. Without a backend, as other machines play the
    matches, the page has no boards.
    """
    broker, config = None if backend is None else backend.broker, plan.loaded.config
    page = plan.spectators.page
    user, password = (None, None) if page is None else credentials(config.broker, page)
    task = Task(
        results=str(plan.out.absolute()),
        socket=listener.listening.fileno(),
        hosts=hosts_of(listener.host),
        run=plan.run,
        address=None if broker is None or page is None else broker.address,
        user=user,
        password=password,
        streams_search=plan.spectators.stream_search,
    )
    command = (sys.executable, "-P", "-m", "gridjoust.viewer.live_page.watcher")
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, pass_fds=(task.socket,))
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(task) + b"\n")
        async with asyncio.timeout(_PATIENCE_S):
            line = await process.stdout.readline()
        if line.decode().strip() != READY:
            raise ConfigError("--watch: the process of the page ended before it was ready")
        yield Watcher(process, plan.spectators)
    finally:
        await end_by_input(process, patience_s=_FAREWELL_S)
