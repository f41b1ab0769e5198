"""Turns entries (a bot's part in a match) into the input of rating fits: comparisons or rank orders.

A pair is all matches of the same bots on one seed, seats swapped or rotated; it is one result. Pairs in which the same
happened are exchangeable, so each kind of pair is named once with the number of its copies: a million matches become a
few thousand kinds, and a fit to these is exactly the fit to all pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridjoust.leaderboard.frame.codes import Indices, combine, first_of, places_of, rows_by, shrunk, stretches
from gridjoust.leaderboard.frame.entries import Entries, rivals
from gridjoust.runner.statistics import Comparison
from gridjoust.runner.statistics.rankings import Choices, choices_of

_Met = tuple[int, int, int, int, int]  # setting, two bots, half points of the first, partners
_Kind = tuple[int, int, int]  # of a pair of two bots: matches, won and drawn by the first
_NO_INDICES: Indices = np.zeros(0, dtype=np.int8)


@dataclass(frozen=True, slots=True)
class Duels:
    """Comparisons of bots for a rating fit; pairs of matches with equal results are there once.

    `copies`: pair_id -> number of pairs with these results.
    """

    comparisons: tuple[Comparison, ...]
    copies: dict[str, int]


@dataclass(frozen=True, slots=True)
class PairRecord:
    """The results of one bot against another, in pairs; a pair is all their matches on one seed.

    `kinds`: (matches, how many of them it won, how many were drawn) -> the number of such pairs.
    """

    kinds: Mapping[_Kind, int]

    @property
    def won(self) -> int:
        """Number of pairs in which the first bot had more than half of the points."""
        return self._with_surplus(1)

    @property
    def even(self) -> int:
        """Number of pairs in which the first bot had half of the points."""
        return self._with_surplus(0)

    @property
    def lost(self) -> int:
        """Number of pairs in which the first bot had less than half of the points."""
        return self._with_surplus(-1)

    @property
    def matches(self) -> tuple[int, int, int]:
        """Numbers of matches that the first bot won, drew and lost."""
        won, drawn, all_of_them = (
            sum(kind[column] * count for kind, count in self.kinds.items()) for column in (1, 2, 0)
        )
        return won, drawn, all_of_them - won - drawn

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """Numbers of pairs with 0, 0.5, 1, 1.5 and 2 points; empty unless all pairs are two matches."""
        if any(matches != 2 for matches, _, _ in self.kinds):
            return ()
        points = Counter[int]()
        for (_, won, drawn), count in self.kinds.items():
            points[2 * won + drawn] += count
        return tuple(points[half_points] for half_points in range(5))

    @property
    def effect_size(self) -> float | None:
        """Cohen's d: standard deviations by which a pair's mean score is above a half; None if all scores are equal."""
        scores = {kind: (kind[1] + kind[2] / 2) / kind[0] for kind in self.kinds}
        if len(set(scores.values())) < 2:
            return None
        pairs = sum(self.kinds.values())
        mean = sum(count * scores[kind] for kind, count in self.kinds.items()) / pairs
        variance = sum(count * (scores[kind] - mean) ** 2 for kind, count in self.kinds.items()) / pairs
        return float((mean - 0.5) / variance**0.5)

    def turned(self) -> PairRecord:
        """Return the record with the two bots exchanged."""
        kinds = {(matches, matches - won - drawn, drawn): count for (matches, won, drawn), count in self.kinds.items()}
        return PairRecord(kinds)

    def _with_surplus(self, sign: int) -> int:
        surplus = {kind: 2 * kind[1] + kind[2] - kind[0] for kind in self.kinds}
        return sum(count for kind, count in self.kinds.items() if (surplus[kind] > 0) - (surplus[kind] < 0) == sign)


def duels_of(entries: Entries, *, bots: tuple[str, ...], settings: tuple[str, ...]) -> Duels:
    """Return comparisons of all pairs of rivals in matches of two teams, weighted to count a match once per team."""
    counts: Counter[tuple[_Met, ...]] = Counter()
    for rows in rows_by(entries.pair):
        counts.update(_gather(entries.at(rows)))
    comparisons, copies = [], {}
    for at, kinds in enumerate(sorted(counts, key=lambda kinds: (len(kinds), kinds))):
        pair_id = f"{at:09}"
        copies[pair_id] = counts[kinds]
        comparisons += [
            Comparison(bots[one], bots[other], half_points / 2, pair_id, settings[setting], 1 / partners)
            for setting, one, other, half_points, partners in kinds
        ]
    return Duels(tuple(comparisons), copies)


def _gather(entries: Entries) -> dict[tuple[_Met, ...], int]:
    """Count the pairs of matches with equal results: results -> number of pairs, in no order."""
    first, second = rivals(entries)
    size = np.bincount(entries.side)
    columns = (
        entries.setting[first],
        entries.bot[first],
        entries.bot[second],
        1 + np.sign(entries.rank[second] - entries.rank[first]),
        np.maximum(size[entries.side[first]], size[entries.side[second]]),
    )
    kind = combine(*columns)
    at = first_of(kind)
    named = list(zip(*(column[at].tolist() for column in columns), strict=True))
    order = np.lexsort((kind, entries.pair[first]))
    pair, kind = combine(entries.pair[first][order]), kind[order]
    size = np.bincount(pair)
    start = np.cumsum(size) - size
    found: dict[tuple[_Met, ...], int] = {}
    for width in np.unique(size):
        cells = kind[start[size == width][:, None] + np.arange(width)]
        code = combine(*cells.T)
        for one, count in zip(cells[first_of(code)].tolist(), np.bincount(code).tolist(), strict=True):
            found[tuple(named[number] for number in one)] = count
    return found


def choices_among(entries: Entries, *, bots: tuple[str, ...]) -> Choices:
    """Return the rank order of every match as choices of the best among those left, for a Plackett-Luce fit.

    The units are pairs. A bot with several sides in a match stands at their mean rank.
    """
    unit = shrunk(combine(entries.pair))
    found: defaultdict[tuple[bool, ...], list[tuple[Indices, Indices]]] = defaultdict(list)
    for rows in stretches(entries.match):
        for ties, bot, own in _orders(entries.at(rows), unit[rows]):
            found[ties].append((bot, own))
    in_order = sorted(found.items(), key=lambda item: (len(item[0]), item[0]))
    orders = [_Orders.of(ties, *map(np.concatenate, zip(*parts, strict=True))) for ties, parts in in_order]
    met = np.unique(np.concatenate([_NO_INDICES, *(np.unique(order.bot) for order in orders)]))
    index = places_of(met, count=len(bots))
    chosen = np.zeros((int(unit.max(initial=-1)) + 1, len(met)))
    for order in orders:
        for at, share in enumerate(order.chosen):
            np.add.at(chosen, (order.unit, index[order.bot[:, at]]), share)
    among, chosen_from = _sets([index[one] for order in orders for one in order.sets()], bots=len(met))
    return Choices(
        bots=tuple(bots[code] for code in met),
        units=tuple(f"{number:09}" for number in range(len(chosen))),
        among=among,
        unit=np.concatenate([_NO_INDICES, *(order.unit for order in orders for _ in order.left)]),
        chosen_from=chosen_from,
        weight=np.concatenate(
            [np.zeros(0, np.float32)]
            + [shrunk(np.full(len(order.unit), share)) for order in orders for _, share in order.left]
        ),
        chosen=chosen,
    )


@dataclass(frozen=True, slots=True)
class _Orders:
    """Rank orders of matches with equally many bots and ties in the same places: an array (match, place), best first.

    An order is a series of choices of the best among the bots left. `left` holds the places left at each choice, and
    in what share of the possible orders of tied bots; `chosen` is how often each place was the choice.
    """

    bot: Indices
    unit: Indices
    left: tuple[tuple[tuple[int, ...], float], ...]
    chosen: tuple[float, ...]

    @classmethod
    def of(cls, ties: Sequence[bool], bot: Indices, unit: Indices) -> _Orders:
        """Make the rank orders of matches; `ties` says for each place if it is tied with the next."""
        return cls(bot, unit, *_taken_apart(ties))

    def sets(self) -> list[Indices]:
        """Return the bots left at each choice: for each element of `left` a sorted array (match, bot)."""
        return [np.sort(self.bot[:, list(places)], axis=1) for places, _ in self.left]


def _orders(entries: Entries, unit: Indices) -> Iterator[tuple[tuple[bool, ...], Indices, Indices]]:
    """Yield matches of several bots by their pattern of ties: (pattern, bots (match, place), unit of each match)."""
    place = combine(entries.match, entries.bot)
    first = first_of(place)
    rank = np.bincount(place, entries.rank) / np.maximum(1, np.bincount(place))
    order = np.lexsort((entries.bot[first], rank, entries.match[first]))
    first, rank = first[order], rank[order]
    size = np.bincount(entries.match[first])
    start = np.cumsum(size) - size
    for width in np.unique(size[size > 1]):  # not a bot alone with itself
        cells = start[size == width][:, None] + np.arange(width)
        is_tied = np.diff(rank[cells], axis=1) == 0
        pattern = combine(*is_tied.astype(np.int64).T)
        for number, one in enumerate(first_of(pattern)):
            rows = first[cells[pattern == number]]
            yield tuple(is_tied[one].tolist()), entries.bot[rows], unit[rows[:, 0]]


def _taken_apart(is_tied: Sequence[bool]) -> tuple[tuple[tuple[tuple[int, ...], float], ...], tuple[float, ...]]:
    """Split a ranking into choices of the best bot left; return the places left at each, and how often each wins.

    `is_tied`: True if a place is tied with the next. Tied bots count in all their orders, with equal shares. Each set
    of places comes with its share; the last bot left is no choice.
    """
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
            chosen[places[0]] -= share  # no other was left: no choice
    return tuple(left), tuple(chosen)


def _sets(sets: Sequence[Indices], *, bots: int) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Return each distinct set of bots as a row of an array (set, bot), and for each given set its row number."""
    numbers: list[Indices] = [_NO_INDICES for _ in sets]
    rows = [np.zeros((0, bots))]
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
    """Return how many pairs each bot won against each other bot, as one comparison each; even pairs are left out."""
    comparisons: list[Comparison] = []
    copies: dict[str, int] = {}
    for (one, other), record in pairs_between(entries).items():
        for score, count in ((0.0, record.lost), (1.0, record.won)):
            if count:
                pair_id = f"{len(copies):09}"
                copies[pair_id] = count
                comparisons.append(Comparison(bots[one], bots[other], score, pair_id))
    return Duels(tuple(comparisons), copies)


