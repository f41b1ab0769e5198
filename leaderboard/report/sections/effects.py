"""The section on how much seats, roles and maps decide, averaged over bots. Only the rating fit corrects for seats."""

from __future__ import annotations

from collections.abc import Sequence

from gridjoust.leaderboard.report.blocks import Block, Cell, Column, Line, ReportTable, Section, line
from gridjoust.leaderboard.report.charts.strips import interval_strip
from gridjoust.leaderboard.report.charts.svg import Scale
from gridjoust.leaderboard.report.palette import heat_class
from gridjoust.leaderboard.report.source import Scope
from gridjoust.leaderboard.standings import SeatEffect
from gridjoust.leaderboard.wording import NARROW, aligned, decimal, listed, plural, signed, whole_number
from gridjoust.runner.statistics import wilson

MOST_MAPS = 40
MOST_MAP_COLUMNS = 16
_SHARES = Scale(-50, 50)


def effects_section(scope: Scope) -> Section | None:
    """Return tables of seats, roles and maps; None if there is only one of each."""
    blocks: list[Block] = []
    seats = [effect for effect in scope.board.seats if effect.matches]
    if len(seats) > 1:
        blocks.append(_seat_table(scope, seats))
    for column in ("role", "map"):
        if scope.played.loc[scope.played[column] != "", column].nunique() > 1:
            blocks.append(_group_table(scope, column))
    matrix = _map_matrix(scope)
    if matrix is not None:
        blocks.append(matrix)
    if not blocks:
        return None
    return Section(f"{scope.slug}-effects", _title(blocks), _lead(seats), tuple(blocks))


def _title(blocks: Sequence[Block]) -> str:
    """Return the section's title from what it contains: `Seats and maps`."""
    headings = {block.heading for block in blocks if isinstance(block, ReportTable)}
    return listed([name for name in ("Seats", "Roles", "Maps") if name in headings]).capitalize()


def _lead(seats: list[SeatEffect]) -> str:
    clear = [effect for effect in seats if effect.is_unfair]
    if not seats:
        return "Matches, scores and lengths by map."
    if all(effect.score_low is None for effect in seats):
        return "No seat can be called better: there are too few matches, or every seed came out alike."
    if not clear:
        return "No seat is clearly better than another: the interval of every score holds 50 %."
    most = max(clear, key=lambda effect: abs(effect.score_pct - 50))
    word = "better" if most.score_pct > 50 else "worse"
    return (
        f"Seat {most.seat} of {most.setting} is {word} than chance: {decimal(most.score_pct)}{NARROW}% of the points, "
        "whichever bot sits there. Swapped or rotated seats even it out."
    )


def _seat_table(scope: Scope, seats: list[SeatEffect]) -> ReportTable:
    has_advantage = any(effect.advantage is not None for effect in seats)
    columns = [
        Column("seat", "name"),
        Column("matches"),
        Column("score %", hint="Share of the points that bots scored in this seat"),
        Column("50 % is fair", "chart"),
    ]
    if has_advantage:
        columns.append(Column("Elo", hint="Advantage of the first seat in the joint fit, ± half of its 95 % interval"))
    return ReportTable(
        title=f"Seats, {scope.title}",
        columns=tuple(columns),
        lines=tuple(_seat_line(effect, has_advantage=has_advantage) for effect in seats),
        css="effects",
        heading="Seats",
    )


def _seat_line(effect: SeatEffect, *, has_advantage: bool) -> Line:
    name = f"{effect.setting}, seat {effect.seat}"
    low, high = (None if end is None else end - 50 for end in (effect.score_low, effect.score_high))
    said = f"{name}: {decimal(effect.score_pct)} % of the points"
    drawing = interval_strip(effect.score_pct - 50, low, high, scale=_SHARES, title=said, css="plain")
    elo = [_advantage(effect)] if has_advantage else []
    return line(name, whole_number(effect.matches), f"{effect.score_pct:.1f}", drawing, *elo)


