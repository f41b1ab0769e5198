"""Waiting for the world in tests of real processes: looks again and again, with a limit that fails the test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import psutil

LIMIT_S = 20.0


async def until(condition: Callable[[], bool]) -> None:
    """Return once the condition holds."""
    async with asyncio.timeout(LIMIT_S):
        while not condition():  # noqa: ASYNC110 - files and processes set no event
            await asyncio.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether there is such a process and it is no zombie."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
