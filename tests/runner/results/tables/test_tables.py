"""The files of a results folder: how they are written, described, loaded and compared."""

from __future__ import annotations

import csv
import io
import math
import re
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.results.records.lines import AnswerLine, MatchRecord
from gridjoust.runner.results.tables.columns import (
    METRICS,
    RESULTS,
    STANDINGS,
    TABLES,
    Column,
    Row,
    TableSchema,
    Value,
)
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.results.tables.datapackage import describe_tables, write_datapackage
from gridjoust.runner.results.tables.frames import FEW_ROWS, load, steady, strings_for
from gridjoust.runner.results.tables.text import format_rows, read_rows
from gridjoust.runner.results.tables.writer import TableWriter
from tests.runner.results.records.records_builder import make_record

DESIGNED = [
    *("match_id", "tournament", "game", "game_version", "variant", "params_id", "map", "round", "pair_id", "seed"),
    *("seat", "seats", "role", "team", "bot", "planner", "bot_version", "bot_hash", "opponents", "returns"),
    *("rank", "points", "termination", "reason", "faults", "turns", "planning_ms_total", "planning_ms_p95"),
    *("latency_ms_p50", "cpu_ms", "peak_mb", "nodes_expanded", "counted", "schedule_reason", "started_utc"),
    *("duration_ms", "runner_version", "record"),
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
def test_every_column_is_described_and_those_in_ms_or_mb_are_measured_and_rounded(table: TableSchema) -> None:
    assert all(column.description for column in table.columns)
    sized = [one for one in table.columns if {"ms", "mb"} & set(one.name.split("_"))]
    assert all(column.is_measured and column.decimals == 3 for column in sized)


NUMBER = Column("number", "")
TEXTS: dict[str, tuple[Column, Value, str]] = {
    "nothing is missing": (NUMBER, None, ""),
    "a number is the shortest text that reads back": (NUMBER, 0.1 + 0.2, "0.30000000000000004"),
    "a whole number": (NUMBER, 3, "3.0"),
    "no minus before a zero": (NUMBER, -0.0, "0.0"),
    "no number is missing": (NUMBER, math.nan, ""),
    "infinity is missing": (NUMBER, math.inf, ""),
    "a measured time is rounded to a microsecond": (RESULTS.by_name["planning_ms_total"], 1.23456, "1.235"),
    "no is 0": (RESULTS.by_name["counted"], False, "0"),
    "yes is 1": (RESULTS.by_name["counted"], True, "1"),
}


@pytest.mark.parametrize(("column", "value", "expected"), TEXTS.values(), ids=TEXTS)
def test_a_value_is_written(column: Column, value: Value, expected: str) -> None:
    assert (
        format_rows(TableSchema("any", "any.csv", "", {"a": column, "b": column}), [{"a": value, "b": None}])
        == f"{expected},\n"
    )


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_the_csv_but_for_an_apostrophe_before_a_formula(text: str) -> None:
    row: Row = {"match_id": "m", "seat": 0, "bot": text, "metric": "x", "value": 1.0, "complete": True}
    lines = format_rows(METRICS, [row])
    assert [line[2] for line in csv.reader(io.StringIO(lines, newline=""))] == [
        f"'{text}" if text[:1] in {*"=+-@\t\r"} else text
    ]


def test_a_match_is_on_disk_in_the_order_in_which_it_was_added_while_the_writer_is_open(tmp_path: Path) -> None:
    with TableWriter(tmp_path) as tables:
        rows = tables.add(make_record("m2", metrics=[{"kills": 1}, {"kills": 2}]))
        assert [(row["match_id"], row["seat"]) for row in rows] == [("m2", 0), ("m2", 1)]
        tables.add(make_record("m1"))
        assert [row["match_id"] for row in read_rows(tmp_path / "results.csv")] == ["m2", "m2", "m1", "m1"]
        assert [row["value"] for row in read_rows(tmp_path / "metrics.csv")] == ["1.0", "2.0"]
    assert b"\r" not in (tmp_path / "results.csv").read_bytes()
    _write(tmp_path, make_record("m3"))  # replaces the tables
    assert {row["match_id"] for row in read_rows(tmp_path / "results.csv")} == {"m3"}


def test_reason_with_quotes_commas_and_newlines_stays_one_field(tmp_path: Path) -> None:
    reason = 'seat 1 forfeits: "boom", he said\r\nand left\r'
    _write(tmp_path, make_record(reason=reason))
    assert [row["reason"] for row in read_rows(tmp_path / "results.csv")] == [reason, reason]
    assert list(load(tmp_path).results["reason"]) == [reason, reason]


def test_the_same_matches_give_the_same_bytes(tmp_path: Path) -> None:
    records = [make_record(f"m{at}", answers=ONE_ANSWER, metrics=[{"kills": at}] * 2) for at in range(5)]
    one, two = (_write(tmp_path / name, *records) for name in ("one", "two"))
    files = sorted(path.name for path in one.iterdir())
    assert files == ["datapackage.json", "metrics.csv", "results.csv", "turns.csv.gz"]
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in files)
    flags_and_time = (one / "turns.csv.gz").read_bytes()[3:8]
    assert flags_and_time == bytes(5)  # no name, no time stamp


