"""Seats -> leaderboard: chooses what decides, ranks, groups. Reads no files; what is said in words is in `verdicts`.

Independent of the order of the rows; `resamples` and `seed` decide the intervals of ratings and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from leaderboard.contests import choices_among, duels_of, evidence_of
from leaderboard.entries import Entries, Sides, entries_of, share_beaten, sides_of
from leaderboard.paired import ByGame, Places, mean_over_games, places, series_by_bot
from leaderboard.pareto import pareto_front
from leaderboard.seat_effects import seat_effects
from leaderboard.seats import Indices, Seats, combine, distinct, first_of
from leaderboard.standings import RESAMPLES, GameScore, Leaderboard, RankedBy, Standing
from leaderboard.strengths import Pool, SeedStrengths, Strengths, rate_contests, rate_duels
from leaderboard.tally import shared_places
from leaderboard.totals import Totals, planners_by_bot, totals_of
from leaderboard.verdicts import Findings, verdicts
from runner.statistics import CONFIDENCE, interquartile_mean

_DECIMALS = 6  # of what ranks: beyond that, linear algebra differs from machine to machine


@dataclass(frozen=True, slots=True)
class Field:
    """Everything about one set of matches that its leaderboard is made from; `names` of bots by code."""

    seats: Seats
    names: tuple[str, ...]
    sides: Sides
    entries: Entries
    totals: Totals
    ranked_by: RankedBy
    strengths: Strengths
    returns: Mapping[int, ByGame]  # by bot; of games with unlike returns too
    beaten: Mapping[int, ByGame]
    on_seed: Mapping[int, tuple[float, float]]  # bot -> mean rank on a seed, share of seeds won; without opponents


@dataclass(frozen=True, slots=True)
class Placed:
    """A bot with its rank."""

    rank: int
    group: int | None
    bot: int  # code


def make_leaderboard(seats: Seats, *, resamples: int = RESAMPLES, seed: int = 0) -> Leaderboard:
    """Rank every bot of the counted matches; see `RankedBy` for what decides."""
    if not len(seats):
        return Leaderboard(RankedBy.RATING, ())
    field = make_field(seats, resamples=resamples, seed=seed)
    return leaderboard_of(field, seed=seed)


def leaderboard_of(field: Field, *, bots: Sequence[int] | None = None, seed: int = 0) -> Leaderboard:
    """All bots of a field, or some ranked among themselves by what all its matches say about them."""
    placed = rank_bots(field, bots)
    bots = [one.bot for one in placed]
    games = _game_scores(field, bots, seed=seed)
    table = tuple(_standings(field, placed, games))
    effects = tuple(seat_effects(field.seats, field.sides, advantages=getattr(field.strengths, "advantages", {})))
    findings = Findings(
        seats=field.seats,
        entries=field.entries,
        returns=field.returns,
        ranked_by=field.ranked_by,
        strengths=field.strengths,
        bots=bots,
        standings=table,
        effects=effects,
    )
    return Leaderboard(field.ranked_by, table, games, effects, tuple(verdicts(findings)))


def make_field(seats: Seats, *, resamples: int, seed: int) -> Field:
    """Who met whom, and how strong that makes them."""
    sides, side = sides_of(seats)
    entries = entries_of(seats, sides, side)
    bots = len(seats.bot.names)
    ranked_by = _choose(entries)
    returns = series_by_bot(entries.bot, entries.game, entries.deal, entries.returns)
    beaten, on_seed = _rivals_beaten(entries)
    strengths: Strengths
    if ranked_by is RankedBy.RATING:
        strengths = _rate(seats, entries, resamples=resamples, seed=seed)
    else:
        strengths = SeedStrengths(returns if ranked_by is RankedBy.RETURNS else beaten)
    totals = totals_of(entries, bots=bots)
    return Field(seats, seats.bot.names, sides, entries, totals, ranked_by, strengths, returns, beaten, on_seed)


def rank_bots(field: Field, bots: Sequence[int] | None = None) -> list[Placed]:
    """Best first; equals share a rank, the one with more points is named first. Who met no rival comes last."""
    points = np.nan_to_num(field.totals.points)
    value = {bot: _value(field.strengths, bot) for bot in (field.returns if bots is None else bots)}
    bots = sorted(value, key=lambda bot: (-value[bot], -points[bot], field.names[bot]))
    ranks = shared_places([value[bot] for bot in bots])
    groups = _groups(field.strengths, bots, ranks)
    return [Placed(rank, group, bot) for rank, group, bot in zip(ranks, groups, bots, strict=True)]


def _choose(entries: Entries) -> RankedBy:
    is_one_game = len(distinct(entries.game)) == 1
    kinds = {str(kind) for kind in distinct(np.minimum(entries.of_match, 3))}
    if kinds == {"1"}:
        return RankedBy.RETURNS if is_one_game else RankedBy.SCORE
    return RankedBy.RATING if "1" not in kinds and (is_one_game or len(kinds) == 1) else RankedBy.SCORE


def _rate(seats: Seats, entries: Entries, *, resamples: int, seed: int) -> Pool:
    names = seats.bot.names
    codes = {name: code for code, name in enumerate(names)}
    evidence = evidence_of(entries, bots=len(names))
    if int(entries.of_match.max()) == 2:
        duels = duels_of(entries, bots=names, settings=seats.variant.names)
        return rate_duels(duels, evidence, codes=codes, resamples=resamples, seed=seed)
    return rate_contests(choices_among(entries, bots=names), evidence, codes=codes, resamples=resamples, seed=seed)


def _rivals_beaten(entries: Entries) -> tuple[Mapping[int, ByGame], dict[int, tuple[float, float]]]:
    """Share of rivals beaten by bot, game and deal; mean rank and share of deals won by bot, without opponents."""
    beaten = share_beaten(entries)
    alone = np.flatnonzero(entries.of_match == 1)
    on_seed: dict[int, tuple[float, float]] = {}
    if len(alone):
        cell = combine(entries.deal[alone], entries.bot[alone])
        means = np.bincount(cell, entries.returns[alone]) / np.bincount(cell)
        at = alone[first_of(cell)]
        found = places(entries.deal[at], means)
        beaten[alone] = found.beaten[cell]
        on_seed = _on_seed(entries.bot[at], found)
    return series_by_bot(entries.bot, entries.game, entries.deal, beaten), on_seed


def _on_seed(bot: Indices, found: Places) -> dict[int, tuple[float, float]]:
    has_rivals = ~np.isnan(found.beaten)
    own = bot[has_rivals]
    count = np.maximum(1, np.bincount(own))
    rank, best = (np.bincount(own, values[has_rivals]) / count for values in (found.rank, found.is_best))
    return {int(one): (float(rank[one]), float(best[one])) for one in distinct(own)}


def _value(strengths: Strengths, bot: int) -> float:
    strength = strengths.of(bot)
    return -math.inf if strength is None else round(strength.value, _DECIMALS)


def _groups(strengths: Strengths, bots: Sequence[int], ranks: Sequence[int]) -> list[int | None]:
    """Group of each bot, named by the rank of its first: a bot that is separated from that one begins a new group."""
    groups: list[int | None] = []
    leader: int | None = None
    group: int | None = None
    for bot, rank in zip(bots, ranks, strict=True):
        strength = strengths.of(bot)
        if strength is None or strength.interval is None:
            groups.append(None)
            continue
        contrast = None if leader is None else strengths.compare(leader, bot)
        if contrast is None or contrast.is_separated:
            leader, group = bot, rank
        groups.append(group)
    return groups


def _game_scores(field: Field, bots: Sequence[int], *, seed: int) -> tuple[GameScore, ...]:
    """Every game's own table in short, where there are several."""
    games = distinct(field.entries.game)
    if len(games) == 1:
        return ()
    found = []
    for game in games:
        own = make_field(field.seats.where(field.seats.game.codes == game), resamples=0, seed=seed)
        placed = rank_bots(own, sorted(set(bots) & own.returns.keys()))
        ranks = [one.rank for one in placed]
        for one in placed:
            strength = own.strengths.of(one.bot)
            beaten = own.beaten.get(one.bot)
            found.append(
                GameScore(
                    game=field.seats.game.names[game],
                    bot=field.names[one.bot],
                    place=one.rank + (ranks.count(one.rank) - 1) / 2,
                    ranked_by=own.ranked_by,
                    strength=None if strength is None else strength.value,
                    beaten_pct=100 * mean_over_games(beaten, confidence=CONFIDENCE).value if beaten else None,
                )
            )
    return tuple(found)


