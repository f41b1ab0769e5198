"""The leaderboard: result rows -> one standing per bot, best first. Depends on no order of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from statistics import fmean

from runner.leaderboard.outcomes import Comparison, comparisons, counted_matches
from runner.leaderboard.statistics import Interval, mean_interval
from runner.leaderboard.tally import Tally, add_matches, shared_places
from runner.results.columns import STANDINGS, Row
from runner.results.text import format_header, format_rows

RESAMPLES = 500


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot: a row of `standings.csv`, whose column list describes the fields. None = missing."""

    rank: int
    bot: str
    planner: str
    matches: int
    points: float | None
    score_pct: float | None
    wins: int
    draws: int
    losses: int
    faults: int
    forfeits: int
    planning_ms_per_turn: float | None
    nodes_per_turn: float | None
    returns_mean: float
    returns_low: float | None
    returns_high: float | None
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    group: int | None


@dataclass(frozen=True, slots=True)
class _Strength:
    """What a bot is ranked by, and how sure that is."""

    value: float
    interval: Interval | None


def standings(rows: Iterable[Row], *, resamples: int = RESAMPLES, seed: int = 0) -> list[Standing]:
    """Rank every bot of the counted matches: by rating, and bots that have met no opponents by mean returns.

    The rows of `results.csv` in any order, typed or as text. `resamples` and `seed` decide the rating intervals.
    """
    # sorted, so that rounding too does not depend on the order of the rows
    matches = sorted(counted_matches(rows), key=lambda sides: sides[0].seats[0].match_id)
    tallies: dict[str, Tally] = {}
    add_matches(tallies, matches)
    ratings = _rate(list(chain.from_iterable(map(comparisons, matches))), resamples=resamples, seed=seed)
    returns = {bot: _mean_returns(tally) for bot, tally in tallies.items()}
    places = [
        *_place(ratings, tallies),
        *_place(
            {bot: strength for bot, strength in returns.items() if bot not in ratings}, tallies, after=len(ratings)
        ),
    ]
    return [
        _standing(rank, group, tallies[bot], rating=ratings.get(bot), returns=returns[bot])
        for rank, group, bot in places
    ]


def write_standings(path: Path, standings: Sequence[Standing]) -> None:
    """Replace `standings.csv` at once: a reader sees the old table or the new one."""
    text = format_header(STANDINGS) + format_rows(STANDINGS, [asdict(standing) for standing in standings])
    temporary = path.with_suffix(".part")
    temporary.write_text(text, encoding="utf-8", newline="")
    temporary.replace(path)


def format_standings(standings: Sequence[Standing]) -> list[tuple[str, ...]]:
    """The table as people read it: a heading, then a line per bot. Columns that say nothing are left out."""
    columns = [(title, [text(standing) for standing in standings]) for title, text in _COLUMNS.items()]
    shown = [(title, *texts) for title, texts in columns if any(texts)]
    return list(zip(*shown, strict=True))


def _rate(compared: list[Comparison], *, resamples: int, seed: int) -> dict[str, _Strength]:
    if not compared:
        return {}
    # numpy loads only when there is something to rate
    from runner.leaderboard.bradley_terry import bradley_terry, rating_intervals  # noqa: PLC0415

    fit = bradley_terry(compared)
    intervals = rating_intervals(compared, resamples=resamples, seed=seed) if resamples else {}
    return {bot: _Strength(rating, intervals.get(bot)) for bot, rating in fit.ratings.items()}


def _mean_returns(tally: Tally) -> _Strength:
    by_seed = tally.returns_by_seed
    return _Strength(fmean(by_seed), mean_interval(by_seed))


def _place(
    strengths: Mapping[str, _Strength], tallies: Mapping[str, Tally], *, after: int = 0
) -> list[tuple[int, int | None, str]]:
    """(rank, group, bot), strongest first; equals share a rank, the one with more points is named first."""
    bots = sorted(strengths, key=lambda bot: (-round(strengths[bot].value, 6), -tallies[bot].points, bot))
    ranks = [after + place for place in shared_places([round(strengths[bot].value, 6) for bot in bots])]
    groups = _groups([strengths[bot].interval for bot in bots], after=after)
    return list(zip(ranks, groups, bots, strict=True))


def _groups(intervals: Sequence[Interval | None], *, after: int) -> list[int | None]:
    """Group of each bot, named by the place of its first: every bot whose interval overlaps the first's."""
    groups: list[int | None] = []
    group, floor = 0, float("inf")
    for place, interval in enumerate(intervals, after + 1):
        if interval is None:
            groups.append(None)
            continue
        if interval.high < floor:
            group, floor = place, interval.low
        groups.append(group)
    return groups


def _standing(rank: int, group: int | None, tally: Tally, *, rating: _Strength | None, returns: _Strength) -> Standing:
    score = tally.score
    return Standing(
        rank=rank,
        bot=tally.bot,
        planner="+".join(sorted(tally.planners)),
        matches=tally.matches,
        points=None if score is None else tally.points,
        score_pct=None if score is None else 100 * score,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        faults=tally.faults,
        forfeits=tally.forfeits,
        planning_ms_per_turn=tally.planning_ms / tally.planned_turns if tally.planned_turns else None,
        nodes_per_turn=tally.nodes_expanded / tally.searched_turns if tally.searched_turns else None,
        returns_mean=returns.value,
        returns_low=returns.interval.low if returns.interval else None,
        returns_high=returns.interval.high if returns.interval else None,
        rating=rating.value if rating else None,
        rating_low=rating.interval.low if rating and rating.interval else None,
        rating_high=rating.interval.high if rating and rating.interval else None,
        group=group,
    )


def _margin_text(value: float | None, low: float | None, high: float | None, pattern: str) -> str:
    """`+112 ± 35`: the value and half the width of its interval."""
    if value is None:
        return ""
    margin = "" if low is None or high is None else f" ± {(high - low) / 2:{pattern.lstrip('+')}}"
    return f"{value:{pattern}}{margin}"


def _rating_text(standing: Standing) -> str:
    return _margin_text(standing.rating, standing.rating_low, standing.rating_high, "+.0f")


def _returns_text(standing: Standing) -> str:
    """Only where they decide the rank: returns of different games cannot be averaged by eye."""
    if standing.rating is not None:
        return ""
    return _margin_text(standing.returns_mean, standing.returns_low, standing.returns_high, ".4g")


def format_points(points: float) -> str:
    """Two decimals at the most: `4`, `1.67`."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _optional(value: float | None, pattern: str) -> str:
    return "" if value is None else f"{value:{pattern}}"


_COLUMNS: dict[str, Callable[[Standing], str]] = {
    "#": lambda standing: str(standing.rank),
    "bot": lambda standing: standing.bot,
    "planner": lambda standing: standing.planner,
    "matches": lambda standing: str(standing.matches),
    "W-D-L": lambda standing: "" if standing.points is None else f"{standing.wins}-{standing.draws}-{standing.losses}",
    "points": lambda standing: "" if standing.points is None else format_points(standing.points),
    "score %": lambda standing: _optional(standing.score_pct, ".1f"),
    "rating": _rating_text,
    "returns": _returns_text,
    "faults": lambda standing: str(standing.faults),
    "forfeits": lambda standing: str(standing.forfeits or ""),
    "ms/turn": lambda standing: _optional(standing.planning_ms_per_turn, ".2f"),
    "nodes/turn": lambda standing: _optional(standing.nodes_per_turn, ".0f"),
}
