"""The section on what search costs and what strength it brings: planning and CPU time, expansions, the Pareto front."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gridjoust.leaderboard.columns import UNITS, format_strength, strength_of
from gridjoust.leaderboard.report.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Line,
    Note,
    Pair,
    ReportTable,
    Section,
    line,
)
from gridjoust.leaderboard.report.charts.plots import Frame, Spot, scatter_chart
from gridjoust.leaderboard.report.charts.strips import axis_strip, range_strip
from gridjoust.leaderboard.report.charts.svg import Scale, padded_log
from gridjoust.leaderboard.report.palette import planner_legend, planner_shape
from gridjoust.leaderboard.report.source import Scope
from gridjoust.leaderboard.wording import listed, milliseconds, plural, significant, whole_number
from gridjoust.runner.results.tables.columns import Standing

_FLOOR_MS = 0.001  # clocks tell no less


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of search cost, such as planning time, and how charts show it."""

    slug: str
    of: Callable[[Standing], float | None]
    axis: str
    name: str
    write: Callable[[float], str]
    floor: float  # a logarithm needs more than 0


@dataclass(frozen=True, slots=True)
class _Cost:
    """What one bot's answers cost: planning times, and nodes expanded if reported; `often_`: 95 % took less."""

    answers: int
    median_ms: float
    often_ms: float  # 95 % took less
    longest_ms: float
    median_nodes: float | None
    often_nodes: float | None


_KINDS = (
    _Kind(
        "ms",
        lambda standing: standing.planning_ms_per_turn,
        "planning ms per turn",
        "planning time",
        milliseconds,
        _FLOOR_MS,
    ),
    _Kind("nodes", lambda standing: standing.nodes_per_turn, "nodes expanded per turn", "expansions", significant, 0.1),
)


def cost_section(scope: Scope) -> Section | None:
    """Return charts of strength against each cost, and tables of reported and measured costs; None if none is known."""
    answers = scope.answers[scope.answers["planning_ms"].notna()]
    measured = scope.answers[scope.answers["cpu_ms"].notna()]
    figures = [figure for kind in _KINDS if (figure := _figure(scope, kind)) is not None]
    if answers.empty and measured.empty and not figures:
        return None
    blocks: list[Block] = [Pair(*figures)] if len(figures) == len(_KINDS) else [*figures]
    if not answers.empty:
        blocks.append(_table(scope, answers))
    if not measured.empty:
        blocks.append(_measured_table(scope, measured))
    blocks.append(Note(("Bots report planning time and expansions themselves; an empty cell or – was not reported.",)))
    return Section(f"{scope.slug}-cost", "Search cost", _lead(scope), tuple(blocks))


def _lead(scope: Scope) -> str:
    sentences = []
    for kind in _KINDS:
        front = [standing.bot for standing in scope.board.standings if kind.slug in standing.pareto.split()]
        if front:
            sentences.append(f"by {kind.name} {listed(front)}")
    if not sentences:
        return "How long bots plan, and how many nodes they expand."
    return f"No bot is both stronger and cheaper than these: {'; '.join(sentences)}."


def _figure(scope: Scope, kind: _Kind) -> Figure | None:
    ranked_by = scope.board.ranked_by
    unit = UNITS[ranked_by]
    spots, planners = [], []
    front = [standing.bot for standing in scope.board.standings if kind.slug in standing.pareto.split()]
    for standing in scope.board.standings:
        cost, strength = kind.of(standing), strength_of(standing, ranked_by)
        if cost is None or strength is None:
            continue
        planners.append(standing.planner)
        told = f"{unit.title} {format_strength(strength, scope.board)}, {kind.write(cost)} per turn"
        spots.append(
            Spot(
                standing.bot,
                max(cost, kind.floor),
                strength.value,
                scope.colour(standing.bot),
                hint=f"{standing.bot} ({standing.planner}): {told}",
                is_best=standing.bot in front,
                shape=planner_shape(standing.planner),
            )
        )
    if len(spots) < 2:
        return None
    title = f"Strength against {kind.name}"
    frame = Frame(
        slug=f"{scope.slug}-{kind.slug}",
        title=f"{title}, {scope.title}",
        description=plural(len(spots), "bot") + (f"; on the front: {listed(front)}." if front else "."),
        across_title=kind.axis,
        up_title=unit.axis,
    )
    note = "Further up and left is better."
    if front:
        note = f"Filled marks: bots on the Pareto front, which leaves out bots that forfeited. {note}"
    return Figure(title, scatter_chart(spots, frame), planner_legend(planners), note)


