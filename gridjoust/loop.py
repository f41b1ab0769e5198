"""How every command runs its coroutine. Decides nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


def run_loop(main: Coroutine[None, None, T]) -> T:
    """asyncio.run, on uvloop where it is installed (it halves the cost of a message); of a group the first error."""
    try:
        import uvloop  # noqa: PLC0415 - not on every platform
    except ImportError:
        factory = None
    else:
        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as loop:
        try:
            return loop.run(main)
        except BaseExceptionGroup as group:
            first: BaseException = group
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            raise first from None
