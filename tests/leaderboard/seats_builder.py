"""From records and rows in memory to what is computed of them, as from tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd
from msgspec.structs import replace

from gridjoust.leaderboard.board import make_leaderboard
from gridjoust.leaderboard.frame.codes import names_of
from gridjoust.leaderboard.frame.entries import Entries, fold
from gridjoust.leaderboard.frame.gathering import seats_of
from gridjoust.leaderboard.standings import Leaderboard
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.columns import METRICS, RESULTS, Row
from gridjoust.runner.results.tables.writer import metric_rows
from tests.runner.results.records.records_builder import duels, make_record, rows_of, solo


def seats_of_rows(rows: Iterable[Row], *, metrics: Iterable[Row] = ()) -> pd.DataFrame:
    """The seats of rows of `results.csv` and `metrics.csv`."""
    return seats_of(
        pd.DataFrame(list(rows), columns=list(RESULTS.names)), pd.DataFrame(list(metrics), columns=list(METRICS.names))
    )


def board_of(*records: MatchRecord) -> Leaderboard:
    """The leaderboard of some matches."""
    metrics = [row for record in records for row in metric_rows(record)]
    return make_leaderboard(seats_of_rows(rows_of(*records), metrics=metrics))


def entries_of_records(*records: MatchRecord) -> tuple[Entries, tuple[str, ...], tuple[str, ...]]:
    """The entries of some matches; names of bots and settings by code."""
    seats = seats_of_rows(rows_of(*records))
    return fold(seats).entries, names_of(seats, "bot"), names_of(seats, "variant")


def met(**scores: Sequence[float]) -> list[MatchRecord]:
    """Pairs of matches between bots of one letter, seats swapped: `met(ab=[1, 0.5])`."""
    return [match for two, own in scores.items() for match in duels(two[0], two[1], own)]


def alone(**returns: Sequence[float]) -> list[MatchRecord]:
    """Matches of bots alone, on the seeds 0, 1, 2, ...: `alone(a=[3, 4], b=[1, 2])`."""
    return [match for bot, own in returns.items() for match in solo(bot, own)]


def in_game(game: str, records: Sequence[MatchRecord]) -> list[MatchRecord]:
    """The same matches in another game."""
    return [with_header(record, game=game, variant=game) for record in records]


def with_header(record: MatchRecord, **changes: object) -> MatchRecord:
    """The same match with some fields of its header changed."""
    return replace(record, header=replace(record.header, **changes))


def in_roles(heroes: str, zargon: str, match_id: str) -> MatchRecord:
    """A match between roles that the heroes win."""
    record = make_record(match_id, bots=(heroes, zargon), returns=(1, -1))
    seats = zip(record.header.seats, ("heroes", "zargon"), strict=True)
    return with_header(record, seats=[replace(seat, role=role) for seat, role in seats])


def of_planners(records: Sequence[MatchRecord]) -> list[MatchRecord]:
    """The same matches with a planner for each bot, in turn one of three."""
    planners: dict[str, str] = {}
    for record in records:
        for seat in record.header.seats:
            planners.setdefault(seat.bot, ("astar", "beam", "other")[len(planners) % 3])
    return [
        with_header(record, seats=[replace(seat, planner=planners[seat.bot]) for seat in record.header.seats])
        for record in records
    ]
