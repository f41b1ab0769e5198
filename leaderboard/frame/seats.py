"""Reads `results.csv` into a data frame of what a leaderboard needs: a row per seat of every match that counts.

Rows may come in any order; one seen twice, as after merging folders, counts once. The frame is sorted by match and
seat, so nothing that follows, rounding included, depends on the order of the rows. They are read piece by piece.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

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
    """Read a row per seat of all matches that count, as `Gathering.seats`; `metrics.csv` may be missing.

    ConfigError for a table that Joust did not write.
    """
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
