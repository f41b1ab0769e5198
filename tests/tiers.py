"""Which cases of a sweep the default run plays, and which only the gate."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

T = TypeVar("T")


def gate_but(cases: Iterable[T], kept: Container[T]) -> list[T | ParameterSet]:
    """Return cases of one parameter; those that are not kept are marked for the gate."""
    return [case if case in kept else pytest.param(case, marks=pytest.mark.gate) for case in cases]


def without(tests: type, *checks: str) -> type:
    """Return a class of tests, of which those of these checks are marked for the gate."""
    for check in checks:
        pytest.mark.gate(vars(tests)[f"test_{check}"])
    return tests