def _standings(field: Field, placed: Sequence[Placed], games: Sequence[GameScore]) -> list[Standing]:
    planners = planners_by_bot(field.seats)
    fronts = _fronts(field, placed)
    above = [None, *placed]
    below = [*placed[1:], None]
    return [
        _standing(field, own, planner=planners[own.bot], pareto=fronts[own.bot], games=games, above=over, below=under)
        for own, over, under in zip(placed, above, below, strict=False)
    ]


def _fronts(field: Field, placed: Sequence[Placed]) -> dict[int, str]:
    value = {one.bot: _value(field.strengths, one.bot) for one in placed}
    costs = {"ms": field.totals.planning_ms_per_turn, "nodes": field.totals.nodes_per_turn}
    named: dict[int, list[str]] = {bot: [] for bot in value}
    for name, cost in costs.items():
        known = {bot: (value[bot], float(cost[bot])) for bot in value if not np.isnan(cost[bot])}
        for bot in pareto_front(known):
            named[bot].append(name)
    return {bot: " ".join(names) for bot, names in named.items()}


def _standing(
    field: Field,
    own: Placed,
    *,
    planner: str,
    pareto: str,
    games: Sequence[GameScore],
    above: Placed | None,
    below: Placed | None,
) -> Standing:
    totals, bot = field.totals, own.bot
    name = field.names[bot]
    matches = int(totals.matches[bot])
    return Standing(
        rank=own.rank,
        bot=name,
        planner=planner,
        games=int(totals.games[bot]),
        matches=matches,
        seeds=int(totals.seeds[bot]),
        points=_known(totals.points[bot]),
        score_pct=_per_cent(totals.score[bot]),
        wins=int(totals.wins[bot]),
        draws=int(totals.draws[bot]),
        losses=int(totals.losses[bot]),
        faults=int(totals.faults[bot]),
        forfeits=int(totals.forfeits[bot]),
        failure_pct=100 * int(totals.forfeits[bot]) / matches,
        won_pct=_per_cent(totals.won[bot]),
        planning_ms_per_turn=_known(totals.planning_ms_per_turn[bot]),
        nodes_per_turn=_known(totals.nodes_per_turn[bot]),
        cpu_ms_per_turn=_known(totals.cpu_ms_per_turn[bot]),
        pareto=pareto,
        **_returns(field, bot),
        **_ranks(field, bot, [one.place for one in games if one.bot == name]),
        **_beaten(field, bot),
        **_rating(field, bot),
        **_difference(field, bot, above=above, below=below),
        group=own.group,
    )


