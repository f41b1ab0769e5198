"""The command line: it parses arguments, calls the functions that do the work, and prints results.

Exit codes: 0 success, 1 a check failed (a record, a bot, a comparison), 2 a mistake in the user's files or arguments, 3
a failure of broker, network or disk, 4 a bug of Joust or of a game, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

from typing import NoReturn

from gridjoust.commands.shared.interrupt import interrupt_as_usual, leave_at_once_on_interrupt


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit with its exit code."""
    leave_at_once_on_interrupt()
    try:
        from gridjoust.commands.app import main as run

        run(arguments)
    finally:
        interrupt_as_usual()
