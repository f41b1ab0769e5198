"""Decides once per table which bots differ, and finds the letters that show it.

The decision is about all pairs of bots together: if no two bots of a table differ in truth, any two of them are called
separated in at most 5 % of tables. A bot that is not compared with another (no common seed, no common rival) is neither
separated from it nor level with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from gridjoust.runner.statistics.rank_tests import holm

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Separations:
    """Which bots are separated: symmetric arrays (bot, bot); `bots` are the codes of the bots in their rows."""

    bots: tuple[int, ...]
    is_compared: Mask
    is_separated: Mask

    def of(self, bot: int, other: int) -> bool | None:
        """Return True if the two bots are separated; None if they were never compared or one is not in the table."""
        if bot not in self.bots or other not in self.bots:
            return None
        one, two = self.bots.index(bot), self.bots.index(other)
        return bool(self.is_separated[one, two]) if self.is_compared[one, two] else None

    def among(self, order: Sequence[int]) -> tuple[Mask, Mask]:
        """Return `is_compared` and `is_separated` for these bots in this order; False for bots not in the table."""
        place = {bot: at for at, bot in enumerate(self.bots)}
        at = np.array([place.get(bot, -1) for bot in order], dtype=np.int64)
        known = np.outer(at >= 0, at >= 0)
        if not self.bots:
            return known, known.copy()
        return self.is_compared[np.ix_(at, at)] & known, self.is_separated[np.ix_(at, at)] & known


def separate_by_holm(p_values: NDArray[np.float64], *, bots: Sequence[int], level: float = 0.05) -> Separations:
    """Decide which bots are separated, from two-sided p-values (upper triangle); nan if two bots were never compared.

    S. Holm (1979), "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6:65.
    """
    one, two = np.triu_indices(len(bots), 1)
    known = ~np.isnan(p_values[one, two])
    one, two = one[known], two[known]
    decided = np.array(holm(p_values[one, two].tolist())) < level
    is_compared, is_separated = np.zeros((2, len(bots), len(bots)), dtype=bool)
    is_compared[one, two] = is_compared[two, one] = True
    is_separated[one, two] = is_separated[two, one] = decided
    return Separations(tuple(bots), is_compared, is_separated)


def letters(found: Separations, order: Sequence[int]) -> tuple[str, ...]:
    """Return for each bot of `order` (best first) the letters of its groups, such as `ab`; "" if it was never compared.

    Two bots share a letter if they were compared and are not separated, and only then.

    It is the compact letter display of H.-P. Piepho (2004), "An algorithm for a letter-based representation of
    all-pairwise comparisons", J. Comput. Graph. Statist. 13:456. Cliques cover the pairs that are not separated, so the
    time grows with the number of pairs only. After 52 letters come `a2`, `b2`, ... A bot that was compared with
    no other has none.
    """
    is_compared, is_separated = found.among(order)
    marks: list[list[str]] = [[] for _ in order]
    for number, members in enumerate(_cliques(is_compared & ~is_separated, np.asarray(is_compared.any(axis=1)))):
        letter = ascii_letters[number % 52] + (str(number // 52 + 1) if number >= 52 else "")
        for at in members:
            marks[at].append(letter)
    return tuple(map("".join, marks))


def pools(found: Separations, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the bots of `order` in pools: two are in one if a chain of comparisons leads from one to the other."""
    numbers = linked(found.among(order)[0])
    parted: dict[int, list[int]] = {}
    for bot, number in zip(order, numbers.tolist(), strict=True):
        parted.setdefault(number, []).append(bot)
    return tuple(map(tuple, parted.values()))


def linked(has_met: Mask) -> NDArray[np.intp]:
    """Return for each bot the number of its pool, which is the lowest index of a bot in it.

    `has_met`: a symmetric array (bot, bot).
    """
    numbers = np.full(len(has_met), -1)
    for first in range(len(has_met)):
        if numbers[first] < 0:
            own = np.zeros(len(has_met), dtype=bool)
            own[first] = True
            while (grown := own | has_met[own].any(axis=0)).sum() > own.sum():
                own = grown
            numbers[own] = first
    return numbers


def _cliques(level: Mask, is_shown: Mask) -> Iterator[list[int]]:
    """Yield sets of bots that are not separated from each other, until every pair of such bots (`level`) is in a set.

    Every bot of `is_shown` is in a set too.
    """
    open_pairs = np.triu(level, 1)
    is_named = np.zeros(len(level), dtype=bool)
    for first in range(len(level)):
        while is_shown[first] and (open_pairs[first].any() or not is_named[first]):
            members = [first]
            candidates = level[first].copy()
            candidates[first] = False
            wanted = np.flatnonzero(open_pairs[first])
            for at in (*wanted[:1], *range(first + 1, len(level)), *range(first)):
                if candidates[at]:
                    members.append(int(at))
                    candidates &= level[at]
                    candidates[at] = False
            open_pairs[np.ix_(members, members)] = False
            is_named[members] = True
            yield sorted(members)
