"""Sequential tests of two bots: is one better by elo1 or only by elo0, by how much, or better at all? Pure.

The generalized test (GSPRT): the likelihood ratio of the two distributions of results that fit the counts best under
either hypothesis; M. Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo". Bounds after A. Wald
(1945), "Sequential tests of statistical hypotheses", Ann. Math. Statist. 16:117.

A test that stops when it is convinced overstates what convinced it. The estimate of the strength allows for that: the
log likelihood ratio is taken as a Brownian motion between the two bounds, and outcomes are ordered by how well they
speak for the bot: early H0 < late H0 < still running, by ratio < late H1 < early H1. D. Siegmund (1985), "Sequential
Analysis", chapter III; fishtest reports it in the same form.

`better_evidence` holds at any time and for any distribution of results. It is an e-value: a bet that is fair or
worse if the bot is no better, so its gains exceed 1 / alpha with probability alpha at most, however often one looks
(J. Ville (1939), "Etude critique de la notion de collectif"). Bets on a bounded mean after I. Waudby-Smith & A. Ramdas
(2024), "Estimating means of bounded random variables by betting", JRSS B 86:1; here a mixture of constant bets, so the
order of the results does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from gridjoust.runner.statistics.elo import ELO_PER_NAT, elo_from_score, score_from_elo
from gridjoust.runner.statistics.intervals import CONFIDENCE, Interval

_NO_COUNT = 1e-3  # stands for a count of 0, whose logarithm would be infinite; as in fishtest and fastchess
_MAX_STEPS = 1000
_MAX_T = 0.9  # beyond, no distribution near the counts may have that t value
_TOLERANCE = 1e-12
_REACH = 30  # how far beyond the hypotheses a strength is looked for, in distances between them


class Model(StrEnum):
    """The scale on which the Elo of the hypotheses of a sequential test is given."""

    # score over its deviation per match: the matches needed do not depend on how often is drawn
    NORMALIZED = "normalized"
    LOGISTIC = "logistic"  # the usual scale: 400 points are odds of 10 to 1
    # logistic with a draw parameter taken from the counts; of single matches only, as in cutechess
    BAYESELO = "bayeselo"


class Hypothesis(StrEnum):
    """One of the two hypotheses of a sequential test. H0: the difference is `elo0`; H1: it is `elo1`."""

    H0 = "H0"
    H1 = "H1"


@dataclass(frozen=True, slots=True)
class SprtResult:
    """The state of a sequential test: log likelihood ratio of H1 over H0, bounds that end it, accepted hypothesis."""

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
    """Run the test on `counts`: (losses, draws, wins), or pairs that scored 0, 0.5, 1, 1.5 and 2 points.

    LLR = N sum p_i (ln q1_i - ln q0_i), p being the shares counted and q the most likely distribution whose mean is s0
    or s1 (logistic), or whose t value (mean - 0.5) / deviation is t0 or t1 (normalized; times sqrt 2 for pairs). H1 is
    accepted from ln((1 - beta) / alpha) on, H0 down from ln(beta / (1 - alpha)): a truth of `elo0` is then rejected
    with probability `alpha` at most, one of `elo1` with `beta`, whenever one looks. ValueError for other counts.
    """
    model = Model(model)
    shares = _count_shares(counts, model)
    if not (elo0 < elo1 and alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(f"expected elo0 < elo1 and alpha + beta below 1, got {elo0:g}, {elo1:g}, {alpha:g}, {beta:g}")
    if model is Model.BAYESELO:
        llr = _bayeselo_ratio(counts, elo0, elo1)
    elif model is Model.LOGISTIC:
        means = (score_from_elo(elo) for elo in (elo0, elo1))
        llr = _ratio(shares, *(_tilted(shares, [score - mean for score in shares.scores]) for mean in means))
    else:
        llr = _ratio(shares, *(_with_t(shares, _t_value(elo, len(counts))) for elo in (elo0, elo1)))
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    accepted = Hypothesis.H0 if llr <= lower else Hypothesis.H1 if llr >= upper else None
    return SprtResult(llr, lower, upper, accepted)


def bayeselo_chances(elo: float, draw_elo: float) -> tuple[float, float, float]:
    """Return (loss, draw, win) of BayesElo's model: a win has odds of 10^((elo - draw_elo) / 400), a loss is mirrored.

    R. Coulom, BayesElo. `elo` is not on the logistic scale; `bayeselo_scale` converts it.
    """
    win, loss = score_from_elo(elo - draw_elo), score_from_elo(-elo - draw_elo)
    return loss, 1 - win - loss, win


def bayeselo_scale(draw_elo: float) -> float:
    """Return the logistic Elo points in a point of BayesElo's between nearly equal bots.

    That is 4 x / (1 + x)^2 with x = 10^(-draw_elo / 400).
    """
    x = 10 ** (-draw_elo / 400)
    return 4 * x / (1 + x) ** 2


def pair_chances(elo: float, draw_elo: float, seed_biases: Sequence[float]) -> tuple[float, ...]:
    """Return the chances of 0, 0.5, 1, 1.5 and 2 points in a pair of matches whose seed favours the first seat.

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
class _Shares:
    """The share of units (matches or pairs) with each score; no share is 0."""

    units: float
    scores: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Mean score of one unit, 0 to 1."""
        return math.fsum(score * share for score, share in zip(self.scores, self.shares, strict=True))

    @property
    def variance(self) -> float:
        """Variance of the score of one unit."""
        mean = self.mean
        return math.fsum(share * (score - mean) ** 2 for score, share in zip(self.scores, self.shares, strict=True))


def _count_shares(counts: Sequence[float], model: Model) -> _Shares:
    """Return the counts as shares, zeros replaced by a small value; ValueError for counts that do not fit the model."""
    wanted = (3,) if model is Model.BAYESELO else (3, 5)
    if len(counts) not in wanted or min(counts) < 0:
        raise ValueError(f"expected {' or '.join(map(str, wanted))} counts from worst to best, got {list(counts)}")
    filled = [count or _NO_COUNT for count in counts]
    units = math.fsum(filled)
    best = len(counts) - 1
    return _Shares(units, tuple(at / best for at in range(best + 1)), tuple(count / units for count in filled))


def _ratio(shares: _Shares, null: Sequence[float], alternative: Sequence[float]) -> float:
    parts = zip(shares.shares, null, alternative, strict=True)
    return shares.units * math.fsum(share * math.log(q1 / q0) for share, q0, q1 in parts)


def _t_value(elo: float, counts: int) -> float:
    """Return (mean - 0.5) / deviation of one unit at this normalized Elo; `counts`: 5 for pairs, else 3.

    ValueError if `elo` is beyond `most_elo`.
    """
    is_paired = counts == 5
    if abs(elo) > (limit := most_elo(is_paired=is_paired)):
        raise ValueError(f"expected a normalized Elo of at most {limit} either way, got {elo:g}")
    return elo / _elo_of_t(is_paired=is_paired)


def most_elo(*, is_paired: bool) -> int:
    """Return the largest normalized Elo in size that the test can distinguish; `is_paired`: units are pairs."""
    return math.floor(_MAX_T * _elo_of_t(is_paired=is_paired))


def _elo_of_t(*, is_paired: bool) -> float:
    """Return the normalized Elo at which the t value of a unit is 1; `is_paired`: units are pairs of matches."""
    return 2 * ELO_PER_NAT / (math.sqrt(2) if is_paired else 1.0)


def _with_t(shares: _Shares, t: float) -> list[float]:
    """Find the most likely distribution with (mean - 0.5) / deviation = `t`.

    The condition is made linear around the last distribution, which gives the next one, until it no longer changes.
    """
    chances = [1 / len(shares.scores)] * len(shares.scores)
    before = math.inf
    for _ in range(_MAX_STEPS):
        at = _Shares(shares.units, shares.scores, tuple(chances))
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


def _tilted(shares: _Shares, slopes: Sequence[float]) -> list[float]:
    """Find the distribution q closest to the shares (in likelihood) with sum q_i slope_i = 0: share / (1 + x slope)."""
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
    """Return cutechess's log likelihood ratio; to fit the draw parameter, half a match is added to every count."""
    losses, draws, wins = (count + 0.5 for count in counts)
    total = losses + draws + wins
    loss, win = losses / total, wins / total
    draw_elo = 200 * math.log10((1 - loss) / loss * (1 - win) / win)
    scale = bayeselo_scale(draw_elo)
    null, alternative = (bayeselo_chances(elo / scale, draw_elo) for elo in (elo0, elo1))
    parts = zip((losses, draws, wins), null, alternative, strict=True)
    return math.fsum(count * math.log(q1 / q0) for count, q0, q1 in parts)


