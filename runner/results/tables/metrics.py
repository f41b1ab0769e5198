"""Returns what games declare about the numbers in `metrics.csv`: their meaning, and if higher or lower is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gridjoust.games import load_game
from gridjoust.games.api import Metric

__all__ = ["Metric", "declared_metrics", "is_goal"]


def declared_metrics(games: Iterable[str]) -> dict[str, Mapping[str, Metric]]:
    """Return the metrics of each game by name, in the game's order; a game that is not installed has none.

    >>> declared_metrics(["bomber", "chess"])["bomber"]["own_hits"].better
    'lower'
    """
    return {game: _metrics_of(game) for game in games}


def is_goal(declared: Mapping[str, Metric], name: str) -> bool:
    """Return True if a game declares the metric as a goal."""
    return name in declared and declared[name].is_goal


def _metrics_of(game: str) -> Mapping[str, Metric]:
    try:
        return load_game(game).spec.metrics
    except (ImportError, ValueError):  # the package of the game may not be installed any more
        return {}
