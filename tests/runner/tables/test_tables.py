"""The files of a results folder: how they are written, described, loaded and compared."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from dataclasses import fields, replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.record.lines import AnswerLine, MatchRecord
from runner.tables import load
from runner.tables.columns import (
    METRICS,
    RESULTS,
    STANDINGS,
    TABLES,
    TURNS,
    Column,
    Row,
    Standing,
    Table,
    measured_columns,
)
from runner.tables.compare import first_difference
from runner.tables.datapackage import describe_tables
from runner.tables.text import format_rows, format_value, read_rows
from runner.tables.writer import TableWriter
from tests.runner.record.records_builder import make_record

DESIGNED = [
    *("match_id", "tournament", "game", "game_version", "variant", "params_id", "map", "round", "pair_id", "seed"),
    *("seat", "seats", "role", "team", "bot", "planner", "bot_version", "bot_hash", "opponents", "returns"),
    *("rank", "points", "termination", "reason", "faults", "turns", "planning_ms_total", "planning_ms_p95"),
    *(
        "latency_ms_p50",
        "cpu_ms",
        "peak_mb",
        "nodes_expanded",
        "counted",
        "schedule_reason",
        "started_utc",
        "duration_ms",
        "runner_version",
        "record",
    ),
]
ONE_ANSWER = (AnswerLine(turn=1, seat=0, action="N", planning_ms=1.25),)


def _write(folder: Path, *records: MatchRecord) -> Path:
    with TableWriter(folder) as tables:
        for record in records:
            tables.add(record)
    return folder


def test_results_start_with_the_agreed_columns_and_only_grow_at_the_end() -> None:
    assert list(RESULTS.names)[: len(DESIGNED)] == DESIGNED


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_no_column_is_listed_twice_and_each_is_described(table: Table) -> None:
    assert len(set(table.names)) == len(table.names)
    assert all(column.description for column in table.columns)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_column_in_ms_or_mb_is_measured_and_rounded(table: Table) -> None:
    sized = [one for one in table.columns if {"ms", "mb"} & set(one.name.split("_"))]
    assert all(column.is_measured and column.decimals == 3 for column in sized)


def test_standings_columns_are_the_fields_of_a_standing() -> None:
    assert STANDINGS.names == tuple(field.name for field in fields(Standing))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, ""), (0.1 + 0.2, "0.30000000000000004"), (3, "3.0"), (-0.0, "0.0"), (math.nan, ""), (math.inf, "")],
)
def test_number_is_the_shortest_text_that_reads_back(value: float | None, expected: str) -> None:
    assert format_value(Column("number", ""), value) == expected


def test_measured_time_is_rounded_to_a_microsecond() -> None:
    assert format_value(RESULTS.by_name["planning_ms_total"], 1.23456) == "1.235"


def test_flag_is_0_or_1() -> None:
    assert [format_value(RESULTS.by_name["counted"], flag) for flag in (False, True)] == ["0", "1"]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_the_csv(text: str) -> None:
    row: Row = {"match_id": "m", "seat": 0, "bot": text, "metric": "x", "value": 1.0}
    lines = format_rows(METRICS, [row])
    assert [line[2] for line in csv.reader(io.StringIO(lines, newline=""))] == [text]


def test_tables_hold_the_matches_in_the_order_in_which_they_were_added(tmp_path: Path) -> None:
    _write(tmp_path, make_record("m2"), make_record("m1"))
    assert [row["match_id"] for row in read_rows(tmp_path / "results.csv")] == ["m2", "m2", "m1", "m1"]


def test_adding_a_match_returns_its_result_rows(tmp_path: Path) -> None:
    with TableWriter(tmp_path) as tables:
        rows = tables.add(make_record("m1"))
    assert [(row["match_id"], row["seat"]) for row in rows] == [("m1", 0), ("m1", 1)]


def test_results_are_on_disk_after_each_match_while_the_writer_is_open(tmp_path: Path) -> None:
    with TableWriter(tmp_path) as tables:
        tables.add(make_record("m1", metrics=[{"kills": 1}, {"kills": 2}]))
        assert len((tmp_path / "results.csv").read_bytes().splitlines()) == 3
        assert len((tmp_path / "metrics.csv").read_bytes().splitlines()) == 3


def test_tables_end_lines_with_lf_only(tmp_path: Path) -> None:
    _write(tmp_path, make_record())
    assert b"\r" not in (tmp_path / "results.csv").read_bytes()


def test_reason_with_quotes_commas_and_newlines_stays_one_field(tmp_path: Path) -> None:
    reason = 'seat 1 forfeits: "boom", he said\r\nand left\r'
    _write(tmp_path, make_record(reason=reason))
    assert [row["reason"] for row in read_rows(tmp_path / "results.csv")] == [reason, reason]
    assert list(load(tmp_path).results["reason"]) == [reason, reason]


def test_gzip_carries_no_time_and_no_file_name(tmp_path: Path) -> None:
    _write(tmp_path, make_record())
    header = (tmp_path / "turns.csv.gz").read_bytes()[:10]
    assert header[3] == 0  # flags: no name
    assert header[4:8] == bytes(4)  # time stamp


def test_the_same_matches_give_the_same_bytes(tmp_path: Path) -> None:
    records = [make_record(f"m{at}", answers=ONE_ANSWER, metrics=[{"kills": at}] * 2) for at in range(5)]
    one, two = (_write(tmp_path / name, *records) for name in ("one", "two"))
    files = sorted(path.name for path in one.iterdir())
    assert files == ["datapackage.json", "metrics.csv", "results.csv", "turns.csv.gz"]
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in files)


def test_writing_again_replaces_the_tables(tmp_path: Path) -> None:
    _write(tmp_path, make_record("m1"), make_record("m2"))
    _write(tmp_path, make_record("m3"))
    assert {row["match_id"] for row in read_rows(tmp_path / "results.csv")} == {"m3"}


def test_tables_are_closed_when_the_tournament_fails(tmp_path: Path) -> None:
    def play() -> None:
        with TableWriter(tmp_path) as tables:
            tables.add(make_record(answers=ONE_ANSWER))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play()
    with gzip.open(tmp_path / "turns.csv.gz", "rt") as lines:
        assert len(lines.readlines()) == 2


def test_reader_leaves_out_a_line_that_is_still_being_written(tmp_path: Path) -> None:
    path = _write(tmp_path, make_record("m1")) / "results.csv"
    path.write_bytes(path.read_bytes()[:-5])
    assert [row["seat"] for row in read_rows(path)] == ["0"]


def test_description_names_every_column_of_every_written_table(tmp_path: Path) -> None:
    _write(tmp_path, make_record())
    described = json.loads((tmp_path / "datapackage.json").read_text())
    for resource in described["resources"]:
        path = tmp_path / resource["path"]
        names = [field["name"] for field in resource["schema"]["fields"]]
        if resource["name"] != "standings":
            text = (gzip.decompress if path.suffix == ".gz" else bytes)(path.read_bytes()).decode()
            assert next(csv.reader(io.StringIO(text))) == names


def test_description_marks_exactly_the_measured_columns() -> None:
    results = describe_tables()["resources"][0]
    marked = {field["name"] for field in results["schema"]["fields"] if field.get("measured")}
    assert marked == measured_columns(RESULTS)
    assert marked == {
        *("planning_ms_total", "planning_ms_p95", "latency_ms_p50", "cpu_ms", "peak_mb", "nodes_expanded"),
        *("started_utc", "duration_ms", "searches"),
    }


def test_description_links_metrics_and_answers_to_results() -> None:
    resources = {resource["name"]: resource["schema"] for resource in describe_tables()["resources"]}
    link = [
        {
            "fields": ["match_id", "seat"],
            "reference": {"resource": "results", "fields": resources["results"]["primaryKey"]},
        }
    ]
    assert resources["metrics"]["foreignKeys"] == link
    assert resources["turns"]["foreignKeys"] == link


def test_description_says_that_empty_is_missing() -> None:
    assert all(resource["schema"]["missingValues"] == [""] for resource in describe_tables()["resources"])


def test_written_values_keep_the_constraints_of_the_description(tmp_path: Path) -> None:
    _write(tmp_path, make_record(forfeited=(1,), turns=[{0: "N"}], answers=ONE_ANSWER))
    constraints = {column.name: column for column in RESULTS.columns}
    for row in read_rows(tmp_path / "results.csv"):
        for name, text in row.items():
            column = constraints[name]
            assert text or not column.is_required, name
            assert not text or column.minimum is None or float(text) >= column.minimum, name
            assert not text or not column.choices or text in column.choices, name


def test_loaded_columns_have_their_types(tmp_path: Path) -> None:
    results = load(_write(tmp_path, make_record())).results
    got = {name: str(results[name].dtype) for name in ("seed", "bot", "points", "counted", "nodes_expanded")}
    expected = {"seed": "Int64", "bot": "string", "points": "float64", "counted": "boolean", "nodes_expanded": "Int64"}
    assert got == expected
    assert isinstance(results["started_utc"].dtype, pd.DatetimeTZDtype)


def test_start_is_loaded_as_an_instant_in_utc(tmp_path: Path) -> None:
    results = load(_write(tmp_path, make_record())).results
    assert results["started_utc"][0] == pd.Timestamp("2026-03-01 12:00:00.250", tz="UTC")


def test_missing_points_are_loaded_as_missing(tmp_path: Path) -> None:
    results = load(_write(tmp_path, make_record(bots=("a",), returns=(3,)))).results
    assert results["points"].isna().all()
    assert results["map"].isna().all()


def test_a_bot_called_na_keeps_its_name(tmp_path: Path) -> None:
    results = load(_write(tmp_path, make_record(bots=("NA", "null")))).results
    assert list(results["bot"]) == ["NA", "null"]


def test_largest_seed_is_loaded_exactly(tmp_path: Path) -> None:
    results = load(_write(tmp_path, make_record(header={"seed": 2**53 - 1}))).results
    assert list(results["seed"]) == [2**53 - 1] * 2


def test_metrics_and_answers_join_the_results(tmp_path: Path) -> None:
    cup = load(_write(tmp_path, make_record(answers=ONE_ANSWER, metrics=[{"kills": 1}, {"kills": 2}])))
    joined = cup.results.merge(cup.metrics, on=["match_id", "seat", "bot"])
    assert list(joined["value"]) == [1.0, 2.0]
    assert list(cup.turns["planning_ms"]) == [1.25]


def test_numbers_are_loaded_as_they_were_written(tmp_path: Path) -> None:
    values = [0.1 + 0.2, 1 / 3, -1e-7]
    results = load(_write(tmp_path, make_record(bots=("a", "b", "c"), returns=values))).results
    assert list(results["returns"]) == pytest.approx(values, rel=1e-15)


def test_an_empty_tournament_loads_as_empty_frames_with_types(tmp_path: Path) -> None:
    cup = load(_write(tmp_path))
    assert [len(frame) for frame in (cup.results, cup.metrics, cup.turns)] == [0, 0, 0]
    assert str(cup.turns["turn"].dtype) == "Int64"


def test_answers_of_a_killed_tournament_load_as_far_as_they_go(tmp_path: Path) -> None:
    answers = [AnswerLine(turn=turn, seat=0, action=f"{turn * 7919 % 1009:x}") for turn in range(1, 3000)]
    path = _write(tmp_path, make_record(answers=answers)) / "turns.csv.gz"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    turns = load(tmp_path).turns
    assert 0 < len(turns) < 2999
    assert list(turns["turn"]) == list(range(1, len(turns) + 1))


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path)


def test_runs_that_differ_in_measured_columns_only_are_identical(tmp_path: Path) -> None:
    one = _write(tmp_path / "one", make_record(answers=ONE_ANSWER))
    slower = [AnswerLine(turn=1, seat=0, action="N", planning_ms=99.0, expanded=5)]
    two = _write(tmp_path / "two", make_record(answers=slower, usage={"duration_ms": 1.0, "cpu_ms": [3.0, 4.0]}))
    assert (one / "results.csv").read_bytes() != (two / "results.csv").read_bytes()
    assert first_difference(one, two) is None


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (make_record(returns=(1, -1)), "results.csv: row 1: returns: expected '0.0', got '1.0'"),
        (make_record(metrics=[{"x": 1}, {}]), "metrics.csv: row 1: expected the end, got a row"),
        (make_record(answers=ONE_ANSWER), "turns.csv.gz: row 1: expected the end, got a row"),
    ],
)
def test_the_first_difference_of_two_runs_is_named(tmp_path: Path, changed: MatchRecord, expected: str) -> None:
    one, two = _write(tmp_path / "one", make_record()), _write(tmp_path / "two", changed)
    assert first_difference(one, two) == expected


def test_a_table_that_only_one_run_has_is_a_difference(tmp_path: Path) -> None:
    one, two = _write(tmp_path / "one", make_record()), _write(tmp_path / "two", make_record())
    (two / "standings.csv").write_text("rank\n1\n")
    assert first_difference(one, two) == "standings.csv: expected no file, got the file"


def test_tables_with_other_columns_differ_in_their_first_row(tmp_path: Path) -> None:
    one, two = _write(tmp_path / "one", make_record()), _write(tmp_path / "two", make_record())
    fewer = replace(RESULTS, columns=tuple(column for column in RESULTS.columns if column.name != "actions_id"))
    rows = list(read_rows(one / "results.csv"))
    text = ",".join(fewer.names) + "\n" + "".join(",".join(row[name] for name in fewer.names) + "\n" for row in rows)
    (two / "results.csv").write_text(text)
    assert "expected columns" in str(first_difference(one, two))
    assert TURNS.file in {path.name for path in two.iterdir()}
