"""Sequential probability ratio tests of two bots: is one better by elo1 or only by elo0? Pure; plays nothing.

The generalized test (GSPRT): the likelihood ratio of the two distributions of results that fit the counts best under
either hypothesis; M. Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo". Bounds after A. Wald
(1945), "Sequential tests of statistical hypotheses", Ann. Math. Statist. 16:117.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from runner.statistics.elo import ELO_PER_NAT, score_from_elo

_NO_COUNT = 1e-3  # stands for a count of 0, whose logarithm would be infinite; as in fishtest and fastchess
_MAX_STEPS = 1000
_MAX_T = 0.9  # beyond, no distribution near the counts may have that t value
_TOLERANCE = 1e-12


class Model(StrEnum):
    """What the Elo of the hypotheses means."""

    NORMALIZED = (
        "normalized"  # score over its deviation per match: the matches needed do not depend on how often is drawn
    )
    LOGISTIC = "logistic"  # the usual scale: 400 points are odds of 10 to 1
    BAYESELO = (
        "bayeselo"  # logistic with a draw parameter taken from the counts; of single matches only, as in cutechess
    )


class Hypothesis(StrEnum):
    """H0: the difference is `elo0`; H1: it is `elo1`."""

    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True, slots=True)
class SprtResult:
    """Log likelihood ratio of H1 over H0, the bounds at which the test ends, and which was accepted, if one was."""

    llr: float
    lower: float
    upper: float
    accepted: Hypothesis | None


def sprt(
    counts: Sequence[float],
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: Model | str = Model.NORMALIZED,
) -> SprtResult:
    """The test after `counts`: (losses, draws, wins), or pairs that scored 0, 0.5, 1, 1.5 and 2 points.

    LLR = N sum p_i (ln q1_i - ln q0_i), p being the shares counted and q the most likely distribution whose mean is s0
    or s1 (logistic), or whose t value (mean - 0.5) / deviation is t0 or t1 (normalized; times sqrt 2 for pairs). H1 is
    accepted from ln((1 - beta) / alpha) on, H0 down from ln(beta / (1 - alpha)): a truth of `elo0` is then rejected
    with probability `alpha` at most, one of `elo1` with `beta`, whenever one looks. ValueError for other counts.
    """
    model = Model(model)
    shares = count_shares(counts, model)
    if not (elo0 < elo1 and alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(f"expected elo0 < elo1 and alpha + beta below 1, got {elo0:g}, {elo1:g}, {alpha:g}, {beta:g}")
    if model is Model.BAYESELO:
        llr = _bayeselo_ratio(counts, elo0, elo1)
    elif model is Model.LOGISTIC:
        llr = _ratio(shares, *(_with_mean(shares, score_from_elo(elo)) for elo in (elo0, elo1)))
    else:
        llr = _ratio(shares, *(_with_t(shares, _t_value(elo, len(counts))) for elo in (elo0, elo1)))
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    accepted = Hypothesis.H0 if llr <= lower else Hypothesis.H1 if llr >= upper else None
    return SprtResult(llr, lower, upper, accepted)


def bayeselo_chances(elo: float, draw_elo: float) -> tuple[float, float, float]:
    """(loss, draw, win) of BayesElo's model: a win at odds of 10^((elo - draw_elo) / 400), losses mirrored.

    R. Coulom, BayesElo. `elo` is not the logistic scale: `bayeselo_scale` says how many of its points that is.
    """
    win, loss = score_from_elo(elo - draw_elo), score_from_elo(-elo - draw_elo)
    return loss, 1 - win - loss, win


def bayeselo_scale(draw_elo: float) -> float:
    """Logistic Elo points per point of BayesElo's near equality: 4 x / (1 + x)^2 with x = 10^(-draw_elo / 400)."""
    x = 10 ** (-draw_elo / 400)
    return 4 * x / (1 + x) ** 2


def pair_chances(elo: float, draw_elo: float, seed_biases: Sequence[float]) -> tuple[float, ...]:
    """Chances of 0, 0.5, 1, 1.5 and 2 points in a pair of matches whose seed favours the first seat.

    `seed_biases` are equally likely, in points of BayesElo's scale; M. Van den Bergh, "Pentanomial".
    """
    total = [0.0] * 5
    for bias in seed_biases:
        ahead, behind = bayeselo_chances(elo + bias, draw_elo), bayeselo_chances(elo - bias, draw_elo)
        for one, chance in enumerate(ahead):
            for other, second_chance in enumerate(behind):
                total[one + other] += chance * second_chance / len(seed_biases)
    return tuple(total)


