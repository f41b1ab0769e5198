"""Loads what the report shows of a results folder: tables with each seat of a match once, board, settings, duels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from gridjoust.leaderboard.board import make_leaderboard
from gridjoust.leaderboard.frame.codes import combine, match_count, names_of, without_absent
from gridjoust.leaderboard.frame.entries import Entries, fold, rivals
from gridjoust.leaderboard.frame.gathering import seats_of
from gridjoust.leaderboard.report.blocks import Cell
from gridjoust.leaderboard.report.palette import bot_classes
from gridjoust.leaderboard.standings import Leaderboard, progress_of, titles_of, with_excluded, with_titles
from gridjoust.runner.results.records.lines import Termination
from gridjoust.runner.results.tables.columns import METRICS, RESULTS, TURNS, VERDICT
from gridjoust.runner.results.tables.datapackage import check_tables
from gridjoust.runner.results.tables.frames import (
    Metric,
    declared_metrics,
    empty_table,
    is_goal,
    read_csv,
    read_table,
    steady,
    whole_matches,
)
from gridjoust.runner.results.tables.schedule_file import read_planned
from gridjoust.runner.results.tables.text import require_columns
from gridjoust.runner.statistics import EloEstimate, elo_from_pairs, elo_from_wdl, likelihood_of_superiority
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text

_MATCH_SEAT = ["match_id", "seat"]
_OF_SEAT = [*_MATCH_SEAT, "bot", "variant", "game", "counted", "termination", "forfeited"]
_OF_ANSWER = {"match_id": "string", "seat": "Int64", "planning_ms": "float64", "expanded": "float64", "fault": "string"}
_MEASURED = {"cpu_ms": "float64", "generated": "float64", "tactics": "float64"}  # in tables of this version
MANY_VARIANTS = 8  # beyond these, chapters are by game


@dataclass(frozen=True, slots=True)
class Source:
    """The tables and the leaderboard of one tournament, and the settings with which it was played."""

    folder: Path
    results: pd.DataFrame  # a row per match and seat, void matches included
    metrics: pd.DataFrame  # joined with the seat's bot, variant and whether it counts
    answers: pd.DataFrame  # the same: planning and CPU time, expansions, fault of every answer
    seats: pd.DataFrame  # of the matches that count, as the leaderboard takes them
    board: Leaderboard
    config: Mapping[str, Any]
    environment: Mapping[str, Any]
    verdict: str  # what the schedule decided, as a sentence; "" if nothing
    declared: Mapping[str, Mapping[str, Metric]]  # game -> its metrics, where it is installed
    colours: Mapping[str, str]  # bot -> the classes of its colour, best bots first

    def part(self, name: str) -> Mapping[str, Any]:
        """Return a part of the settings, such as `stop`; empty if it is missing."""
        found = self.config.get(name)
        return found if isinstance(found, Mapping) else {}


@dataclass(frozen=True, slots=True, eq=False)  # compared as a thing, so that what is made of it can be kept
class Scope:
    """What a chapter of the report is about: the whole tournament or one game, with its rows and leaderboard."""

    source: Source
    slug: str
    title: str
    results: pd.DataFrame
    played: pd.DataFrame  # the rows of `results` that count
    metrics: pd.DataFrame
    answers: pd.DataFrame
    seats: pd.DataFrame
    entries: Entries
    board: Leaderboard

    @property
    def bots(self) -> list[str]:
        """The names of the bots, best first."""
        return [standing.bot for standing in self.board.standings]

    def colour(self, bot: str) -> str:
        """Return the CSS classes of a bot's colour, the same on the whole page."""
        return self.source.colours[bot]

    def named(self, bot: str) -> Cell:
        """Return the table cell with a bot's name and title, the heading of a row."""
        return Cell(bot, css=self.colour(bot), also=self.board.titles.get(bot, ""))

    @property
    def planners(self) -> dict[str, str]:
        """The planner or planners of each bot, joined by + as in the leaderboard."""
        return {standing.bot: standing.planner for standing in self.board.standings}


