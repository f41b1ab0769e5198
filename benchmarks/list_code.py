"""Runs planners by the list code, where kernels would run: for figures side by side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gridjoust.bots.planners import kernels

KINDS = ("as installed", "list code")


def kind_of_planners() -> str:
    """Which of the two figures counts as ours: the kernels', where there are any."""
    return KINDS[kernels.active is None]


@contextmanager
def by_list_code() -> Iterator[None]:
    """In this block no kernel runs."""
    compiled = kernels.active
    kernels.active = None
    try:
        yield
    finally:
        kernels.active = compiled
