"""Tables in Parquet parts are read as the CSV files are that they were made from, and only in place of those."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from gridjoust.leaderboard.frame.seats import read_seats
from gridjoust.leaderboard.report.source import load_source
from gridjoust.runner.results.records.lines import AnswerLine
from gridjoust.runner.results.tables import parquet
from gridjoust.runner.results.tables.columns import RESULTS, TABLES
from gridjoust.runner.results.tables.datapackage import add_checksums
from gridjoust.runner.results.tables.frames import load, load_batches, make_parts, read_csv, read_table
from gridjoust.runner.results.tables.parquet import FOLDER, parts_of
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.tournament import Settings, planned, settle
from tests.joust_here import CUP
from tests.runner.results.records.records_builder import make_record

pytest.importorskip("pyarrow")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Tables of nine matches, some without metrics or answers, in parts of four rows."""
    monkeypatch.setattr("gridjoust.runner.results.tables.frames.ROWS_OF_A_PART", 4)
    with TableWriter(tmp_path) as tables:
        for number in range(9):
            answers = [AnswerLine(turn=1, seat=seat, action="up", latency_ms=number + 0.125) for seat in (0, 1)]
            tables.add(
                make_record(
                    f"m{number}",
                    bots=("NA", 'b, the "second"') if number % 3 else ("NA", "c"),
                    returns=[float(number), 3.0],
                    answers=answers if number % 2 else (),
                    metrics=[{"won": 1.0}, {"won": 0.0}] if number > 4 else None,
                    counted=number != 7,
                )
            )
    return tmp_path


@pytest.mark.gate
def test_what_is_read_is_the_same(folder: Path) -> None:
    tables, seats = load(folder), read_seats(folder)
    some = {"match_id": "object", "game": "category", "seat": "float64", "counted": "float64", "bot": "string"}
    columns = read_csv(folder / RESULTS.file, dtypes=some, only_these=True)
    make_parts(folder)
    assert [len(parts_of(folder / table.file)) for table in TABLES] == [5, 2, 2, 0, 0]
    again = load(folder)
    for name in ("results", "metrics", "turns"):
        assert_frame_equal(getattr(again, name), getattr(tables, name))
    assert_frame_equal(read_seats(folder), seats)
    assert_frame_equal(read_csv(folder / RESULTS.file, dtypes=some, only_these=True), columns)
    (folder / RESULTS.file).write_bytes(b"")  # they are what is read
    assert len(read_table(folder / RESULTS.file, RESULTS)) == 18


@pytest.mark.default("False")
@pytest.mark.parametrize("has_parts", [True, False])
def test_a_table_comes_piece_by_piece(folder: Path, *, has_parts: bool) -> None:
    if has_parts:
        make_parts(folder)
    pieces = list(load_batches(folder, "results"))
    assert [len(piece) for piece in pieces] == [4, 4, 4, 4, 2]
    assert_frame_equal(pd.concat(pieces, ignore_index=True), load(folder).results)
    with pytest.raises(
        ValueError, match="table: expected one of results, metrics, turns, standings, pairings, got 'result'"
    ):
        load_batches(folder, "result")


@pytest.mark.gate
def test_parts_of_other_tables_are_not_read(folder: Path) -> None:
    make_parts(folder)
    with TableWriter(folder) as tables:
        tables.add(make_record("new"))
        assert parts_of(folder / RESULTS.file) == []  # while they are written
    assert parts_of(folder / RESULTS.file) == []
    assert list(load(folder).results["match_id"]) == ["new", "new"]
    make_parts(folder)
    assert len(parts_of(folder / RESULTS.file)) == 1


def test_a_damaged_part_says_so_in_one_line(folder: Path) -> None:
    make_parts(folder)
    path = parts_of(folder / RESULTS.file)[2]
    raw = bytearray(path.read_bytes())
    raw[8:40] = bytes(32)
    path.write_bytes(raw)
    for read in (load, read_seats):
        with pytest.raises(
            ConfigError, match=r"part-00002\.parquet: expected a part of a table, got: .*--resume writes"
        ):
            read(folder)


@pytest.mark.gate
def test_a_tournament_file_asks_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gridjoust import run

    (tmp_path / "cup.yaml").write_text(CUP + "tables: parquet\n")
    tables = run(tmp_path / "cup.yaml", out=tmp_path / "results")
    assert (len(tables.results), len(tables.standings)) == (4, 2)
    assert len(parts_of(tmp_path / "results" / "cup" / RESULTS.file)) == 1
    assert len(load_source(tmp_path / "results" / "cup").results) == 4
    monkeypatch.setattr("gridjoust.tournament.find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"cup\.yaml: tables: parquet needs pyarrow: pip install"):
        run(tmp_path / "cup.yaml", out=tmp_path / "other")


@pytest.mark.gate
def test_large_tables_have_parts_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cup.yaml").write_text(CUP)
    for many, parts in ((1000, 0), (2, 1)):
        monkeypatch.setattr(parquet, "MANY_ROWS", many)
        with planned(tmp_path / "cup.yaml", out=tmp_path / str(many), settings=Settings()) as plan:
            with TableWriter(plan.out) as tables:
                tables.add(make_record())
            add_checksums(plan.out, {})
            settle(plan, "")
            assert len(parts_of(plan.out / RESULTS.file)) == parts
            assert (plan.out / FOLDER).exists() == bool(parts)
