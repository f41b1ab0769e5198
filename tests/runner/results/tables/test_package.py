"""The results folder as other programs see it: a data package that holds, typed frames, Parquet."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from gridjoust.commands.results import export
from gridjoust.leaderboard.board import whole_board
from gridjoust.leaderboard.frame.seats import read_seats
from gridjoust.leaderboard.standings import write_tables
from gridjoust.runner.results.tables.columns import PAIRINGS, STANDINGS
from gridjoust.runner.results.tables.frames import load
from gridjoust.runner.wire.errors import ConfigError
from tests.leaderboard.degenerate import write_cup
from tests.leaderboard.seats_builder import alone
from tests.runner.memory_cup import make_cup, play_cup

CUP = """
tournament: cup
format: {rounds: 2}
games:
  - {game: bomber, params: {max_ticks: 8}, maps: [random]}
  - {game: heroquest, name: quest, params: {max_game_rounds: 1}}
time: {turn_ms: 5000}
execution: {isolation: none}
bots: [{name: a, bot: random}, {name: "NA", bot: random}, {name: c-d, bot: random}]
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tournament, played without processes, with its standings."""
    plan = make_cup(CUP, tmp_path_factory.mktemp("cup"))
    asyncio.run(play_cup(plan))
    write_tables(plan.out, whole_board(read_seats(plan.out), None))
    return plan.out


def _problems(folder: Path) -> list[str]:
    frictionless = pytest.importorskip("frictionless")
    report = frictionless.Package(str(folder / "datapackage.json")).validate()
    return [f"{task.name}: {error.message}" for task in report.tasks for error in task.errors] + [
        error.message for error in report.errors
    ]


def _copy(results: Path, to: Path) -> Path:
    for name in ("datapackage.json", "results.csv", "metrics.csv", "turns.csv.gz", "standings.csv", "pairings.csv"):
        (to / name).write_bytes((results / name).read_bytes())
    return to


@pytest.mark.gate
def test_the_tables_are_what_their_package_says(results: Path) -> None:
    assert _problems(results) == []


@pytest.mark.gate
@pytest.mark.parametrize(
    ("table", "pattern", "by", "problem"),
    [
        ("results.csv", r",completed,", ",finished,", 'constraint "enum"'),
        ("results.csv", r"^([^\n]*\n)([^\n]*\n)", r"\1\2\2", "primary key"),
        ("metrics.csv", r"\n[0-9a-f]{16},0", "\nffffffffffffffff,0", "foreign key"),
        ("standings.csv", r"\n1,", "\nfirst,", 'type is "integer'),
    ],
)
def test_a_table_that_breaks_its_description_is_found(
    results: Path, tmp_path: Path, table: str, pattern: str, by: str, problem: str
) -> None:
    folder = _copy(results, tmp_path)
    text = (folder / table).read_text()
    (folder / table).write_text(re.sub(pattern, by, text, count=1))
    assert any(problem in line for line in _problems(folder))


def test_the_standings_are_a_frame_too_and_empty_with_the_same_types_before_the_end(
    results: Path, tmp_path: Path
) -> None:
    standings = load(results).standings
    assert list(standings["bot"].sort_values()) == ["NA", "a", "c-d"]
    types = dict(standings.dtypes.astype(str))
    expected = {"rank": "Int64", "bot": "string", "rating": "float64", "group": "string", "pareto": "string"}
    assert {name: types[name] for name in expected} == expected
    (_copy(results, tmp_path) / "standings.csv").unlink()
    empty = load(tmp_path).standings
    assert (len(empty), dict(empty.dtypes.astype(str))) == (0, types)


ARROW = {"string": "string", "integer": "int64", "number": "double", "boolean": "bool"}


def test_exported_columns_have_their_types_even_where_they_are_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    cup = write_cup(tmp_path / "cup", alone(a=[1, 2, 3], b=[2, 2, 2]))
    write_tables(cup, whole_board(read_seats(cup), None))
    export(cup, parquet=True, out=tmp_path / "out")
    for table in (STANDINGS, PAIRINGS):
        read = parquet.read_table(tmp_path / "out" / f"{table.name}.parquet")
        types = {field.name: str(field.type).removeprefix("large_") for field in read.schema}
        assert types == {column.name: ARROW[column.type] for column in table.columns}
        assert any(read[name].null_count == len(read) for name in read.column_names)


@pytest.mark.gate
def test_load_is_imported_without_pandas_until_it_is_used() -> None:
    code = "import sys, gridjoust as t; print('pandas' in sys.modules); print(t.load)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.match(r"False\n<function load", shown.stdout)


def test_exported_parquet_holds_the_frames_that_load_gives(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    export(results, out=tmp_path)
    names = ["metrics", "pairings", "results", "standings", "turns"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{name}.parquet" for name in names]
    cup = load(results)
    for name in names:
        pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / f"{name}.parquet"), getattr(cup, name))
    assert f"{tmp_path / 'results.parquet'}: {len(cup.results)} rows" in capsys.readouterr().out


def test_export_names_what_it_lacks(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridjoust.commands.results.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=re.escape("pip install 'gridjoust[parquet]'")):
        export(results)
