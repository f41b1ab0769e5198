"""Result rows: what one record says about each seat."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from runner.record.file import read_record, record_path, write_record
from runner.record.lines import AnswerLine
from runner.tables.columns import METRICS, RESULTS, TURNS
from runner.tables.rows import metric_rows, result_rows, turn_rows
from runner.tables.text import format_rows
from tests.runner.record.records_builder import make_record


def _answers(seat: int, planning_ms: list[float]) -> list[AnswerLine]:
    return [AnswerLine(turn=turn, seat=seat, planning_ms=value) for turn, value in enumerate(planning_ms, 1)]


def test_every_seat_has_a_row_with_every_column_in_order() -> None:
    rows = result_rows(make_record())
    assert [sorted(row) for row in rows] == [sorted(RESULTS.names)] * 2
    assert [row["seat"] for row in rows] == [0, 1]


def test_match_facts_are_repeated_on_each_row() -> None:
    first, second = result_rows(make_record("m7", header={"seed": 2**53 - 1}))
    assert (first["match_id"], first["seed"], first["seats"]) == ("m7", 2**53 - 1, 2)
    assert (second["match_id"], second["seed"], second["seats"]) == ("m7", 2**53 - 1, 2)


def test_record_column_is_the_path_that_the_record_is_written_to(tmp_path: Path) -> None:
    row = result_rows(make_record("m7"))[0]
    assert tmp_path / str(row["record"]) == record_path(tmp_path, "m7")


def test_opponents_are_the_bots_of_other_teams_once_each() -> None:
    record = make_record(bots=("a", "b", "a", "c"), teams=(0, 1, 0, 1))
    assert [row["opponents"] for row in result_rows(record)] == ["b c", "a", "b c", "a"]


def test_points_are_missing_where_there_is_one_team() -> None:
    record = make_record(bots=("a", "b"), teams=(0, 0), returns=(3, 3))
    assert [row["points"] for row in result_rows(record)] == [None, None]


def test_forfeit_is_marked_on_the_seat_that_forfeited() -> None:
    rows = result_rows(make_record(forfeited=(1,)))
    assert [row["forfeited"] for row in rows] == [False, True]
    assert [row["termination"] for row in rows] == ["crashed", "crashed"]


def test_planning_time_is_summed_per_seat() -> None:
    record = make_record(answers=[*_answers(0, [1.5, 2.5]), *_answers(1, [10.0])])
    assert [row["planning_ms_total"] for row in result_rows(record)] == [4.0, 10.0]


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (19, 19), (20, 19), (21, 20), (100, 95)])
def test_95th_percentile_is_the_nearest_rank(count: int, expected: int) -> None:
    record = make_record(answers=_answers(0, [float(value) for value in range(count, 0, -1)]))
    assert result_rows(record)[0]["planning_ms_p95"] == expected


def test_median_latency_leaves_out_answers_that_never_came() -> None:
    answers = [AnswerLine(turn=turn, seat=0, latency_ms=value) for turn, value in enumerate([9, 1, None, 2], 1)]
    assert result_rows(make_record(answers=answers))[0]["latency_ms_p50"] == 2


def test_what_a_bot_does_not_report_is_missing_not_zero() -> None:
    row = result_rows(make_record(answers=[AnswerLine(turn=1, seat=0, action="N")]))[0]
    unknown = ("planning_ms_total", "planning_ms_p95", "nodes_expanded", "searches")
    assert [row[name] for name in unknown] == [None] * 4


def test_nodes_are_summed_and_searches_are_the_answers_that_took_one() -> None:
    answers = [AnswerLine(turn=turn, seat=1, expanded=nodes) for turn, nodes in enumerate([100, None, 23, 0], 1)]
    rows = result_rows(make_record(answers=answers))
    assert [(row["nodes_expanded"], row["searches"]) for row in rows] == [(None, None), (123, 2)]


def test_turns_are_the_match_and_turns_acted_the_seat() -> None:
    rows = result_rows(make_record(turns=[{0: "N"}, {1: "S"}, {0: "E"}]))
    assert [(row["turns"], row["turns_acted"]) for row in rows] == [(3, 2), (3, 1)]


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
    answers = [AnswerLine(turn=1, seat=1), AnswerLine(turn=1, seat=0), AnswerLine(turn=2, seat=0)]
    rows = turn_rows(make_record(answers=answers))
    assert [(row["turn"], row["seat"]) for row in rows] == [(1, 0), (1, 1), (2, 0)]
    assert sorted(rows[0]) == sorted(TURNS.names)


def test_two_answers_of_one_seat_in_one_turn_keep_their_order() -> None:
    answers = [AnswerLine(turn=1, seat=0, action="x", fault="illegal"), AnswerLine(turn=1, seat=0, action="a")]
    assert [row["action"] for row in turn_rows(make_record(answers=answers))] == ["x", "a"]


def test_a_record_read_back_gives_the_same_text_as_the_one_in_memory(tmp_path: Path) -> None:
    record = make_record(
        "m7",
        returns=(1, -1),  # whole numbers, which JSON gives back as 1.0
        metrics=[{"kills": 2}, {"kills": -0.0}],
        turns=[{0: "N", 1: "S"}],
        answers=[AnswerLine(turn=1, seat=0, action="N", planning_ms=0.1 + 0.2, expanded=7, plan_cost=3)],
        usage={"cpu_ms": [12, None], "duration_ms": 5},
    )
    path = record_path(tmp_path, "m7")
    path.parent.mkdir()
    write_record(path, record)
    again = read_record(path)
    for table, fold in ((RESULTS, result_rows), (METRICS, metric_rows), (TURNS, turn_rows)):
        assert format_rows(table, fold(again)) == format_rows(table, fold(record))


def test_folding_does_not_change_the_record() -> None:
    record = make_record(answers=[AnswerLine(turn=2, seat=1), AnswerLine(turn=1, seat=0)])
    before = msgspec.json.encode(record)
    result_rows(record), metric_rows(record), turn_rows(record)
    assert msgspec.json.encode(record) == before
