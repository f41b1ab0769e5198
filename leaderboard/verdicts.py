"""What a leaderboard means, in plain words: a line per finding, the most important first. Decides no ranks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

import numpy as np

from leaderboard.contests import links_of
from leaderboard.entries import Entries
from leaderboard.paired import ByGame
from leaderboard.seats import Seats, combine, distinct, first_of
from leaderboard.standings import RankedBy, SeatEffect, Standing
from leaderboard.strengths import Contrast, Strengths
from runner.statistics import MIN_UNITS, friedman, significant_cycles

ADVISABLE_UNITS = 20
AT_MOST = 3  # lines of one kind
_TOO_FAR = 50  # times what has been played: a difference that would need more is none that matters
_MANY_SEEDS = 5000
_UNIT = {RankedBy.RATING: "pair", RankedBy.RETURNS: "seed", RankedBy.SCORE: "seed"}


@dataclass(frozen=True, slots=True)
class Findings:
    """What the verdicts are read from; `bots` are the codes of the standings' bots."""

    seats: Seats
    entries: Entries
    returns: Mapping[int, ByGame]
    ranked_by: RankedBy
    strengths: Strengths
    bots: Sequence[int]
    standings: Sequence[Standing]
    effects: Sequence[SeatEffect]

    def neighbours(self) -> list[tuple[str, str, Contrast]]:
        """Every bot with the next one: their names and what is known of the difference."""
        named = [(one.bot, bot) for one, bot in zip(self.standings, self.bots, strict=True)]
        compared = [
            (one, other, self.strengths.compare(bot, next_bot)) for (one, bot), (other, next_bot) in pairwise(named)
        ]
        return [(one, other, found) for one, other, found in compared if found is not None]


def verdicts(findings: Findings) -> Iterator[str]:
    """All lines."""
    yield from _how_ranked(findings)
    yield from _differ_at_all(findings)
    yield from _separated(findings)
    yield from _too_few(findings)
    yield from _what_would_separate(findings)
    yield from _in_circles(findings)
    yield from _failures(findings)
    yield from _repeats(findings)
    yield from _seats_matter(findings)
    yield from _fronts(findings)


def _how_ranked(findings: Findings) -> Iterator[str]:
    if findings.ranked_by is not RankedBy.SCORE:
        return
    games = _played_games(findings)
    yield (
        f"ranked by the share of rivals beaten, a mean over {len(games)} games"
        if len(games) > 1
        else "ranked by the share of rivals beaten: some matches have opponents and some have none"
    )
    partial = [one for one in findings.standings if one.games < len(games)]
    for one in partial[:AT_MOST]:
        yield f"{one.bot} has played {one.games} of {len(games)} games: its mean is over those"


def _played_games(findings: Findings) -> list[str]:
    return [findings.seats.game.names[game] for game in distinct(findings.seats.game.codes)]


def _differ_at_all(findings: Findings) -> Iterator[str]:
    """Over the seeds that all have played; of very many seeds nobody needs to be told."""
    if findings.ranked_by is not RankedBy.RETURNS or len(findings.bots) < 3:
        return
    series = [next(iter(findings.returns[bot].values())) for bot in findings.bots]
    common = reduce(np.intersect1d, [one.deals for one in series])
    if not MIN_UNITS <= len(common) <= _MANY_SEEDS:
        return
    values = [one.values[np.searchsorted(one.deals, common)].tolist() for one in series]
    p_value = friedman(dict(zip((one.bot for one in findings.standings), values, strict=True))).f_p_value
    sure = "the bots differ" if p_value < 0.05 else "it is not sure that the bots differ at all"
    yield f"{sure} (Friedman's test over {len(common)} common seeds: p {_probability(p_value)})"


def _separated(findings: Findings) -> Iterator[str]:
    groups: dict[int, list[str]] = {}
    for one in findings.standings:
        if one.group is not None:
            groups.setdefault(one.group, []).append(one.bot)
    if sum(map(len, groups.values())) < 2:
        return
    first = groups[min(groups)]
    if len(groups) == len(findings.standings):
        yield "every place is separated from the next at 95 %"
    elif len(first) == 1:
        yield f"{first[0]} is first, separated from all others at 95 %"
    else:
        yield f"{_listed(first)} cannot be separated at 95 %"


