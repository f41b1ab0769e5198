"""What a leaderboard means, in plain words, the most important first. Decides no ranks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from leaderboard.analysis import Analysis
from leaderboard.codes import Indices, combine, distinct, rows_by, shrunk
from leaderboard.contests import links_of
from leaderboard.paired import on_common_deals
from leaderboard.seat_effects import is_unfair
from leaderboard.seats import codes_of, names_of
from leaderboard.standings import Finding, FindingKind, RankedBy, SeatEffect
from leaderboard.strengths import Contrast
from leaderboard.wording import listed, probability
from runner.statistics import MIN_UNITS, friedman, significant_cycles
from runner.tables.columns import Standing

ADVISABLE_UNITS = 20
AT_MOST = 3  # lines of one kind
_TOO_FAR = 50  # times what has been played: a difference that would need more is none that matters
_MANY_SEEDS = 5000


@dataclass(frozen=True, slots=True)
class Ranked:
    """What the findings are read from; `bots` are the codes of the standings' bots."""

    analysis: Analysis
    bots: Sequence[int]
    standings: Sequence[Standing]
    effects: Sequence[SeatEffect]

    @property
    def unit(self) -> str:
        """What a comparison counts."""
        return "pair" if self.analysis.ranked_by is RankedBy.RATING else "seed"

    def neighbours(self) -> list[tuple[tuple[str, str], Contrast]]:
        """Every bot with the next one: their names and what is known of the difference."""
        named = [(one.bot, bot) for one, bot in zip(self.standings, self.bots, strict=True)]
        compared = [
            ((one, other), self.analysis.strengths.compare(bot, next_bot))
            for (one, bot), (other, next_bot) in pairwise(named)
        ]
        return [(names, found) for names, found in compared if found is not None]

    def within_groups(self) -> Iterator[tuple[tuple[str, str], Contrast]]:
        """The first bot of every group with each other one of it, as `neighbours`."""
        first: tuple[int | None, str, int] = (None, "", -1)
        for one, bot in zip(self.standings, self.bots, strict=True):
            if one.group is None or one.group != first[0]:
                first = (one.group, one.bot, bot)
            elif (found := self.analysis.strengths.compare(first[2], bot)) is not None:
                yield (first[1], one.bot), found


def findings(ranked: Ranked) -> Iterator[Finding]:
    """All of them, the most important first."""
    for find in (
        _how_ranked,
        _games_missing,
        _differ_at_all,
        _separated,
        _too_few,
        _few_boards,
        _what_would_separate,
        _circles,
        _forfeits,
        _repeats,
        _seats_matter,
        _fronts,
    ):
        yield from find(ranked)


def _how_ranked(ranked: Ranked) -> Iterator[Finding]:
    if ranked.analysis.ranked_by is RankedBy.SCORE:
        games = len(_played_games(ranked))
        yield Finding(
            FindingKind.RANKED_BY,
            f"ranked by the share of rivals beaten, a mean over {games} games"
            if games > 1
            else "ranked by the share of rivals beaten: some matches have opponents and some have none",
        )


def _games_missing(ranked: Ranked) -> Iterator[Finding]:
    if ranked.analysis.ranked_by is not RankedBy.SCORE:
        return
    games = len(_played_games(ranked))
    partial = [one for one in ranked.standings if one.games < games]
    for one in partial[:AT_MOST]:
        sentence = f"{one.bot} has played {one.games} of {games} games: its mean is over those"
        yield Finding(FindingKind.GAMES_MISSING, sentence, (one.bot,))


def _played_games(ranked: Ranked) -> Indices:
    return distinct(ranked.analysis.entries.game)


def _differ_at_all(ranked: Ranked) -> Iterator[Finding]:
    """Over the seeds that all have played; of very many seeds nobody needs to be told."""
    if ranked.analysis.ranked_by is not RankedBy.RETURNS or len(ranked.bots) < 3:
        return
    seeds, values = on_common_deals([next(iter(ranked.analysis.returns[bot].values())) for bot in ranked.bots])
    if MIN_UNITS <= seeds <= _MANY_SEEDS:
        p_value = friedman(dict(zip((one.bot for one in ranked.standings), values, strict=True))).f_p_value
        sure = "the bots differ" if p_value < 0.05 else "it is not sure that the bots differ at all"
        yield Finding(
            FindingKind.DIFFER, f"{sure} (Friedman's test over {seeds} common seeds: p {probability(p_value)})"
        )


def _separated(ranked: Ranked) -> Iterator[Finding]:
    groups: dict[int, list[str]] = {}
    for one in ranked.standings:
        if one.group is not None:
            groups.setdefault(one.group, []).append(one.bot)
    if sum(map(len, groups.values())) < 2:
        return
    first = tuple(groups[min(groups)])
    if len(groups) == len(ranked.standings):
        sentence = "every place is separated from the next at 95 %"
    elif len(first) == 1:
        sentence = f"{first[0]} is first, separated from all others at 95 %"
    else:
        sentence = f"{listed(first, most=len(first))} cannot be separated at 95 %"
    yield Finding(FindingKind.SEPARATED, sentence, first)


def _too_few(ranked: Ranked) -> Iterator[Finding]:
    fewest = min((found.units for _, found in ranked.neighbours()), default=None)
    if fewest is None or fewest >= ADVISABLE_UNITS:
        return
    refused = f"no intervals below {MIN_UNITS}, " if fewest < MIN_UNITS else ""
    shared = f"some bots share only {_counted(fewest, ranked.unit)}"
    yield Finding(FindingKind.TOO_FEW, f"{shared}: {refused}{ADVISABLE_UNITS} or more are advisable")


