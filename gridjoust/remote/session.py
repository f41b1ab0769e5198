"""The session of a remote bot: connect, play, and connect again if the line breaks, until the tournament ends."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from gridjoust.bots.api import Bot
from gridjoust.bots.harness import Harness
from gridjoust.remote.line import Line, open_line
from gridjoust.remote.narrator import Narrator, Say
from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.stdio.bridge import Bridge
from gridjoust.runner.stdio.pipes import open_pipes
from gridjoust.runner.wire.bus import Address, Bus
from gridjoust.runner.wire.errors import BrokerError, RefusedError
from gridjoust.runner.wire.token import Token

RETRY_S = 2.0
_NO_LIMITS = ResourceLimits(memory_mb=None, cpu_s=None, open_files=None, processes=None, threads=None)


class Player(Protocol):
    """Interface of a remote bot that can play over a connection."""

    async def play(self, line: Line, prefix: str) -> None:
        """Play until the referee sends `stop`, the line breaks, or the bot fails."""


@dataclass(frozen=True, slots=True)
class ClassPlayer:
    """A remote bot that is a Python class and runs in this process."""

    bot_class: type[Bot]

    async def play(self, line: Line, prefix: str) -> None:
        """Play with a new harness, as bots on the host get one for every connection."""
        harness = Harness(self.bot_class, bus=line, prefix=prefix)
        line.on_lost = harness.on_lost
        await harness.run()


@dataclass(frozen=True, slots=True)
class CommandPlayer:
    """A program that uses standard input and output; its standard error goes to this terminal."""

    command: tuple[str, ...]

    async def play(self, line: Line, prefix: str) -> None:
        """Play with a new process, as bots on the host get one for every connection."""
        process = await start_process(
            Launch(
                name="bot",
                command=self.command,
                environment={"PYTHONUNBUFFERED": "1"},
                stderr=Path("/dev/stderr"),
                limits=_NO_LIMITS,
                folder=Path.cwd(),
                is_piped=True,
            )
        )
        assert process.stdin is not None
        assert process.stdout is not None
        pipes = await open_pipes(process.stdin, process.stdout)

        @asynccontextmanager
        async def same_line(on_lost: Callable[[str], None]) -> AsyncIterator[Bus]:
            line.on_lost = on_lost
            yield line

        try:
            await Bridge(process, pipes, prefix=prefix).run(same_line)
        finally:
            await process.stop(patience_s=0)


async def play_remotely(
    token: Token, player: Player, *, say: Say, at: Sequence[Address] = (), stays: bool = False
) -> None:
    """Play until the tournament is over, or for ever with `stays`; reconnect without limit if the line breaks.

    `at`: addresses of the host in place of the token's. RefusedError if the host refuses the token.
    """
    client_id, narrator, said = f"connect-{secrets.token_hex(8)}", Narrator(say), ""
    addresses = at or token.addresses
    while True:
        try:
            line = await open_line(token, addresses, narrator=narrator, client_id=client_id)
        except RefusedError:
            raise
        except BrokerError as error:
            if said != str(error):
                said = str(error)
                narrator.say(f"waiting for the host: {said}")
            await asyncio.sleep(RETRY_S)
            continue
        said = ""
        narrator.say(f"connected as {token.bot}; waiting for matches")
        await _play(player, line, token.prefix)
        if narrator.is_over:
            narrator.say(f"the tournament is over: {narrator.tally()}")
            if not stays:
                return
            narrator = Narrator(say)
        elif line.lost_reason:
            narrator.say(f"connection lost: {line.lost_reason}; retrying")
        else:
            narrator.say("the bot stopped with an error; it is started again for the next match")
        await asyncio.sleep(RETRY_S if stays or not narrator.is_over else 0)


async def _play(player: Player, line: Line, prefix: str) -> None:
    error: BaseException | None = None
    try:
        await player.play(line, prefix)
    except BrokerError as lost:  # while something was sent; the line says why
        error = lost
        line.lost_reason = line.lost_reason or str(lost)
    finally:
        await line.__aexit__(None if error is None else type(error), error, None)
