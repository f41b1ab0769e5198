"""Whole matches by kernels and by list code: the same actions, the same counts in the record."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
import pytest

from gridjoust.simulation import Played, play
from tests.bots.planners.both import by_both, needs_kernels

MATCHES = (
    ("navigation", ["navigation/astar"]),
    ("navigation", ["navigation/dstar_lite"]),
    ("navigation", ["navigation/dijkstra_map"]),
    ("navigation", ["navigation/beam"]),
    ("navigation", ["navigation/jps"]),
    ("placement", ["placement/dijkstra_map", "placement/dstar_lite"]),
    ("placement", ["placement/beam", "placement/dijkstra_map"]),
    ("ricochet", ["ricochet/astar", "ricochet/dijkstra_map"]),
    ("bomber", ["bomber/dijkstra_map", "bomber/astar"]),
    ("eidolon", ["eidolon/dijkstra_map"]),
    ("heroquest", ["heroquest/dijkstra_map", "heroquest/zargon_dijkstra_map"]),
)
PARAMS = {"bomber": {"max_ticks": 120}}
PLENTY = {"turn_ms": 60_000}  # no search is cut short on a busy machine


def without_times(played: Played) -> list[Any]:
    """What the record keeps, but for the clock's part."""
    answers: list[dict[str, Any]] = msgspec.to_builtins(played.record.answers)
    kept = [{name: value for name, value in answer.items() if not name.endswith("_ms")} for answer in answers]
    return [played.returns, played.turns, played.metrics, kept]


@pytest.mark.default("navigation-navigation/astar", "navigation-navigation/dstar_lite")
@needs_kernels
@pytest.mark.parametrize(("game", "bots"), MATCHES, ids=lambda value: value if isinstance(value, str) else value[0])
def test_a_match_is_the_same_whichever_code_plans(game: str, bots: list[str]) -> None:
    plain, fast = by_both(partial(play, game, bots, seed=1, params=PARAMS.get(game), time=PLENTY))
    assert without_times(fast) == without_times(plain)
    assert any(answer.expanded for answer in fast.record.answers)
