"""Protects a process from being traced or read by other processes of its user. Linux only; no effect elsewhere.

The kernel lets every process of the same user trace a process and read its memory and environment in /proc, unless it
is "not dumpable" (prctl(2), PR_SET_DUMPABLE). A program that it starts is dumpable again.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4


def is_dumpable() -> bool:
    """Return True if other processes of this user can trace and read this process."""
    return not sys.platform.startswith("linux") or bool(ctypes.CDLL(None).prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0))


def set_dumpable(*, dumpable: bool) -> None:
    """Set if other processes of this user can trace and read this process."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, int(dumpable), 0, 0, 0)


@contextmanager
def not_dumpable() -> Iterator[None]:
    """Protect this process from other processes of its user while the context is open."""
    before = is_dumpable()
    set_dumpable(dumpable=False)
    try:
        yield
    finally:
        set_dumpable(dumpable=before)
