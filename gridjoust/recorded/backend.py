"""A backend that tests bots: its launcher redirects one bot's standard output and lists its processes."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import BotEntry, ResourceLimits, RoleProgram
from gridjoust.runner.plan import Backend, Plan
from gridjoust.runner.play.launch import Launcher, Running, command_of
from gridjoust.runner.tournament import open_backend

STDOUT = ".stdout"  # suffix of the file beside a bot's log
MARK = "==== "  # lines of the runner in a bot's log
LINE = 300  # shown characters of a line
_NO_EXTRAS = ResourceLimits()


def bot_entry(name: str, program: RoleProgram, limits: ResourceLimits = _NO_EXTRAS) -> BotEntry:
    """Return a program as a bot of a tournament."""
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
    logs = plan.out / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    return logs


def bot_output(logs: Path, bot: str) -> list[str]:
    """Return the lines that a bot wrote to its log, without the runner's lines."""
    file = logs / f"{bot}.0.log"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    return [line for line in text.splitlines() if not line.startswith(MARK)]


@dataclass(frozen=True, slots=True)
class SplittingLauncher:
    """A launcher that redirects the standard output of one bot to a separate file, and starts others as usual."""

    inner: Launcher
    bot: str
    logs: Path
    started: list[Running]  # of that bot

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        """Start a bot; note its process if it is the tested one."""
        is_subject = slot.rpartition(".")[0] == self.bot
        if is_subject and program.protocol != "stdio":
            # `exec`: the process that is measured and stopped is the bot, not the shell
            shell = ("/bin/sh", "-c", 'exec "$@" >>"$0"', str((self.logs / f"{slot}{STDOUT}").absolute()))
            program = msgspec.structs.replace(program, bot=None, path=None, command=(*shell, *command_of(program)))
        running = await self.inner.start(program, slot=slot, account=account, limits=limits)
        if is_subject:
            self.started.append(running)
        return running

    def log_tail(self, slot: str) -> str:
        """Return the last line of a bot's log, or else of its standard output."""
        file = self.logs / f"{slot}{STDOUT}"
        printed = file.read_text(encoding="utf-8", errors="replace").split("\n") if file.is_file() else []
        return self.inner.log_tail(slot) or next((line for line in reversed(printed) if line.strip()), "")[:LINE]


@contextlib.asynccontextmanager
async def open_splitting(plan: Plan, *, bot: str, started: list[Running]) -> AsyncIterator[Backend]:
    """Yield a backend that keeps `bot`'s standard output out of its log; its processes are added to `started`."""
    async with open_backend(plan) as backend:
        yield replace(backend, launcher=SplittingLauncher(backend.launcher, bot, logs_of(plan), started))
