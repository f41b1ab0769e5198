"""Who is best, how sure that is, and who cannot be told apart. Ranks nobody: the leaderboard has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from leaderboard.report.blocks import Cell, Column, Line, Section, Table
from leaderboard.report.charts.strips import axis_strip, interval_strip
from leaderboard.report.charts.svg import Scale, padded
from leaderboard.report.headline import headline
from leaderboard.report.palette import heat_class, planner_class, planner_legend
from leaderboard.report.source import Scope
from leaderboard.report.strength import Strength, Unit, format_strength, reach, strength_of, unit_of
from leaderboard.standings import GameScore, Leaderboard, RankedBy
from leaderboard.wording import listed, plural, significant, whole_number
from runner.tables.columns import Standing

_Text = Callable[[Standing], str]


def standings_section(scope: Scope) -> Section | None:
    """The leaderboard with interval bars."""
    board = scope.board
    if not board.standings:
        return None
    return Section(
        f"{scope.slug}-standings", "Standings", _lead(board), (ranking_table(board, title=f"Standings, {scope.title}"),)
    )


def planners_section(scope: Scope) -> Section | None:
    """The same by planner family, over all games; None where there is only one."""
    if scope.played["planner"].nunique() < 2:
        return None
    board = scope.planners_board
    return Section(
        f"{scope.slug}-planners",
        "By planner",
        f"All bots of a search algorithm taken together. {headline(board)}",
        (ranking_table(board, title=f"Planners, {scope.title}", heading="planner"),),
    )


def roles_section(scope: Scope) -> Section | None:
    """The bots in each role; None without roles."""
    if scope.played.loc[scope.played["role"] != "", "role"].nunique() < 2:
        return None
    boards = scope.role_boards
    best = [f"as {role} {board.standings[0].bot}" for role, board in boards]
    return Section(
        f"{scope.slug}-roles",
        "By role",
        f"Each bot in each role rated against those that it met: first {listed(best)}.",
        tuple(replace(ranking_table(board, title=f"{role}, {scope.title}"), heading=role) for role, board in boards),
    )


def games_section(scope: Scope) -> Section | None:
    """What every bot scored in every game; None where there is one."""
    scores = {(one.bot, one.game): one for one in scope.board.games}
    games = list(dict.fromkeys(one.game for one in scope.board.games))
    if len(games) < 2:
        return None
    lines = [
        Line((Cell(str(at.rank)), Cell(at.bot), *(_game_cell(scores.get((at.bot, game))) for game in games)))
        for at in scope.board.standings
    ]
    columns = (Column("#", hint="Place over all games"), Column("bot", "name"))
    table = Table(
        title="Per cent of rivals beaten in each game",
        columns=(*columns, *(Column(game, "heat", hint=game) for game in games)),
        lines=tuple(lines),
        css="heatmap maps",
        is_sortable=False,
        note="Rivals: opponents, or where there are none the other bots on the same seed. Point at a cell for places.",
    )
    return Section(f"{scope.slug}-games", "Game by game", _games_lead(scope.board, games), (table,))


def _game_cell(score: GameScore | None) -> Cell:
    if score is None or score.beaten_pct is None:
        return Cell("·", css="unmet", hint="not played")
    return Cell(f"{score.beaten_pct:.0f}", css=heat_class(score.beaten_pct / 100), hint=f"place {score.place:g}")


def _games_lead(board: Leaderboard, games: Sequence[str]) -> str:
    firsts: dict[str, list[str]] = {}
    for game in games:
        own = [one for one in board.games if one.game == game]
        best = min(own, key=lambda one: one.place)
        firsts.setdefault(best.bot, []).append(game)
    return f"First places: {'; '.join(f'{bot} in {listed(won)}' for bot, won in firsts.items())}."


def ranking_table(board: Leaderboard, *, title: str, heading: str = "bot") -> Table:
    """One line per bot, a rule below each group that cannot be separated; columns that say nothing are left out."""
    standings, unit = board.standings, unit_of(board.ranked_by)
    strengths = [strength_of(standing, board.ranked_by) for standing in standings]
    known = [strength for strength in strengths if strength is not None]
    scale = padded(*reach(known)) if known else None
    told = _told(_COLUMNS[board.ranked_by], standings)
    lines = []
    for at, (standing, strength) in enumerate(zip(standings, strengths, strict=True)):
        cells = [Cell(str(standing.rank)), _bot_cell(standing)]
        if scale is not None:
            cells += _strength_cells(strength, board, scale, standing)
        cells += [Cell(text(standing)) for _, text in told]
        lines.append(Line(tuple(cells), css=_group_css(standings, at)))
    return Table(
        title=title,
        columns=_columns(told, heading, unit if scale is not None else None),
        lines=tuple(lines),
        foot=_foot(len(told), scale),
        css="ranking",
        legend=planner_legend(standing.planner for standing in standings) if heading == "bot" else (),
        note=_note(standings),
    )


def _columns(told: Sequence[tuple[Column, _Text]], heading: str, unit: Unit | None) -> tuple[Column, ...]:
    columns = [Column("#", hint="Place; ties share"), Column(heading, "name")]
    if unit is not None:
        columns += [Column(unit.title, hint=unit.meaning), Column("95 % interval", "chart", unit.axis)]
    return (*columns, *(column for column, _ in told))


def _strength_cells(strength: Strength | None, board: Leaderboard, scale: Scale, standing: Standing) -> list[Cell]:
    if strength is None:
        return [Cell("–"), Cell()]
    text = format_strength(strength, board)
    title = f"{standing.bot}: {text}" + (" (too few for an interval)" if strength.low is None else "")
    drawing = interval_strip(
        strength.value,
        strength.low,
        strength.high,
        scale=scale,
        title=title,
        css=planner_class(standing.planner),
    )
    return [Cell(text, sort=strength.value), Cell(drawing=drawing)]


def _bot_cell(standing: Standing) -> Cell:
    return Cell(standing.bot, css=planner_class(standing.planner), hint=f"{standing.bot} ({standing.planner})")


def _group_css(standings: Sequence[Standing], at: int) -> str:
    """A rule below the last of a group."""
    if at + 1 == len(standings) or standings[at].group is None:
        return ""
    return "" if standings[at].group == standings[at + 1].group else "apart"


def _foot(told: int, scale: Scale | None) -> tuple[Cell, ...]:
    if scale is None:
        return ()
    return (Cell(), Cell(), Cell(), Cell(drawing=axis_strip(scale)), *[Cell()] * told)


def _lead(board: Leaderboard) -> str:
    known = [standing for standing in board.standings if standing.group is not None]
    groups = len({standing.group for standing in known})
    if not known:
        return "Too few pairs of matches to give intervals: the order is what happened, not yet what is likely."
    if groups == len(known):
        return "Every place is settled: each bot is separated from the next."
    return (
        f"{plural(len(known), 'bot')} in {plural(groups, 'group')}: within a group, nothing separates the first from "
        "the others, and the order may be chance."
    )


def _note(standings: Sequence[Standing]) -> str:
    groups = {standing.group for standing in standings if standing.group is not None}
    if not groups:
        return ""
    closing = " A strong line closes a group." if len(groups) > 1 else ""
    return f"Dots are estimates, bars their 95 % intervals.{closing}"


def _told(columns: Sequence[tuple[Column, _Text]], standings: Sequence[Standing]) -> list[tuple[Column, _Text]]:
    """The columns in which somebody has something to show."""
    return [(column, text) for column, text in columns if any(text(standing) for standing in standings)]


def _few(value: float | None) -> str:
    return "" if value is None else significant(value)


def _share(percentage: float | None) -> str:
    """One decimal for all, so that points stand below each other."""
    return "" if percentage is None else f"{percentage:.1f}"


_MATCHES: tuple[Column, _Text] = (Column("matches"), lambda standing: whole_number(standing.matches))
_COSTS: tuple[tuple[Column, _Text], ...] = (
    (
        Column("ms/turn", hint="Planning time that the bot reports, per turn"),
        lambda standing: _few(standing.planning_ms_per_turn),
    ),
    (Column("nodes/turn", hint="Search nodes expanded, per turn"), lambda standing: _few(standing.nodes_per_turn)),
)
_SUPERIORITY: tuple[Column, _Text] = (
    Column("LOS %", hint="Likelihood of superiority: how likely the bot is truly better than the one in the next line"),
    lambda standing: _share(standing.los_pct),
)
_FAILURES: tuple[Column, _Text] = (
    Column("failed %", hint="Matches in which the bot forfeited"),
    lambda standing: _share(standing.failure_pct or None),
)
_COLUMNS: dict[RankedBy, tuple[tuple[Column, _Text], ...]] = {
    RankedBy.RATING: (
        _SUPERIORITY,
        (Column("score %", hint="Points per match"), lambda standing: _share(standing.score_pct)),
        (
            Column("W–D–L", "text", "Matches won, drawn, lost"),
            lambda standing: f"{standing.wins}–{standing.draws}–{standing.losses}",
        ),
        _MATCHES,
        _FAILURES,
        *_COSTS,
    ),
    RankedBy.RETURNS: (
        _SUPERIORITY,
        (Column("won %", hint="Matches whose goal was reached"), lambda standing: _share(standing.won_pct)),
        (
            Column("IQM", hint="Interquartile mean over seeds: without the best and the worst quarter"),
            lambda standing: _few(standing.returns_iqm),
        ),
        (
            Column("seeds won %", hint="Seeds on which no other bot did better"),
            lambda standing: _share(standing.seeds_won_pct),
        ),
        (Column("mean rank", hint="Mean rank on a seed"), lambda standing: _few(standing.mean_rank)),
        _MATCHES,
        _FAILURES,
        *_COSTS,
    ),
    RankedBy.SCORE: (
        _SUPERIORITY,
        (Column("mean place", hint="Mean of the places in the games"), lambda standing: _few(standing.mean_rank)),
        (Column("games"), lambda standing: whole_number(standing.games)),
        _MATCHES,
        (Column("won %", hint="Matches whose goal was reached"), lambda standing: _share(standing.won_pct)),
        _FAILURES,
        *_COSTS,
    ),
}
