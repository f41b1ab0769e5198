"""Ranks the bots of an analysis, and makes a row of the standings for each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gridjoust.leaderboard.frame.codes import codes_of, distinct, distinct_texts, names_of
from gridjoust.leaderboard.live import shared_places
from gridjoust.leaderboard.standings import GameScore, RankedBy
from gridjoust.leaderboard.strengths.analysis import Analysis, analyse
from gridjoust.leaderboard.strengths.paired import mean_over_games
from gridjoust.leaderboard.strengths.separations import letters, pools
from gridjoust.leaderboard.strengths.strengths import Pool, Strengths, corrected
from gridjoust.leaderboard.wording import likelihood_pct
from gridjoust.runner.results.tables.columns import Standing
from gridjoust.runner.statistics import Interval, interquartile_mean

FRONT_PLANNERS = 3  # at least, for a front of strength against cost
_DECIMALS_OF_COST = 3
_DECIMALS = 6  # of what ranks: beyond that, linear algebra differs from machine to machine


@dataclass(frozen=True, slots=True)
class Placed:
    """A bot (by code) with its rank, and the number of its pool (bots that results compare)."""

    rank: int
    bot: int  # code
    pool: int | None = None  # from 1; None for a bot that met no rival


def rank_bots(analysis: Analysis, bots: Sequence[int] | None = None) -> list[Placed]:
    """Rank the bots of each pool, the largest pool first: no result compares bots of two pools. `bots`: None = all."""
    ordered = order_bots(analysis, bots)
    rated = [bot for _, bot in ordered if analysis.strengths.value(bot) is not None]
    placed: list[Placed] = []
    for number, own in enumerate(sorted(pools(analysis.strengths.separations, rated), key=len, reverse=True), 1):
        placed += [Placed(rank, bot, number) for rank, bot in order_bots(analysis, own)]
    return placed + [Placed(rank, bot) for rank, bot in ordered[len(rated) :]]


def order_bots(analysis: Analysis, bots: Sequence[int] | None = None) -> list[tuple[int, int]]:
    """Return (rank, code of a bot), best first; equal bots share a rank, the one with more points comes first.

    A bot that met no rival comes last.
    """
    points = np.nan_to_num(analysis.totals["points"])
    fixed = corrected(analysis.strengths) if analysis.is_adaptive else {}
    value = {
        bot: round(fixed[bot].rating, _DECIMALS) if bot in fixed else _value(analysis.strengths, bot)
        for bot in (analysis.returns if bots is None else bots)
    }
    bots = sorted(value, key=lambda bot: (-value[bot], -points[bot], analysis.names[bot]))
    return list(zip(shared_places([value[bot] for bot in bots]), bots, strict=True))


def _value(strengths: Strengths, bot: int) -> float:
    value = strengths.value(bot)
    return -math.inf if value is None else round(value, _DECIMALS)


def game_scores(analysis: Analysis, bots: Sequence[int]) -> tuple[GameScore, ...]:
    """Return each bot's score in the leaderboard of each single game; nothing if there is only one game."""
    games = distinct(analysis.entries.game)
    if len(games) == 1:
        return ()
    found = []
    for game in games:
        own = analyse(analysis.seats[codes_of(analysis.seats, "game") == game])
        placed = order_bots(own, sorted(set(bots) & own.returns.keys()))
        ranks = [rank for rank, _ in placed]
        for rank, bot in placed:
            beaten = own.beaten.get(bot)
            found.append(
                GameScore(
                    game=names_of(analysis.seats, "game")[game],
                    bot=analysis.names[bot],
                    place=rank + (ranks.count(rank) - 1) / 2,
                    ranked_by=own.ranked_by,
                    strength=own.strengths.value(bot),
                    beaten_pct=100 * mean_over_games(beaten).value if beaten else None,
                )
            )
    return tuple(found)


