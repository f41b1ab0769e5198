"""Handles Ctrl-C while modules are imported at the start. It imports almost nothing, as it must run first."""

from __future__ import annotations

import os
import signal
from typing import NoReturn


def leave_at_once_on_interrupt() -> None:
    """Make Ctrl-C end the process at once, as a KeyboardInterrupt during an import can turn into another error."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def interrupt_as_usual() -> None:
    """Make Ctrl-C raise KeyboardInterrupt again, so that commands can clean up."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(_signal: int, _frame: object) -> NoReturn:
    """End the process with exit code 130."""
    os.write(2, b"joust: stopped\n")
    os._exit(130)
