"""Entries -> what a rating fit reads: comparisons or rank orders, equal pairs gathered. Fits nothing.

A pair is all matches of the same bots on one seed, seats swapped or rotated; it is drawn again as a whole. Pairs in
which the same happened are exchangeable, so each kind of pair is named once with the number of its copies: a million
matches become a few thousand kinds, and resampling them is exactly resampling the pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from leaderboard.codes import Floats, Indices, Mask, combine, distinct, first_of
from leaderboard.entries import Entries, rivals
from runner.statistics import Comparison
from runner.statistics.rankings import Choices, choices_of

_NO_INDICES: Indices = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Duels:
    """Comparisons, one pair of each kind; `copies` says by pair_id how many pairs were like it."""

    comparisons: tuple[Comparison, ...]
    copies: dict[str, int]


@dataclass(frozen=True, slots=True)
class Evidence:
    """By bot: how many pairs it has met rivals in, and whether all pairs against each rival came out alike."""

    pairs: Indices
    is_alike: Mask


def duels_of(entries: Entries, *, bots: tuple[str, ...], settings: tuple[str, ...]) -> Duels:
    """Every two rivals of matches with two sides, weighted so that a match counts once per side."""
    first, second = rivals(entries)
    size = np.bincount(entries.side)
    partners = np.maximum(size[entries.side[first]], size[entries.side[second]])
    columns = (
        entries.setting[first],
        entries.bot[first],
        entries.bot[second],
        1 + np.sign(entries.rank[second] - entries.rank[first]),
        partners,
    )
    kind = combine(*columns)
    named = [
        (settings[setting], bots[one], bots[other], half_points / 2, 1 / partners)
        for setting, one, other, half_points, partners in zip(
            *(_firsts(kind, column) for column in columns), strict=True
        )
    ]
    comparisons, copies = [], {}
    for at, (kinds, count) in enumerate(_gather(entries.pair[first], kind)):
        pair_id = f"{at:09}"
        copies[pair_id] = count
        comparisons += [
            Comparison(one, other, score, pair_id, setting, weight)
            for setting, one, other, score, weight in (named[kind] for kind in kinds)
        ]
    return Duels(tuple(comparisons), copies)


def choices_among(entries: Entries, *, bots: tuple[str, ...]) -> Choices:
    """The rank order of every match, as choices of the best among those left; the units are pairs.

    A bot with several sides in a match stands at their mean rank.
    """
    match = combine(entries.match)
    place = combine(match, entries.bot)
    first = first_of(place)
    rank = np.bincount(place, entries.rank) / np.maximum(1, np.bincount(place))
    is_rival = np.bincount(match[first])[match[first]] > 1  # not a bot alone with itself
    first, rank = first[is_rival], rank[is_rival]
    met = distinct(entries.bot[first])
    index = np.zeros(len(bots), dtype=np.int64)
    index[met] = np.arange(len(met))
    unit = combine(entries.pair)
    orders = list(_orders(match[first], index[entries.bot[first]], rank, unit[first]))
    chosen = np.zeros((int(unit.max(initial=-1)) + 1, len(met)))
    for order in orders:
        for at, share in enumerate(order.chosen):
            np.add.at(chosen, (order.unit, order.bot[:, at]), share)
    among, chosen_from = _sets([one for order in orders for one in order.sets()], bots=len(met))
    return Choices(
        bots=tuple(bots[code] for code in met),
        units=tuple(f"{number:09}" for number in range(len(chosen))),
        among=among,
        unit=np.concatenate([_NO_INDICES, *(order.unit for order in orders for _ in order.left)]),
        chosen_from=chosen_from,
        weight=np.concatenate(
            [np.zeros(0), *(np.full(len(order.unit), share) for order in orders for _, share in order.left)]
        ),
        chosen=chosen,
    )


@dataclass(frozen=True, slots=True)
class _Orders:
    """Matches of as many bots with ties in the same places: an array (match, place), best first.

    `left` are the places that were left when somebody was chosen, and in what share of the orders of those who tie;
    `chosen` is how often each place was the choice.
    """

    bot: Indices
    unit: Indices
    left: tuple[tuple[tuple[int, ...], float], ...]
    chosen: tuple[float, ...]

    def sets(self) -> list[Indices]:
        """The bots that were left, an array (match, bot) for each of `left`, sorted."""
        return [np.sort(self.bot[:, list(places)], axis=1) for places, _ in self.left]


def _orders(match: Indices, bot: Indices, rank: Floats, unit: Indices) -> Iterator[_Orders]:
    """All matches, by number of bots and pattern of ties."""
    order = np.lexsort((bot, rank, match))
    match, bot, rank, unit = match[order], bot[order], rank[order], unit[order]
    size = np.bincount(match)
    start = np.cumsum(size) - size
    for width in np.unique(size[size > 1]):
        cells = start[size == width][:, None] + np.arange(width)
        is_tied = np.diff(rank[cells], axis=1) == 0
        pattern = combine(*is_tied.astype(np.int64).T)
        for number, one in enumerate(first_of(pattern)):
            left, chosen = _taken_apart(is_tied[one].tolist())
            rows = cells[pattern == number]
            yield _Orders(bot[rows], unit[rows[:, 0]], left, chosen)


def _taken_apart(is_tied: Sequence[bool]) -> tuple[tuple[tuple[tuple[int, ...], float], ...], tuple[float, ...]]:
    """Places left at every choice with more than one left, and how often each place is chosen."""
    groups: list[list[str]] = [["000"]]
    for place, tied in enumerate(is_tied, 1):
        if not tied:
            groups.append([])
        groups[-1].append(f"{place:03}")
    left: list[tuple[tuple[int, ...], float]] = []
    chosen = [1.0] * (len(is_tied) + 1)
    for names, share in choices_of(tuple(map(tuple, groups))):
        places = tuple(map(int, names))
        if len(places) > 1:
            left.append((places, share))
        else:
            chosen[places[0]] -= share  # nobody else was left: no choice
    return tuple(left), tuple(chosen)


def _sets(sets: Sequence[Indices], *, bots: int) -> tuple[Floats, Indices]:
    """Which bots each distinct set holds, an array (set, bot), and the number of every set given, in order."""
    numbers: list[Indices] = [_NO_INDICES for _ in sets]
    rows: list[Floats] = [np.zeros((0, bots))]
    count = 0
    for width in sorted({one.shape[1] for one in sets}):
        own = [at for at, one in enumerate(sets) if one.shape[1] == width]
        every = np.concatenate([sets[at] for at in own])
        code = combine(*every.T)
        first = first_of(code)
        held = np.zeros((len(first), bots))
        np.put_along_axis(held, every[first], 1.0, axis=1)
        rows.append(held)
        for at, part in zip(own, np.split(code, np.cumsum([len(sets[at]) for at in own])[:-1]), strict=True):
            numbers[at] = part + count
        count += len(first)
    return np.concatenate(rows), np.concatenate([_NO_INDICES, *numbers])


def links_of(entries: Entries, *, bots: tuple[str, ...]) -> Duels:
    """Who won how many pairs against whom, even ones left out: a comparison for all that a bot won against another."""
    first, second = rivals(entries)
    is_turned = entries.bot[first] > entries.bot[second]
    one, other = np.where(is_turned, second, first), np.where(is_turned, first, second)
    won = np.sign(entries.rank[other] - entries.rank[one])
    cell = combine(entries.bot[one], entries.bot[other], entries.pair[one])
    at = first_of(cell)
    one, other = entries.bot[one][at], entries.bot[other][at]
    outcome = 1 + np.sign(np.round(np.bincount(cell, won)).astype(np.int64))
    met = combine(one, other, outcome)
    comparisons, copies = [], {}
    for number, (place, count) in enumerate(zip(first_of(met), np.bincount(met), strict=True)):
        if outcome[place] != 1:
            pair_id = f"{number:09}"
            copies[pair_id] = int(count)
            comparisons.append(Comparison(bots[one[place]], bots[other[place]], float(outcome[place] / 2), pair_id))
    return Duels(tuple(comparisons), copies)


def evidence_of(entries: Entries, *, bots: int) -> Evidence:
    """What resampling has to go by, for each of so many bots."""
    first, second = rivals(entries)
    score = np.sign(entries.rank[second] - entries.rank[first]) / 2 + 0.5
    bot = np.concatenate([entries.bot[first], entries.bot[second]])
    other = np.concatenate([entries.bot[second], entries.bot[first]])
    pair = np.concatenate([entries.pair[first]] * 2)
    cell = combine(bot, other, pair)
    points = np.round(np.bincount(cell, np.concatenate([score, 1 - score])), 6)
    at = first_of(cell)
    against = combine(bot[at], other[at])
    low, high = _extremes(against, points.astype(np.float64))
    mixed = np.zeros(bots, dtype=bool)
    mixed[bot[at][(low < high)[against]]] = True
    in_pairs = bot[first_of(combine(bot, pair))]
    return Evidence(np.bincount(in_pairs, minlength=bots), ~mixed)


def _gather(pair: Indices, kind: Indices) -> list[tuple[tuple[int, ...], int]]:
    """The kinds that make up a pair, and how many pairs they make up; in an order that depends on no row order."""
    order = np.lexsort((kind, pair))
    pair, kind = combine(pair[order]), kind[order]
    size = np.bincount(pair)
    start = np.cumsum(size) - size
    found: list[tuple[tuple[int, ...], int]] = []
    for width in np.unique(size):
        cells = kind[start[size == width][:, None] + np.arange(width)]
        code = combine(*cells.T)
        found += [
            (tuple(map(int, cells[one])), int(count))
            for one, count in zip(first_of(code), np.bincount(code), strict=True)
        ]
    return found


def _firsts(kind: Indices, column: Indices) -> list[int]:
    """The value of each kind in a column."""
    return [int(value) for value in column[first_of(kind)]]


def _extremes(group: Indices, values: Floats) -> tuple[Floats, Floats]:
    count = int(group.max(initial=-1)) + 1
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    return low, high
