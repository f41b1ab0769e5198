"""The viewer's data on a match of a results folder: record, bots' logs, analysis, and the command to ask again."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import msgspec

from gridjoust.drawing.find import draw_state
from gridjoust.games.api import Seat
from gridjoust.games.svg import write_thumbnail
from gridjoust.leaderboard.report.match_details import log_excerpt
from gridjoust.recorded.analysis import Analysis, analysis_path, load_analysis
from gridjoust.runner.config.load import RESOLVED
from gridjoust.runner.results.records.file import changed_ns
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.records.other_rules import as_installed
from gridjoust.runner.results.records.reasons import without_words
from gridjoust.runner.results.replay import game_of, replay
from gridjoust.runner.wire.errors import RecordError
from gridjoust.viewer.match import match_view


def match_view_of(path: Path, record: MatchRecord) -> dict[str, Any]:
    """Return the viewer's data on a record; if other rules are installed, only the turns that both agree on.

    RecordError if the game is not installed.
    """
    results, header = path.absolute().parent.parent, record.header
    logs = {
        seat: log_excerpt(results, bot=entry.bot, match_id=header.match_id) for seat, entry in enumerate(header.seats)
    }
    is_found = (results / RESOLVED).is_file()
    return _view_of(path, record, named=shlex.quote(path.as_posix()) if is_found else "", logs=logs)


def public_view_of(path: Path, record: MatchRecord, own: Collection[Seat] = ()) -> dict[str, Any]:
    """Return the viewer's data without what only owners may know: logs, and what bots said of their faults.

    The details of own seats' faults stay.
    """
    return _view_of(path, _without_words(record, own))


def site_view_of(path: Path, record: MatchRecord) -> dict[str, Any]:
    """Return the data of `public_view_of`, but without what each seat could see: pages of a large site are small."""
    return _view_of(path, _without_words(record), has_seats=False)


def _without_words(record: MatchRecord, own: Collection[Seat] = ()) -> MatchRecord:
    lines = [without_words(line, own) for line in record.lines]
    return msgspec.structs.replace(record, lines=lines, end=without_words(record.end, own))


def _view_of(
    path: Path,
    record: MatchRecord,
    *,
    named: str = "",
    logs: Mapping[Seat, str] | None = None,
    has_seats: bool = True,
) -> dict[str, Any]:
    shown = as_installed(record)
    view = match_view(shown, named=named, logs=logs, has_seats=has_seats)
    analysis = load_analysis(analysis_path(path), record)
    return view if analysis is None or shown is not record else view | _analysed(view["events"], analysis)


def thumbnail_of(record: MatchRecord) -> str:
    """Return the last board of a match as SVG; RecordError if the game is not installed or cannot be drawn."""
    game, states = game_of(record), [moment.state for moment in replay(record)]
    try:
        return write_thumbnail(draw_state(game, states[-1], past=states[:-1]))
    except ValueError as error:
        raise RecordError(str(error)) from None


def view_changed_ns(path: Path) -> tuple[int, int]:
    """Return the times of change of the record and its analysis in ns, 0 if there is no analysis."""
    analysis = analysis_path(path)
    return changed_ns(path), analysis.stat().st_mtime_ns if analysis.is_file() else 0


def _analysed(events: list[list[Any]], analysis: Analysis) -> dict[str, Any]:
    """Return the analysis for the page, with its drops added to the events."""
    ticks = [
        [drop.last, "decisive", analysis.sides[drop.side].seats[0], f"{drop.before:.0%} to {drop.after:.0%} of wins"]
        for drop in analysis.drops
    ]
    return {
        "analysis": msgspec.to_builtins(analysis),
        "events": sorted([*events, *ticks], key=lambda event: int(event[0])),
    }