def make_standings(analysis: Analysis, placed: Sequence[Placed], games: Sequence[GameScore]) -> Iterator[Standing]:
    """Yield the row of the standings of each bot, in the order of `placed`."""
    planners = _planners(analysis.seats)
    fronts = _fronts(analysis, placed, planners)
    called = names_of(analysis.seats, "bot")
    marks = letters(analysis.strengths.separations, [one.bot for one in placed])
    fixed = corrected(analysis.strengths) if analysis.is_adaptive else {}
    places, opponents = _place_intervals(analysis, placed), _opponents(analysis.strengths)
    for own, mark, above, below in zip(placed, marks, [None, *placed], [*placed[1:], None], strict=False):
        bot, name = own.bot, analysis.names[own.bot]
        computed: dict[str, Any] = {
            **{column: _known(values[bot]) for column, values in analysis.totals.items()},
            **_returns(analysis, bot),
            **_ranks(analysis, bot, [one.place for one in games if one.bot == name]),
            **_beaten(analysis, bot),
            **_rating(analysis, bot),
            **_difference(analysis, bot, above=above, below=below),
            **places.get(bot, _NO_PLACES),
            "opponents_mean": opponents.get(bot),
        }
        if analysis.is_adaptive:
            computed["score_pct"] = None
        if bot in fixed:
            computed |= {"rating": fixed[bot].rating} | _ends("rating", fixed[bot].interval)
        planner = planners[called[bot]]
        texts: dict[str, Any] = {"bot": name, "title": "", "planner": planner, "pareto": fronts[bot], "group": mark}
        yield Standing(rank=own.rank, pool=own.pool, **texts, **computed)


_NO_PLACES: Mapping[str, int | None] = {"rank_low": None, "rank_high": None}


def _place_intervals(analysis: Analysis, placed: Sequence[Placed]) -> dict[int, Mapping[str, int | None]]:
    """Return, by bot, its best and worst possible place, given the bots of its pool that are separated from it."""
    found: dict[int, Mapping[str, int | None]] = {}
    value = {one.bot: _value(analysis.strengths, one.bot) for one in placed}
    for number in {one.pool for one in placed} - {None}:
        own = [one.bot for one in placed if one.pool == number]
        _, is_separated = analysis.strengths.separations.among(own)
        values = np.array([value[bot] for bot in own])
        is_above = np.less.outer(values, values)  # the other one is better
        better, worse = (is_separated & is_above).sum(axis=1), (is_separated & is_above.T).sum(axis=1)
        for bot, above, below in zip(own, better.tolist(), worse.tolist(), strict=True):
            found[bot] = {"rank_low": 1 + above, "rank_high": len(own) - below}
    return found


def _opponents(strengths: Strengths) -> dict[int, float]:
    """Return, by bot, the mean rating of its opponents; a pair of matches counts once."""
    if not isinstance(strengths, Pool):
        return {}
    bots = list(strengths.index)
    met = strengths.evidence.met[np.ix_(bots, bots)]
    ratings = strengths.ratings[[strengths.index[bot] for bot in bots]]
    return {
        bot: float(own @ ratings / own.sum())
        for bot, own in zip(bots, met.astype(np.float64), strict=True)
        if own.any()
    }


def _planners(seats: pd.DataFrame) -> dict[str, str]:
    """Return, by bot, the names of its planners, joined by +."""
    named = distinct_texts(seats, "bot", "planner").groupby("bot")["planner"].agg("+".join)
    return {str(bot): planner for bot, planner in named.items()}


def _fronts(analysis: Analysis, placed: Sequence[Placed], planners: Mapping[str, str]) -> dict[int, str]:
    """Return, by bot, the kinds of cost for which no stronger bot costs less; bots that ever forfeited are left out.

    Costs are rounded as in the tables, as clocks measure no less than a microsecond. There is no front if there are
    fewer than three planners, or several pools, whose bots no result compares.
    """
    if len({one.pool for one in placed} - {None}) > 1:
        return dict.fromkeys((one.bot for one in placed), "")
    value = {one.bot: _value(analysis.strengths, one.bot) for one in placed}
    forfeits, called = analysis.totals["forfeits"], names_of(analysis.seats, "bot")
    costs = {"ms": analysis.totals["planning_ms_per_turn"], "nodes": analysis.totals["nodes_per_turn"]}
    named: dict[int, list[str]] = {bot: [] for bot in value}
    for name, cost in costs.items():
        known = {
            bot: (value[bot], round(float(cost[bot]), _DECIMALS_OF_COST))
            for bot in value
            if not np.isnan(cost[bot]) and not forfeits[bot]
        }
        if len({planners[called[bot]] for bot in known}) >= FRONT_PLANNERS:
            for bot in pareto_front(known):
                named[bot].append(name)
    return {bot: " ".join(names) for bot, names in named.items()}


