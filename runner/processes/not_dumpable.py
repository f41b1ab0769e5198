"""A process that others of its user can neither trace nor read the memory of. Linux only: elsewhere nothing changes.

The kernel lets a process be traced, and its memory and environment be read below /proc, by every other one of its user;
not so one that is "not dumpable" (prctl(2), PR_SET_DUMPABLE). A program that it starts is dumpable again.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4


def is_dumpable() -> bool:
    """Whether others of this process's user can look into it."""
    return not sys.platform.startswith("linux") or bool(ctypes.CDLL(None).prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0))


def set_dumpable(*, dumpable: bool) -> None:
    """Let others of this process's user look into it, or not."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, int(dumpable), 0, 0, 0)


@contextmanager
def not_dumpable() -> Iterator[None]:
    """Nobody of this process's user looks into it while the context is open."""
    before = is_dumpable()
    set_dumpable(dumpable=False)
    try:
        yield
    finally:
        set_dumpable(dumpable=before)
