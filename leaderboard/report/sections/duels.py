"""Sections on every bot against every other: scores, the Elo of pairs of matches, cycles, tests on common seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise, permutations

from gridjoust.leaderboard.frame.codes import names_of
from gridjoust.leaderboard.frame.contests import duels_of as comparisons_of
from gridjoust.leaderboard.report.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Key,
    Note,
    ReportTable,
    Section,
    line,
    versus_table,
)
from gridjoust.leaderboard.report.charts.ranks import BotRank, rank_chart
from gridjoust.leaderboard.report.charts.strips import Part, share_strip
from gridjoust.leaderboard.report.headline import circles
from gridjoust.leaderboard.report.palette import heat_class
from gridjoust.leaderboard.report.source import Duel, Scope, duels_of
from gridjoust.leaderboard.standings import RankedBy
from gridjoust.leaderboard.strengths.paired import on_common_deals, series_by_bot
from gridjoust.leaderboard.wording import (
    NARROW,
    decimal,
    likelihood,
    listed,
    per_cent,
    plural,
    probability,
    signed,
    whole_number,
)
from gridjoust.runner.statistics import (
    MIN_UNITS,
    ComparedPair,
    FriedmanTest,
    NashAverage,
    critical_difference,
    cycle_share,
    elo_after_sprt,
    friedman,
    nash_average,
    sign_test,
    wilcoxon_holm,
)

MOST_BOTS = 40
MOST_PAIRINGS = 45
MOST_RANKED = 30  # bots in the picture of ranks
_LEAST_WEIGHT = 0.005
_ALPHA = 0.05

Duels = Mapping[tuple[str, str], Duel]
Pairing = tuple[str, str, Duel]


def head_to_head_section(scope: Scope) -> Section | None:
    """Return a heat map of scores, bots in the order of the standings; None if no two bots met."""
    duels = duels_of(scope)
    if not duels:
        return None
    bots = _met(scope, duels)
    shown = bots[:MOST_BOTS]
    cycles = circles(scope)
    note = f"Only the first {MOST_BOTS} of {len(bots)} bots are shown. " if len(bots) > len(shown) else ""
    table = versus_table(
        f"Score of the bot on the left against the bot of that number, in per cent, {scope.title}",
        [scope.named(bot) for bot in shown],
        lambda bot, other: _score_cell(duels.get((bot, other))),
        legend=(Key("h0", "0 %"), Key("h3", ""), Key("h5", "50 %"), Key("h7", ""), Key("h10", "100 %")),
        note=f"{note}Point at a cell for points, matches and P(better), the chance that the bot is truly better.",
    )
    warning = [Note(cycles, is_warning=True)] if cycles else []
    return Section(f"{scope.slug}-duels", "Head to head", _upsets(duels, shown), (*warning, table))


def _met(scope: Scope, duels: Duels) -> list[str]:
    """Return the bots that met another bot, best first."""
    met = {bot for bot, _ in duels}
    return [bot for bot in scope.bots if bot in met]


def _score_cell(duel: Duel | None) -> Cell:
    if duel is None:
        return Cell("·", css="unmet", hint="never met")
    los = "" if duel.superiority is None else f" · P(better) {likelihood(100 * duel.superiority)} %"
    points = decimal(duel.wins + duel.draws / 2)
    hint = f"{points} of {duel.matches} · {duel.wins}–{duel.draws}–{duel.losses}{los}"
    return Cell(f"{100 * duel.score:.0f}", css=heat_class(duel.score), hint=hint)


def _upsets(duels: Duels, bots: Sequence[str]) -> str:
    """Return a sentence about the highest score of a bot against one ranked above it.

    If scores are equal, it names the two bots that are most places apart.
    """
    upsets = [
        (duels[low, high].score, below - above, low, high)
        for (above, high), (below, low) in combinations(enumerate(bots), 2)
        if (low, high) in duels and duels[low, high].score > 0.5
    ]
    if not upsets:
        return "No bot scored more than half against a bot placed above it."
    score, _, low, high = max(upsets)
    return (
        f"In {plural(len(upsets), 'pairing')} the bot placed lower scored more than half; most of all {low}, "
        f"with {100 * score:.0f}{NARROW}% against {high}."
    )


def pairs_section(scope: Scope) -> Section | None:
    """Return a table of Elo, normalized Elo and likelihood of superiority for each pair of bots.

    If there are many bots, only neighbours in the standings are compared. After a sequential test (SPRT), a note gives
    the difference corrected for the test. None without pairs of matches, or if ratings do not rank the bots.
    """
    if scope.board.ranked_by is not RankedBy.RATING:
        return None
    duels = duels_of(scope)
    wanted = list(combinations(scope.bots, 2))
    if len(wanted) > MOST_PAIRINGS:
        wanted = list(pairwise(scope.bots))
    shown = [(*names, duels[names]) for names in wanted if names in duels and duels[names].pairs]
    if not shown:
        return None
    blocks: list[Block] = [_pairings_table(scope, shown)]
    if after := _after_sprt(scope, shown):
        blocks.append(Note((after,)))
    lead = (
        "Each row counts the matches of its two bots alone, so P(better) may differ from the standings. The p-values "
        "are not adjusted: of many, some are small by chance. The letters of the standings say who is separated."
    )
    return Section(f"{scope.slug}-pairs", "Pair by pair", lead, tuple(blocks))


def _pairings_table(scope: Scope, shown: Sequence[Pairing]) -> ReportTable:
    columns = (
        Column("bot", "name"),
        Column("against", "text"),
        Column("pairs", hint="Pairs of matches on one seed, seats swapped"),
        Column("0–½–1–1½–2", "text", "Pairs in which the bot scored so many points"),
        Column("score %"),
        Column("Elo", hint="Difference ± half of its 95 % interval, from how much pairs vary"),
        Column("nElo", hint="Normalized Elo: the score in units of its deviation per match"),
        Column("P(better) %", hint="How likely the bot is truly better, by these two alone (LOS)"),
        Column("p", hint="Exact sign test of pairs won against pairs lost, of these two bots alone"),
    )
    lines = []
    for bot, other, duel in shown:
        found = duel.estimate
        elo = Cell(_margin(found.elo, found.elo_error), sort=found.elo)
        nelo = Cell(_margin(found.nelo, found.nelo_error), sort=found.nelo)
        los = "–" if found.los is None else likelihood(100 * found.los)
        p_value = probability(sign_test(sum(duel.pairs[3:]), sum(duel.pairs[:2]))).removeprefix("= ")
        kinds = "–".join(map(str, duel.pairs))
        score = f"{100 * found.score:.1f}"
        lines.append(line(scope.named(bot), other, whole_number(found.units), kinds, score, elo, nelo, los, p_value))
    note = "A pair cancels what its seed favours. –: the score or its spread allows no number."
    return ReportTable(f"Pairings, {scope.title}", columns, tuple(lines), css="pairings", note=note)


def _margin(value: float | None, error: float | None) -> str:
    """Format a value with its error: `+112 ± 35`."""
    if value is None:
        return "–"
    return signed(value) if error is None else f"{signed(value)} ± {whole_number(error)}"


def _after_sprt(scope: Scope, shown: Sequence[Pairing]) -> str:
    stop = scope.source.part("stop")
    if stop.get("when") != "sprt" or len(shown) != 1:
        return ""
    [(bot, other, duel)] = shown
    found = elo_after_sprt(duel.pairs, stop["elo0"], stop["elo1"], stop.get("alpha", 0.05), stop.get("beta", 0.05))
    if found is None:
        return ""
    low, high = (signed(end) for end in found.elo_interval)
    return (
        "A test that stops as soon as it can decide overstates the difference. Corrected for that, "
        f"{bot} against {other} is at {signed(found.elo)} Elo ({low} to {high})."
    )


def circles_section(scope: Scope) -> Section | None:
    """Return the section on cycles: Nash average and share of cycles; None unless all bots have met.

    It is also None for fewer than three bots, or more than `MOST_BOTS`.
    """
    duels = duels_of(scope)
    bots = _met(scope, duels)
    if not 3 <= len(bots) <= MOST_BOTS or any(pair not in duels for pair in permutations(bots, 2)):
        return None
    payoff = [[duels[bot, other].score - 0.5 if bot != other else 0.0 for other in bots] for bot in bots]
    found = nash_average(payoff)
    core = [bot for bot, weight in zip(bots, found.weights, strict=True) if weight >= _LEAST_WEIGHT]
    share = share_of_cycles(scope)
    explained = (
        "The differences between the bots are no larger than chance makes them."
        if share is None
        else f"One rating per bot leaves {per_cent(share, 0)} of the differences between bots unexplained: "
        "chance, or cycles as in rock, paper, scissors."
    )
    mixed = "a mixture of " if len(core) > 1 else ""
    mixture = f"Nash average: no bot scores more than half against {mixed}{listed(core)}."
    lead = " ".join([explained, mixture, *(f"{one}." for one in circles(scope))])
    return Section(f"{scope.slug}-circles", "Cycles", lead, (_mixture_table(scope, bots, found),))


def share_of_cycles(scope: Scope) -> float | None:
    """Return the share of the variance of results that ratings cannot explain; None if there is none to explain."""
    names = names_of(scope.seats, "bot")
    compared = comparisons_of(scope.entries, bots=names, settings=names_of(scope.seats, "variant"))
    return cycle_share(compared.comparisons, copies=compared.copies)


def _mixture_table(scope: Scope, bots: Sequence[str], found: NashAverage) -> ReportTable:
    lines = []
    for bot, weight, rating in zip(bots, found.weights, found.ratings, strict=True):
        part = Part(bot, weight, scope.colour(bot))
        shown = Cell("–" if weight < _LEAST_WEIGHT else f"{100 * weight:.1f}", sort=weight)
        drawing = share_strip([part], title=f"{bot}: {100 * weight:.1f} %")
        lines.append(line(scope.named(bot), shown, drawing, f"{100 * (0.5 + rating):.1f}"))
    return ReportTable(
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
        note="Copies of a bot, and bots that beat weak bots only, do not change it (Balduzzi et al. 2018).",
    )


def seeds_section(scope: Scope) -> Section | None:
    """Return Wilcoxon's tests, adjusted after Holm, and a diagram of ranks.

    None unless returns rank the bots, there are three or more but not too many, and all share five seeds.
    """
    if scope.board.ranked_by is not RankedBy.RETURNS or not 3 <= len(scope.bots) <= MOST_RANKED:
        return None
    scores = common_scores(scope)
    if len(next(iter(scores.values()))) < MIN_UNITS:
        return None
    together, pairs = friedman(scores), wilcoxon_holm(scores)
    rank = {str(bot): rank for bot, rank in zip(together.bots, together.average_ranks, strict=True)}
    found = {frozenset((str(pair.first), str(pair.second))): pair for pair in pairs}
    table = versus_table(
        f"Adjusted p-values of the bot on the left against the bot of that number, {scope.title}",
        [scope.named(bot) for bot in scope.bots],
        lambda bot, other: _p_value_cell(found[frozenset((bot, other))], rank, bot, other),
        legend=(Key("h10", "better, p below 0.05"), Key("h5", "0.05 or more"), Key("h0", "worse, p below 0.05")),
        heading="Wilcoxon's signed-rank test, p-values adjusted after Holm",
        note="A second opinion, by ranks and adjusted for all pairs; the letters of the standings come first.",
    )
    lead = f"By ranks on {plural(together.seeds, 'common seed')}, {_differences(together, pairs)}."
    return Section(f"{scope.slug}-seeds", "On the same seeds", lead, (table, _rank_figure(scope, rank, together.seeds)))


def _differences(together: FriedmanTest, pairs: Sequence[ComparedPair]) -> str:
    """Return a sentence: if the bots differ as a group, and how many pairs of them do."""
    differ = sum(pair.adjusted < _ALPHA for pair in pairs)
    p_value = f"Friedman's p {probability(together.f_p_value)}"
    have = "has" if differ < 2 else "have"
    found = f"{differ or 'none'} of {plural(len(pairs), 'pair')} of bots {have} an adjusted p below 0.05"
    if not differ and together.f_p_value < _ALPHA:
        return f"the bots differ as a group ({p_value}), but not yet clearly in any pair: {found}"
    return f"{found} (all together: {p_value})"


def common_scores(scope: Scope) -> dict[str, list[float]]:
    """Return each bot's returns on the seeds that all have played, seed by seed; bots as in the standings' order."""
    entries = scope.entries
    series = series_by_bot(entries.bot, entries.game, entries.deal, entries.returns)
    code = {name: at for at, name in enumerate(names_of(scope.seats, "bot"))}
    _, values = on_common_deals([next(iter(series[code[bot]].values())) for bot in scope.bots])
    return dict(zip(scope.bots, values, strict=True))


def _p_value_cell(pair: ComparedPair, rank: Mapping[str, float], bot: str, other: str) -> Cell:
    css = "h5" if pair.adjusted >= _ALPHA else "h10" if rank[bot] < rank[other] else "h0"
    hint = f"against {other}: p {probability(pair.p_value)}, adjusted {probability(pair.adjusted)}"
    return Cell("<.001" if pair.adjusted < 0.001 else f"{pair.adjusted:.3f}".lstrip("0"), css=css, hint=hint)


def _rank_figure(scope: Scope, rank: Mapping[str, float], seeds: int) -> Figure:
    ranked = [BotRank(bot, rank[bot], scope.colour(bot)) for bot in sorted(rank, key=rank.__getitem__)]
    difference, title = critical_difference(len(ranked), seeds, _ALPHA), f"Average ranks on a seed, {scope.title}"
    return Figure(
        title="Average ranks and their critical difference",
        drawing=rank_chart(ranked, difference, slug=f"{scope.slug}-ranks", title=title),
        note=(
            "A bar joins bots whose average ranks differ by less than the critical difference (CD, Nemenyi's test at "
            "5 %). It depends on which bots took part: if the two disagree, trust the table."
        ),
    )
