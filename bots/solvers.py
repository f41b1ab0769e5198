"""Solvers of single tasks in files, for `joust solve`: a line a game. Text, so that only the wanted one is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Protocol, cast

from gridjoust.games.api import Json

SOLVERS = {"ricochet": "gridjoust.bots.ricochet.solve", "placement": "gridjoust.bots.placement.solve"}
"""Game -> module with what `Solver` says."""


class SolveResult(Protocol):
    """What came out for one task."""

    def as_json(self) -> dict[str, Json]:
        """Values by name, some of them the columns of a table."""


class Solver(Protocol):
    """A module that solves the tasks of one game.

    `solve_text(text, *, bot, limit_ms, **options)` gives one result for each task of a text, in order. `bot` is the
    planner, `limit_ms` for each task; ValueError says what is wrong with the text or the bot.
    """

    OPTIONS: Mapping[str, tuple[str, ...]]  # its own options -> what may be chosen, nothing = any number
    COLUMNS: Mapping[str, str]  # of a table -> left or right
    solve_text: Callable[..., Iterator[SolveResult]]


def load_solver(game: str) -> Solver:
    """The solver of a game; ValueError if there is none."""
    if game not in SOLVERS:
        raise ValueError(f"expected {' or '.join(SOLVERS)}, got {game!r}")
    return cast(Solver, import_module(SOLVERS[game]))