def test_tables_are_closed_when_the_tournament_fails(tmp_path: Path) -> None:
    with ExitStack() as stack:
        stack.enter_context(pytest.raises(KeyboardInterrupt))
        stack.enter_context(TableWriter(tmp_path)).add(make_record(answers=ONE_ANSWER))
        raise KeyboardInterrupt
    assert len(list(read_rows(tmp_path / "turns.csv.gz"))) == 1


def test_reader_leaves_out_a_line_that_is_still_being_written(tmp_path: Path) -> None:
    path = _write(tmp_path, make_record("m1")) / "results.csv"
    path.write_bytes(path.read_bytes()[:-5])
    assert [row["seat"] for row in read_rows(path)] == ["0"]


def test_the_description_marks_what_is_measured_and_links_metrics_and_answers_to_results() -> None:
    schemas = {resource["name"]: resource["schema"] for resource in describe_tables()["resources"]}
    marked = {field["name"] for field in schemas["results"]["fields"] if field.get("measured")}
    assert marked == {
        *("planning_ms_total", "planning_ms_p95", "latency_ms_p50", "cpu_ms", "peak_mb", "nodes_expanded"),
        *("started_utc", "duration_ms", "searches"),
        "machine",
    }
    reference = {"resource": "results", "fields": schemas["results"]["primaryKey"]}
    link = [{"fields": ["match_id", "seat"], "reference": reference}]
    assert schemas["metrics"]["foreignKeys"] == schemas["turns"]["foreignKeys"] == link


def test_loaded_columns_have_their_types(tmp_path: Path) -> None:
    results = load(_write(tmp_path, make_record())).results
    got = {name: str(results[name].dtype) for name in ("seed", "bot", "points", "counted", "nodes_expanded")}
    expected = {"seed": "Int64", "bot": "string", "points": "float64", "counted": "boolean", "nodes_expanded": "Int64"}
    assert got == expected
    assert isinstance(results["started_utc"].dtype, pd.DatetimeTZDtype)


NUMBERS = [0.1 + 0.2, 1 / 3, -1e-7]
LOADED: dict[str, tuple[dict[str, Any], str, list[Any]]] = {
    "a start is an instant in UTC": ({}, "started_utc", [pd.Timestamp("2026-03-01 12:00:00.250", tz="UTC")] * 2),
    "missing points are missing": ({"bots": ("a",), "returns": (3,)}, "points", [None]),
    "a missing map is missing": ({}, "map", [None, None]),
    "a bot called NA keeps its name": ({"bots": ("NA", "null")}, "bot", ["NA", "null"]),
    "the largest seed is exact": ({"header": {"seed": 2**53 - 1}}, "seed", [2**53 - 1] * 2),
    "numbers are as they were written": ({"bots": ("a", "b", "c"), "returns": NUMBERS}, "returns", NUMBERS),
}