def _too_few(findings: Findings) -> Iterator[str]:
    unit = _UNIT[findings.ranked_by]
    fewest = min((found.units for _, _, found in findings.neighbours()), default=None)
    if fewest is None or fewest >= ADVISABLE_UNITS:
        return
    refused = f"no intervals below {MIN_UNITS}, " if fewest < MIN_UNITS else ""
    yield f"some bots share only {_counted(fewest, unit)}: {refused}{ADVISABLE_UNITS} or more are advisable"


def _what_would_separate(findings: Findings) -> Iterator[str]:
    told = 0
    unit = _UNIT[findings.ranked_by]
    for one, other, found in findings.neighbours():
        if found.interval is None or found.is_separated or told == AT_MOST:
            continue
        names = f"{one} from {other}"
        half = (found.interval.high - found.interval.low) / 2
        ratio = half / found.difference if found.difference > 0 else math.inf
        told += 1
        if ratio**2 > _TOO_FAR:
            yield f"nothing separates {names} in {_counted(found.units, unit)}"
        else:
            more = max(1, math.ceil(found.units * (ratio**2 - 1)))
            yield f"about {more} more {unit}{'s' * (more > 1)} of each would separate {names}"


def _in_circles(findings: Findings) -> Iterator[str]:
    links = links_of(findings.entries, bots=findings.seats.bot.names)
    shown = dict(zip((findings.seats.bot.names[bot] for bot in findings.bots), findings.standings, strict=True))
    cycles = significant_cycles(links.comparisons, copies=links.copies)
    for cycle in [one for one in cycles if all(bot in shown for bot in one.bots)][:AT_MOST]:
        names = [shown[bot].bot for bot in cycle.bots]
        yield f"in circles: {' beats '.join([*names, names[0]])}, so no ranking is right about all of them"


def _failures(findings: Findings) -> Iterator[str]:
    failed = sorted((one for one in findings.standings if one.forfeits), key=lambda one: (-one.failure_pct, one.bot))
    for one in failed[:AT_MOST]:
        yield f"{one.bot} forfeited {one.forfeits} of {_counted(one.matches, 'match')} ({one.failure_pct:.0f} %)"


def _repeats(findings: Findings) -> Iterator[str]:
    """Matches that went action by action like another one on another seed: they are not evidence of their own."""
    seats = findings.seats
    first = first_of(combine(seats.match))
    is_known = seats.actions[first] >= 0
    first, seating = first[is_known], _seatings(seats)[is_known]
    went = combine(seating, seats.actions[first])
    different = len(distinct(went))
    on_seeds = len(distinct(combine(went, seats.deal[first])))
    if on_seeds > different:
        yield (
            f"{on_seeds - different} of {_counted(len(first), 'match')} went action by action like another one on "
            "another seed: deterministic bots in a game without chance, more seeds tell nothing new"
        )


def _seatings(seats: Seats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """One code per match for its setting and who sits where."""
    match = combine(seats.match)
    sitting = combine(seats.variant.codes, seats.map.codes, seats.seat, seats.bot.codes)
    size = np.bincount(match)
    start = np.cumsum(size) - size
    codes = np.zeros(len(size), dtype=np.int64)
    for width in np.unique(size):
        at = np.flatnonzero(size == width)
        codes[at] = combine(*sitting[start[at][:, None] + np.arange(width)].T) + codes.max() + 1
    return codes


def _seats_matter(findings: Findings) -> Iterator[str]:
    told: set[str] = set()
    for one in findings.effects:
        if one.score_low is None or one.score_high is None or one.score_low <= 50 <= one.score_high:
            continue
        if one.setting not in told and len(told) < AT_MOST:
            told.add(one.setting)
            interval = f"{one.score_low:.0f} to {one.score_high:.0f}"
            yield f"{one.setting}: seat {one.seat} scores {one.score_pct:.0f} % ({interval}) whoever has it"


def _fronts(findings: Findings) -> Iterator[str]:
    for cost, words in (("ms", "planning ms per turn"), ("nodes", "nodes per turn")):
        front = [one.bot for one in findings.standings if cost in one.pareto.split()]
        if front:
            yield f"Pareto front of strength against {words}: {', '.join(front)}"


def _probability(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _counted(count: int, unit: str) -> str:
    plural = {"match": "matches"}.get(unit, f"{unit}s")
    return f"{count} {unit if count == 1 else plural}"
