"""Makes the conclusions below a leaderboard: sentences about what the ranks mean."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist

import numpy as np

from gridjoust.leaderboard.frame.codes import Indices, distinct
from gridjoust.leaderboard.frame.contests import PairRecord, pairs_between
from gridjoust.leaderboard.standings import Finding, FindingKind, RankedBy
from gridjoust.leaderboard.strengths.analysis import ADVISABLE_UNITS, AT_MOST, Ranked
from gridjoust.leaderboard.strengths.paired import on_common_deals
from gridjoust.leaderboard.strengths.strengths import Contrast, Withheld, corrected
from gridjoust.leaderboard.wording import listed, plural, probability
from gridjoust.runner.statistics import MIN_UNITS, friedman

_TOO_FAR = 3  # times what has been played: a forecast beyond that is a guess
_TOO_CLOSE = 0.2  # p-value of two bots above which no forecast is made
_LEVEL = 0.05  # of the one decision about all pairs of bots
_NORMAL = NormalDist()
_MANY_SEEDS = 5000


def conclusions(ranked: Ranked) -> Iterator[Finding]:
    """Yield the conclusions from the ranks, the most important first."""
    for find in (
        _how_ranked,
        _games_missing,
        _pools,
        _not_compared,
        _adaptive,
        _differ_at_all,
        _separated,
        _no_intervals,
        _too_few,
        _alike,
        _what_would_separate,
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
        sentence = f"{one.bot} has played {one.games} of {games} games: its mean covers only those"
        yield Finding(FindingKind.GAMES_MISSING, sentence, (one.bot,))


def _played_games(ranked: Ranked) -> Indices:
    return distinct(ranked.analysis.entries.game)


def _differ_at_all(ranked: Ranked) -> Iterator[Finding]:
    """Report Friedman's test of whether the bots differ at all, on the seeds that all have played.

    It needs a ranking by returns, three or more bots, and neither very few nor very many seeds.
    """
    if ranked.analysis.ranked_by is not RankedBy.RETURNS or len(ranked.bots) < 3:
        return
    seeds, values = on_common_deals([next(iter(ranked.analysis.returns[bot].values())) for bot in ranked.bots])
    if MIN_UNITS <= seeds <= _MANY_SEEDS:
        p_value = friedman(dict(zip((one.bot for one in ranked.standings), values, strict=True))).f_p_value
        is_any_apart = any(ranked.analysis.strengths.separations.among(own)[1].any() for own in ranked.pools())
        test = f"(Friedman's test over {seeds} common seeds: p {probability(p_value)})"
        yield Finding(FindingKind.DIFFER, _differ(test, is_group=p_value < _LEVEL, is_any_apart=is_any_apart))


def _differ(test: str, *, is_group: bool, is_any_apart: bool) -> str:
    """Return a sentence: do the bots differ as a group, and are any two separated?

    `test`: Friedman's test of all bots as text. `is_group`: it is significant.
    """
    if is_group:
        return (
            f"the bots differ {test}"
            if is_any_apart
            else f"the bots differ as a group {test}, but no two are separated"
        )
    if is_any_apart:
        return f"by ranks alone, no significant difference between the bots {test}"
    return f"no significant difference between the bots {test}"


def _pools(ranked: Ranked) -> Iterator[Finding]:
    """Name the pools of bots that no chain of matches or seeds links."""
    parts = ranked.pools()
    if len(parts) < 2:
        return
    why = "never met" if ranked.analysis.ranked_by is RankedBy.RATING else "share no seed"
    named = [listed([ranked.name[bot] for bot in own]) for own in parts[:AT_MOST]]
    more = f"; and {len(parts) - AT_MOST} more" if len(parts) > AT_MOST else ""
    yield Finding(
        FindingKind.NOT_COMPARED,
        f"the bots fall into {len(parts)} pools that {why}; places count within a pool: {'; '.join(named)}{more}",
    )


def _not_compared(ranked: Ranked) -> Iterator[Finding]:
    """Name the bots of one pool that share no seed: only other bots link them."""
    found: list[tuple[str, str]] = []
    for own in ranked.pools():
        is_compared, _ = ranked.analysis.strengths.separations.among(own)
        one, other = np.nonzero(np.triu(~is_compared, 1))
        found += [(ranked.name[own[at]], ranked.name[own[there]]) for at, there in zip(one, other, strict=True)]
    for number, bots in enumerate(found[:AT_MOST], 1):
        others = plural(len(found) - number, "other pair")
        more = f" (nor do {others} of bots)" if number == AT_MOST < len(found) else ""
        yield Finding(
            FindingKind.NOT_COMPARED, f"{bots[0]} and {bots[1]} share no seed: they are not compared{more}", bots
        )


def _adaptive(ranked: Ranked) -> Iterator[Finding]:
    """Warn of matches that were chosen by earlier results: they make the leader look better than it is."""
    if not ranked.analysis.is_adaptive:
        return
    is_corrected = bool(corrected(ranked.analysis.strengths))
    rating = "ratings are corrected for that" if is_corrected else "that flatters the leader's rating"
    score = "score % is left out, as it depends on the opponents"
    yield Finding(FindingKind.ADAPTIVE, f"pairings were chosen by earlier results: {rating}; {score}")


def _separated(ranked: Ranked) -> Iterator[Finding]:
    parts = [own for own in ranked.pools() if len(own) > 1]
    for number, own in enumerate(parts[:AT_MOST], 1):
        if not all(ranked.is_too_few(bot) for bot in own):
            where = f"pool {number}: " if len(parts) > 1 else ""
            sentence, first = _separated_in(ranked, own)
            yield Finding(FindingKind.SEPARATED, where + sentence, first)


def _separated_in(ranked: Ranked, own: Sequence[int]) -> tuple[str, tuple[str, ...]]:
    """Return a sentence about which bots of one pool are separated, and the names of the bots in it.

    `own`: codes of the pool's bots, best first.
    """
    is_compared, is_separated = ranked.analysis.strengths.separations.among(own)
    name = ranked.name
    names = [name[bot] for bot in own]
    if len(own) == 2 and is_separated.any():
        return f"{names[0]} is separated from {names[1]} at 95 %", tuple(names[:1])
    if all(is_separated[at, at + 1] for at in range(len(own) - 1)):
        return "every bot is separated from the next at 95 %", tuple(names[:1])
    if not is_separated.any():
        many = "no two bots are separated at 95 %"
        return (f"{names[0]} and {names[1]} are not separated at 95 %" if len(own) == 2 else many), tuple(names)
    firsts = {one.bot for one in ranked.standings if one.rank == 1}
    tied = [name for name in names if name in firsts]
    level = [
        name for name, other, apart in zip(names, is_compared[0], is_separated[0], strict=True) if other and not apart
    ]
    if level and len(tied) > 1:
        others = [name for name in level if name not in tied]
        rest = f", nor from {listed(others)}" if others else ""
        return f"{listed(tied)} are level, not separated at 95 %{rest}", (names[0], *level)
    if level:
        return f"{names[0]} is not separated from {listed(level)} at 95 %", (names[0], *level)
    everybody = "all others" if is_compared[0, 1:].all() else "all bots that it is compared with"
    return f"{names[0]} is first, separated from {everybody} at 95 %", tuple(names[:1])


def _no_intervals(ranked: Ranked) -> Iterator[Finding]:
    """Name the bots with too few pairs of matches, or seeds, for an interval."""
    rated = [bot for own in ranked.pools() for bot in own]
    without = [bot for bot in rated if ranked.is_too_few(bot)]
    if not without or len(rated) < 2:
        return
    names, unit = [ranked.name[bot] for bot in without], ranked.unit
    if len(without) == len(rated):
        wanted = f"an interval needs {MIN_UNITS} {unit}s per bot, {ADVISABLE_UNITS} are advisable"
        sentence = f"too few matches to separate any two bots: {wanted}"
    else:
        sentence = f"too few {unit}s for an interval, which needs {MIN_UNITS}: {listed(names)}"
    yield Finding(FindingKind.TOO_FEW, sentence, tuple(names))


def _too_few(ranked: Ranked) -> Iterator[Finding]:
    """Name the two neighbours of the ranking that have met least, if all bots have an interval."""
    met = [(found.units, one, other) for one, other, found in ranked.neighbours() if found.units]
    if not met or any(ranked.is_too_few(bot) for bot in ranked.bots):
        return
    fewest, one, other = min(met, key=lambda found: found[0])
    if fewest < ADVISABLE_UNITS:
        bots = (ranked.name[one], ranked.name[other])
        did = "met in" if ranked.unit == "pair" else "share"
        counted = plural(fewest, ranked.unit)
        sentence = f"{bots[0]} and {bots[1]} {did} only {counted}: {ADVISABLE_UNITS} or more are advisable"
        yield Finding(FindingKind.TOO_FEW, sentence, bots)


def _alike(ranked: Ranked) -> Iterator[Finding]:
    """Name the bots whose results are all the same, so that no interval can be estimated."""
    names = [ranked.name[bot] for bot in ranked.bots if ranked.is_withheld(bot, Withheld.ALIKE)]
    if names:
        its = "its" if len(names) == 1 else "their"
        yield Finding(
            FindingKind.ALIKE, f"no interval for {listed(names)}: all of {its} values are the same", tuple(names)
        )


def _what_would_separate(ranked: Ranked) -> Iterator[Finding]:
    """Say for the first bot of each group how many more matches would separate it from the others, if not too many."""
    unsure = [one for one in ranked.leaders() if one[2].withheld is not Withheld.TOO_FEW]
    records = pairs_between(ranked.analysis.entries) if unsure and ranked.unit == "pair" else {}
    close: dict[int, list[tuple[int, int]]] = {}
    forecasts: list[Finding] = []
    for leader, other, found in unsure:
        record = records.get((min(leader, other), max(leader, other)))
        units = ranked.units_of_each(leader, other, found)
        is_one_way = units == found.units and _went_one_way(record, found)
        more = _more_alike(units, len(unsure)) if is_one_way else _more_units(found, units, len(unsure))
        if more > _TOO_FAR * units:
            close.setdefault(leader, []).append((other, units))
            continue
        bots = (ranked.name[leader], ranked.name[other])
        counted = plural(_rounded(int(more)), f"more {ranked.unit}")
        two = f"separate {bots[0]} from {bots[1]}"
        exact = f"{counted} each would {two}, if all go the same way again"
        sentence = exact if is_one_way else f"with about {counted} each, the chance to {two} is even"
        forecasts.append(Finding(FindingKind.WOULD_SEPARATE, sentence, bots))
    yield from forecasts[:AT_MOST]
    for leader, others in list(close.items())[:AT_MOST]:
        first, rivals = ranked.name[leader], [ranked.name[bot] for bot, _ in others]
        after = f" after {plural(others[0][1], ranked.unit)} each" if len(others) == 1 else ""
        sentence = f"too close to call: {first} against {listed(rivals)}{after}"
        yield Finding(FindingKind.WOULD_SEPARATE, sentence, (first, *rivals))


def _rounded(count: int) -> int:
    """Round a number of matches to two digits, as a forecast is no more precise."""
    return round(count, min(0, 2 - len(str(count))))


def _went_one_way(record: PairRecord | None, found: Contrast) -> bool:
    """Return True if one of two bots did better in every pair or seed, so that the sign test gives the forecast."""
    if record is not None:
        return not record.even and not (record.won and record.lost)
    return found.withheld is Withheld.ALIKE and found.difference != 0


def _more_alike(units: int, open_pairs: int) -> int:
    """Return how many more pairs or seeds the sign test needs if all come out like the `units` so far.

    Its 5 % is shared among the `open_pairs` of bots that are not separated yet.
    """
    return max(1, math.ceil(math.log2(2 * open_pairs / _LEVEL)) - units)


def _more_units(found: Contrast, units: int, open_pairs: int) -> float:
    """Return how many more pairs or seeds would separate the two in half of the cases; infinite if they are too close.

    The p-value must fall below 5 % shared among the pairs of bots that are still open, as in the table.
    """
    los = 0.5 if found.los is None else found.los
    p_value = 2 * min(los, 1 - los)
    if p_value > _TOO_CLOSE:
        return math.inf
    ratio = _NORMAL.inv_cdf(1 - _LEVEL / open_pairs / 2) / -_NORMAL.inv_cdf(max(p_value, 1e-300) / 2)
    return max(1, math.ceil(units * (ratio**2 - 1)))


def fronts(ranked: Ranked) -> Iterator[Finding]:
    """Yield a finding for each kind of search cost: the bots that no other beats in both strength and that cost."""
    for cost, words in (("ms", "planning ms per turn"), ("nodes", "nodes per turn")):
        front = tuple(one.bot for one in ranked.standings if cost in one.pareto.split())
        if front:
            yield Finding(
                FindingKind.FRONT, f"Pareto front of strength against {words}: {listed(front, most=8)}", front
            )
