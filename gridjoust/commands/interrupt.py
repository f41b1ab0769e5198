"""Ctrl-C in the half second in which modules are loaded. Imports next to nothing, as it comes first."""

from __future__ import annotations

import os
import signal
from typing import NoReturn


def leave_at_once_on_interrupt() -> None:
    """Let Ctrl-C end the process: as a KeyboardInterrupt in an import it may come out as any other error."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def interrupt_as_usual() -> None:
    """From here on Ctrl-C is a KeyboardInterrupt again, as there may be something to tidy up."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(_signal: int, _frame: object) -> NoReturn:
    """Ctrl-C before anything has begun."""
    os.write(2, b"joust: stopped\n")
    os._exit(130)
