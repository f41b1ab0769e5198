"""An event loop whose clock jumps: waiting takes exactly the time that was asked for, on the busiest machine.

For tests of real time within this process. Nothing in it may wait for a thread, a process or a socket.
"""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from types import SimpleNamespace
from typing import Any, ParamSpec, TypeVar, TypeVarTuple
from unittest.mock import patch

P = ParamSpec("P")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class _JumpingSelector(selectors.DefaultSelector):
    """Waits for nothing; adds up the time that it was asked to wait."""

    now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("expected a task or a timer, got a loop that waits for ever")
        self.now_s += max(0.0, timeout)
        return super().select(0)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Jumps to the next timer as soon as no task can go on; computing takes no time."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return seconds since the loop was made."""
        return self._jumping.now_s

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """Call at once: a thread would take real time."""
        done: asyncio.Future[T] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # as an executor hands on every error
            done.set_exception(error)
        return done


def run_in_virtual_time(play: Coroutine[Any, Any, T]) -> T:
    """Run on such a loop, with the runner's and the harness's clocks set to it."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        loop = runner.get_loop()
        clock = SimpleNamespace(monotonic=loop.time, perf_counter=loop.time)
        with (
            patch("gridjoust.runner.play.clock.time", clock),
            patch("gridjoust.bots.harness.now_ms", lambda: loop.time() * 1000),
        ):
            return runner.run(play)


def in_virtual_time(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Make an async test one that runs so."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        run_in_virtual_time(test(*args, **kwargs))

    return run
