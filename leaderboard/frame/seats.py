"""`results.csv` as a data frame of what a leaderboard needs: a row per seat of every match that counts. Ranks nobody.

Rows may come in any order; one seen twice, as after merging folders, counts once. The frame is sorted by match and
seat, so nothing that follows, rounding included, depends on the order of the rows. They are read piece by piece.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from gridjoust.leaderboard.frame.codes import ROWS_AT_ONCE, Indices
from gridjoust.leaderboard.frame.gathering import IDS, KNOWN, NUMBERS, TEXTS, Gathering
from gridjoust.runner.results.tables.columns import METRICS, RESULTS
from gridjoust.runner.results.tables.frames import read_pieces, steady
from gridjoust.runner.results.tables.text import require_columns
from gridjoust.runner.wire.errors import ConfigError

ROWS_OF_A_PIECE = 1 << 14
_DTYPES = {
    **dict.fromkeys(IDS, "object"),
    **dict.fromkeys((*TEXTS, "schedule_reason"), "category"),
    **dict.fromkeys((*KNOWN, *NUMBERS, "seats"), "float64"),
}
_METRIC_DTYPES = {"match_id": "object", "seat": "float64", "metric": "category", "value": "float64"}


def read_seats(folder: Path) -> pd.DataFrame:
    """Read the seats of all counted matches; `metrics.csv` may be missing. ConfigError for a table that is not ours."""
    path, metrics = folder / RESULTS.file, folder / METRICS.file
    require_columns(path, ("match_id", "pair_id", "game", "bot", *KNOWN))

    def read() -> pd.DataFrame:
        gathering = Gathering()
        for piece in read_pieces(path, _DTYPES, rows=ROWS_OF_A_PIECE):
            gathering.add(piece)
        if gathering.has_solo and metrics.is_file():
            for piece in read_pieces(metrics, _METRIC_DTYPES, needed=_METRIC_DTYPES, rows=ROWS_OF_A_PIECE):
                gathering.add_metrics(piece)
        return gathering.seats()

    try:
        return steady(folder, read)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None


def match_count(seats: pd.DataFrame) -> int:
    """Count the matches that the seats of whole tables are from."""
    return int(seats["match"].max()) + 1 if len(seats) else 0


def codes_of(seats: pd.DataFrame, column: str) -> Indices:
    """Return the texts of a column as indices into `names_of` it."""
    return seats[column].cat.codes.to_numpy()


def names_of(seats: pd.DataFrame, column: str) -> tuple[str, ...]:
    """Return the sorted texts of a column; of a part of the seats also those that do not occur in it."""
    return tuple(seats[column].cat.categories)


def without_absent(seats: pd.DataFrame) -> pd.DataFrame:
    """Return a part of the seats whose bots are those that occur in it."""
    return seats.assign(bot=seats["bot"].cat.remove_unused_categories())


def distinct_texts(seats: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return what occurs together in columns of texts, in order of the texts."""
    pieces = [
        seats[list(columns)].iloc[start : start + ROWS_AT_ONCE].drop_duplicates()
        for start in range(0, len(seats), ROWS_AT_ONCE)
    ]
    found = pd.concat([seats[list(columns)].iloc[:0], *pieces]).drop_duplicates()
    return found.astype(str).sort_values(list(columns))
