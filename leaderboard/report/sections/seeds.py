"""Bots on the same seeds: which of them differ, tested two by two, and the picture of their ranks. Ranks nobody."""

from __future__ import annotations

from collections.abc import Mapping

from leaderboard.paired import on_common_deals, series_by_bot
from leaderboard.report.blocks import Cell, Figure, Key, Section, versus_table
from leaderboard.report.charts.ranks import Ranked, rank_chart
from leaderboard.report.palette import planner_class
from leaderboard.report.source import Scope
from leaderboard.seats import names_of
from leaderboard.standings import RankedBy
from leaderboard.wording import plural, probability
from runner.statistics import MIN_UNITS, ComparedPair, critical_difference, friedman, wilcoxon_holm

MOST_BOTS = 30
_ALPHA = 0.05


def seeds_section(scope: Scope) -> Section | None:
    """Wilcoxon's tests after Holm with the critical-difference picture; None below three bots or five common seeds."""
    if scope.board.ranked_by is not RankedBy.RETURNS or not 3 <= len(scope.bots) <= MOST_BOTS:
        return None
    scores = common_scores(scope)
    if len(next(iter(scores.values()))) < MIN_UNITS:
        return None
    together, pairs = friedman(scores), wilcoxon_holm(scores)
    rank = {str(bot): rank for bot, rank in zip(together.bots, together.average_ranks, strict=True)}
    found = {frozenset((str(pair.first), str(pair.second))): pair for pair in pairs}
    table = versus_table(
        f"Adjusted p-values of the bot on the left against the bot of that number, {scope.title}",
        scope.bots,
        lambda bot, other: _cell(found[frozenset((bot, other))], rank, bot, other),
        legend=(Key("h10", "surely better"), Key("h5", "not sure"), Key("h0", "surely worse")),
        heading="Wilcoxon's signed-rank test, p-values adjusted after Holm",
        note="Below 0.05 two bots differ, whatever the other tests say: all are adjusted together.",
    )
    differ = sum(pair.adjusted < _ALPHA for pair in pairs)
    lead = (
        f"{differ} of {plural(len(pairs), 'pair')} of bots surely differ over {plural(together.seeds, 'common seed')} "
        f"(all bots together: Friedman's p {probability(together.f_p_value)})."
    )
    return Section(f"{scope.slug}-seeds", "On the same seeds", lead, (table, _figure(scope, rank, together.seeds)))


def common_scores(scope: Scope) -> dict[str, list[float]]:
    """Returns of every bot on the seeds that all have played, in the order of the standings."""
    entries = scope.entries
    series = series_by_bot(entries.bot, entries.game, entries.deal, entries.returns)
    code = {name: at for at, name in enumerate(names_of(scope.seats, "bot"))}
    _, values = on_common_deals([next(iter(series[code[bot]].values())) for bot in scope.bots])
    return dict(zip(scope.bots, values, strict=True))


def _cell(pair: ComparedPair, rank: Mapping[str, float], bot: str, other: str) -> Cell:
    css = "h5" if pair.adjusted >= _ALPHA else "h10" if rank[bot] < rank[other] else "h0"
    hint = f"against {other}: p {probability(pair.p_value)}, adjusted {probability(pair.adjusted)}"
    return Cell("<.001" if pair.adjusted < 0.001 else f"{pair.adjusted:.3f}".lstrip("0"), css=css, hint=hint)


def _figure(scope: Scope, rank: Mapping[str, float], seeds: int) -> Figure:
    ranked = [Ranked(bot, rank[bot], planner_class(scope.planners[bot])) for bot in sorted(rank, key=rank.__getitem__)]
    difference, title = critical_difference(len(ranked), seeds, _ALPHA), f"Average ranks on a seed, {scope.title}"
    return Figure(
        title="Average ranks and their critical difference",
        drawing=rank_chart(ranked, difference, slug=f"{scope.slug}-ranks", title=title),
        note=(
            "A bar joins bots whose average ranks differ by less than the critical difference (CD, Nemenyi's test at "
            "5 %). It depends on which bots took part, so go by the table where the two disagree."
        ),
    )
