"""A place to look at bots: a launcher that keeps standard output apart, leftovers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import psutil

from runner.broker import Account
from runner.config.values import BotEntry, ResourceLimits, RoleProgram
from runner.launch import Launcher, Running, command_of
from runner.tournament import Backend, Plan, open_backend
from runner.wire.protocol import bot_prefix

STDOUT = ".stdout"  # suffix of the file beside a bot's log
MARK = "==== "  # lines of the runner in a bot's log
LINE = 300  # letters of a line that are shown
LINGER_S = 1.0  # what the runner has just killed may take so long to vanish
LINGER_STEP_S = 0.05
_NO_EXTRAS = ResourceLimits()


def bot_entry(name: str, program: RoleProgram, limits: ResourceLimits = _NO_EXTRAS) -> BotEntry:
    """A program as a bot of a tournament."""
    fields = {key: getattr(program, key) for key in RoleProgram.__struct_fields__}
    return BotEntry(name=name, limits=limits, **fields)


def bot_name(program: RoleProgram) -> str:
    """A name for tables and logs: what a person would call this program."""
    spec = program.bot or (program.path or "").rpartition(":")[2]
    if program.command:  # the last word that names a file, without its ending; else the command itself
        files = [Path(word).stem for word in program.command if Path(word).is_file()]
        spec = files[-1] if files else Path(program.command[0]).name
    return re.sub(r"[^A-Za-z0-9_-]+", "-", spec).strip("-")[:40] or "bot"


def logs_of(plan: Plan) -> Path:
    """The folder of the bots' logs, there when this returns."""
    logs = plan.out / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    return logs


def bot_output(logs: Path, bot: str) -> list[str]:
    """What a bot has written into its log, without the runner's marks."""
    file = logs / f"{bot}.0.log"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    return [line for line in text.splitlines() if not line.startswith(MARK)]


@dataclass(frozen=True, slots=True)
class SplittingLauncher:
    """Starts one bot's processes with standard output in a file of its own; the others as usual."""

    inner: Launcher
    bot: str
    logs: Path

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        """Start one bot."""
        if slot.rpartition(".")[0] == self.bot:
            # `exec`: the process that is measured and stopped is the bot, not the shell
            shell = ("/bin/sh", "-c", 'exec "$@" >>"$0"', str((self.logs / f"{slot}{STDOUT}").absolute()))
            program = msgspec.structs.replace(program, bot=None, path=None, command=(*shell, *command_of(program)))
        return await self.inner.start(program, slot=slot, account=account, limits=limits)

    def log_tail(self, slot: str) -> str:
        """The last line of a bot's log, or else of its standard output."""
        file = self.logs / f"{slot}{STDOUT}"
        printed = file.read_text(encoding="utf-8", errors="replace").split("\n") if file.is_file() else []
        return self.inner.log_tail(slot) or next((line for line in reversed(printed) if line.strip()), "")[:LINE]


@contextlib.asynccontextmanager
async def open_splitting(plan: Plan, *, bot: str) -> AsyncIterator[Backend]:
    """The backend of a tournament with `bot`'s standard output apart from its log."""
    async with open_backend(plan) as backend:
        yield replace(backend, launcher=SplittingLauncher(backend.launcher, bot, logs_of(plan)))


async def end_leftovers(plan: Plan, *, bot: str) -> list[str]:
    """Processes of a bot that are still there although the runner has ended it; they are killed. `pid name` each.

    They are known by the bot's topic in their environment, so it does not matter how they left the process tree.
    """
    prefix = f"{bot_prefix(plan.run, bot)}."
    for _ in range(int(LINGER_S / LINGER_STEP_S)):
        if not (found := _with_topic(prefix)):
            return []
        await asyncio.sleep(LINGER_STEP_S)
    for process in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, signal.SIGKILL)
    return [f"{process.pid} {process.info['name']}" for process in found]


def _with_topic(prefix: str) -> list[psutil.Process]:
    there = psutil.process_iter(["environ", "name", "status"])
    alive = (process for process in there if process.info["status"] != psutil.STATUS_ZOMBIE)
    return [one for one in alive if (one.info["environ"] or {}).get("JOUST_TOPIC", "").startswith(prefix)]
