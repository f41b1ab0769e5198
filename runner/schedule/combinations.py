"""Orders the groups of bots that play each other so that every prefix of the order is nearly balanced.

Everything is lazy: the first group comes at once, even if there are very many. Bots are indices here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import gcd

from gridjoust.runner.config.formats import Gauntlet, Groups

Group = tuple[int, ...]


def groups(form: Groups, names: Sequence[str], sides: int) -> Iterator[Group]:
    """Return the groups of bots that play in one round, `sides` bots in each; `form.count_groups` is their number."""
    if isinstance(form, Gauntlet):
        return gauntlet_groups(len(names), tuple(names.index(name) for name in form.challengers), sides)
    return spread_combinations(len(names), sides)


def spread_combinations(count: int, size: int) -> Iterator[Group]:
    """Yield every group of `size` out of `count` indices once.

    Pairs come by the circle method: each of its rounds has every index once (one rests if `count` is odd).

    >>> list(spread_combinations(4, 2))
    [(0, 3), (1, 2), (1, 3), (0, 2), (2, 3), (0, 1)]
    """
    if size == 2:
        yield from _circle_pairs(count)
    elif size == 0:
        yield ()
    elif size <= count:
        yield from _orbits(count, size)


def gauntlet_groups(count: int, challengers: tuple[int, ...], size: int) -> Iterator[Group]:
    """Yield every group with exactly one challenger; neighbours differ in the challenger and in the others."""
    others = tuple(index for index in range(count) if index not in challengers)
    for start in range(len(challengers)):
        for step, group in enumerate(spread_combinations(len(others), size - 1)):
            challenger = challengers[(start + step) % len(challengers)]
            yield (challenger, *(others[index] for index in group))


def _circle_pairs(count: int) -> Iterator[Group]:
    """Yield pairs round by round: the last index stays, the others turn around it (Schurig 1886).

    If `count` is odd, there is one index more, and its partner rests.
    """
    half = (count + 1) // 2
    last = 2 * half - 1
    for turn in range(last):
        for offset in range(half):
            first = (turn + offset) % last
            second = last if offset == 0 else (turn - offset) % last
            if second < count:
                yield (min(first, second), max(first, second))


def _orbits(count: int, size: int) -> Iterator[Group]:
    """Yield groups as orbits of the shift by one: each orbit has every index equally often."""
    for rest in combinations(range(1, count), size - 1):
        group = (0, *rest)
        gaps = tuple(after - before for before, after in zip(group, (*rest, count), strict=True))
        turned = [gaps[place:] + gaps[:place] for place in range(1, size + 1)]
        if min(turned) != gaps:
            continue  # a shift of a group that is listed before or later
        length = sum(gaps[: turned.index(gaps) + 1])
        for shift in _strides(count, size) if length == count else range(length):
            yield tuple(sorted((index + shift) % count for index in group))


def _strides(count: int, size: int) -> Iterator[int]:
    """Yield every shift below `count` once, in steps of `size`, so that neighbours share few indices."""
    cycle = count // gcd(count, size)
    for start in range(count // cycle):
        yield from ((start + size * step) % count for step in range(cycle))
