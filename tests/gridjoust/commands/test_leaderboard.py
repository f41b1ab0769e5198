"""`joust leaderboard`: tables, JSON, CSV and pictures of a results folder."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from gridjoust.commands.leaderboard import columns_to_drop, leaderboard
from leaderboard.metrics import MetricTable, metric_tables
from leaderboard.ranking import make_leaderboard
from leaderboard.seats import read_seats
from leaderboard.standings import format_standings_csv
from leaderboard.table import leaderboard_table
from runner.record.lines import AnswerLine
from runner.tables.columns import STANDINGS
from runner.tables.rows import metric_rows
from runner.tables.writer import TableWriter
from runner.wire.errors import ConfigError
from tests.runner.record.records_builder import duels, make_record, rows_of, solo


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """Duels of two bots and, in another game, a solo bot with a name that CSV must quote."""
    other = {"game": "maze", "variant": "maze, small"}
    with TableWriter(tmp_path / "cup") as tables:
        for record in (*duels("a", "b", [1, 1, 0.5, 1] * 4), *solo("a", [1, 2], header=other)):
            tables.add(record)
        tables.add(make_record("last", bots=('c "x", y',), returns=(5,), header={**other, "seed": 0}))
    return tmp_path / "cup"


def _print(cup: Path, capsys: pytest.CaptureFixture[str], **options: Any) -> str:
    leaderboard(cup, **options)
    return capsys.readouterr().out


def test_verdicts_stand_below_the_table(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = _print(cup, capsys)
    assert out.index("cup") < out.index("beaten %") < out.index("- ranked by the share of rivals beaten")


def test_json_is_one_object_with_all_there_is(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = json.loads(_print(cup, capsys, as_json=True))
    assert (board["event"], board["tournament"], board["ranked_by"]) == ("standings", "cup", "score")
    assert set(board["standings"][0]) == set(STANDINGS.names)
    assert {one["game"] for one in board["games"]} == {"bomber", "maze"}
    assert board["verdicts"]
    assert board["seats"][0]["setting"] == "bomber"


def test_json_by_game_is_an_object_per_game(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = _print(cup, capsys, as_json=True, by="game").splitlines()
    assert [json.loads(line)["tournament"] for line in lines] == ["cup: game bomber", "cup: game maze"]


@pytest.mark.parametrize("by", [None, "game", "variant", "map", "role", "planner"])
def test_nothing_is_ever_printed_as_nan(cup: Path, capsys: pytest.CaptureFixture[str], by: str | None) -> None:
    for options in ({}, {"as_json": True}, {"as_csv": True}):
        out = _print(cup, capsys, by=by, **options).lower()
        assert re.search(r"\d\.\d", out)
        assert re.findall(r"nan|\binf(?:inity)?\b", out) == []


def test_csv_is_the_file_that_a_tournament_leaves(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _print(cup, capsys, as_csv=True) == format_standings_csv(make_leaderboard(read_seats(cup)).standings)


def test_csv_by_variant_has_the_variant_as_first_column(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(_print(cup, capsys, as_csv=True, by="variant"))))
    assert list(rows[0]) == ["variant", *STANDINGS.names]
    assert [(row["variant"], row["bot"]) for row in rows] == [
        ("bomber", "a"),
        ("bomber", "b"),
        ("maze, small", 'c "x", y'),
        ("maze, small", "a"),
    ]


def test_json_and_csv_at_once_are_refused(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match="expected one of --json and --csv, got both"):
        _print(cup, capsys, as_json=True, as_csv=True)


def test_an_unknown_part_is_refused_in_one_line(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match="--by: expected one of game, variant, map, role, planner, got 'bot'"):
        _print(cup, capsys, by="bot")


def test_a_name_is_shown_as_it_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with TableWriter(tmp_path / "cup") as tables:
        tables.add(make_record("m", bots=("[red]x[/red]", "b"), returns=(1, 0), forfeited=(0,)))
    out = _print(tmp_path / "cup", capsys)
    assert "│ [red]x[/red] │" in out
    assert "- [red]x[/red] forfeited 1 of 1 match" in out


def test_the_picture_fetches_nothing(cup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _print(cup, capsys, svg=tmp_path / "table.svg")
    drawn = (tmp_path / "table.svg").read_text()
    assert "url(http" not in drawn
    assert "@font-face" not in drawn
    assert "beaten" in drawn


def test_the_picture_shows_the_planners_if_asked_for_them(
    cup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _print(cup, capsys, by="planner", svg=tmp_path / "table.svg")
    drawn = (tmp_path / "table.svg").read_text()
    assert "astar" in drawn
    assert "x&quot;" not in drawn


def test_of_several_tables_the_picture_shows_the_whole(
    cup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _print(cup, capsys, by="game", svg=tmp_path / "parts.svg")
    _print(cup, capsys, svg=tmp_path / "whole.svg")
    assert (tmp_path / "parts.svg").read_text() == (tmp_path / "whole.svg").read_text()


def test_on_a_wide_terminal_every_column_is_shown(cup: Path) -> None:
    board, console = make_leaderboard(read_seats(cup)), Console(width=300)
    assert columns_to_drop(board, console) == []
    titles = [str(column.header) for column in leaderboard_table(board).columns]
    assert {"bot", "planner", "behind"} <= set(titles)


def test_on_a_narrow_terminal_the_least_needed_columns_go_until_the_table_fits(cup: Path) -> None:
    board = make_leaderboard(read_seats(cup))
    console = Console(width=90)
    dropped = columns_to_drop(board, console)
    assert dropped == ["planner", "behind"]
    table = leaderboard_table(board, without=dropped)
    assert table.__rich_measure__(console, console.options.update(width=300)).maximum <= 90


def test_metrics_are_means_per_bot_game_by_game() -> None:
    maze = {"game": "maze", "variant": "maze"}
    records = [
        make_record("m1", bots=("a", "b"), metrics=[{"steps": 3, "kills": 1}, {"steps": 5, "kills": 0}]),
        make_record("m2", bots=("b", "a"), metrics=[{"steps": 1, "kills": 0}, {"steps": 4, "kills": 0}]),
        make_record("m3", bots=("a",), metrics=[{"steps": 100}], header=maze),
        make_record("void", bots=("a",), metrics=[{"steps": 9}], counted=False),
    ]
    metrics = [row for record in records for row in metric_rows(record)]
    assert list(metric_tables(rows_of(*records), [*metrics, *metrics])) == [
        MetricTable("bomber", ("steps", "kills"), (("a", (3.5, 0.5)), ("b", (3.0, 0.0)))),
        MetricTable("maze", ("steps",), (("a", (100.0,)),)),
    ]


def test_searches_and_expansions_stand_beside_what_the_game_counts() -> None:
    answers = [AnswerLine(turn=turn, seat=0, expanded=nodes) for turn, nodes in enumerate([10, 30, 0], 1)]
    record = make_record("m1", bots=("a",), answers=answers, metrics=[{"steps": 3}])
    [table] = metric_tables(rows_of(record), metric_rows(record))
    assert table == MetricTable("bomber", ("steps", "searches", "nodes_expanded"), (("a", (3.0, 2.0, 40.0)),))


def test_metrics_are_printed_below_the_standings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with TableWriter(tmp_path / "cup") as tables:
        tables.add(make_record("m1", bots=("a",), metrics=[{"steps": 3, "never": 0}]))
    out = _print(tmp_path / "cup", capsys, metrics=True)
    assert "bomber: mean per seat" in out
    assert "steps" in out
    assert "never" not in out


def test_metrics_as_json_are_an_object_per_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with TableWriter(tmp_path / "cup") as tables:
        tables.add(make_record("m1", bots=("a",), metrics=[{"steps": 3, "never": 0}]))
    last = _print(tmp_path / "cup", capsys, metrics=True, as_json=True).splitlines()[-1]
    assert json.loads(last) == {"event": "metrics", "game": "bomber", "means": {"a": {"steps": 3.0, "never": 0.0}}}
