"""Evidence that one bot is better than another, at any time and whatever the distribution of results. Pure.

An e-value: a bet that is fair or worse if the bot is no better, so its gains exceed 1 / alpha with probability alpha at
most, however often one looks (J. Ville (1939), "Etude critique de la notion de collectif"). Bets on a bounded mean
after I. Waudby-Smith & A. Ramdas (2024), "Estimating means of bounded random variables by betting", JRSS B 86:1; here a
mixture of constant bets, so the order of the results does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

_STAKES = tuple(0.02 * (1.9 / 0.02) ** (at / 19) for at in range(20))  # shares of the most that can be staked: up to 2


def better_evidence(counts: Sequence[int]) -> float:
    """Return the e-value against "no better", from how many units scored each of the possible points, worst first.

    `counts` are (losses, draws, wins) of single matches or the five counts of pairs. 20 or more rejects "no better" at
    5 %. Units must be independent of each other or at least fair given those before. Never infinite: it is cut off at
    1e300. ValueError for fewer than two counts or a negative one.

    >>> better_evidence((0, 0, 0)), round(better_evidence((0, 0, 10)), 1)
    (1.0, 63.8)
    """
    if len(counts) < 2 or min(counts) < 0:
        raise ValueError(f"expected counts from worst to best, got {list(counts)}")
    leads = [at / (len(counts) - 1) - 0.5 for at in range(len(counts))]
    gains = [
        math.fsum(count * math.log1p(stake * lead) for count, lead in zip(counts, leads, strict=True))
        for stake in _STAKES
    ]
    return math.exp(min(690.0, max(gains) + math.log(math.fsum(math.exp(one - max(gains)) for one in gains) / 20)))


def series_level(number: int, *, alpha: float) -> float:
    """Return the level of the test with this number, from 1, in a series of unknown length.

    alpha / (k (k + 1)): all levels together are alpha, and those of the first k tests alpha k / (k + 1). D. P. Foster &
    R. A. Stine (2008), "Alpha-investing", JRSS B 70:429, compare such ways to spend alpha.

    >>> [round(0.05 / series_level(number, alpha=0.05)) for number in (1, 2, 3)]
    [2, 6, 12]
    """
    return alpha / (number * (number + 1))
