"""Seats -> sides and entries: who took part in a match, for which side, and how it came out. Totals and rates nobody.

A side is one team of one match. An entry is one bot's part in a side, however many seats it holds there: a match counts
once per team. An entry's rivals are the entries of other bots on the other sides of its match.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leaderboard.seats import Floats, Indices, Mask, Seats, combine, first_of


@dataclass(frozen=True, slots=True)
class Sides:
    """One element per side, sorted by match and team."""

    match: Indices
    pair: Indices
    setting: Indices  # code of the variant
    number: Indices  # place among the match's sides, from 0
    of_match: Indices  # how many sides the match has
    rank: Indices
    tied: Indices  # sides of the match that share the rank, itself included


@dataclass(frozen=True, slots=True)
class Entries:
    """One element per entry, sorted by side and bot; sums over the entry's seats. nan = missing."""

    side: Indices
    match: Indices
    bot: Indices
    game: Indices
    setting: Indices
    pair: Indices
    deal: Indices
    of_match: Indices
    rank: Indices
    tied: Indices
    returns: Floats  # mean over seats
    points: Floats
    won: Floats
    faults: Indices
    has_forfeited: Mask
    planning_ms: Floats  # 0 where not reported
    planned_turns: Floats
    nodes_expanded: Floats
    searched_turns: Floats
    cpu_ms: Floats
    cpu_turns: Floats

    def __len__(self) -> int:
        return len(self.side)


def sides_of(seats: Seats) -> tuple[Sides, Indices]:
    """The sides, and the side of every seat."""
    side = combine(seats.match, seats.team)
    first = first_of(side)
    match = seats.match[first]
    matches = int(match.max(initial=-1)) + 1
    of_match = np.bincount(match, minlength=matches)
    start = np.cumsum(of_match) - of_match
    rank = seats.rank[first]
    ties = combine(match, rank)
    return (
        Sides(
            match=match,
            pair=seats.pair[first],
            setting=seats.variant.codes[first],
            number=np.arange(len(match)) - start[match],
            of_match=of_match[match],
            rank=rank,
            tied=np.bincount(ties)[ties] if len(ties) else ties,
        ),
        side,
    )


def entries_of(seats: Seats, sides: Sides, side: Indices) -> Entries:
    """The entries of all sides; `side` is the side of every seat."""
    entry = combine(side, seats.bot.codes)
    first = first_of(entry)
    count = len(first)
    own_side = side[first]
    acted = seats.turns_acted.astype(np.float64)
    has_plan, has_search = ~np.isnan(seats.planning_ms), ~np.isnan(seats.nodes_expanded)
    turns = _total(entry, acted, count)
    cpu_ms = _largest(entry, seats.cpu_ms, count)  # of the process: the same on every seat that it holds
    has_cpu = ~np.isnan(cpu_ms)
    return Entries(
        side=own_side,
        match=seats.match[first],
        bot=seats.bot.codes[first],
        game=seats.game.codes[first],
        setting=seats.variant.codes[first],
        pair=seats.pair[first],
        deal=seats.deal[first],
        of_match=sides.of_match[own_side],
        rank=sides.rank[own_side],
        tied=sides.tied[own_side],
        returns=_total(entry, seats.returns, count) / np.maximum(1, np.bincount(entry, minlength=count)),
        points=seats.points[first],
        won=_largest(entry, seats.won, count),
        faults=_total(entry, seats.faults, count).astype(np.int64),
        has_forfeited=_total(entry, seats.forfeited, count) > 0,
        planning_ms=_total(entry, np.where(has_plan, seats.planning_ms, 0.0), count),
        planned_turns=_total(entry, acted * has_plan, count),
        nodes_expanded=_total(entry, np.where(has_search, seats.nodes_expanded, 0.0), count),
        searched_turns=_total(entry, acted * has_search, count),
        cpu_ms=np.where(has_cpu, cpu_ms, 0.0),
        cpu_turns=turns * has_cpu,
    )


def share_beaten(entries: Entries) -> Floats:
    """Share of each entry's rivals in its match that it beat, a tie half; nan without rivals, as alone on a side."""
    _, mine, other = rivals(entries)
    count = len(entries)
    better = np.sign(entries.rank[other] - entries.rank[mine]) / 2 + 0.5
    met = np.bincount(mine, minlength=count) + np.bincount(other, minlength=count)
    points = np.bincount(mine, better, count) + np.bincount(other, 1 - better, count)
    share: Floats = np.divide(points, met, out=np.full(count, np.nan), where=met > 0)
    return share


def rivals(entries: Entries) -> tuple[Indices, Indices, Indices]:
    """(match, entry, entry) for every two entries of different bots on different sides, the lower side first."""
    order = np.arange(len(entries))
    size = np.bincount(entries.match)
    start = np.cumsum(size) - size
    end = (start + size)[entries.match] if len(entries) else order
    following = end - order - 1
    mine = np.repeat(order, following)
    other = mine + 1 + np.arange(len(mine)) - np.repeat(np.cumsum(following) - following, following)
    is_rival = (entries.side[mine] != entries.side[other]) & (entries.bot[mine] != entries.bot[other])
    mine, other = mine[is_rival], other[is_rival]
    return entries.match[mine], mine, other


def _total(groups: Indices, values: Floats | Indices, count: int) -> Floats:
    total: Floats = np.bincount(groups, values, count).astype(np.float64)
    return total


def _largest(groups: Indices, values: Floats, count: int) -> Floats:
    """Largest known value of each group, nan if there is none."""
    largest: Floats = np.full(count, -np.inf)
    known = ~np.isnan(values)
    np.maximum.at(largest, groups[known], values[known])
    largest[np.isneginf(largest)] = np.nan
    return largest
