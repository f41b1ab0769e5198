"""Starts the bots of a tournament file: command line, environment and log. It knows no matches and no messages."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from gridjoust.runner.broker import Account, credentials
from gridjoust.runner.config.programs import BOT_RUNNER, connects_itself, module_folders, readable_paths
from gridjoust.runner.config.values import BrokerConfig, ResourceLimits, RoleProgram
from gridjoust.runner.processes.confinement import PLAIN, Confinement
from gridjoust.runner.processes.history import Load, Spent
from gridjoust.runner.processes.logs import FILE_HINT, missing_file, package_hint, telling_line
from gridjoust.runner.processes.orphans import Orphans
from gridjoust.runner.processes.process import BotProcess, Exit, Usage, start_process
from gridjoust.runner.processes.sandbox import Sandbox, package_paths
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.wire.bus import Address, Will
from gridjoust.runner.wire.bus.blocking import connect, send_log_in
from gridjoust.runner.wire.errors import BrokerError
from gridjoust.runner.wire.protocol import PROTOCOL, Status, bot_prefix, encode

_OF_BROKER = ("JOUST_URL", "JOUST_SOCKET", "JOUST_USER", "JOUST_PASSWORD")  # no business of a bot on pipes
BRIDGES_S = 2.0  # for the bridges of bots that have ended to say so


class Running(Protocol):
    """Interface of a bot that has been started, as a process or a task."""

    def usage(self) -> Usage:
        """Return the bot's CPU time and peak memory so far."""

    def load_since(self, when_ms: float) -> Load | None:
        """Return what the bot has used since a moment of the monotonic clock (ms); None if that is unknown."""

    def spent(self, *, exact: bool) -> Spent | None:
        """Return the CPU time so far, None if unknown; that of children is of the last sample unless `exact`."""

    def has_yielded(self) -> bool:
        """Return True if the process has lowered its own priority: then its waiting is its own fault."""

    async def place(self) -> str:
        """Return where a Python bot is now, `still in act, first.py line 8`; "" if that is unknown."""

    def mark(self, text: str) -> None:
        """Write a line into the bot's log, so that people find a match there."""

    async def wait(self) -> Exit:
        """Wait until the bot has ended; return how."""

    async def stop(self, *, patience_s: float) -> Exit:
        """Give the bot time to leave by itself, then end it; return how it ended."""

    def kill(self) -> None:
        """Kill the bot now."""


class Launcher(Protocol):
    """Starts bots: as processes, or as tasks of this process."""

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        """Start one bot that will connect as `account`; ConfigError if that cannot work at all.

        `slot`: name of the process, `<bot>.<number>`.
        """

    def log_tail(self, slot: str) -> str:
        """Return the line with which the log of the bot process `slot` ends, or ""."""