def _table(scope: Scope, answers: pd.DataFrame) -> ReportTable:
    costs = _costs(answers)
    bots = [bot for bot in scope.bots if bot in costs] or sorted(costs)
    low = max(_FLOOR_MS, min(costs[bot].median_ms for bot in bots))
    scale = padded_log(low, max(low, *(costs[bot].often_ms for bot in bots)))
    lines = tuple(_line(scope.named(bot), costs[bot], scale) for bot in bots)
    return ReportTable(
        title=f"Planning time per answer, {scope.title}",
        columns=(
            Column("bot", "name"),
            Column("answers"),
            Column("median", hint="Half of the answers took less"),
            Column("95 %", hint="95 % of the answers took less"),
            Column("longest"),
            Column("median to 95 %, ms", "chart", "On a logarithmic scale"),
            Column("nodes, median", hint="Nodes expanded per answer"),
            Column("nodes, 95 %"),
        ),
        lines=lines,
        foot=(*[Cell()] * 5, Cell(drawing=axis_strip(scale)), Cell(), Cell()),
        css="cost",
        heading="Planning time per answer",
    )


def _measured_table(scope: Scope, answers: pd.DataFrame) -> ReportTable:
    """Return a table of CPU time that the runner measured, and of work (successors) that bots declared."""
    groups = answers.groupby("bot")
    bots = [bot for bot in scope.bots if bot in groups.groups] or sorted(map(str, groups.groups))
    lines = tuple(_measured_line(scope.named(bot), groups.get_group(bot)) for bot in bots)
    columns = (
        Column("bot", "name"),
        Column("answers"),
        Column("CPU, median", hint="CPU time of the bot's processes from question to answer"),
        Column("CPU, 99 %", hint="99 % of the answers took less"),
        Column("work, median", hint="Successors generated, tactics included, as the bot declares them"),
        Column("work, most"),
    )
    heading = "CPU time and work per answer"
    return ReportTable(title=f"{heading}, {scope.title}", columns=columns, lines=lines, css="cost", heading=heading)


def _measured_line(bot: Cell, answers: pd.DataFrame) -> Line:
    cpu_ms = [float(answers["cpu_ms"].quantile(share)) for share in (0.5, 0.99)]
    declared = answers[["generated", "tactics"]].sum(axis="columns", min_count=1)
    work = [_known(declared.median()), _known(declared.max())]
    return line(
        bot,
        whole_number(len(answers)),
        *(Cell(milliseconds(one), sort=one) for one in cpu_ms),
        *(Cell("–" if one is None else whole_number(one), sort=one) for one in work),
    )


def _costs(answers: pd.DataFrame) -> dict[str, _Cost]:
    """Return what the answers of each bot cost, by bot."""
    groups = answers.groupby("bot")
    spent = groups["planning_ms"].quantile(np.array([0.5, 0.95, 1.0])).unstack()
    nodes = groups["expanded"].quantile(np.array([0.5, 0.95])).unstack()
    count = groups.size()
    return {
        str(bot): _Cost(int(count[bot]), *spent.loc[bot].tolist(), *map(_known, nodes.loc[bot])) for bot in count.index
    }


def _known(value: float) -> float | None:
    return None if pd.isna(value) else float(value)


def _line(bot: Cell, cost: _Cost, scale: Scale) -> Line:
    said = f"{bot.text}: median {milliseconds(cost.median_ms)}, 95 % within {milliseconds(cost.often_ms)}"
    return line(
        bot,
        whole_number(cost.answers),
        *(Cell(milliseconds(one), sort=one) for one in (cost.median_ms, cost.often_ms, cost.longest_ms)),
        range_strip(cost.median_ms, cost.often_ms, scale=scale, title=said, css=bot.css),
        *(Cell("–" if one is None else whole_number(one), sort=one) for one in (cost.median_nodes, cost.often_nodes)),
    )
