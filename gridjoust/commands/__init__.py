"""Arguments to calls, results to text, errors to exit codes. The only place that prints; decides nothing.

Exit codes: 0 all well, 1 something does not hold (a record, a check), 2 the user's files or arguments, 3 the world
(broker, network, disk), 4 a bug of ours or of a game, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

from typing import NoReturn

from gridjoust.commands.interrupt import interrupt_as_usual, leave_at_once_on_interrupt


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code."""
    leave_at_once_on_interrupt()
    try:
        from gridjoust.commands.app import main as run

        run(arguments)
    finally:
        interrupt_as_usual()