def _returns(field: Field, bot: int) -> dict[str, float | None]:
    """Of one game only: returns of unlike games have no mean."""
    own = field.returns[bot]
    if len(distinct(field.entries.game)) > 1:
        return dict.fromkeys(("returns_mean", "returns_low", "returns_high", "returns_median", "returns_iqm"), None)
    [series] = own.values()
    found = mean_over_games(own, confidence=CONFIDENCE)
    return {
        "returns_mean": found.value,
        "returns_low": found.interval.low if found.interval else None,
        "returns_high": found.interval.high if found.interval else None,
        "returns_median": float(np.median(series.values)),
        "returns_iqm": interquartile_mean(series.values.tolist()),
    }


def _ranks(field: Field, bot: int, places_in_games: Sequence[float]) -> dict[str, float | None]:
    if field.ranked_by is RankedBy.SCORE and places_in_games:
        return {"mean_rank": math.fsum(places_in_games) / len(places_in_games), "seeds_won_pct": None}
    rank, won = field.on_seed.get(bot, (None, None)) if field.ranked_by is RankedBy.RETURNS else (None, None)
    return {"mean_rank": rank, "seeds_won_pct": None if won is None else 100 * won}


def _beaten(field: Field, bot: int) -> dict[str, float | None]:
    own = field.beaten.get(bot)
    if not own:
        return {"beaten_pct": None, "beaten_low": None, "beaten_high": None}
    found = mean_over_games(own, confidence=CONFIDENCE)
    low, high = found.interval or (None, None)
    return {
        "beaten_pct": 100 * found.value,
        "beaten_low": None if low is None else 100 * max(0.0, low),
        "beaten_high": None if high is None else 100 * min(1.0, high),
    }


def _rating(field: Field, bot: int) -> dict[str, float | None]:
    strength = field.strengths.of(bot) if field.ranked_by is RankedBy.RATING else None
    interval = None if strength is None else strength.interval
    return {
        "rating": None if strength is None else strength.value,
        "rating_low": None if interval is None else interval.low,
        "rating_high": None if interval is None else interval.high,
    }


def _difference(field: Field, bot: int, *, above: Placed | None, below: Placed | None) -> dict[str, float | None]:
    unit = 100 if field.ranked_by is RankedBy.SCORE else 1
    over = None if above is None else field.strengths.compare(above.bot, bot)
    under = None if below is None else field.strengths.compare(bot, below.bot)
    interval = None if over is None else over.interval
    return {
        "difference": None if over is None else unit * over.difference,
        "difference_low": None if interval is None else unit * interval.low,
        "difference_high": None if interval is None else unit * interval.high,
        "los_pct": None if under is None or under.los is None else 100 * under.los,
    }


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _per_cent(share: float) -> float | None:
    return None if np.isnan(share) else 100 * float(share)