def load_source(folder: Path) -> Source:
    """Load what a report shows of a results folder, leaderboard included; ConfigError for a damaged table.

    Only `results.csv` must be there: what else is missing, or has not reached its file yet, is not shown.
    """
    check_tables(folder)
    path = folder / RESULTS.file
    require_columns(path, [column.name for column in RESULTS.columns if not column.is_recent])
    results, metrics, answers = steady(folder, lambda: _read_tables(folder))
    try:
        seats = seats_of(results, metrics)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    for column in ("map", "role", "opponents", "reason", "schedule_reason"):
        results[column] = results[column].fillna("")
    for column in ("bot_version", "reason"):  # what bots say of themselves and of their faults
        texts = results[column].dropna().unique()  # few, whatever the number of rows
        results[column] = results[column].map({text: plain_text(text) for text in texts})
    of_seat = results[_OF_SEAT]
    planned = read_planned(folder)
    progress = progress_of(planned, match_count(seats))
    board = make_leaderboard(seats, decision=planned.decision if planned else None)
    board = replace(with_excluded(with_titles(board, titles_of(planned)), planned), progress=progress)
    bots = [*(standing.bot for standing in board.standings), *sorted(map(str, results["bot"].unique()))]
    return Source(
        folder=folder,
        results=results,
        metrics=metrics.merge(of_seat, on=_MATCH_SEAT),
        answers=answers.merge(of_seat, on=_MATCH_SEAT),
        seats=seats,
        board=board,
        config=_settings(folder / "tournament.yaml"),
        environment=_settings(folder / "environment.json"),
        verdict=verdict.read_text(encoding="utf-8").strip() if (verdict := folder / VERDICT).is_file() else "",
        declared=declared_metrics(map(str, results["game"].unique())),
        colours=bot_classes(list(dict.fromkeys(bots))),
    )


