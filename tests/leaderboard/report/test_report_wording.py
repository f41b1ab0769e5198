"""Examples in the docstrings of the report hold."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import leaderboard.report

MODULES = [found.name for found in walk_packages(leaderboard.report.__path__, "leaderboard.report.")]
WITH_EXAMPLES = {"leaderboard.report.charts.lines", "leaderboard.report.charts.svg", "leaderboard.report.wording"}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_hold(name: str) -> None:
    done = doctest.testmod(import_module(name))
    assert done.failed == 0
    assert done.attempted or name not in WITH_EXAMPLES
