"""Compare ranks for the frontier of placement's beam: on hard cases with proven optima, and in matches.

`python -m study.placement ranks` prints them; `study.placement_cases` says what is hard. The first half of the cases
chooses a rank. The second half is for the report: it compares the chosen rank with every other by the sign test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from statistics import fmean

from gridjoust import Bot, Observation, ParamValue
from gridjoust.bots.match import play_match
from gridjoust.bots.placement import beam, quantum
from gridjoust.bots.placement.beam import BeamBuilder
from gridjoust.bots.placement.task import Found
from gridjoust.games.placement import Placement
from gridjoust.runner.statistics.rank_tests import sign_test
from study.placement_cases import (
    MAX_STATES,
    RANKS,
    TODAY,
    WIDTHS,
    Finding,
    HardCase,
    all_plans,
    end_of,
    load_cases,
    plan_by,
)
from study.report import print_table

CHOOSING_WIDTHS = (beam.WIDTH, quantum.WIDTH, beam.FIRST_WIDTH)  # a tie at one is told apart at the next
FIRST_MATCH_SEED = 7000
VARIANTS: Mapping[str, tuple[dict[str, ParamValue], int]] = {  # parameters and matches
    "default": ({}, 10),
    "article": ({"preset": "article", "finish_round": True, "order": "alternate", "tie_break": "steps"}, 30),
    "collapse": ({"width": 20, "height": 20, "collapse": 6, "goals": 2, "walls": 40}, 10),
}


@dataclass(frozen=True, slots=True)
class Results:
    """The plans that one rank finds at one width, with the cases and their optima."""

    cases: Sequence[HardCase]
    plans: Sequence[Found]

    @property
    def optimal(self) -> list[bool]:
        """For each case, True if its plan ends as near as possible in as few steps as possible."""
        return [end_of(plan) == case.best for plan, case in zip(self.plans, self.cases, strict=True)]

    def row(self) -> list[str]:
        """Return the cells of a row: cases solved, optimal plans, mean excess of steps and distance, nodes."""
        pairs = list(zip(self.plans, self.cases, strict=True))
        solvable = [plan for plan, case in pairs if case.best.distance == 0]
        longer = [plan.steps - case.best.steps for plan, case in pairs if plan.distance == 0]
        farther = [plan.distance - case.best.distance for plan, case in pairs if case.best.distance]
        return [
            f"{sum(plan.distance == 0 for plan in solvable)} of {len(solvable)}",
            f"{sum(self.optimal)} of {len(pairs)}",
            *(f"{fmean(missed):.2f}" if missed else "–" for missed in (longer, farther)),
            f"{fmean(plan.cost.expanded for plan in self.plans):.1f}",
            f"{fmean(plan.cost.generated for plan in self.plans):.0f}",
        ]


Measured = Mapping[tuple[int, str], Results]  # by width and rank


def measure(cases: Sequence[HardCase]) -> Measured:
    """Plan all cases by every rank at every width; return the results by width and rank."""
    found = [all_plans(case.task) for case in cases]
    return {key: Results(cases, [plans[key] for plans in found]) for key in product(WIDTHS, RANKS)}


def choose(results: Measured) -> str:
    """Return the rank with most optimal plans at the beam's width, then at the others; the first of equal ones."""
    return max(RANKS, key=lambda name: [sum(results[width, name].optimal) for width in CHOOSING_WIDTHS])


def compare(one: Sequence[bool], other: Sequence[bool]) -> tuple[int, int, float]:
    """Return in how many cases only `one` is right, in how many only `other` is, and the sign test's p-value."""
    wins = sum(own and not theirs for own, theirs in zip(one, other, strict=True))
    losses = sum(theirs and not own for own, theirs in zip(one, other, strict=True))
    return wins, losses, sign_test(wins, losses)


def print_ranks() -> None:
    """Print how the ranks do on the hard cases, and how many answers change in matches; takes some minutes."""
    for finding in load_cases():
        print_finding(finding)
    print_answers()


def print_finding(finding: Finding) -> None:
    """Print a table for each half of the cases; then compare the best rank of the first half on the second.

    It is compared with all other ranks.
    """
    middle = len(finding.cases) // 2
    chosen_from, held_out = measure(finding.cases[:middle]), measure(finding.cases[middle:])
    print(
        f"\nDistance: {finding.nearness}. {len(finding.cases)} hard cases in {finding.drawn} turns;"
        f" {len(finding.unproven)} more without a proof within {MAX_STATES} boards."
    )
    heading = ("width", "rank", "solved", "optimal", "steps too many", "too far away", "expanded", "states")
    for half, results in (("first", chosen_from), ("second", held_out)):
        rows = [[str(width), name, *results[width, name].row()] for width, name in results]
        print_table(f"Ranks of the frontier, {half} half of the cases", heading, rows)
    best = choose(chosen_from)
    rows = [
        [str(width), name, *_compared(held_out[width, best], held_out[width, name])]
        for width, name in product(WIDTHS, RANKS)
        if name != best
    ]
    title = f"'{best}', which the first half chooses, against others on the second: which of two is optimal alone"
    print_table(title, ("width", "other rank", "chosen", "other", "p"), rows)


def _compared(chosen: Results, other: Results) -> list[str]:
    wins, losses, p_value = compare(chosen.optimal, other.optimal)
    return [str(wins), str(losses), f"{p_value:.2g}"]


def changed_answers(params: Mapping[str, ParamValue], matches: int) -> Counter[str]:
    """Return by rank how many answers it would change in matches of the beam with today's rank; "" counts all."""
    changed = Counter[str]({"": 0, **dict.fromkeys(RANKS, 0)})

    def ask(bot: Bot, observation: Observation) -> str:
        answers = {name: str(plan_by(rank, partial(bot.act, observation))) for name, rank in RANKS.items()}
        changed.update(name for name, answer in answers.items() if answer != answers[TODAY])
        changed[""] += 1
        return answers[TODAY]

    for seed in range(FIRST_MATCH_SEED, FIRST_MATCH_SEED + matches):
        play_match(Placement(params), [BeamBuilder(), BeamBuilder()], seed=seed, ask=ask)
    return changed


def print_answers() -> None:
    """Print how many answers of the beam in matches change with another rank."""
    rows = []
    for variant, (params, matches) in VARIANTS.items():
        changed = changed_answers(params, matches)
        rows += [[variant, name, f"{changed[name]} of {changed['']}"] for name in RANKS if name != TODAY]
    print_table("Answers in matches that another rank changes", ("variant", "rank", "changed"), rows)
