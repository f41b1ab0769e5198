"""Result rows: what one record says about each seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridjoust.runner.results.records.file import read_record, record_path, write_record
from gridjoust.runner.results.records.lines import AnswerLine, MatchRecord
from gridjoust.runner.results.tables.columns import METRICS, RESULTS, TURNS, Row
from gridjoust.runner.results.tables.text import format_rows
from gridjoust.runner.results.tables.writer import metric_rows, result_rows, turn_columns
from tests.runner.results.records.records_builder import make_record


def test_every_seat_has_a_row_with_every_column_and_the_facts_of_the_match() -> None:
    rows = result_rows(make_record("m7", header={"seed": 2**53 - 1}))
    assert [sorted(row) for row in rows] == [sorted(RESULTS.names)] * 2
    shown = [(row["seat"], row["match_id"], row["seed"], row["seats"]) for row in rows]
    assert shown == [(0, "m7", 2**53 - 1, 2), (1, "m7", 2**53 - 1, 2)]


def test_record_column_is_the_path_that_the_record_is_written_to(tmp_path: Path) -> None:
    row = result_rows(make_record("m7"))[0]
    assert tmp_path / str(row["record"]) == record_path(tmp_path, "m7")


def _turn_rows(record: MatchRecord) -> list[Row]:
    return [dict(zip(TURNS.names, row, strict=True)) for row in zip(*turn_columns(record), strict=True)]


def _answers(seat: int, **reported: list[Any]) -> list[AnswerLine]:
    """One answer a turn, in which the seat reported these numbers."""
    [(name, values)] = reported.items()
    return [AnswerLine(turn=turn, seat=seat, **{name: value}) for turn, value in enumerate(values, 1)]


COLUMNS: dict[str, tuple[dict[str, Any], dict[str, list[Any]]]] = {
    "opponents are the bots of other teams once each": (
        {"bots": ("a", "b", "a", "c"), "teams": (0, 1, 0, 1)},
        {"opponents": ["b c", "a", "b c", "a"]},
    ),
    "points are missing where there is one team": (
        {"bots": ("a", "b"), "teams": (0, 0), "returns": (3, 3)},
        {"points": [None, None]},
    ),
    "a forfeit is marked on the seat that forfeited": (
        {"forfeited": (1,)},
        {"forfeited": [False, True], "termination": ["crashed", "crashed"]},
    ),
    "planning time is summed per seat": (
        {"answers": [*_answers(0, planning_ms=[1.5, 2.5]), *_answers(1, planning_ms=[10.0])]},
        {"planning_ms_total": [4.0, 10.0]},
    ),
    "median latency leaves out answers that never came": (
        {"answers": _answers(0, latency_ms=[9, 1, None, 2])},
        {"latency_ms_p50": [2, None]},
    ),
    "what a bot does not report is missing, not zero": (
        {"answers": [AnswerLine(turn=1, seat=0, action="N")]},
        {key: [None, None] for key in ("planning_ms_total", "planning_ms_p95", "nodes_expanded", "searches")},
    ),
    "nodes are summed and searches are the answers that took one": (
        {"answers": _answers(1, expanded=[100, None, 23, 0])},
        {"nodes_expanded": [None, 123], "searches": [None, 2]},
    ),
    "turns are the match's and turns acted the seat's": (
        {"turns": [{0: "N"}, {1: "S"}, {0: "E"}]},
        {"turns": [3, 3], "turns_acted": [2, 1]},
    ),
}


@pytest.mark.parametrize(("made", "expected"), COLUMNS.values(), ids=COLUMNS)
def test_columns_of_the_seats(made: dict[str, Any], expected: dict[str, list[Any]]) -> None:
    rows = result_rows(make_record(**made))
    assert {name: [row[name] for row in rows] for name in expected} == expected


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (19, 19), (20, 19), (21, 20), (100, 95)])
def test_95th_percentile_is_the_nearest_rank(count: int, expected: int) -> None:
    record = make_record(answers=_answers(0, planning_ms=[float(value) for value in range(count, 0, -1)]))
    assert result_rows(record)[0]["planning_ms_p95"] == expected


def test_metrics_come_in_long_form_in_the_order_of_the_game() -> None:
    record = make_record("m7", metrics=[{"kills": 1, "bombs": 4}, {"kills": 0, "bombs": 5}])
    assert [(row["seat"], row["bot"], row["metric"], row["value"]) for row in metric_rows(record)] == [
        (0, "gambit", "kills", 1),
        (0, "gambit", "bombs", 4),
        (1, "faithful", "kills", 0),
        (1, "faithful", "bombs", 5),
    ]
    assert [sorted(row) for row in metric_rows(record)] == [sorted(METRICS.names)] * 4


def test_answers_are_sorted_by_turn_and_seat_whoever_was_faster() -> None:
    given = [(1, 1, "s"), (1, 0, "x"), (1, 0, "a"), (2, 0, "n")]  # an illegal answer, then another of the same seat
    answers = [AnswerLine(turn=turn, seat=seat, action=action) for turn, seat, action in given]
    rows = _turn_rows(make_record(answers=answers))
    shown = [(row["turn"], row["seat"], row["action"]) for row in rows]
    assert shown == [(1, 0, "x"), (1, 0, "a"), (1, 1, "s"), (2, 0, "n")]


@pytest.mark.parametrize(
    ("forfeited", "expected"), [((1,), [(1, 0), (1, 1), (2, 1)]), ((), [(1, 0), (1, 1), (2, 0), (2, 1)])]
)
def test_of_a_turn_that_a_forfeit_cut_short_there_are_faults_alone(
    forfeited: tuple[int, ...], expected: list[tuple[int, int]]
) -> None:
    answers = [AnswerLine(turn=turn, seat=seat, action="n") for turn, seat in ((1, 0), (1, 1), (2, 0))]
    crash = AnswerLine(turn=2, seat=1, fault="crashed")
    record = make_record(turns=[{0: "n", 1: "n"}], answers=[*answers, crash], forfeited=forfeited)
    assert [(row["turn"], row["seat"]) for row in _turn_rows(record)] == expected


def test_a_record_read_back_gives_the_same_text_as_the_one_in_memory(tmp_path: Path) -> None:
    record = make_record(
        "m7",
        returns=(1, -1),  # whole numbers, which JSON gives back as 1.0
        metrics=[{"kills": 2}, {"kills": -0.0}],
        turns=[{0: "N", 1: "S"}],
        answers=[
            AnswerLine(turn=1, seat=0, action="N", planning_ms=0.1 + 0.2, expanded=7, repaired=2, reused=5, plan_cost=3)
        ],
        usage={"cpu_ms": [12, None], "duration_ms": 5},
    )
    path = record_path(tmp_path, "m7")
    path.parent.mkdir()
    write_record(path, record)
    again = read_record(path)
    for table, fold in ((RESULTS, result_rows), (METRICS, metric_rows), (TURNS, _turn_rows)):
        assert format_rows(table, fold(again)) == format_rows(table, fold(record))


def test_folding_does_not_change_the_record() -> None:
    record = make_record(answers=[AnswerLine(turn=2, seat=1), AnswerLine(turn=1, seat=0)])
    before = msgspec.json.encode(record)
    result_rows(record), metric_rows(record), turn_columns(record)
    assert msgspec.json.encode(record) == before