def _read_tables(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Read results, metrics and answers; results first, so that the others have no fewer matches while a run writes."""
    results = read_table(folder / RESULTS.file, RESULTS).drop_duplicates(_MATCH_SEAT, ignore_index=True)
    path = folder / METRICS.file
    metrics = read_table(path, METRICS) if path.is_file() else empty_table(METRICS)
    metrics = metrics.drop(columns="bot").drop_duplicates([*_MATCH_SEAT, "metric"])
    return whole_matches(results), metrics, _read_answers(folder / TURNS.file)


def whole(source: Source) -> Scope:
    """Return the whole tournament as a scope; ConfigError if it has no match."""
    if source.results.empty:
        raise ConfigError(f"{source.folder / RESULTS.file}: expected at least one match, got none")
    variants = source.results["variant"].unique()
    title = str(variants[0]) if len(variants) == 1 else "all games"
    return _scope(source, "all", title, source.seats, source.board)


def parts(source: Source) -> Iterator[Scope]:
    """Yield a scope per variant, or per game if there are very many variants; none if there is only one."""
    column = "variant" if source.results["variant"].nunique() <= MANY_VARIANTS else "game"
    names = list(dict.fromkeys(source.results[column]))
    if len(names) > 1:
        for at, name in enumerate(names, 1):
            seats = without_absent(source.seats[source.seats[column] == name])
            board = with_titles(replace(make_leaderboard(seats), progress=source.board.progress), source.board.titles)
            yield _scope(source, f"g{at}", name, seats, board, column=column)


def _scope(
    source: Source, slug: str, title: str, seats: pd.DataFrame, board: Leaderboard, *, column: str = ""
) -> Scope:
    """Return a scope of all rows, or of those whose `column` is the title; `slug` begins its ids on the page."""
    frames = [source.results, source.metrics, source.answers]
    results, metrics, answers = [frame[frame[column] == title] for frame in frames] if column else frames
    return Scope(
        source=source,
        slug=slug,
        title=title,
        results=results,
        played=results[_is_counted(results)],
        metrics=metrics[_is_counted(metrics) & _says_something(metrics, source.declared)],
        answers=answers,
        seats=seats,
        entries=fold(seats).entries,
        board=board,
    )


def _is_counted(frame: pd.DataFrame) -> pd.Series[bool]:
    return frame["counted"].fillna(value=False).astype(bool)


def _says_something(metrics: pd.DataFrame, declared: Mapping[str, Mapping[str, Metric]]) -> pd.Series[bool]:
    """Return a mask of the metric rows to report: completed matches, seats that did not forfeit.

    For metrics that a game declares as goals, seats that forfeited count too, as they have missed the goal.
    """
    is_forfeited = metrics["forfeited"].fillna(value=False).astype(bool)
    goals = {(game, name) for game, own in declared.items() for name in own if is_goal(own, name)}
    of_goal = pd.MultiIndex.from_frame(metrics[["game", "metric"]]).isin(goals)
    is_whole: pd.Series[bool] = metrics["termination"].eq(Termination.COMPLETED.value) & ~is_forfeited
    return is_whole | (is_forfeited & of_goal)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a small frame as plain mappings."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def _read_answers(path: Path) -> pd.DataFrame:
    """Read the table of answers, only the columns that are shown, as it is by far the longest."""
    dtypes = _OF_ANSWER | _MEASURED
    try:
        frame = read_csv(path, dtypes=dtypes, only_these=True, needed=_OF_ANSWER)
    except FileNotFoundError:
        return pd.DataFrame({name: pd.Series(dtype=dtype) for name, dtype in dtypes.items()})
    return frame.reindex(columns=[*dtypes])


def _settings(path: Path) -> Mapping[str, Any]:
    """Read a YAML or JSON mapping; return an empty one if the file is missing."""
    if not path.is_file():
        return {}
    text = path.read_text(encoding="utf-8")
    found = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Duel:
    """All matches of one bot against another, counted from the first bot's side."""

    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]  # that scored 0, 0.5, 1, 1.5 and 2 points; empty unless all pairs are two matches
    superiority: float | None  # likelihood that the first is truly better; None if all pairs had the same score

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per match, 0 to 1."""
        return (self.wins + self.draws / 2) / self.matches

    @property
    def estimate(self) -> EloEstimate:
        """The difference in Elo between the two bots, from pairs of matches if there are any."""
        return elo_from_pairs(*self.pairs) if self.pairs else elo_from_wdl(self.wins, self.draws, self.losses)


def encounters_of(scope: Scope) -> pd.DataFrame:
    """Return one row per ordered pair of bots that met in a match: `bot` scored `score` against `other`.

    Rows are in the order of the schedule; a match counts once per team, however many seats a bot holds.
    """
    entries = scope.entries
    first, second = rivals(entries)
    one, other = np.concatenate([first, second]), np.concatenate([second, first])
    names = np.array([*names_of(scope.seats, "bot"), ""], dtype=object)
    order = list(dict.fromkeys(scope.played["match_id"]))
    ids = np.array([*sorted(order), ""], dtype=object)
    place = {match_id: at for at, match_id in enumerate(order)}
    met = pd.DataFrame(
        {
            "match_id": ids[combine(entries.match)[one]],
            "bot": names[entries.bot[one]],
            "other": names[entries.bot[other]],
            "pair": entries.pair[one],
            "score": 0.5 + np.sign(entries.rank[other] - entries.rank[one]) / 2,
        }
    )
    return met.iloc[np.lexsort((other, one, met["match_id"].map(place)))]


@lru_cache(maxsize=1)  # several sections in a row ask for the same
def duels_of(scope: Scope) -> Mapping[tuple[str, str], Duel]:
    """Return the wins, draws and losses of each pair of bots that met, by (bot, other)."""
    met = encounters_of(scope)
    if met.empty:
        return {}
    duels = ["bot", "other"]
    pairs = met.groupby([*duels, "pair"])["score"].agg(["sum", "mean", "size"])
    by_duel = pairs.groupby(level=duels)
    units = by_duel.agg(score=("mean", "mean"), units=("mean", "size"), least=("size", "min"), most=("size", "max"))
    units["error"] = by_duel["mean"].std(ddof=0) / np.sqrt(units["units"])  # as for `elo_from_pairs`
    kinds = (2 * pairs["sum"]).round().astype(int).groupby(level=duels).value_counts().unstack(fill_value=0)
    totals = met.groupby(duels)["score"].value_counts().unstack(fill_value=0)
    counts = totals.reindex(columns=[1.0, 0.5, 0.0], fill_value=0).set_axis(["wins", "draws", "losses"], axis=1)
    pentanomial = kinds.reindex(columns=range(5), fill_value=0).reindex(counts.index).to_numpy()
    return {
        (str(row["bot"]), str(row["other"])): Duel(
            wins=int(row["wins"]),
            draws=int(row["draws"]),
            losses=int(row["losses"]),
            pairs=tuple(own) if row["least"] == row["most"] == 2 else (),
            superiority=likelihood_of_superiority(float(row["score"]), float(row["error"])),
        )
        for row, own in zip(records(counts.join(units).reset_index()), pentanomial.tolist(), strict=True)
    }
