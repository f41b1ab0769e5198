"""Seats from rows in memory, as they are read from tables."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from leaderboard.seats import seats_of
from runner.tables.columns import METRICS, RESULTS, Row


def seats_of_rows(rows: Iterable[Row], *, metrics: Iterable[Row] = ()) -> pd.DataFrame:
    """The seats of rows of `results.csv` and `metrics.csv`."""
    return seats_of(
        pd.DataFrame(list(rows), columns=list(RESULTS.names)), pd.DataFrame(list(metrics), columns=list(METRICS.names))
    )