def pareto_front(points: Mapping[int, tuple[float, float]]) -> list[int]:
    """Return the bots that no other beats in both strength and cost, cheapest first; none if there is only one bot.

    `points`: bot -> (strength, cost).

    >>> pareto_front({1: (100.0, 5.0), 2: (50.0, 1.0), 3: (40.0, 2.0)})
    [2, 1]
    """
    if len(points) < 2:
        return []
    front: list[int] = []
    best = (-math.inf, math.nan)
    for name in sorted(points, key=lambda name: (points[name][1], -points[name][0], name)):
        if points[name][0] > best[0] or points[name] == best:
            front.append(name)
            best = points[name]
    return front


def _returns(analysis: Analysis, bot: int) -> dict[str, float | None]:
    """Return the standings' columns of returns, empty for several games: returns of unlike games have no mean."""
    own = analysis.returns[bot]
    if len(distinct(analysis.entries.game)) > 1:
        return dict.fromkeys(("returns_mean", "returns_low", "returns_high", "returns_median", "returns_iqm"))
    [series] = own.values()
    found = mean_over_games(own)
    return {
        "returns_mean": found.value,
        "returns_median": float(np.median(series.values)),
        "returns_iqm": interquartile_mean(series.values.tolist()),
    } | _ends("returns", found.interval)


def _ranks(analysis: Analysis, bot: int, places_in_games: Sequence[float]) -> dict[str, float | None]:
    if analysis.ranked_by is RankedBy.SCORE and places_in_games:
        return {"mean_rank": math.fsum(places_in_games) / len(places_in_games), "seeds_won_pct": None}
    rank, won = analysis.on_seed.get(bot, (None, None)) if analysis.ranked_by is RankedBy.RETURNS else (None, None)
    return {"mean_rank": rank, "seeds_won_pct": None if won is None else 100 * won}


def _beaten(analysis: Analysis, bot: int) -> dict[str, float | None]:
    own = analysis.beaten.get(bot)
    if not own:
        return {"beaten_pct": None} | _ends("beaten", None)
    found = mean_over_games(own)
    interval = found.interval and Interval(max(0.0, found.interval.low), min(1.0, found.interval.high))
    return {"beaten_pct": round(100 * found.value, _DECIMALS)} | _ends("beaten", interval, unit=100)


def _rating(analysis: Analysis, bot: int) -> dict[str, float | None]:
    strength = analysis.strengths.of(bot) if analysis.ranked_by is RankedBy.RATING else None
    if strength is None:
        return {"rating": None} | _ends("rating", None)
    return {"rating": float(strength.value)} | _ends("rating", strength.interval)


def _difference(analysis: Analysis, bot: int, *, above: Placed | None, below: Placed | None) -> dict[str, float | None]:
    unit = 100 if analysis.ranked_by is RankedBy.SCORE else 1
    over = None if above is None else analysis.strengths.compare(above.bot, bot)
    under = None if below is None else analysis.strengths.compare(bot, below.bot)
    los_pct = None if under is None or under.los is None else likelihood_pct(under.los)
    if over is None:
        return {"difference": None, "los_pct": los_pct, "separated": None} | _ends("difference", None)
    difference = {"difference": _scaled(over.difference, unit), "los_pct": los_pct, "separated": over.is_separated}
    return difference | _ends("difference", over.interval, unit=unit)


def _scaled(value: float, unit: int) -> float:
    """Return a share in the column's unit (1, or 100 for per cent); per cents are rounded once."""
    return float(value) if unit == 1 else round(float(unit * value), _DECIMALS)


def _ends(name: str, interval: Interval | None, *, unit: int = 1) -> dict[str, float | None]:
    """Return the two columns with the ends of an interval, `<name>_low` and so on; None without interval."""
    low, high = (None, None) if interval is None else (_scaled(interval.low, unit), _scaled(interval.high, unit))
    return {f"{name}_low": low, f"{name}_high": high}


def _known(value: np.generic) -> float | int | None:
    """Return a plain number; None for nan (missing)."""
    return None if np.isnan(value) else value.item()
