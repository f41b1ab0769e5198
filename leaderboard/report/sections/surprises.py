"""The section on the matches that the strengths predict least, with the commands that show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from gridjoust.leaderboard.report.blocks import Cell, Column, Line, Note, ReportTable, Section, line
from gridjoust.leaderboard.report.match_details import replay_command
from gridjoust.leaderboard.report.source import Scope, encounters_of, records
from gridjoust.leaderboard.standings import RankedBy
from gridjoust.leaderboard.wording import per_cent, significant, whole_number
from gridjoust.runner.results.records.reasons import named_reason
from gridjoust.runner.statistics import score_from_elo

MOST_MATCHES = 10
LEAST_SURPRISE = 0.6  # points above what was expected
LEAST_DEVIATIONS = 2.5


def surprises_section(scope: Scope) -> Section | None:
    """Return a table of matches, most surprising first; None if nothing was unexpected."""
    if scope.board.ranked_by is RankedBy.RATING:
        lead = "Matches whose outcome the ratings predict least."
        found = _upsets(scope)
    else:
        lead = "Matches in which a bot scored far from its mean in that game."
        found = _outliers(scope)
    if found.empty:
        return None
    lines = tuple(_line(row, scope) for row in records(found))
    columns = (
        Column("match", "name"),
        Column("what happened", "text"),
        Column("expected", hint="Score of the bot that all matches together predict"),
        Column("ended", "text"),
        Column("watch it with", "text"),
    )
    table = ReportTable(f"Most surprising matches, {scope.title}", columns, lines, css="surprises")
    note = Note(("Copy a command into a terminal in the folder where the tournament ran: it shows the match.",))
    return Section(f"{scope.slug}-surprises", "Most surprising matches", lead, (table, note))


def _upsets(scope: Scope) -> pd.DataFrame:
    """Return the meetings in which a bot scored most above the score that the ratings predict, one per match."""
    ratings = {standing.bot: standing.rating for standing in scope.board.standings if standing.rating is not None}
    met = encounters_of(scope)
    met = met[met["bot"].isin(ratings.keys()) & met["other"].isin(ratings.keys())]
    if met.empty:
        return met
    gap = met["bot"].map(ratings) - met["other"].map(ratings)
    expected = gap.map(score_from_elo)
    met = met.assign(expected=expected, surprise=met["score"] - expected)
    found = met[met["surprise"] >= LEAST_SURPRISE].sort_values("surprise", ascending=False, kind="stable")
    found = found.drop_duplicates("match_id").head(MOST_MATCHES)
    said = [
        f"{bot} {'beat' if score == 1 else 'drew with'} {other}"
        for bot, score, other in zip(found["bot"], found["score"], found["other"], strict=True)
    ]
    return _with_match(scope, found.assign(said=said, usual=[per_cent(share) for share in found["expected"]]))


def _outliers(scope: Scope) -> pd.DataFrame:
    """Return the matches in which a bot's returns lay farthest from its mean, in standard deviations, one per match."""
    sides = scope.played.drop_duplicates(["match_id", "team", "bot"])[["match_id", "bot", "variant", "returns"]]
    own = sides.groupby(["variant", "bot"])["returns"]
    mean, deviation = own.transform("mean"), own.transform("std")
    away = ((sides["returns"] - mean) / deviation.where(deviation > 0)).abs()
    sides = sides.assign(mean=mean, surprise=away)
    found = sides[sides["surprise"] >= LEAST_DEVIATIONS].sort_values("surprise", ascending=False, kind="stable")
    found = found.drop_duplicates("match_id").head(MOST_MATCHES)
    said = [f"{bot} scored {significant(score)}" for bot, score in zip(found["bot"], found["returns"], strict=True)]
    return _with_match(scope, found.assign(said=said, usual=[significant(score) for score in found["mean"]]))


def _with_match(scope: Scope, found: pd.DataFrame) -> pd.DataFrame:
    of_match = scope.played.drop_duplicates("match_id")[["match_id", "reason", "record", "round", "variant", "turns"]]
    told = found.drop(columns="variant", errors="ignore").merge(of_match, on="match_id", how="left")
    reasons = _reasons(scope.played[scope.played["match_id"].isin(found["match_id"])])
    return told.assign(reason=told["match_id"].astype(str).map(reasons))


def _reasons(rows: pd.DataFrame) -> dict[str, str]:
    """Return, by match id, the reason of its end, with the names of its bots."""
    return {
        str(match_id): named_reason(
            str(seats["reason"].iloc[0]),
            [str(bot) for bot in seats["bot"]],
            [seat for seat, is_lost in enumerate(seats["forfeited"].fillna(value=False)) if is_lost],
        )
        for match_id, seats in rows.sort_values("seat").groupby("match_id", observed=True)
    }


def _line(row: Mapping[str, Any], scope: Scope) -> Line:
    return line(
        str(row["match_id"])[:16],
        f"{row['said']} ({row['variant']}, round {row['round']})",
        str(row["usual"]),
        f"{row['reason']}, turn {whole_number(row['turns'])}",
        Cell(replay_command(scope.source.folder, row), css="command"),
    )
