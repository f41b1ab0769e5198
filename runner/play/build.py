"""Builds of bots in compiled languages: before the first match, one after another, so that none runs beside a match.

A build runs in the folder of the tournament file. Its author may be a stranger, so it is confined if the built-in
sandbox works, unless all bots are the user's own: it has no network, reads the system, known toolchains and the bot's
own files, and writes into the innermost folder that holds them all. For a bot without a folder of its own, that is the
whole folder of the tournament file. Its output is in the bot's log. If it fails, only its own bot cannot start.
"""

from __future__ import annotations

import asyncio
import os
import re
import stat
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from gridjoust.runner.config.check_entries import check_command
from gridjoust.runner.config.programs import is_file_word, program_files, programs_of, with_absolute_paths
from gridjoust.runner.config.values import ResourceLimits, RoleProgram
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.sandbox import Sandbox
from gridjoust.runner.processes.sandbox.built_in import why_not_built_in
from gridjoust.runner.processes.start import CommandError, Launch
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text

BUILD_S = 120.0
MEMORY_MB = 4096
_IN_HOME = (".rustup", ".cargo/bin", ".sdkman/candidates", ".nvm/versions", ".pyenv/versions", ".local/bin")
_ELSEWHERE = ("/opt", "/nix/store", "/home/linuxbrew/.linuxbrew", "/snap")
_CONFINED = " (built in a sandbox without network; --trust builds outside of it)"
_IS_DENIED = re.compile(r"permission denied|not permitted|resolve host|network|connection", re.IGNORECASE)
_MAY_READ = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH
_LONGEST = 300  # characters of a compiler's line
_SAYS_ERROR = re.compile(r"\berror\b|:\d+:\d+: |\bundefined\b", re.IGNORECASE)
_PLACE = re.compile(r"\s*--> ")  # rustc names it in the next line


async def build_bots(loaded: LoadedTournament, logs: Path, *, trust: bool = False) -> LoadedTournament:
    """Build every bot that has a `build`; return the tournament, in which bots that did not build are marked as broken.

    `trust`: all bots are the user's own. ConfigError if the tournament allows no broken bots, or has no others.
    """
    if loaded.is_built:
        return loaded
    failed: dict[str, str] = {}
    is_confined = not trust and is_build_confined(loaded.config.execution.isolation)
    for bot in loaded.config.bots:
        programs = {program.build: program for program in reversed([*programs_of(bot).values()])}
        for program in reversed([*programs.values()]):
            if program.build and bot.name not in loaded.broken and bot.name not in failed:
                work = _Work(bot.name, program, loaded.folder, logs / f"{bot.name}.0.log", is_confined)
                if reason := await _build(work):
                    failed[bot.name] = f"build: {reason}"
    if failed and (loaded.is_strict or len(failed) == len(loaded.config.bots)):
        raise ConfigError("\n".join(f"bots: {bot}: {reason}" for bot, reason in failed.items()))
    return msgspec.structs.replace(loaded, broken={**loaded.broken, **failed}, is_built=True)


def is_build_confined(isolation: str) -> bool:
    """Return True if builds of strangers' bots are confined on this machine."""
    return isolation in ("auto", "sandbox") and not why_not_built_in()


@dataclass(frozen=True, slots=True)
class _Work:
    """The build of one bot's program: in which folder, with which log, and if it is confined."""

    bot: str
    program: RoleProgram
    folder: Path
    log: Path
    is_confined: bool

    def launch(self, scratch: Path) -> Launch:
        """Return how to start the compiler; it may use the folder `scratch` for temporary files."""
        limits = ResourceLimits(memory_mb=MEMORY_MB, open_files=None)
        launch = Launch(self.bot, self.program.build, {}, self.log, limits, self.folder)
        if not self.is_confined:
            return launch
        own = self._own_files()
        return replace(
            launch,
            environment={"RUSTUP_HOME": str(Path.home() / ".rustup")},
            sandbox=Sandbox.BUILT_IN,
            readable=(*_toolchains(), *own),
            writable=(self._own_folder(own),),
            scratch=scratch,
        )

    def make_executable(self) -> None:
        """Allow everybody who may read the bot to run it, as a compiler in the sandbox cannot set that."""
        command = self.program.command or ()
        built = self.folder / command[0] if command and is_file_word(command[0]) else None
        if self.is_confined and built is not None and built.is_file() and not built.is_symlink():
            mode = built.stat().st_mode
            built.chmod(mode | (mode & _MAY_READ) >> 2)

    def problem(self) -> str:
        """Return why the program that should exist now cannot start; "" if it can."""
        if not self.program.command:
            return ""
        found = next(check_command(self.program.command[0], (), self.folder), None)
        return "" if found is None else found.recorded

    def _own_files(self) -> tuple[Path, ...]:
        return program_files(with_absolute_paths(self.program, folder=self.folder))

    def _own_folder(self, own: Iterable[Path]) -> Path:
        """Return the innermost folder that holds the sources and the program."""
        words = [self.folder / word for word in (self.program.command or ())[:1] if is_file_word(word)]
        folder = self.folder.resolve()
        parents = {path.resolve().parent for path in (*own, *words)}
        inside = [str(parent) for parent in parents if parent.is_relative_to(folder)]
        found = Path(os.path.commonpath(inside)) if inside else folder
        return found if found.is_dir() else folder


def _toolchains() -> tuple[Path, ...]:
    """Return folders outside the system's that may hold compilers, and never hold a user's secrets."""
    on_path = (Path(place) for place in os.environ.get("PATH", os.defpath).split(os.pathsep) if place)
    return (*on_path, *(Path.home() / name for name in _IN_HOME), *map(Path, _ELSEWHERE))


async def _build(work: _Work) -> str:
    """Build a bot's program; return why that failed, "" if it did not."""
    log = work.log
    before = await asyncio.to_thread(lambda: log.stat().st_size if log.exists() else 0)
    with tempfile.TemporaryDirectory(prefix="joust-build-") as scratch:
        try:
            process = await start_process(work.launch(Path(scratch)))
        except CommandError as error:  # no such compiler
            return error.problem
        except ConfigError as error:
            return str(error)
        try:
            async with asyncio.timeout(BUILD_S):
                ended = await process.wait()
        except TimeoutError:
            return f"not done after {BUILD_S:g} s"
        finally:
            process.kill()
            await process.wait()
    if ended.code == 0:
        work.make_executable()
        return work.problem()
    said = await asyncio.to_thread(log.read_bytes)
    output = said[before:].decode("utf-8", "replace")
    reason = first_error(output) or ended.reason
    return f"{reason}{_CONFINED}" if work.is_confined and _IS_DENIED.search(output) else reason


def first_error(output: str) -> str:
    """Return the compiler's first error with its place, on one line; "" if it printed nothing.

    >>> first_error("In file:\\nbot.c:3:5: error: expected ';'\\nmore")
    "bot.c:3:5: error: expected ';'"
    >>> first_error("error[E0425]: no value `x`\\n --> bot.rs:2:5\\n")
    'error[E0425]: no value `x` --> bot.rs:2:5'
    """
    lines = [line for line in output.splitlines() if line.strip() and not line.startswith("#")]
    place = next((place for place, line in enumerate(lines) if _SAYS_ERROR.search(line)), 0)
    found = lines[place : place + 1]
    if found and place + 1 < len(lines) and _PLACE.match(lines[place + 1]):
        found.append(lines[place + 1].strip())
    return plain_text(" ".join(found).strip(), limit=_LONGEST)