@dataclass(frozen=True, slots=True)
class StoppedElo:
    """Logistic Elo after a sequential test: median unbiased estimate, interval, and likelihood of superiority."""

    elo: float
    elo_interval: Interval
    los: float


def elo_after_sprt(
    counts: Sequence[float],
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: Model | str = Model.NORMALIZED,
    *,
    confidence: float = CONFIDENCE,
) -> StoppedElo | None:
    """Estimate the difference after `sprt` with the same arguments; None if results never vary.

    The estimate is the strength at which a worse outcome has probability 1/2. The ends of the interval are the
    strengths at which it has (1 +- confidence) / 2.
    """
    test = sprt(counts, elo0, elo1, alpha, beta, model)
    path = _path(counts, test, elo0, elo1, Model(model))
    if path is None:
        return None
    tail = (1 - confidence) / 2
    elo, low, high = (path.strength(worse) for worse in (0.5, tail, 1 - tail))
    return StoppedElo(elo, Interval(min(low, high), max(low, high)), path.worse(0.5))


@dataclass(frozen=True, slots=True)
class _Path:
    """A sequential test, treated as a Brownian motion between two bounds.

    `score0` and `score1`: the scores of the two hypotheses; `variance`: of a unit's score; `lower` and `upper`: the
    bounds of the log likelihood ratio; `llr`: its value after `units` units.
    """

    score0: float
    score1: float
    variance: float
    lower: float
    upper: float
    units: float
    llr: float

    def worse(self, score: float) -> float:
        """Return the chance of an outcome that speaks less for the bot, if `score` is the true score."""
        gap = self.score1 - self.score0
        drift = gap * (score - (self.score0 + self.score1) / 2) / self.variance
        return crossing_share(
            drift, gap * gap / self.variance, self.upper - self.lower, -self.lower, self.units, self.llr - self.lower
        )

    def strength(self, worse: float) -> float:
        """Find by bisection the Elo difference at which `_Path.worse` is this chance."""
        gap = self.score1 - self.score0
        low, high = max(1e-6, self.score0 - _REACH * gap), min(1 - 1e-6, self.score1 + _REACH * gap)
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.worse(middle) > worse else (low, middle)
        elo = elo_from_score((low + high) / 2)
        assert elo is not None
        return elo