@pytest.mark.parametrize(("made", "column", "expected"), LOADED.values(), ids=LOADED)
def test_a_column_is_loaded(tmp_path: Path, made: dict[str, Any], column: str, expected: list[Any]) -> None:
    results = load(_write(tmp_path, make_record(**made))).results
    assert [None if pd.isna(value) else value for value in results[column]] == expected


def test_metrics_and_answers_join_the_results(tmp_path: Path) -> None:
    cup = load(_write(tmp_path, make_record(answers=ONE_ANSWER, metrics=[{"kills": 1}, {"kills": 2}])))
    joined = cup.results.merge(cup.metrics, on=["match_id", "seat", "bot"])
    assert list(joined["value"]) == [1.0, 2.0]
    assert list(cup.turns["planning_ms"]) == [1.25]


def test_an_empty_tournament_loads_as_empty_frames_with_types(tmp_path: Path) -> None:
    cup = load(_write(tmp_path))
    assert [len(frame) for frame in (cup.results, cup.metrics, cup.turns)] == [0, 0, 0]
    assert str(cup.turns["turn"].dtype) == "Int64"
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nowhere")


def test_a_notebook_shows_the_sizes_of_the_tables_and_not_the_tables(tmp_path: Path) -> None:
    cup = load(_write(tmp_path, make_record(answers=ONE_ANSWER, metrics=[{"kills": 1}, {"kills": 2}])))
    sizes = r"Tables of 1 match: results 2 × \d+, metrics 2 × 6, turns 1 × \d+, standings 0 × \d+, pairings 0 × \d+"
    assert re.fullmatch(sizes, repr(cup))


def test_a_notebook_shows_the_standings_without_empty_columns_and_with_names_as_text(tmp_path: Path) -> None:
    cup = load(_write(tmp_path, make_record(answers=ONE_ANSWER, metrics=[{"kills": 1}, {"kills": 2}])))
    assert cup._repr_html_() == f"<p>{cup!r}</p>"  # no standings yet
    row = dict.fromkeys(STANDINGS.names) | {"rank": 1, "bot": "<b>a</b>", "title": "", "rating": 1234.56, "wins": 3}
    standings = pd.DataFrame([row, row | {"rank": 2, "bot": "b", "rating": None}], columns=list(STANDINGS.names))
    shown = replace(cup, standings=standings)._repr_html_()
    assert re.findall(r"<th>(.*?)</th>", shown) == ["rank", "bot", "wins", "rating"]
    assert re.findall(r"<td>(.*?)</td>", shown)[:4] == ["1", "&lt;b&gt;a&lt;/b&gt;", "3", "1235"]


def test_answers_of_a_killed_tournament_load_as_far_as_they_go(tmp_path: Path) -> None:
    answers = [AnswerLine(turn=turn, seat=0, action=f"{turn * 7919 % 1009:x}") for turn in range(1, 3000)]
    path = _write(tmp_path, make_record(answers=answers)) / "turns.csv.gz"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    write_datapackage(tmp_path)  # which has got its checksums at the end only
    turns = load(tmp_path).turns
    assert 0 < len(turns) < 2999
    assert list(turns["turn"]) == list(range(1, len(turns) + 1))


