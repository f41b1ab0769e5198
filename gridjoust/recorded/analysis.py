"""The result of `joust analyse`, and the file beside the record that stores it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from gridjoust.games.api import Seat
from gridjoust.runner.results.records.file import RECORDS
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import UNREADABLE

FOLDER = "analysis"  # in a results folder, beside its records
FORMAT = 1


class Side(msgspec.Struct, frozen=True):
    """The seats that win together, and their name."""

    name: str
    seats: list[Seat]


class Point(msgspec.Struct, frozen=True):
    """Shares of wins of all sides (seats that win together) after a turn, with their 95 % intervals.

    `playouts` is 0 at the end of the match, where the result is known.
    """

    turn: int
    playouts: int
    shares: list[float]
    lows: list[float]
    highs: list[float]


class Drop(msgspec.Struct, frozen=True):
    """A large loss of one side's win share between two turns; `error` is half the 95 % interval of the difference."""

    first: int
    last: int
    side: int
    before: float
    after: float
    error: float


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """The analysis of one match; `points` in the order of turns, `drops` the largest first."""

    format: int = FORMAT
    match: str
    record: str  # the hash of the record's end
    goal: str  # the metric that counts as a win if there is only one side
    bots: list[str]  # the playouts' bots, by seat
    seed: int
    sides: list[Side]
    points: list[Point]
    drops: list[Drop]


def analysis_path(record: Path) -> Path:
    """Return the path of the file with a record's analysis."""
    if record.absolute().parent.name == RECORDS:
        return record.parent.parent / FOLDER / f"{record.stem}.json"
    return record.with_name(f"{record.stem}.{FOLDER}.json")


def save_analysis(path: Path, analysis: Analysis) -> None:
    """Write an analysis as JSON; equal analyses give equal bytes."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(analysis), indent=1) + b"\n")


def load_analysis(path: Path, record: MatchRecord) -> Analysis | None:
    """Return the stored analysis of this record; None if there is none or it belongs to another match or record."""
    if not path.is_file():
        return None
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Analysis)
    except UNREADABLE as error:
        raise ConfigError(f"{path}: not an analysis of joust analyse: {error}") from None
    is_this = (found.format, found.match, found.record) == (FORMAT, record.header.match_id, record.end.hash)
    return found if is_this else None
