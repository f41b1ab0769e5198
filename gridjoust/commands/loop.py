"""How every command runs its coroutine. Decides nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


def first_cause(error: BaseException) -> BaseException:
    """What went wrong first, out of its groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def run_loop(main: Coroutine[None, None, T]) -> T:
    """asyncio.run, on uvloop where it is installed (it halves the cost of a message)."""
    try:
        import uvloop
    except ImportError:
        factory = None
    else:
        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as loop:
        return loop.run(main)
