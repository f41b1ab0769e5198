"""Sections with the standings: which bot is best, how sure that is, and which bots are not separated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, starmap

from gridjoust.leaderboard.board import leaderboards_by
from gridjoust.leaderboard.columns import (
    COSTS,
    RESULTS,
    UNITS,
    ShownStrength,
    decided_columns,
    format_strength,
    is_shown,
    strength_of,
)
from gridjoust.leaderboard.decided import FORMATS, bracket, round_texts
from gridjoust.leaderboard.report.blocks import Cell, Column, Drawing, Note, ReportTable, Section, line
from gridjoust.leaderboard.report.charts.strips import axis_strip, interval_strip
from gridjoust.leaderboard.report.charts.svg import Scale, padded
from gridjoust.leaderboard.report.headline import capital, headline
from gridjoust.leaderboard.report.palette import heat_class
from gridjoust.leaderboard.report.source import Scope
from gridjoust.leaderboard.standings import FindingKind, GameScore, Leaderboard, count_pools, is_apart, share_letter
from gridjoust.leaderboard.wording import listed


def standings_section(scope: Scope) -> Section | None:
    """Return the leaderboard as a table with interval bars."""
    board = scope.board
    if not board.standings:
        return None
    table = ranking_table(board, title=f"Standings, {scope.title}", colour=scope.colour)
    return Section(f"{scope.slug}-standings", "Standings", _lead(board), (table,))


def rounds_section(scope: Scope) -> Section | None:
    """Return the bracket and the duels of each round; None if no format decided an order of its own."""
    board, decision = scope.board, scope.board.decision
    if decision is None or not decision.rounds:
        return None
    lines = tuple(line(name, met) for name, met in round_texts(decision))
    table = ReportTable(
        "Rounds", (Column("round", "name"), Column("pairings", "text")), lines, css="plain", is_sortable=False
    )
    drawn = (Drawing("\n".join(bracket(decision.rounds))),) if decision.format == "knockout" else ()
    lead = "Numbers are shares of the points of a pairing. A bot with a bye has no opponent in that round."
    called = tuple(f"{bot}: {board.titles[bot]}" for bot in scope.bots if board.titles.get(bot))
    title = "Bracket" if drawn else "Round by round"
    return Section(f"{scope.slug}-course", title, lead, (*drawn, *([Note(called)] if called else []), table))


def planners_section(scope: Scope) -> Section | None:
    """Return standings of planner families over all games; None if there is one, or each bot is its own family."""
    families = scope.played[["planner", "bot"]].drop_duplicates()
    if families["planner"].nunique() < 2 or not families.duplicated("planner").any():
        return None
    [(_, board)] = leaderboards_by(scope.seats, "planner")
    return Section(
        f"{scope.slug}-planners",
        "By planner",
        f"All bots with the same search algorithm, taken together. {headline(board)}",
        (ranking_table(board, title=f"Planners, {scope.title}", heading="planner"),),
    )


def roles_section(scope: Scope) -> Section | None:
    """Return tables of the bots in each role, rated in one joint fit; None without roles."""
    if scope.played.loc[scope.played["role"] != "", "role"].nunique() < 2:
        return None
    boards = [(role, board) for role, board in leaderboards_by(scope.seats, "role") if role]
    best = [f"first as {role}: {_first(board)}" for role, board in boards]
    return Section(
        f"{scope.slug}-roles",
        "By role",
        f"Each bot is rated in each role, against the opponents that it met; {'; '.join(best)}.",
        tuple(
            replace(ranking_table(board, title=f"{role}, {scope.title}", colour=scope.colour), heading=role)
            for role, board in boards
        ),
    )


def _first(board: Leaderboard) -> str:
    """Return the first bot, and others that may be as good: `a (not separated from b and c)`."""
    first, *others = board.standings
    level = [one.bot for one in others if share_letter(one.group, first.group)]
    return f"{first.bot} (not separated from {listed(level)})" if level else first.bot


def games_section(scope: Scope) -> Section | None:
    """Return a table of every bot's score in every game; None if there is only one game."""
    scores = {(one.bot, one.game): one for one in scope.board.games}
    games = list(dict.fromkeys(one.game for one in scope.board.games))
    if len(games) < 2:
        return None
    columns = (Column("#", hint="Place over all games"), Column("bot", "name"))
    table = ReportTable(
        title="Per cent of rivals beaten in each game",
        columns=(*columns, *(Column(game, "heat", hint=game) for game in games)),
        lines=tuple(
            line(str(at.rank), scope.named(at.bot), *(_game_cell(scores.get((at.bot, game))) for game in games))
            for at in scope.board.standings
        ),
        css="heatmap maps",
        is_sortable=False,
        note="Rivals: opponents, or without opponents the other bots on the same seed. Point at a cell for the place.",
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
        best = min(one.place for one in own)
        for one in own:
            if one.place == best:
                firsts.setdefault(one.bot, []).append(game)
    return f"First places: {'; '.join(f'{bot} in {listed(won)}' for bot, won in firsts.items())}."


def _no_colour(_: str) -> str:
    return ""


def ranking_table(
    board: Leaderboard, *, title: str, heading: str = "bot", colour: Callable[[str], str] = _no_colour
) -> ReportTable:
    """Return a table with a line per bot, and a rule between separated neighbours; empty columns are left out.

    Excluded bots come last, struck out.
    """
    standings, unit = board.standings, UNITS[board.ranked_by]
    strengths = [strength_of(standing, board.ranked_by) for standing in standings]
    ends = [end for one in strengths if one for end in (one.value, one.low, one.high) if end is not None]
    scale = padded(min(ends), max(ends)) if ends else None
    columns = [Column("#", hint="Place; equal bots share it"), Column(heading, "name")]
    decided = list(decided_columns(board))
    columns += [Column(name, "text", "Result by the rules of the format") for name, _ in decided]
    if scale is not None:
        columns += [Column(unit.title, hint=unit.meaning), Column("95 % interval", "chart", unit.axis)]
    shown = list(_shown_columns(board))
    lines = []
    following = [*standings[1:], *standings[-1:]]
    for at, (standing, after, strength) in enumerate(zip(standings, following, strengths, strict=True)):
        css, named = colour(standing.bot), f"{standing.bot} ({standing.planner})"
        cells = [Cell(str(standing.rank)), Cell(standing.bot, css=css, hint=named)]
        cells += [Cell(texts[at]) for _, texts in decided]
        if scale is not None:
            cells += _strength_cells(strength, board, scale, standing.bot, css)
        css_of_line = "apart" if is_apart(board, standing, after) else ""
        lines.append(line(*cells, *(texts[at] for _, texts in shown), css=css_of_line))
    empty = [""] * (len(columns) + len(shown) - 2)
    lines += [line("–", Cell(bot, hint=why), *empty, css="excluded") for bot, why in board.excluded.items()]
    return ReportTable(
        title=title,
        columns=(*columns, *(column for column, _ in shown)),
        lines=tuple(lines),
        foot=(*[Cell()] * (len(columns) - 1), Cell(drawing=axis_strip(scale)), *[Cell()] * len(shown))
        if scale is not None
        else (),
        css="ranking",
        note=_note(board),
    )


def _shown_columns(board: Leaderboard) -> Iterator[tuple[Column, list[str]]]:
    """Yield the columns in which some bot has a value, each with its texts."""
    titles = [board.titles.get(standing.bot, "") for standing in board.standings]
    if any(titles):
        yield Column("title", "text", "What people call the bot"), titles
    for one in sorted((*RESULTS, *COSTS), key=lambda one: one.place):
        if one.page is not None and is_shown(one, board):
            texts = [one.text(standing, one.page) for standing in board.standings]
            if any(texts):
                yield Column(one.page_title or one.title, "text" if one.is_text else "number", one.hint), texts


def _strength_cells(strength: ShownStrength | None, board: Leaderboard, scale: Scale, bot: str, css: str) -> list[Cell]:
    if strength is None:
        return [Cell("–"), Cell()]
    text = format_strength(strength, board)
    title = f"{bot}: {text}" + (" (too few for an interval)" if strength.low is None else "")
    drawing = interval_strip(strength.value, strength.low, strength.high, scale=scale, title=title, css=css)
    return [Cell(text, sort=strength.value), Cell(drawing=drawing)]


def _lead(board: Leaderboard) -> str:
    if board.decision is not None:
        return f"Places are those of {FORMATS[board.decision.format]}; the bars show strength by all matches together."
    said = [one.sentence for one in board.findings if one.kind is FindingKind.SEPARATED]
    if not said:
        return "Too few matches to separate any two bots: the order may be chance."
    names = {one.bot for one in board.standings}
    shown = ". ".join(capital(one, names) for one in said)
    return f"{shown}. Bots that share a letter are not separated: their order may be chance."


def _note(board: Leaderboard) -> str:
    standings = board.standings
    excluded = f"Struck out: {listed(list(starmap(_excluded, board.excluded.items())))}." if board.excluded else ""
    if all(
        strength is None or strength.low is None
        for strength in (strength_of(one, board.ranked_by) for one in standings)
    ):
        return excluded
    following = pairwise(standings)
    apart = "separated, or in different pools" if count_pools(standings) > 1 else "separated"
    closing = (
        f" A thick line: the bots above and below it are {apart}."
        if any(is_apart(board, *two) for two in following)
        else ""
    )
    return f"Dots are estimates, bars their 95 % intervals.{closing} {excluded}".rstrip()


def _excluded(bot: str, reason: str) -> str:
    return f"{bot} ({reason})"
