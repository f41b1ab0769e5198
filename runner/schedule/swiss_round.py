"""Pairs the bots of one round of a Swiss system by their scores and earlier opponents.

No bot rests more often than necessary, and no two bots play again if the round can be paired without that. Within these
rules, bots of equal scores play each other if possible, and the better half of a score group plays its other half. Bots
choose opponents from the top down; then opponents are swapped as long as that improves any two pairings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, count
from math import lcm

Duo = tuple[int, int]
Cost = tuple[int, int, int]


def pair_round(
    ranked: Sequence[int], scores: Mapping[int, Fraction], *, met: Counter[frozenset[int]], byes: Counter[int]
) -> tuple[list[Duo], int | None]:
    """Pair the bots `ranked` (best first), the better bot of each pairing first; return also the bot that rests.

    If their number is odd, one bot rests: the lowest of those that have rested least, or a higher one of them if that
    avoids rematches.
    """
    least = min(byes[place] for place in ranked)
    may_rest = [place for place in reversed(ranked) if byes[place] == least] if len(ranked) % 2 else [None]
    often, resting = next(
        (often, resting)
        for often in count()
        for resting in may_rest
        if can_pair([place for place in ranked if place != resting], met, often)
    )
    playing = [place for place in ranked if place != resting]
    return _Round(playing, scores, met, often).pair(), resting


def can_pair(places: Sequence[int], met: Counter[frozenset[int]], often: int) -> bool:
    """Return True if all bots can be paired with bots that they have played at most `often` times.

    Any perfect matching proves that, so ties between matchings do not change the schedule.
    """
    import networkx as nx  # noqa: PLC0415 - heavy, and only a Swiss round needs it

    graph = nx.Graph(duo for duo in combinations(places, 2) if met[frozenset(duo)] <= often)
    return 2 * len(nx.max_weight_matching(graph)) == len(places)


class _Round:
    """Pairs an even number of bots, best first, so that only bots that have met at most `often` times meet again."""

    def __init__(
        self, ranked: Sequence[int], scores: Mapping[int, Fraction], met: Counter[frozenset[int]], often: int
    ) -> None:
        self._ranked = list(ranked)
        self._met = met
        self._often = often
        scale = lcm(*(scores[place].denominator for place in ranked))
        self._score = {place: int(scores[place] * scale) for place in ranked}
        sizes = Counter(self._score.values())
        self._rank = {place: at for at, place in enumerate(ranked)}
        self._half = {place: sizes[self._score[place]] // 2 for place in ranked}
        blocked = Counter(place for duo, times in met.items() if times > often for place in duo)
        self._most_blocked = max(blocked[place] for place in ranked)

    def pair(self) -> list[Duo]:
        """Return the pairings in the order of their better bot."""
        return sorted(self._improve(self._from_the_top()), key=lambda duo: self._rank[duo[0]])

    def _from_the_top(self) -> list[Duo]:
        duos: list[Duo] = []
        left = self._ranked
        while left:
            best, others = left[0], left[1:]
            for other in sorted(others, key=lambda other: self._cost((best, other))):
                rest = [place for place in others if place != other]
                if self._may_meet((best, other)) and self._can_pair(rest):
                    break
            duos.append((best, other))
            left = rest
        return duos

    def _can_pair(self, rest: Sequence[int]) -> bool:
        """Return True if the rest of the bots can be paired.

        If each bot may play half of the rest, it is certain (G. A. Dirac, 1952).
        """
        return self._most_blocked < len(rest) // 2 or can_pair(rest, self._met, self._often)

    def _improve(self, duos: list[Duo]) -> list[Duo]:
        """Swap opponents between two pairings while that lowers their total cost."""
        is_better = True
        while is_better:
            is_better = False
            for one, other in combinations(range(len(duos)), 2):
                swapped = self._best_swap(duos[one], duos[other])
                if swapped is not None:
                    duos[one], duos[other] = swapped
                    is_better = True
        return duos

    def _best_swap(self, one: Duo, other: Duo) -> tuple[Duo, Duo] | None:
        (a, b), (c, d) = one, other
        options = [(self._ordered(a, c), self._ordered(b, d)), (self._ordered(a, d), self._ordered(b, c))]
        allowed = [option for option in options if all(map(self._may_meet, option))]
        best = min(allowed, key=self._costs, default=None)
        return best if best is not None and self._costs(best) < self._costs((one, other)) else None

    def _costs(self, duos: tuple[Duo, Duo]) -> Cost:
        (a, b, c), (d, e, f) = map(self._cost, duos)
        return (a + d, b + e, c + f)

    def _cost(self, duo: Duo) -> Cost:
        """Return the cost of a pairing, worst first: rematches, unequal scores, distance from half a score group."""
        better, worse = duo
        gap = self._score[better] - self._score[worse]
        apart = self._rank[worse] - self._rank[better]
        return (self._met[frozenset(duo)], gap**2, abs(apart - self._half[better]) if gap == 0 else apart)

    def _may_meet(self, duo: Duo) -> bool:
        return self._met[frozenset(duo)] <= self._often

    def _ordered(self, one: int, other: int) -> Duo:
        return (one, other) if self._rank[one] < self._rank[other] else (other, one)