def _advantage(effect: SeatEffect) -> str:
    """Return a seat's advantage in Elo with its error, `+36 ± 12`; "" if the fit has none."""
    if effect.advantage is None:
        return ""
    error = "" if effect.advantage_error is None else f" ± {whole_number(effect.advantage_error)}"
    return signed(effect.advantage) + error


def _group_table(scope: Scope, column: str) -> ReportTable:
    """Return a table of matches, scores and lengths for each role or map, the values of `column`."""
    sides = scope.played[scope.played[column] != ""].drop_duplicates(["match_id", "team", column])
    groups = sides.groupby(column)
    matches = groups["match_id"].nunique().sort_values(ascending=False, kind="stable")
    names = [str(name) for name in matches.index[:MOST_MAPS]]
    columns, cells = [Column(column, "name"), Column("matches")], [[whole_number(matches[name]) for name in names]]
    if column == "role" and sides["points"].notna().all():
        columns.append(Column("score %", hint="Share of the points that bots scored in this role"))
        cells.append(aligned((100 * groups["points"].mean()).loc[names].tolist()))
    elif sides["points"].isna().all():
        columns.append(Column("mean returns"))
        means = groups["returns"].mean().loc[names]
        written = dict(zip(means.dropna().index, aligned(means.dropna().tolist()), strict=True))
        cells.append([written.get(name, "–") for name in names])
    elif scope.played["team"].nunique() == 2:
        columns.append(Column("first seat %", hint="Points of the first side, with their 95 % interval"))
        first = sides[sides["team"] == 0].groupby(column)["points"]
        points, counts = first.sum(), first.count()
        cells.append([_share_text(float(points.get(name, 0.0)), int(counts.get(name, 0))) for name in names])
    columns.append(Column("turns", hint="Mean length of a match"))
    cells.append(aligned(groups["turns"].mean().loc[names].astype(float).tolist()))
    hidden = len(matches) - len(names)
    return ReportTable(
        title=f"{column.capitalize()}s, {scope.title}",
        columns=tuple(columns),
        lines=tuple(line(*row) for row in zip(names, *cells, strict=True)),
        css="plain",
        heading=f"{column.capitalize()}s",
        note=f"{plural(hidden, 'more ' + column)} in results.csv." if hidden > 0 else "",
    )


def _share_text(points: float, count: int) -> str:
    """Return the share of points in per cent with its interval: `56 (51–62)`; `count`: number of matches."""
    interval = wilson(points, count)
    if interval is None:
        return "–"
    return f"{100 * points / count:.0f} ({100 * interval.low:.0f}–{100 * interval.high:.0f})"


def _map_matrix(scope: Scope) -> ReportTable | None:
    """Return a table of the score of every bot on every map; None without two maps, or if there are too many."""
    played = scope.played[(scope.played["map"] != "") & scope.played["points"].notna()]
    maps = sorted(played["map"].unique())
    if not 2 <= len(maps) <= MOST_MAP_COLUMNS:
        return None
    sides = played.drop_duplicates(["match_id", "team", "bot"])
    table = sides.groupby(["bot", "map"])["points"].agg(["mean", "count"])
    lines = []
    for bot in (bot for bot in scope.bots if bot in table.index.get_level_values(0)):
        cells = []
        for name in maps:
            if (bot, name) not in table.index:
                cells.append(Cell("·", css="unmet"))
                continue
            score, count = table.loc[(bot, name)].tolist()
            hint = f"{name}: {plural(int(count), 'match')}"
            cells.append(Cell(f"{100 * score:.0f}", css=heat_class(score), hint=hint))
        lines.append(line(bot, *cells))
    return ReportTable(
        title=f"Score of each bot on each map, in per cent, {scope.title}",
        columns=(Column("bot", "name"), *(Column(name, "heat", hint=name) for name in maps)),
        lines=tuple(lines),
        css="heatmap maps",
        heading="Score of each bot on each map, %",
        is_sortable=False,
    )
