"""`joust work`: this machine plays matches of a tournament that another one holds."""

from __future__ import annotations

import os
import socket
import time
from typing import Annotated
from urllib.parse import urlsplit

import typer

from gridjoust.commands.arguments import TrustOption
from gridjoust.commands.bot_argument import format_program
from gridjoust.engines.worker import Owner, Work
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text
from gridjoust.tournament import RUNTIME, run_loop

TOKEN = "JOUST_WORKER_TOKEN"  # noqa: S105 - where it may be


def work(
    url: Annotated[str, typer.Argument(help="Where the run listens, as `joust run --listen` prints it.")],
    token: Annotated[
        str | None, typer.Option(help=f"What `joust run --listen` prints; default: ${TOKEN}, which nobody else sees.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="What this machine is called in the tables; default: its own.")
    ] = None,
    parallel: Annotated[int | None, typer.Option(min=1, help="Matches at once, instead of the file's.")] = None,
    patience: Annotated[int, typer.Option(min=0, help="Seconds to wait for a run that does not answer.")] = 300,
    stay: Annotated[bool, typer.Option("--stay", help="Wait for the next run when this one is over.")] = False,
    trust: TrustOption = False,
) -> None:
    """Play matches of a tournament on another machine; shows which programs it will run here."""
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise ConfigError(f"URL: expected http://host:port, got {url!r}")
    given = token or os.environ.get(TOKEN)
    if not given:
        raise ConfigError(f"--token: expected what `joust run --listen` has printed, or ${TOKEN}, got none")
    worker = Work(
        owner=Owner(url, given),
        name=plain_text(name or socket.gethostname(), limit=48),
        say=_say,
        runtime=RUNTIME,
        show_program=format_program,
        parallel=parallel,
        patience_s=patience,
        stays=stay,
        trust=trust,
    )
    run_loop(worker.run())


def _say(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {line}", flush=True)
