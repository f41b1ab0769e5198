"""The schedule of a contest: computes which bots meet next, from values alone, without I/O.

A batch gives every version that plays one pair: two matches on one seed with swapped seats. It meets a rival
whom it has not just met, chosen so that the result tells most: it is open, and the difference in strength is not well
known. Every third pair is against a staff bot as long as its grade needs such pairs. If the number of versions is odd,
the one left over meets a staff bot too. Matching is greedy, then improved by exchanges.

A version whose matches take longer than twice the median sits out whole batches, so that all use about the same time.

After the deadline, a version that has had its first pairs meets staff alone, as often as its grade needs, and so does
at any time a version that was received too late.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from gridjoust.runner.statistics.elo import ELO_PER_NAT
from gridjoust.runner.statistics.fitting import Floats, logistic
from gridjoust.serve.ratings import FIRST_SPREAD

NEW_PAIRS = 16  # that a new version plays before it waits for batches alone
APART = 5  # batches from one pair of two rivals to their next
LEAST_BOTS = 8  # with fewer there are too few rivals for that
STAFF_EVERY = 3  # pairs: one of them is against staff, as long as the grade needs it
SLOW = 2.0  # times the median: above it, a version sits out
_NEVER = -1e6  # the worth of a pair that has just met
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(7)  # for means over a normal distribution


@dataclass(frozen=True, slots=True)
class Active:
    """A version that plays, as the schedule sees it."""

    label: str
    elo: float = 0.0
    pairs: int = 0  # that it has played, or that wait
    staff: Mapping[str, int] = field(default_factory=dict)  # its pairs against each staff bot so far
    recent: frozenset[str] = frozenset()  # rivals in the last `APART` - 1 batches
    met: Mapping[str, int] = field(default_factory=dict)  # rated matches against each rival so far
    prior_spread: float = FIRST_SPREAD  # Elo: what was not known of it before its first match
    mean_s: float | None = None  # of its matches
    is_late: bool = False  # received after the deadline: it meets staff alone


@dataclass(frozen=True, slots=True)
class Planned:
    """A pair to play; `staff_number` counts the pairs of a version against that staff bot, None: a rival."""

    first: str
    second: str
    staff_number: int | None = None


def make_batch(
    bots: Sequence[Active], staff: Sequence[str], *, batch: int, staff_pairs: int, is_frozen: bool = False
) -> list[Planned]:
    """Return the pairs of the next batch. `staff_pairs`: pairs that the grade needs against each staff bot.

    `is_frozen`: the deadline has passed; then no version sits out, as the batches end.
    """
    slow = set[str]() if is_frozen else sitting_out(bots, batch=batch)
    playing = sorted((bot for bot in bots if bot.label not in slow), key=lambda bot: bot.label)
    settled = {bot.label for bot in playing if bot.is_late or (is_frozen and bot.pairs >= NEW_PAIRS)}
    graded = [bot for bot in playing if _meets_staff(bot, staff, staff_pairs, is_due=bot.label in settled)]
    chosen = settled | {bot.label for bot in graded}
    rivals = [bot for bot in playing if bot.label not in chosen]
    if len(rivals) % 2 and staff:
        odd = min(rivals, key=lambda bot: (sum(bot.staff.values()), bot.pairs, bot.label))
        graded.append(odd)
        rivals.remove(odd)
    pairs = [Planned(one.label, other.label) for one, other in match_up(rivals)]
    return [*pairs, *(_against_staff(bot, staff) for bot in graded)]


def make_extras(bots: Sequence[Active], staff: Sequence[str], *, staff_pairs: int) -> list[Planned]:
    """Return a pair for every new version, beyond the batches; [] if most versions are new, as batches suffice then."""
    bots = [bot for bot in bots if not bot.is_late]
    new = [bot for bot in bots if bot.pairs < NEW_PAIRS]
    if not new or 2 * len(new) > len(bots):
        return []
    used: set[str] = set()
    planned = []
    worth, places = _worth(bots), {bot.label: at for at, bot in enumerate(bots)}
    for bot in sorted(new, key=lambda one: (one.pairs, one.label)):
        if bot.label in used:
            continue
        worths = worth[places[bot.label]]
        rivals = [one for one in bots if one.label not in used and worths[places[one.label]] > _NEVER / 2]
        if _meets_staff(bot, staff, staff_pairs) or not rivals:
            planned.append(_against_staff(bot, staff))
            continue
        rival = max(rivals, key=lambda one: (worths[places[one.label]], one.label))
        used |= {bot.label, rival.label}
        planned.append(Planned(bot.label, rival.label))
    return planned


def sitting_out(bots: Sequence[Active], *, batch: int) -> set[str]:
    """Return the versions that sit this batch out, as their matches take too long."""
    return {label for label, period in periods(bots).items() if batch % period}


def periods(bots: Sequence[Active]) -> dict[str, int]:
    """Return a number n for each version, which then plays in every n-th batch: 1, or more if its matches take long."""
    known = [bot.mean_s for bot in bots if bot.mean_s is not None]
    middle = median(known) if known else 0.0
    return {
        bot.label: math.ceil(bot.mean_s / middle) if bot.mean_s is not None and bot.mean_s > SLOW * middle > 0 else 1
        for bot in bots
    }


def _meets_staff(bot: Active, staff: Sequence[str], staff_pairs: int, *, is_due: bool = False) -> bool:
    is_needed = any(bot.staff.get(name, 0) < staff_pairs for name in staff)
    return is_needed and (is_due or bot.pairs % STAFF_EVERY == STAFF_EVERY - 1)


def _against_staff(bot: Active, staff: Sequence[str]) -> Planned:
    """Return a pair against the staff bot that this version has met least, the weakest of several."""
    name = min(staff, key=lambda one: bot.staff.get(one, 0))
    return Planned(bot.label, name, bot.staff.get(name, 0))


def match_up(bots: Sequence[Active]) -> list[tuple[Active, Active]]:
    """Pair the bots so that results tell most, if possible not with a rival just met; of an odd number one is left."""
    worth = _worth(bots)
    mates = _improved(worth, _greedy(worth))
    if any(worth[one, other] <= _NEVER / 2 for one, other in mates) and len(bots) >= LEAST_BOTS:
        mates = _exact(worth) or mates
    return [(bots[one], bots[other]) for one, other in mates]


def _worth(bots: Sequence[Active]) -> Floats:
    """Return, by (bot, bot), the worth of a pair: the information that it is expected to add to the ratings.

    It is large if the result is open, and if few matches compare the two so far, directly or through other bots.
    """
    nats = np.array([bot.elo for bot in bots]) / ELO_PER_NAT
    apart = nats[:, None] - nats
    unknown = _variances(bots, apart)
    openness = np.zeros_like(apart)
    for node, weight in zip(_NODES, _WEIGHTS / _WEIGHTS.sum(), strict=True):
        chance = logistic(apart + node * np.sqrt(unknown))
        openness += weight * chance * (1 - chance)
    worth: Floats = np.log1p(2 * openness * unknown).round(9)  # equal pairs are equal on every machine
    for at, bot in enumerate(bots):
        worth[at, [place for place, one in enumerate(bots) if one.label in bot.recent]] = _NEVER
    worth = np.minimum(worth, worth.T)
    np.fill_diagonal(worth, -np.inf)
    return worth


def _variances(bots: Sequence[Active], apart: Floats) -> Floats:
    """Return, by (bot, bot), the variance of their difference in strength after the matches so far, in nats squared."""
    games = np.array([[bot.met.get(one.label, 0) for one in bots] for bot in bots], dtype=np.float64).reshape(
        apart.shape
    )
    chance = logistic(apart)
    between = games * chance * (1 - chance)
    weights = (ELO_PER_NAT / np.array([bot.prior_spread for bot in bots])) ** 2
    covariance = np.linalg.inv(np.diag(between.sum(axis=1) + weights) - between)
    own = np.diag(covariance)
    variances: Floats = np.maximum(own[:, None] + own - 2 * covariance, 0.0)
    return variances


_Mates = list[tuple[int, int]]


def _greedy(worth: Floats) -> _Mates:
    """Return pairs, chosen one after another: the next bot is the one whose best rival is worth least."""
    left, mates = worth.copy(), []
    for _ in range(len(worth) // 2):
        best = left.max(axis=1, initial=-np.inf)
        best[np.isneginf(best)] = np.inf
        one = int(best.argmin())
        other = int(left[one].argmax())
        mates.append((one, other))
        left[[one, other], :] = -np.inf
        left[:, [one, other]] = -np.inf
    return mates


def _improved(worth: Floats, mates: _Mates) -> _Mates:
    """Exchange the rivals of two pairs as long as that makes both together worth more; return the pairs."""
    pairs = np.array(mates, dtype=np.intp).reshape(-1, 2)
    for _ in range(4 * len(pairs)):
        one, other = pairs[:, 0], pairs[:, 1]
        now = worth[one, other]
        before = now[:, None] + now
        straight = worth[one[:, None], one] + worth[other[:, None], other] - before
        crossed = worth[one[:, None], other] + worth[other[:, None], one] - before
        np.fill_diagonal(straight, -np.inf)
        np.fill_diagonal(crossed, -np.inf)
        is_straight = straight.max(initial=-np.inf) >= crossed.max(initial=-np.inf)
        gain = straight if is_straight else crossed
        if gain.max(initial=-np.inf) < 1e-9:
            break
        at, by = np.unravel_index(int(gain.argmax()), gain.shape)
        (a, b), (c, d) = pairs[at].tolist(), pairs[by].tolist()
        pairs[at], pairs[by] = ((a, c), (b, d)) if is_straight else ((a, d), (b, c))
    return [(int(one), int(other)) for one, other in pairs]


def _exact(worth: Floats) -> _Mates:
    """Return the best pairs without rivals that have just met; [] if not all bots can be paired so."""
    import networkx as nx  # noqa: PLC0415 - heavy, and rarely needed

    graph = nx.Graph()
    for one, other in zip(*np.nonzero(np.triu(worth > _NEVER / 2, 1)), strict=True):
        graph.add_edge(int(one), int(other), weight=float(worth[one, other]))
    mates = sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True))
    return mates if 2 * len(mates) == len(worth) - len(worth) % 2 else []