@dataclass(frozen=True, slots=True)
class ProcessLauncher:
    """Starts every bot as a process; its output goes to `logs/<bot>.<number>.log`."""

    address: Address
    broker: BrokerConfig
    run: str
    logs: Path
    folder: Path  # where commands of the tournament file start
    confinement: Confinement = PLAIN
    orphans: Orphans | None = None
    started: dict[str, RoleProgram] = field(default_factory=dict)  # what runs, or ran last, in each slot
    bridges: list[asyncio.Task[None]] = field(default_factory=list)  # of all bots on standard input and output

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        """Start one bot process; `slot`: its name, `<bot>.<number>`."""
        self.started[slot] = program
        launch = self._launch(program, slot=slot, account=account, limits=limits)
        if launch.is_built_in and not program.command:  # it may not connect by itself
            with contextlib.closing(await self._open_connection(slot, account)) as connection:
                process = await start_process(replace(launch, connection=connection.fileno()))
        else:
            process = await start_process(launch)
        if launch.is_piped:
            self.bridges.append(asyncio.create_task(self._speak_for(process, slot, account), name=f"stdio[{slot}]"))
        return process

    def _launch(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Launch:
        """Return the settings to start a program as the process `slot`, without a connection to the broker."""
        confinement, groups, address = self.confinement, self.confinement.groups, self.address
        is_piped, user = program.protocol == "stdio", confinement.user_of(slot, program)
        is_built_in = confinement.sandbox is Sandbox.BUILT_IN
        hidden = _OF_BROKER if is_piped else ("JOUST_SOCKET",) if is_built_in and connects_itself(program) else ()
        given = bot_environment(address, self.broker, self.run, slot, account)
        return Launch(
            name=slot,
            command=command_of(program),
            environment={
                **{name: value for name, value in given.items() if name not in hidden},
                **({"JOUST_FILE_HINT": FILE_HINT} if confinement.sandbox else {}),
                **({"JOUST_LENS": "1"} if account.streams_search else {}),
            },
            stderr=self._log(slot),
            limits=limits,
            folder=self.folder,
            sandbox=confinement.sandbox,
            readable=_readable_paths(program) if confinement.sandbox else (),
            listed=module_folders(program) if is_built_in else (),
            scratch=confinement.make_scratch(slot, user),
            socket=Path(address.socket) if address.socket and not is_piped else None,
            may_use_tcp=is_built_in and connects_itself(program),
            user=user,
            group=None if groups is None else groups.of(slot, limits),
            orphans=self.orphans,
            is_piped=is_piped,
        )

    async def _open_connection(self, slot: str, account: Account) -> socket.socket:
        """Return a socket that is connected to the broker and logged in as the bot; BrokerError without an answer."""
        user, password = credentials(self.broker, account)
        prefix = bot_prefix(self.run, slot)
        will = Will(f"{prefix}/status", encode(Status(online=False)))

        def open_and_log_in() -> socket.socket:
            connection = connect(self.address)
            name = prefix.replace("/", "-")
            send_log_in(connection, self.address, user=user, password=password, client_id=name, will=will)
            return connection

        try:
            return await asyncio.to_thread(open_and_log_in)
        except OSError as error:
            raise BrokerError(f"{self.address.url}: no connection for a bot: {error}") from error

    async def _speak_for(self, process: BotProcess, slot: str, account: Account) -> None:
        from gridjoust.runner.stdio.bridge import run_bridge  # noqa: PLC0415 - needed for such bots alone, and where a broker is

        user, password = credentials(self.broker, account)
        prefix = bot_prefix(self.run, slot)
        streams_search = account.streams_search
        await run_bridge(
            process, self.address, prefix=prefix, user=user, password=password, streams_search=streams_search
        )

    async def close(self) -> None:
        """Wait for the bridges of stdio bots to end, once all bots have ended; cancel those that do not."""
        if self.bridges:
            _, unfinished = await asyncio.wait(self.bridges, timeout=BRIDGES_S)
            for bridge in unfinished:
                bridge.cancel()
            await asyncio.gather(*(bridge for bridge in self.bridges if bridge not in unfinished))

    def _log(self, slot: str) -> Path:
        return self.logs / f"{slot}.log"

    def log_tail(self, slot: str) -> str:
        """Return the line with which the bot's log ends, or "", and what to do about a missing file or package."""
        said = telling_line(self._log(slot))
        folders = [path.parent for path in readable_paths(self.started[slot])] if slot in self.started else []
        is_kept = self.confinement.sandbox and missing_file(said, (self.folder, *folders)) is not None
        if is_kept:
            return said if FILE_HINT in said else said + FILE_HINT
        return said + package_hint(said)


def command_of(program: RoleProgram) -> tuple[str, ...]:
    """Return the command line of a program; built-in and file bots run in this interpreter, with `-P`."""
    if program.command is not None:
        return program.command
    spec = program.bot or program.path
    if spec is None:
        raise ValueError("expected a program with bot, path or command, got a remote bot")
    return (sys.executable, "-P", "-m", BOT_RUNNER, spec)


def bot_environment(address: Address, broker: BrokerConfig, run: str, slot: str, account: Account) -> Mapping[str, str]:
    """Return the environment variables by which a bot in any language finds broker, topics and password."""
    user, password = credentials(broker, account)
    environment = {
        "JOUST_URL": address.url,
        "JOUST_SOCKET": address.socket,
        "JOUST_USER": user,
        "JOUST_PASSWORD": password,
        "JOUST_TOPIC": bot_prefix(run, slot),
        "JOUST_PROTOCOL": str(PROTOCOL),
        "PYTHONUNBUFFERED": "1",  # what a bot prints is in its log at once, also when it is killed
    }
    return {name: value for name, value in environment.items() if value is not None}


def _readable_paths(program: RoleProgram) -> tuple[Path, ...]:
    """Return what a sandboxed bot may read besides the system: its own files and, for a Python class, the package."""
    return readable_paths(program) if program.command is not None else (*package_paths(), *readable_paths(program))
