"""Solvers of single tasks in files, for `joust solve`; each solver is named as text and loaded when it is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Protocol, cast

from gridjoust.games.api import Json

SOLVERS = {"ricochet": "gridjoust.bots.ricochet.solve", "placement": "gridjoust.bots.placement.solve"}
"""Game -> module with what `Solver` says."""


class SolveResult(Protocol):
    """The outcome of one task."""

    def as_json(self) -> dict[str, Json]:
        """Return the result's values by name; some of them are the columns of a table."""


class Solver(Protocol):
    """A module that solves the tasks of one game.

    `solve_text(text, *, bot, limit_ms, **options)` yields one result for each task of a text, in order. `bot` is the
    planner's name, `limit_ms` the limit of each task; ValueError says what is wrong with the text or the bot.
    """

    OPTIONS: Mapping[str, tuple[str, ...]]  # its own options -> the choices; no choices = any number
    COLUMNS: Mapping[str, str]  # column of the table -> left or right
    solve_text: Callable[..., Iterator[SolveResult]]


def load_solver(game: str) -> Solver:
    """Return the solver of a game; ValueError if there is none."""
    if game not in SOLVERS:
        raise ValueError(f"expected {' or '.join(SOLVERS)}, got {game!r}")
    return cast(Solver, import_module(SOLVERS[game]))
