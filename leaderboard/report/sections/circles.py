"""Do bots beat each other in circles: how much of the results no order explains, and the mixture that nobody beats."""

from __future__ import annotations

from itertools import permutations

from leaderboard.contests import duels_of as comparisons_of
from leaderboard.report.blocks import Cell, Column, Line, Section, Table
from leaderboard.report.charts.strips import Part, share_strip
from leaderboard.report.contests import duels_of, meetings_of
from leaderboard.report.headline import circles
from leaderboard.report.palette import planner_class
from leaderboard.report.source import Scope
from leaderboard.seats import names_of
from leaderboard.wording import listed, per_cent
from runner.statistics import NashAverage, cycle_share, nash_average

MOST_BOTS = 40
_LEAST_WEIGHT = 0.005


def circles_section(scope: Scope) -> Section | None:
    """The Nash average and the share of cycles; None unless three bots or more have all met each other."""
    duels = duels_of(meetings_of(scope))
    bots = [bot for bot in scope.bots if any(bot == first for first, _ in duels)]
    if not 3 <= len(bots) <= MOST_BOTS or any(pair not in duels for pair in permutations(bots, 2)):
        return None
    payoff = [[duels[bot, other].score - 0.5 if bot != other else 0.0 for other in bots] for bot in bots]
    found = nash_average(payoff)
    return Section(f"{scope.slug}-circles", "Circles", _lead(scope, bots, found), (_table(scope, bots, found),))


def share_of_cycles(scope: Scope) -> float | None:
    """Of the variance between any two bots, what one rating per bot cannot explain."""
    names = names_of(scope.seats, "bot")
    compared = comparisons_of(scope.entries, bots=names, settings=names_of(scope.seats, "variant"))
    return cycle_share(compared.comparisons, copies=compared.copies)


def _lead(scope: Scope, bots: list[str], found: NashAverage) -> str:
    share = share_of_cycles(scope)
    explained = (
        "No difference between the bots is left to explain."
        if share is None
        else f"{per_cent(share, 0)} of the differences between bots are in circles, which no rating can explain."
    )
    core = [bot for bot, weight in zip(bots, found.weights, strict=True) if weight >= _LEAST_WEIGHT]
    named = " ".join(f"{line}." for line in circles(scope))
    return " ".join(
        filter(None, [explained, f"Against the best mixture nobody gains: it is made of {listed(core)}.", named])
    )


def _table(scope: Scope, bots: list[str], found: NashAverage) -> Table:
    planners = scope.planners
    lines = []
    for bot, weight, rating in zip(bots, found.weights, found.ratings, strict=True):
        drawing = share_strip([Part(bot, weight, planner_class(planners[bot]))], title=f"{bot}: {100 * weight:.1f} %")
        shown = "–" if weight < _LEAST_WEIGHT else f"{100 * weight:.1f}"
        against = f"{100 * (0.5 + rating):.1f}"
        lines.append(Line((Cell(bot), Cell(shown, sort=weight), Cell(drawing=drawing), Cell(against))))
    return Table(
        title=f"Nash average, {scope.title}",
        columns=(
            Column("bot", "name"),
            Column("weight %", hint="Share of the bot in the mixture against which no bot scores more than half"),
            Column("in the mixture", "chart"),
            Column("against it %", hint="Points that the bot scores against the mixture"),
        ),
        lines=tuple(lines),
        css="spread",
        heading="Nash average",
        note="Copies of a bot, or bots that only beat the weak, do not move it (Balduzzi et al. 2018).",
    )
