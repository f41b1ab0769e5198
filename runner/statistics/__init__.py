"""Statistics of matches: strength, significance, sequential tests, cycles. Pure functions; reads no files or results.

Everything is a number or None, never nan or infinity. A name is loaded when it is first asked for: programs that only
look at scores start without numpy and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridjoust.runner.statistics.cycles import *  # noqa: F403
    from gridjoust.runner.statistics.distributions import *  # noqa: F403
    from gridjoust.runner.statistics.elo import *  # noqa: F403
    from gridjoust.runner.statistics.fit_test import *  # noqa: F403
    from gridjoust.runner.statistics.fitting import *  # noqa: F403
    from gridjoust.runner.statistics.intervals import *  # noqa: F403
    from gridjoust.runner.statistics.rank_tests import *  # noqa: F403
    from gridjoust.runner.statistics.rankings import *  # noqa: F403
    from gridjoust.runner.statistics.ratings import *  # noqa: F403
    from gridjoust.runner.statistics.sequential import *  # noqa: F403

_HOMES = {
    "cycles": ("Cycle", "NashAverage", "cycle_share", "margins", "nash_average", "significant_cycles"),
    "distributions": ("chi_square_tail", "f_tail", "t_critical", "t_tail", "t_tails"),
    "elo": (
        "ELO_PER_NAT", "EloEstimate", "elo_from_pairs", "elo_from_score", "elo_from_wdl", "likelihood_of_superiority",
        "score_from_elo",
    ),
    "fit_test": ("FitTest", "bradley_terry_fit"),
    "fitting": ("Comparison", "PlainRow", "Ratings"),
    "intervals": ("CONFIDENCE", "MIN_UNITS", "Interval", "interquartile_mean", "wilson"),
    "rank_tests": (
        "ComparedPair", "FriedmanTest", "SignedRankTest", "critical_difference", "friedman", "holm", "nemenyi_q",
        "sign_test", "wilcoxon", "wilcoxon_holm",
    ),
    "rankings": ("Ranking", "plackett_luce"),
    "ratings": ("Ties", "bradley_terry"),
    "sequential": (
        "Hypothesis", "Model", "SprtResult", "StoppedElo", "bayeselo_chances", "bayeselo_scale", "elo_after_sprt",
        "pair_chances", "sprt",
    ),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    return found


def __dir__() -> list[str]:
    """Return all public names, loaded or not."""
    return sorted(_HOME_OF)
