"""Runs a call by the list code and by the kernels, side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from gridjoust.bots.planners import kernels

T = TypeVar("T")

needs_kernels = pytest.mark.skipif(
    kernels.active is None, reason=f"nothing to compare: the planners are {kernels.describe_kernels()}"
)


def by_both(call: Callable[[], T]) -> tuple[T, T]:
    """What the list code makes of it, and what the kernels make of it."""
    compiled = kernels.active
    assert compiled is not None
    kernels.active = None
    try:
        plain = call()
    finally:
        kernels.active = compiled
    return plain, call()
