"""Run planners by the list code in place of the kernels, for figures side by side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gridjoust.bots.planners import kernels

KINDS = ("as installed", "list code")


@contextmanager
def by_list_code() -> Iterator[None]:
    """Switch the kernels off inside this block."""
    compiled = kernels.active
    kernels.active = None
    try:
        yield
    finally:
        kernels.active = compiled
