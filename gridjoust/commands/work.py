"""`joust work`: play matches of another machine's tournament on this one."""

from __future__ import annotations

import os
import socket
from typing import Annotated
from urllib.parse import urlsplit

import typer

from gridjoust.commands.shared.arguments import TrustOption
from gridjoust.commands.shared.bot_argument import format_program
from gridjoust.commands.shared.output import say_with_time
from gridjoust.engines.worker import Owner, Work
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text
from gridjoust.tournament import RUNTIME, run_loop

TOKEN = "JOUST_WORKER_TOKEN"  # noqa: S105 - an environment variable


def work(
    url: Annotated[str, typer.Argument(help="Address of the run, as `joust run --listen` prints it.")],
    token: Annotated[
        str | None,
        typer.Option(
            help=f"The token that `joust run --listen` prints; default: ${TOKEN}, which other users cannot see."
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of this machine in the tables; default: its host name.")
    ] = None,
    parallel: Annotated[
        int | None, typer.Option(min=1, help="Matches at once; default: as in the tournament file.")
    ] = None,
    patience: Annotated[int, typer.Option(min=0, help="Seconds to retry if no run answers.")] = 300,
    stay: Annotated[bool, typer.Option("--stay", help="Wait for the next run when this one has ended.")] = False,
    trust: TrustOption = False,
) -> None:
    """Play matches of another machine's tournament; first print the programs that will run here."""
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise ConfigError(f"URL: expected http://host:port, got {url!r}")
    given = token or os.environ.get(TOKEN)
    if not given:
        raise ConfigError(f"--token is missing: give the token that `joust run --listen` prints, or set ${TOKEN}")
    worker = Work(
        owner=Owner(url, given),
        name=plain_text(name or socket.gethostname(), limit=48),
        say=say_with_time,
        runtime=RUNTIME,
        show_program=format_program,
        parallel=parallel,
        patience_s=patience,
        stays=stay,
        trust=trust,
    )
    run_loop(worker.run())
