"""Run planners by their pure Python, called list code, in place of the compiled kernels, to measure both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gridjoust.bots.planners import kernels

KINDS = ("as installed", "list code")


@contextmanager
def by_list_code() -> Iterator[None]:
    """Switch the compiled kernels off inside this block, so that the list code runs."""
    compiled = kernels.active
    kernels.active = None
    try:
        yield
    finally:
        kernels.active = compiled