@dataclass(frozen=True, slots=True)
class Shares:
    """How often each score was reached, per unit. No share is 0."""

    units: float
    scores: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Of the score."""
        return math.fsum(score * share for score, share in zip(self.scores, self.shares, strict=True))

    @property
    def variance(self) -> float:
        """Of the score of one unit."""
        mean = self.mean
        return math.fsum(share * (score - mean) ** 2 for score, share in zip(self.scores, self.shares, strict=True))


def count_shares(counts: Sequence[float], model: Model) -> Shares:
    """The counts as shares; ValueError for counts that the model does not know."""
    wanted = (3,) if model is Model.BAYESELO else (3, 5)
    if len(counts) not in wanted or min(counts) < 0:
        raise ValueError(f"expected {' or '.join(map(str, wanted))} counts from worst to best, got {list(counts)}")
    filled = [count or _NO_COUNT for count in counts]
    units = math.fsum(filled)
    best = len(counts) - 1
    return Shares(units, tuple(at / best for at in range(best + 1)), tuple(count / units for count in filled))


def _ratio(shares: Shares, null: Sequence[float], alternative: Sequence[float]) -> float:
    parts = zip(shares.shares, null, alternative, strict=True)
    return shares.units * math.fsum(share * math.log(q1 / q0) for share, q0, q1 in parts)


def _t_value(elo: float, counts: int) -> float:
    """(mean - 0.5) / deviation of a unit at this normalized Elo."""
    t = elo / (2 * ELO_PER_NAT) * (math.sqrt(2) if counts == 5 else 1.0)
    if abs(t) > _MAX_T:
        raise ValueError(f"expected a normalized Elo of at most {_MAX_T * abs(elo / t):.0f} either way, got {elo:g}")
    return t


def _with_mean(shares: Shares, mean: float) -> list[float]:
    """The most likely distribution with this mean."""
    return _tilted(shares, [score - mean for score in shares.scores])


def _with_t(shares: Shares, t: float) -> list[float]:
    """The most likely distribution with (mean - 0.5) / deviation = `t`.

    The condition is made linear around the last distribution, which gives a next one, until it stays.
    """
    chances = [1 / len(shares.scores)] * len(shares.scores)
    before = math.inf
    for _ in range(_MAX_STEPS):
        at = Shares(shares.units, shares.scores, tuple(chances))
        deviation = math.sqrt(at.variance)
        slopes = [
            score - 0.5 - t * deviation * (1 + ((score - at.mean) / deviation) ** 2) / 2 for score in shares.scores
        ]
        if max(slopes) <= 0 or min(slopes) >= 0:
            chances = [(chance + 1 / len(chances)) / 2 for chance in chances]  # too narrow a distribution to start from
            continue
        previous, chances = chances, _tilted(shares, slopes)
        change = max(abs(new - old) for new, old in zip(chances, previous, strict=True))
        if change < 1e-10 or before <= change < 1e-4:  # does not shrink: rounding is all that is left
            return chances
        if change >= before:  # swings around the answer
            chances = [(new + old) / 2 for new, old in zip(chances, previous, strict=True)]
        before = change
    raise ArithmeticError(f"expected the distribution to settle within {_MAX_STEPS} steps, at t = {t:g}")


def _tilted(shares: Shares, slopes: Sequence[float]) -> list[float]:
    """The distribution q closest to the shares (in likelihood) with sum q_i slope_i = 0: share / (1 + x slope)."""
    low, high = -1 / max(slopes), -1 / min(slopes)
    x, before = 0.0, math.inf
    for _ in range(200):
        parts = [(share, slope, 1 + x * slope) for share, slope in zip(shares.shares, slopes, strict=True)]
        value = math.fsum(share * slope / below for share, slope, below in parts)  # falls with x
        if abs(x * value) < _TOLERANCE and abs(value) < _TOLERANCE:
            break
        low, high = (x, high) if value > 0 else (low, x)
        step = x + value / math.fsum(share * (slope / below) ** 2 for share, slope, below in parts)
        is_good = low < step < high and abs(value) < before / 2  # Newton's; else halve
        x, before = (step if is_good else (low + high) / 2), abs(value)
    return [share / (1 + x * slope) for share, slope in zip(shares.shares, slopes, strict=True)]


def _bayeselo_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """cutechess's: half a match is added to every count for the draw parameter."""
    losses, draws, wins = (count + 0.5 for count in counts)
    total = losses + draws + wins
    loss, win = losses / total, wins / total
    draw_elo = 200 * math.log10((1 - loss) / loss * (1 - win) / win)
    scale = bayeselo_scale(draw_elo)
    null, alternative = (bayeselo_chances(elo / scale, draw_elo) for elo in (elo0, elo1))
    parts = zip((losses, draws, wins), null, alternative, strict=True)
    return math.fsum(count * math.log(q1 / q0) for count, q0, q1 in parts)
