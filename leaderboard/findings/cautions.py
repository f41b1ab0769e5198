"""Makes the warnings below a leaderboard: reasons why it is less certain than it looks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from gridjoust.leaderboard.frame.codes import (
    Indices,
    codes_of,
    combine,
    distinct,
    distinct_texts,
    names_of,
    rows_by,
    shrunk,
)
from gridjoust.leaderboard.frame.contests import links_of
from gridjoust.leaderboard.standings import Finding, FindingKind, RankedBy, SeatEffect
from gridjoust.leaderboard.strengths.analysis import ADVISABLE_UNITS, AT_MOST, Ranked
from gridjoust.leaderboard.wording import listed, per_cent, plural
from gridjoust.runner.statistics import MIN_UNITS, significant_cycles

_MANY_DRAWS = 0.8


def cautions(ranked: Ranked) -> Iterator[Finding]:
    """Yield warnings that the ranks are less certain than they look, each with its reason, the most important first."""
    for find in (_circles, _forfeits, _same_program, _few_boards, _repeats, _draws, _seats_matter):
        yield from find(ranked)


def _circles(ranked: Ranked) -> Iterator[Finding]:
    seats = ranked.analysis.seats
    links = links_of(ranked.analysis.entries, bots=names_of(seats, "bot"))
    names = dict(zip((names_of(seats, "bot")[bot] for bot in ranked.bots), ranked.standings, strict=True))
    cycles = significant_cycles(links.comparisons, copies=links.copies)
    for cycle in [one for one in cycles if all(bot in names for bot in one.bots)][:AT_MOST]:
        bots = tuple(names[bot].bot for bot in cycle.bots)
        beaten = " beats ".join([*bots, bots[0]])
        yield Finding(FindingKind.CIRCLE, f"cycle: {beaten}, so no ranking is right about all of them", bots)


def _forfeits(ranked: Ranked) -> Iterator[Finding]:
    failed = sorted((one for one in ranked.standings if one.forfeits), key=lambda one: (-one.failure_pct, one.bot))
    for one in failed[:AT_MOST]:
        matches = plural(one.matches, "match")
        sentence = f"{one.bot} forfeited {one.forfeits} of {matches} ({one.failure_pct:.0f} %)"
        yield Finding(FindingKind.FORFEITS, sentence, (one.bot,))


def _repeats(ranked: Ranked) -> Iterator[Finding]:
    """Warn of matches with the same actions as a match on another seed: they are no new evidence."""
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
            f"{on_seeds - different} of {plural(len(start), 'match')} repeat a match on another seed action by action: "
            "deterministic bots in a game without chance, so more seeds tell nothing new",
        )


def _same_program(ranked: Ranked) -> Iterator[Finding]:
    """Warn of one program under several names: it counts as several bots, and only chance decides between them."""
    used = distinct_texts(ranked.analysis.seats, "bot_hash", "bot")
    for _, own in used[used["bot_hash"] != ""].groupby("bot_hash")["bot"]:
        names = tuple(one.bot for one in ranked.standings if one.bot in set(own))
        if len(names) > 1:
            yield Finding(
                FindingKind.SAME_PROGRAM,
                f"{listed(names)} are the same program: between them only chance decides",
                names,
            )


def _few_boards(ranked: Ranked) -> Iterator[Finding]:
    """Warn if matches are on fewer seeds than an interval needs: it holds for these boards, not for others."""
    boards = len(distinct(ranked.analysis.entries.deal))
    enough = any(ranked.has_interval(bot) for bot in ranked.bots)
    if ranked.analysis.ranked_by is RankedBy.RATING and enough and boards < MIN_UNITS:
        these = "this board" if boards == 1 else "these boards"
        sentence = f"all matches were played on {plural(boards, 'seed')}: the intervals hold for {these} only"
        yield Finding(FindingKind.FEW_BOARDS, sentence)


def _draws(ranked: Ranked) -> Iterator[Finding]:
    """Warn of a game in which nearly all matches are drawn."""
    own = [one for one in ranked.standings if one.wins + one.draws + one.losses]
    drawn, matches = sum(one.draws for one in own), sum(one.wins + one.draws + one.losses for one in own)
    if matches >= 2 * ADVISABLE_UNITS and drawn >= _MANY_DRAWS * matches:
        sentence = f"{per_cent(drawn / matches, 0)} of the results are draws: it takes many matches to tell bots apart"
        yield Finding(FindingKind.DRAWS, sentence)


def _seatings(seats: pd.DataFrame, start: Indices, size: Indices) -> Indices:
    """Return, for each match, a number for its setting and the bots in its seats, equal if these are equal.

    `start`: first row of each match in `seats`; `size`: its number of rows.
    """
    columns = (*(codes_of(seats, name) for name in ("variant", "map", "bot")), seats["seat"].to_numpy())
    codes = np.zeros(len(size), dtype=np.int64)
    for width in np.unique(size):
        at = np.flatnonzero(size == width)
        rows = [start[at].astype(np.int64) + place for place in range(width)]
        codes[at] = combine(*(column[own] for own in rows for column in columns)) + codes.max() + 1
    return codes


def _seats_matter(ranked: Ranked) -> Iterator[Finding]:
    """Warn of the first unfair seat of each setting (game and variant)."""
    unfair: dict[str, SeatEffect] = {}
    for effect in ranked.effects:
        if effect.is_unfair:
            unfair.setdefault(effect.setting, effect)
    for one in list(unfair.values())[:AT_MOST]:
        interval = f"{one.score_low:.0f} to {one.score_high:.0f}"
        sentence = f"{one.setting}: seat {one.seat} scores {one.score_pct:.0f} % ({interval}), whichever bot has it"
        yield Finding(FindingKind.SEAT, sentence)
