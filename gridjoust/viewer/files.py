"""A match of a results folder for the viewer: its record, what its bots wrote, how `joust ask` would find it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from gridjoust.viewer.match import match_view
from leaderboard.report.logs import log_excerpt
from runner.config.resolved import RESOLVED
from runner.record.lines import MatchRecord


def match_view_of(path: Path, record: MatchRecord) -> dict[str, Any]:
    """Of the record in this file; RecordError for a game, or rules of it, that are not installed."""
    results, header = path.absolute().parent.parent, record.header
    logs = {
        seat: log_excerpt(results, bot=entry.bot, match_id=header.match_id) for seat, entry in enumerate(header.seats)
    }
    is_found = (results / RESOLVED).is_file()
    return match_view(record, named=shlex.quote(path.as_posix()) if is_found else "", logs=logs)
