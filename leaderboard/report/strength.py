"""How strong a bot is, whatever the leaderboard ranks by: a value, its interval, and how both are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from leaderboard.standings import Leaderboard, RankedBy
from leaderboard.wording import shared_places
from runner.tables.columns import Standing


@dataclass(frozen=True, slots=True)
class Strength:
    """A value and its 95 % interval; None where too few matches allow one."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Unit:
    """What strengths are measured in."""

    title: str  # of a column
    axis: str
    meaning: str


def strength_of(standing: Standing, ranked_by: RankedBy) -> Strength | None:
    """What the bot was ranked by; None for one that took part in nothing that could be ranked."""
    match ranked_by:
        case RankedBy.RATING:
            value, low, high = standing.rating, standing.rating_low, standing.rating_high
        case RankedBy.RETURNS:
            value, low, high = standing.returns_mean, standing.returns_low, standing.returns_high
        case RankedBy.SCORE:
            value, low, high = standing.beaten_pct, standing.beaten_low, standing.beaten_high
        case _:
            assert_never(ranked_by)
    return None if value is None else Strength(value, low, high)


def unit_of(ranked_by: RankedBy) -> Unit:
    """How the strengths are headed and explained."""
    match ranked_by:
        case RankedBy.RATING:
            return Unit("rating", "rating (Elo)", "Strength in Elo points; the mean of all bots is 0")
        case RankedBy.RETURNS:
            return Unit("returns", "mean returns", "Mean returns by the game's rules, over common seeds")
        case RankedBy.SCORE:
            return Unit("beaten %", "rivals beaten (%)", "Per cent of rivals beaten, each game counting once")
        case _:
            assert_never(ranked_by)


def format_strength(strength: Strength, board: Leaderboard) -> str:
    """`+112 ± 35`: the value and half the width of its interval, with the same decimals for the whole leaderboard."""
    places = _places(board)
    sign = "+" if board.ranked_by is RankedBy.RATING and round(strength.value, places) > 0 else ""
    value = f"{sign}{strength.value:,.{places}f}".replace("-", "−")
    half = half_width(strength)
    return value if half is None else f"{value} ± {half:,.{places}f}"


def _places(board: Leaderboard) -> int:
    """Decimals that tell bots apart: those of the returns, whole Elo points, tenths of per cents."""
    match board.ranked_by:
        case RankedBy.RATING:
            return 0
        case RankedBy.SCORE:
            return 1
        case RankedBy.RETURNS:
            means = [standing.returns_mean for standing in board.standings if standing.returns_mean is not None]
            return max(1, shared_places(means, digits=4))
        case _:
            assert_never(board.ranked_by)


def half_width(strength: Strength) -> float | None:
    """Half the interval's width."""
    return None if strength.low is None or strength.high is None else (strength.high - strength.low) / 2


def reach(strengths: Sequence[Strength]) -> tuple[float, float]:
    """The lowest and highest end of all; ValueError without a strength."""
    ends = [end for one in strengths for end in (one.value, one.low, one.high) if end is not None]
    return min(ends), max(ends)
