"""Ask the user before programs start that a results folder from another machine names."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.shared.bot_argument import format_program
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.results.maker import is_own
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text

YesOption = Annotated[
    bool,
    typer.Option(
        "--yes",
        help="Do not ask before starting the programs that a results folder names if you did not make the folder on"
        " this machine.",
    ),
]


def require_consent(results: Path, programs: Iterable[RoleProgram], *, is_given: bool) -> None:
    """Show the programs that a foreign results folder names and ask; ConfigError without a terminal to ask on.

    Built-in and installed bots need no consent.
    """
    shown = dict.fromkeys(format_program(program) for program in programs if program.path or program.command)
    if is_given or not shown or is_own(results):
        return
    listed = plain_text("; ".join(shown))
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        what = f"this command would start programs that it names: {listed}"
        raise ConfigError(f"{results}: you did not make this folder on this machine; {what}; allow it with --yes")
    print(f"You did not make {results} on this machine. This command would start: {listed}", file=sys.stderr)
    typer.confirm("Start them?", abort=True, err=True)
