"""Bots that are compiled before the first match, one after another, so that no match has a compiler beside it.

A build runs as the runner's own user, unconfined, in the folder of the tournament file: it has to write there. What it
prints is in the bot's log. One that fails keeps its bot from starting and nobody else.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import msgspec

from runner.config.programs import programs_of
from runner.config.values import ResourceLimits
from runner.config.variants import LoadedTournament
from runner.processes.process import start_process
from runner.processes.start import Launch
from runner.wire.errors import ConfigError
from runner.wire.text import plain_text

BUILD_S = 120.0
MEMORY_MB = 4096
_LONGEST = 300  # characters of a compiler's line
_SAYS_ERROR = re.compile(r"\berror\b|:\d+:\d+: |\bundefined\b", re.IGNORECASE)
_PLACE = re.compile(r"\s*--> ")  # rustc names it in the next line


async def build_bots(loaded: LoadedTournament, logs: Path) -> LoadedTournament:
    """The tournament once every bot is built that has a `build`; those that could not be are broken.

    ConfigError where nobody may be broken, or nobody else is there.
    """
    if loaded.is_built:
        return loaded
    failed: dict[str, str] = {}
    for bot in loaded.config.bots:
        for command in dict.fromkeys(program.build for program in programs_of(bot).values()):
            if command and bot.name not in loaded.broken and bot.name not in failed:
                log = logs / f"{bot.name}.0.log"
                if reason := await _build(bot.name, command, folder=loaded.folder, log=log):
                    failed[bot.name] = f"build: {reason}"
    if failed and (loaded.is_strict or len(failed) == len(loaded.config.bots)):
        raise ConfigError("\n".join(f"bots: {bot}: {reason}" for bot, reason in failed.items()))
    return msgspec.structs.replace(loaded, broken={**loaded.broken, **failed}, is_built=True)


async def _build(bot: str, command: tuple[str, ...], *, folder: Path, log: Path) -> str:
    """Why it failed, "" if it did not."""
    before = await asyncio.to_thread(lambda: log.stat().st_size if log.exists() else 0)
    limits = ResourceLimits(memory_mb=MEMORY_MB, open_files=None)
    try:
        process = await start_process(Launch(bot, command, {}, log, limits, folder))
    except ConfigError as error:  # no such compiler
        return str(error).partition("command: ")[2] or str(error)
    try:
        async with asyncio.timeout(BUILD_S):
            ended = await process.wait()
    except TimeoutError:
        return f"not done after {BUILD_S:g} s"
    finally:
        process.kill()
        await process.wait()
    if ended.code == 0:
        return ""
    said = await asyncio.to_thread(log.read_bytes)
    return first_error(said[before:].decode("utf-8", "replace")) or ended.reason


def first_error(output: str) -> str:
    """The line in which a compiler says what is wrong first, with the place; "" if it has said nothing.

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