def test_tables_that_are_still_written_are_read_up_to_the_last_match_that_all_have(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    with TableWriter(tmp_path) as tables:
        for at in range(1, 4):
            tables.add(make_record(f"m{at}", answers=ONE_ANSWER, metrics=[{"kills": at}, {}]))
            cup = load(tmp_path)
            got = [list(frame["match_id"].unique()) for frame in (cup.results, cup.metrics, cup.turns)]
            assert got == [[f"m{one}" for one in range(1, at + 1)]] * 3
    path.write_bytes(path.read_bytes()[: -len(path.read_bytes().splitlines(keepends=True)[-1])])  # a seat is missing
    write_datapackage(tmp_path)  # without checksums, as while a run lasts
    cup = load(tmp_path)
    assert [list(frame["match_id"].unique()) for frame in (cup.results, cup.metrics, cup.turns)] == [["m1", "m2"]] * 3


def test_tables_are_read_again_when_another_run_has_begun_its_own_meanwhile(tmp_path: Path) -> None:
    _write(tmp_path, make_record("old"))
    seen: list[str] = []

    def read() -> str:
        seen.append(next(read_rows(tmp_path / "results.csv"))["match_id"])
        if seen == ["old"]:
            _write(tmp_path, make_record("new"))
        return seen[-1]

    assert steady(tmp_path, read) == "new"
    assert seen == ["old", "new"]
    assert not list(tmp_path.glob("*.part"))


def test_runs_that_differ_in_measured_columns_only_are_identical(tmp_path: Path) -> None:
    one = _write(tmp_path / "one", make_record(answers=ONE_ANSWER))
    slower = [AnswerLine(turn=1, seat=0, action="N", planning_ms=99.0, expanded=5)]
    two = _write(tmp_path / "two", make_record(answers=slower, usage={"duration_ms": 1.0, "cpu_ms": [3.0, 4.0]}))
    assert (one / "results.csv").read_bytes() != (two / "results.csv").read_bytes()
    assert first_difference(one, two) is None


DIFFERENCES = {
    "a value": (make_record(returns=(1, -1)), "results.csv: row 1: returns: expected '0.0', got '1.0'"),
    "a metric": (make_record(metrics=[{"x": 1}, {}]), "metrics.csv: row 1: expected the end, got a row"),
    "an answer": (make_record(answers=ONE_ANSWER), "turns.csv.gz: row 1: expected the end, got a row"),
}


@pytest.mark.parametrize(("changed", "expected"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_the_first_difference_of_two_runs_is_named(tmp_path: Path, changed: MatchRecord, expected: str) -> None:
    one, two = _write(tmp_path / "one", make_record()), _write(tmp_path / "two", changed)
    assert first_difference(one, two) == expected


def test_a_recent_column_that_older_results_do_not_have_is_no_difference(tmp_path: Path) -> None:
    record = make_record(metrics=[{"x": 1.5}, {"x": 2.5}])
    one, two = _write(tmp_path / "one", record), _write(tmp_path / "two", record)
    lines = [",".join(row[:-1]) for row in csv.reader((two / "metrics.csv").open())]
    assert lines[0] == "match_id,seat,bot,metric,value"
    (two / "metrics.csv").write_text("\n".join(lines) + "\n")
    assert first_difference(one, two) is None
    (two / "metrics.csv").write_text("\n".join(lines).replace("2.5", "3.5") + "\n")
    assert first_difference(one, two) == "metrics.csv: row 2: value: expected '2.5', got '3.5'"


def test_a_table_or_a_column_that_only_one_run_has_is_a_difference(tmp_path: Path) -> None:
    one, two = _write(tmp_path / "one", make_record()), _write(tmp_path / "two", make_record())
    (two / "standings.csv").write_text("rank\n1\n")
    assert first_difference(one, two) == "standings.csv: expected no file, got the file"
    lines = [",".join(row[:-3]) for row in csv.reader((two / "results.csv").open())]
    (two / "results.csv").write_text("\n".join(lines) + "\n")
    assert "results.csv: row 1: expected columns" in str(first_difference(one, two))


def test_text_of_few_rows_is_held_as_python_strings_and_that_of_many_as_pandas_likes() -> None:
    usual = pd.StringDtype().storage
    for rows, storage in ((FEW_ROWS, "python"), (FEW_ROWS + 1, usual)):
        with strings_for(rows):
            assert pd.StringDtype().storage == storage
        assert pd.StringDtype().storage == usual
