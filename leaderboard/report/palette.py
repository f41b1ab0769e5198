"""Colour classes: the same planner has the same colour and shape in every chart. The colours are in the style sheet."""

from __future__ import annotations

from collections.abc import Iterable

from leaderboard.report.blocks import Key
from runner.record.lines import Termination

_PLANNERS = {"astar": "p0", "dstar_lite": "p1", "beam": "p2", "dijkstra_map": "p3"}
_OTHER = "p4"

TERMINATIONS = {termination.value: f"t{number}" for number, termination in enumerate(Termination)}


def planner_class(planner: str) -> str:
    """The class of a planner; mixtures and unknown ones share one."""
    return _PLANNERS.get(planner, _OTHER)


def planner_legend(planners: Iterable[str]) -> tuple[Key, ...]:
    """An entry for each planner that occurs, in the order of the palette; none where there is only one class."""
    named: dict[str, list[str]] = {}
    for planner in sorted(set(planners), key=lambda name: (planner_class(name), name)):
        named.setdefault(planner_class(planner), []).append(planner)
    if len(named) < 2:
        return ()
    return tuple(Key(css, names[0] if len(names) == 1 else "other") for css, names in named.items())


def heat_class(score: float) -> str:
    """One of eleven steps from all lost (h0) to all won (h10)."""
    return f"h{round(10 * min(1.0, max(0.0, score)))}"