def _few_boards(ranked: Ranked) -> Iterator[Finding]:
    """Warn that intervals, where there are any, say nothing about other boards than the few that were played."""
    seeds = len(distinct(ranked.analysis.entries.deal))
    if seeds < MIN_UNITS and any(found.interval is not None for _, found in ranked.neighbours()):
        boards = "this board" if seeds == 1 else "these boards"
        sentence = f"all matches were played on {_counted(seeds, 'seed')}: the intervals hold for {boards} only"
        yield Finding(FindingKind.FEW_BOARDS, sentence)


def _what_would_separate(ranked: Ranked) -> Iterator[Finding]:
    """The first of each group from the others of it."""
    unit = ranked.unit
    unsure = [
        (bots, found, found.interval)
        for bots, found in ranked.within_groups()
        if found.interval is not None and not found.is_separated
    ]
    for bots, found, interval in unsure[:AT_MOST]:
        names = f"{bots[0]} from {bots[1]}"
        ratio = (interval.high - interval.low) / 2 / found.difference if found.difference > 0 else math.inf
        if ratio**2 > _TOO_FAR:
            sentence = f"nothing separates {names} in {_counted(found.units, unit)}"
        else:
            more = max(1, math.ceil(found.units * (ratio**2 - 1)))
            sentence = f"about {more} more {unit}{'s' * (more > 1)} of each would separate {names}"
        yield Finding(FindingKind.WOULD_SEPARATE, sentence, bots)


def _circles(ranked: Ranked) -> Iterator[Finding]:
    seats = ranked.analysis.seats
    links = links_of(ranked.analysis.entries, bots=names_of(seats, "bot"))
    names = dict(zip((names_of(seats, "bot")[bot] for bot in ranked.bots), ranked.standings, strict=True))
    cycles = significant_cycles(links.comparisons, copies=links.copies)
    for cycle in [one for one in cycles if all(bot in names for bot in one.bots)][:AT_MOST]:
        bots = tuple(names[bot].bot for bot in cycle.bots)
        beaten = " beats ".join([*bots, bots[0]])
        yield Finding(FindingKind.CIRCLE, f"in circles: {beaten}, so no ranking is right about all of them", bots)


def _forfeits(ranked: Ranked) -> Iterator[Finding]:
    failed = sorted((one for one in ranked.standings if one.forfeits), key=lambda one: (-one.failure_pct, one.bot))
    for one in failed[:AT_MOST]:
        matches = _counted(one.matches, "match")
        sentence = f"{one.bot} forfeited {one.forfeits} of {matches} ({one.failure_pct:.0f} %)"
        yield Finding(FindingKind.FORFEITS, sentence, (one.bot,))


def _repeats(ranked: Ranked) -> Iterator[Finding]:
    """Matches that went action by action like another one on another seed: they are not evidence of their own."""
    seats = ranked.analysis.seats
    match, actions = seats["match"].to_numpy(), seats["actions"].to_numpy()
    start = shrunk(np.flatnonzero(np.diff(match, prepend=-1)))
    size = shrunk(np.diff(start, append=len(match)))
    is_known = actions[start] >= 0
    start, size = start[is_known], size[is_known]
    different = on_seeds = 0
    for rows in rows_by(actions[start]):  # all matches that went alike
        first = start[rows]
        went = combine(_seatings(seats, first, size[rows]), actions[first])
        different += len(distinct(went))
        on_seeds += len(distinct(combine(went, seats["deal"].to_numpy()[first])))
    if on_seeds > different:
        yield Finding(
            FindingKind.REPEATED,
            f"{on_seeds - different} of {_counted(len(start), 'match')} went action by action like another one on "
            "another seed: deterministic bots in a game without chance, more seeds tell nothing new",
        )


def _seatings(seats: pd.DataFrame, start: Indices, size: Indices) -> Indices:
    """One code for its setting and who sits where, for each match that has `size` rows from `start` on."""
    columns = (*(codes_of(seats, name) for name in ("variant", "map", "bot")), seats["seat"].to_numpy())
    codes = np.zeros(len(size), dtype=np.int64)
    for width in np.unique(size):
        at = np.flatnonzero(size == width)
        rows = [start[at].astype(np.int64) + place for place in range(width)]
        codes[at] = combine(*(column[own] for own in rows for column in columns)) + codes.max() + 1
    return codes


def _seats_matter(ranked: Ranked) -> Iterator[Finding]:
    """The first unfair seat of each setting."""
    unfair: dict[str, SeatEffect] = {}
    for effect in ranked.effects:
        if is_unfair(effect):
            unfair.setdefault(effect.setting, effect)
    for one in list(unfair.values())[:AT_MOST]:
        interval = f"{one.score_low:.0f} to {one.score_high:.0f}"
        sentence = f"{one.setting}: seat {one.seat} scores {one.score_pct:.0f} % ({interval}) whoever has it"
        yield Finding(FindingKind.SEAT, sentence)


def _fronts(ranked: Ranked) -> Iterator[Finding]:
    for cost, words in (("ms", "planning ms per turn"), ("nodes", "nodes per turn")):
        front = tuple(one.bot for one in ranked.standings if cost in one.pareto.split())
        if front:
            yield Finding(FindingKind.FRONT, f"Pareto front of strength against {words}: {', '.join(front)}", front)


def _counted(count: int, unit: str) -> str:
    plural = {"match": "matches"}.get(unit, f"{unit}s")
    return f"{count} {unit if count == 1 else plural}"
