"""A leaderboard takes memory for its rows in few bytes each, and else for a piece of them at a time."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from benchmarks.leaderboard import KINDS, make_parts, write_tables
from gridjoust.leaderboard.board import make_leaderboard
from gridjoust.leaderboard.frame.gathering import seats_of
from gridjoust.leaderboard.frame.seats import read_seats
from gridjoust.leaderboard.standings import Leaderboard
from gridjoust.runner.results.tables.columns import METRICS, RESULTS
from gridjoust.runner.results.tables.frames import read_table

BYTES_A_ROW = {"two sides": 110, "four sides": 130, "solo": 120}  # at most; with whole columns it was 600 and more


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridjoust.leaderboard.frame.seats.ROWS_OF_A_PIECE", 2000)
    monkeypatch.setattr("gridjoust.leaderboard.frame.codes.ROWS_AT_ONCE", 2000)


def _folder(folder: Path, kind: str, thousands: int) -> Path:
    """Tables of so many rows: the same thousand again and again, with other ids."""
    folder.mkdir()
    write_tables(folder, 1000, KINDS[kind])
    for table in (RESULTS, METRICS):
        heading, _, rows = (folder / table.file).read_text().partition("\n")
        copies = (rows.replace("00000000", f"{number:08x}") for number in range(thousands))
        (folder / table.file).write_text("\n".join([heading, "".join(copies)]))
    return folder


def _board(folder: Path) -> tuple[Leaderboard, int]:
    """And the bytes that it took at the most."""
    tracemalloc.start(1)
    board = make_leaderboard(read_seats(folder))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return board, peak


def _grows(tmp_path: Path, kind: str, *, few: int, many: int) -> tuple[Leaderboard, int, float]:
    """The leaderboard of many thousand rows, the bytes that few take, and those of each row more."""
    _, least = _board(_folder(tmp_path / "few", kind, few))
    board, peak = _board(_folder(tmp_path / "many", kind, many))
    return board, least, (peak - least) / (many - few) / 1000


@pytest.mark.gate
def test_memory_grows_by_some_bytes_a_row(tmp_path: Path) -> None:
    _, _, bytes_a_row = _grows(tmp_path, "two sides", few=6, many=18)
    assert bytes_a_row < BYTES_A_ROW["two sides"]


@pytest.mark.gate
@pytest.mark.parametrize("kind", KINDS)
def test_so_it_does_from_parts_and_the_leaderboard_is_that_of_all_rows_at_once(tmp_path: Path, kind: str) -> None:
    pytest.importorskip("pyarrow")
    from_csv, least, bytes_a_row = _grows(tmp_path, kind, few=6, many=30)
    assert bytes_a_row < BYTES_A_ROW[kind]
    folder = tmp_path / "many"
    results, metrics = (read_table(folder / table.file, table) for table in (RESULTS, METRICS))
    assert from_csv == make_leaderboard(seats_of(results, metrics))
    make_parts(folder, 30_000)
    (folder / RESULTS.file).write_text((folder / RESULTS.file).read_text().partition("\n")[0] + "\n")  # parts are read
    from_parts, peak = _board(folder)
    assert (peak - least) / 24_000 < BYTES_A_ROW[kind]
    assert from_parts == from_csv
