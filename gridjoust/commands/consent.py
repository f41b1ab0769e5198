"""Programs that a results folder from elsewhere names are started only if the user says so."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.bot_argument import format_program
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.results.maker import is_own
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text

YesOption = Annotated[
    bool,
    typer.Option(
        "--yes",
        help="Start the programs that the tournament.yaml of the results folder names, also if you did not make the"
        " folder on this machine; without it you are asked.",
    ),
]


def require_consent(results: Path, programs: Iterable[RoleProgram], *, is_given: bool) -> None:
    """Show the programs of somebody else's folder and ask; ConfigError where nobody can answer.

    Built-in and installed bots are not asked about: they are this machine's own.
    """
    shown = dict.fromkeys(format_program(program) for program in programs if program.path or program.command)
    if is_given or not shown or is_own(results):
        return
    listed = plain_text("; ".join(shown))
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        why = f"as you did not make this folder on this machine, and it would start: {listed}"
        raise ConfigError(f"{results}: expected --yes, {why}")
    print(f"{results} was not made by you on this machine. It would start: {listed}", file=sys.stderr)
    typer.confirm("Start it?", abort=True, err=True)