def pairs_between(entries: Entries) -> dict[tuple[int, int], PairRecord]:
    """Return the results of each pair of bots that were rivals, by their codes, the lower code first."""
    found: defaultdict[tuple[int, int], Counter[_Kind]] = defaultdict(Counter)
    for rows in rows_by(entries.pair):
        for one, other, kind, count in _pairs_alike(entries.at(rows)):
            found[one, other][kind] += count
    return {two: PairRecord(found[two]) for two in sorted(found)}


def _pairs_alike(entries: Entries) -> Iterator[tuple[int, int, _Kind, int]]:
    """Yield (bot, other, kind, count): the codes of two bots, lower first, and how many pairs had these results.

    `kind`: (matches, won, drawn) of the first bot.
    """
    first, second = rivals(entries)
    is_turned = entries.bot[first] > entries.bot[second]
    one, other = np.where(is_turned, second, first), np.where(is_turned, first, second)
    sign = np.sign(entries.rank[other] - entries.rank[one])
    cell = combine(entries.bot[one], entries.bot[other], entries.pair[one])
    at = first_of(cell)
    counts = [np.bincount(cell, counted).astype(np.int64) for counted in (np.ones(len(cell)), sign > 0, sign == 0)]
    columns = (entries.bot[one][at], entries.bot[other][at], *counts)
    alike = combine(*columns)
    at = first_of(alike)
    rows = zip(*(column[at].tolist() for column in columns), np.bincount(alike).tolist(), strict=True)
    return ((one, other, (matches, won, drawn), count) for one, other, matches, won, drawn, count in rows)
