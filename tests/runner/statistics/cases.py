"""Published numbers, and numbers of public tools, by what they are about."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

PublishedCase = dict[str, Any]

_FILE = Path(__file__).parent / "data" / "statistics_cases.json"
CASES: list[PublishedCase] = json.loads(_FILE.read_text(encoding="utf-8"))["cases"]


def cases(kind: str) -> pytest.MarkDecorator:
    """Parametrizes a test with all cases of a kind, named by their ids."""
    own = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", own, ids=[case["id"] for case in own])


def check(value: object, case: PublishedCase) -> None:
    """Every attribute that the case names is within its tolerance."""
    for name, expected in case["expected"].items():
        assert getattr(value, name) == pytest.approx(expected, abs=case["tolerance"][name]), name


def zero_of_the_prior(nats: Iterable[float]) -> float:
    """How far centring moved ratings: against the prior's zero they are most probable."""
    known, low, high = list(nats), -20.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        slope = sum(0.5 - 1 / (1 + math.exp(-value - middle)) for value in known)
        low, high = (middle, high) if slope > 0 else (low, middle)
    return low