def _path(counts: Sequence[float], test: SprtResult, elo0: float, elo1: float, model: Model) -> _Path | None:
    shares = _count_shares(counts, model)
    if sum(count > 0 for count in counts) < 2:
        return None
    if model is Model.NORMALIZED:
        matches = 2 if len(counts) == 5 else 1
        deviation = math.sqrt(shares.variance * matches)  # of one match
        score0, score1 = (0.5 + elo / (2 * ELO_PER_NAT) * deviation for elo in (elo0, elo1))
    else:
        score0, score1 = score_from_elo(elo0), score_from_elo(elo1)
    # the last unit carries the ratio beyond the bound: the motion stopped at the bound, a little earlier
    llr = min(max(test.llr, test.lower), test.upper)
    units = shares.units if llr == test.llr else shares.units * (llr / test.llr)
    return _Path(score0, score1, shares.variance, test.lower, test.upper, units, llr)


def crossing_share(drift: float, variance: float, width: float, start: float, time: float, place: float) -> float:
    """Return P(a motion leaves [0, width] at 0 before `time`, or is inside then and below `place`).

    The motion is Brownian, from `start` with `drift` and `variance` a unit of time. Each term of the spectral series of
    its density is integrated in closed form.
    """
    pull = drift / variance
    leaves_low = _leaves_low(pull, width, start)
    total = 0.0
    for n in range(1, 10_000):
        wave = n * math.pi / width
        exponent = pull * (place - start) - (pull * pull + wave * wave) * variance * time / 2
        size = math.exp(min(700.0, exponent)) / (pull * pull + wave * wave)
        total += math.sin(wave * start) * (pull * math.sin(wave * place) - wave * math.cos(wave * place)) * size
        if size * (abs(pull) + wave) < 1e-12:
            break
    return min(1.0, max(0.0, leaves_low + 2 / width * total))


def _leaves_low(pull: float, width: float, start: float) -> float:
    """Return P(the motion leaves at 0 rather than at `width`, at any time): (e^-2ps - e^-2pw) / (1 - e^-2pw).

    p is `pull` (drift over variance), s `start` and w `width`.
    """
    if abs(pull) * width < 1e-8:
        return 1 - start / width
    if pull > 0:
        return (math.exp(-2 * pull * start) - math.exp(-2 * pull * width)) / -math.expm1(-2 * pull * width)
    return -math.expm1(2 * pull * (width - start)) / -math.expm1(2 * pull * width)


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
