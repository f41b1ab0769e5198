"""Statistics of matches: strength, significance, sequential tests, cycles. Pure functions; reads no files or results.

Everything is a number or None, never nan or infinity. A name is loaded when it is first asked for: programs that only
look at scores start without numpy and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runner.statistics.comparison import Comparison, PlainRow
    from runner.statistics.cycles import Cycle, cycle_share, significant_cycles
    from runner.statistics.distributions import chi_square_tail, f_tail, t_critical
    from runner.statistics.elo import (
        ELO_PER_NAT,
        EloEstimate,
        elo_from_pairs,
        elo_from_score,
        elo_from_wdl,
        likelihood_of_superiority,
        score_from_elo,
    )
    from runner.statistics.fit_test import FitTest, bradley_terry_fit
    from runner.statistics.fitting import Ratings
    from runner.statistics.intervals import CONFIDENCE, MIN_UNITS, Interval, interquartile_mean, wilson
    from runner.statistics.nash import NashAverage, margins, nash_average
    from runner.statistics.rank_tests import (
        ComparedPair,
        FriedmanTest,
        SignedRankTest,
        critical_difference,
        friedman,
        holm,
        nemenyi_q,
        sign_test,
        wilcoxon,
        wilcoxon_holm,
    )
    from runner.statistics.rankings import Ranking, plackett_luce, resample_rankings
    from runner.statistics.ratings import Ties, bradley_terry, resample_ratings
    from runner.statistics.sequential import (
        Hypothesis,
        Model,
        SprtResult,
        StoppedElo,
        bayeselo_chances,
        bayeselo_scale,
        elo_after_sprt,
        pair_chances,
        sprt,
    )

_HOMES = {
    "comparison": ("Comparison", "PlainRow"),
    "cycles": ("Cycle", "cycle_share", "significant_cycles"),
    "distributions": ("chi_square_tail", "f_tail", "t_critical"),
    "elo": (
        "ELO_PER_NAT", "EloEstimate", "elo_from_pairs", "elo_from_score", "elo_from_wdl", "likelihood_of_superiority",
        "score_from_elo",
    ),
    "fit_test": ("FitTest", "bradley_terry_fit"),
    "fitting": ("Ratings",),
    "intervals": ("CONFIDENCE", "MIN_UNITS", "Interval", "interquartile_mean", "wilson"),
    "nash": ("NashAverage", "margins", "nash_average"),
    "rank_tests": (
        "ComparedPair", "FriedmanTest", "SignedRankTest", "critical_difference", "friedman", "holm", "nemenyi_q",
        "sign_test", "wilcoxon", "wilcoxon_holm",
    ),
    "rankings": ("Ranking", "plackett_luce", "resample_rankings"),
    "ratings": ("Ties", "bradley_terry", "resample_ratings"),
    "sequential": (
        "Hypothesis", "Model", "SprtResult", "StoppedElo", "bayeselo_chances", "bayeselo_scale", "elo_after_sprt",
        "pair_chances", "sprt",
    ),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CONFIDENCE", "ELO_PER_NAT", "MIN_UNITS", "ComparedPair", "Comparison", "Cycle", "EloEstimate", "FitTest",
    "FriedmanTest", "Hypothesis", "Interval", "Model", "NashAverage", "PlainRow", "Ranking", "Ratings",
    "SignedRankTest", "SprtResult", "StoppedElo", "Ties", "bayeselo_chances", "bayeselo_scale", "bradley_terry",
    "bradley_terry_fit", "chi_square_tail", "critical_difference", "cycle_share", "elo_after_sprt", "elo_from_pairs",
    "elo_from_score", "elo_from_wdl", "f_tail", "friedman", "holm", "interquartile_mean", "likelihood_of_superiority",
    "margins", "nash_average", "nemenyi_q", "pair_chances", "plackett_luce", "resample_rankings", "resample_ratings",
    "score_from_elo", "sign_test", "significant_cycles", "sprt", "t_critical", "wilcoxon", "wilcoxon_holm", "wilson",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """A public name on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    return found
