"""CSS classes of colours and shapes: a bot has one colour in every table and chart. Colours are in the style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridjoust.leaderboard.report.blocks import Key
from gridjoust.leaderboard.report.charts.plots import shape_key
from gridjoust.runner.results.records.lines import Termination

BOT_COLOURS = 8  # told apart by all readers, the colour-blind too; more bots have them again with dashed lines
_SHAPES = {"astar": "circle", "dstar_lite": "square", "beam": "triangle", "dijkstra_map": "diamond"}
_OTHER = "wedge"

TERMINATIONS = {termination.value: f"t{number}" for number, termination in enumerate(Termination)}
BLAMELESS = f"t{len(Termination)}"  # a match that another bot ended by a fault


def bot_classes(bots: Sequence[str]) -> dict[str, str]:
    """Return, by bot, the CSS classes of its colour; colours are given in the order of `bots`, and repeat.

    >>> bot_classes(["ada", "bob"])
    {'ada': 'bot b0', 'bob': 'bot b1'}
    """
    return {
        bot: f"bot b{at % BOT_COLOURS}" + (" again" if at // BOT_COLOURS % 2 else "") for at, bot in enumerate(bots)
    }


def planner_shape(planner: str) -> str:
    """Return the shape of a planner's marks in charts; mixtures and unknown planners share one."""
    return _SHAPES.get(planner, _OTHER)


def planner_legend(planners: Iterable[str]) -> tuple[Key, ...]:
    """Return a legend entry for each shape that occurs; none if there is only one."""
    named: dict[str, list[str]] = {}
    for planner in sorted(set(planners)):
        named.setdefault(planner_shape(planner), []).append(planner)
    if len(named) < 2:
        return ()
    shapes = [shape for shape in (*_SHAPES.values(), _OTHER) if shape in named]
    return tuple(Key("", _named(named[shape]), drawing=shape_key(shape)) for shape in shapes)


def _named(planners: Sequence[str]) -> str:
    return planners[0] if len(planners) == 1 else "other"


def heat_class(score: float) -> str:
    """Return the CSS class of a score of 0 to 1, one of eleven steps from all lost (h0) to all won (h10)."""
    return f"h{round(10 * min(1.0, max(0.0, score)))}"
