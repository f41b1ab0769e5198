"""Arguments to calls, results to text, errors to exit codes. The only place that prints; decides nothing.

Exit codes: 0 all well, 1 something does not hold (a record, a check), 2 the user's files or arguments, 3 the world
(broker, network, disk), 4 a bug of ours or of a game, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import os
import signal
from typing import NoReturn


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code. Ctrl-C while modules are still being loaded ends it at once.

    Loading takes half a second, and a KeyboardInterrupt in it may come out as any other error, with its traceback.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave_at_once)
    try:
        from gridjoust.commands.app import main as run

        run(arguments)
    finally:
        interrupt_as_usual()


def interrupt_as_usual() -> None:
    """From here on Ctrl-C is a KeyboardInterrupt again, as there may be something to tidy up."""
    if signal.getsignal(signal.SIGINT) is leave_at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def leave_at_once(_signal: int, _frame: object) -> NoReturn:
    """Ctrl-C before anything has begun."""
    os.write(2, b"joust: stopped\n")
    os._exit(130)
