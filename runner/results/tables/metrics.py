"""What games declare of the numbers in `metrics.csv`: what they mean, which way is good. Reads no table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gridjoust.games.api import Metric
from gridjoust.games.registry import load_game

__all__ = ["Metric", "declared_metrics", "is_goal"]


def declared_metrics(games: Iterable[str]) -> dict[str, Mapping[str, Metric]]:
    """Game -> its metrics by name, in its order; nothing for a game that is not installed here.

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
    except (ImportError, ValueError):  # results outlive the packages that their games came from
        return {}
