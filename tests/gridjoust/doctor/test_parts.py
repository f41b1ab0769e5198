"""Small parts of the doctor: comparing, shortening, drawing, finding a match, reading a question."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from gridjoust.doctor.compare import first_difference
from gridjoust.doctor.excerpt import excerpt, excerpt_text, one_line
from gridjoust.doctor.histogram import histogram, quantiles
from gridjoust.doctor.question import load_question, message_of, save_question
from gridjoust.doctor.source import find_record, load_source
from runner.record.lines import Fault, FaultLine, MatchRecord, TurnLine
from runner.wire.errors import ConfigError
from runner.wire.protocol import Limits, Start, TurnMessage
from tests.runner.record.records_builder import make_record

SAMPLE = Path(__file__).parents[3] / "results" / "sample"

# ---- comparing ------------------------------------------------------------------------------------------------------


def with_fault(turn: int, fault: Fault) -> MatchRecord:
    record = make_record(turns=[{0: "up", 1: "wait"}, {0: "wait", 1: "up"}])
    line = FaultLine(turn=turn, seat=1, fault=fault, detail="detail", hash="")
    return msgspec.structs.replace(record, lines=[*record.lines, line])


def test_equal_records_do_not_part() -> None:
    record = with_fault(2, Fault.LATE)
    assert first_difference(record, record) is None


def test_the_first_different_action_is_named_with_its_seat() -> None:
    old = make_record(turns=[{0: "up", 1: "wait"}, {0: "up", 1: "wait"}, {0: "up", 1: "wait"}])
    new = make_record(turns=[{0: "up", 1: "wait"}, {0: "up", 1: "bomb"}, {0: "down", 1: "wait"}])
    difference = first_difference(old, new)
    assert difference is not None
    assert (difference.turn, difference.seats, difference.detail) == (2, (1,), "seat 1: wait, now bomb")


def test_an_action_that_is_missing_is_a_difference() -> None:
    difference = first_difference(make_record(turns=[{0: "up", 1: "wait"}]), make_record(turns=[{0: "up"}]))
    assert difference is not None
    assert difference.detail == "seat 1: wait, now no action"


@pytest.mark.parametrize(("before", "after", "which"), [(2, 1, "recorded"), (1, 2, "new")])
def test_a_match_that_goes_on_longer_parts_where_the_other_ends(before: int, after: int, which: str) -> None:
    difference = first_difference(make_record(turns=[{0: "up"}] * before), make_record(turns=[{0: "up"}] * after))
    assert difference is not None
    assert (difference.turn, difference.detail) == (2, f"the {which} match goes on, the other one has ended")


def test_a_fault_behind_the_same_action_is_a_difference() -> None:
    difference = first_difference(
        with_fault(2, Fault.LATE), make_record(turns=[{0: "up", 1: "wait"}, {0: "wait", 1: "up"}])
    )
    assert difference is not None
    assert (difference.turn, difference.seats) == (2, (1,))
    assert difference.detail == "a late fault of seat 1 in turn 2, now no fault"


def test_another_end_of_the_same_turns_is_a_difference() -> None:
    turns = [{0: "up", 1: "wait"}]
    difference = first_difference(make_record(turns=turns, returns=(1, -1)), make_record(turns=turns, returns=(-1, 1)))
    assert difference is not None
    assert difference.turn is None
    assert difference.detail == "returns [1, -1], now [-1, 1]"


def test_moments_may_be_left_out_of_the_comparison() -> None:
    old = make_record(turns=[{0: "up"}])
    line = old.lines[0]
    assert isinstance(line, TurnLine)
    new = msgspec.structs.replace(old, lines=[msgspec.structs.replace(line, stamp=77)])
    difference = first_difference(old, new)
    assert difference is not None
    assert difference.detail == "at 1 ms of the match, now at 77 ms"
    assert first_difference(old, new, with_stamps=False) is None


# ---- shortening and drawing -----------------------------------------------------------------------------------------


def test_short_messages_stay_whole() -> None:
    value = {"seat": 0, "legal": ["up", "down"], "view": {"hp": 3.5, "gone": None}}
    assert excerpt(value) == value


def test_the_rest_of_a_long_list_is_counted() -> None:
    assert excerpt({"cells": list(range(40))}) == {"cells": [0, 1, 2, 3, 4, 5, "... 34 more"]}


def test_the_rest_of_a_long_text_is_counted() -> None:
    assert excerpt("x" * 150) == "x" * 120 + "... 30 more letters"


def test_the_rest_of_an_object_is_counted() -> None:
    shown = excerpt({str(number): number for number in range(30)})
    assert len(shown) == 25
    assert shown["..."] == "6 more keys"


def test_deep_values_are_named_by_their_size() -> None:
    assert excerpt([[[[[[1, 2, 3]]]]]]) == [[[[["... 3 items"]]]]]


def test_an_excerpt_is_one_line_of_json() -> None:
    text = excerpt_text({"name": "Zürich", "rows": list(range(9))})
    assert json.loads(text) == {"name": "Zürich", "rows": [0, 1, 2, 3, 4, 5, "... 3 more"]}
    assert "\n" not in text


def test_a_bots_words_cannot_drive_the_terminal() -> None:
    assert one_line("no\n  way\x1b[2J") == "no way\\x1b[2J"
    assert one_line("x" * 500) == "x" * 300 + "..."


def test_quantiles_are_times_that_were_measured() -> None:
    found = quantiles([float(number) for number in range(1, 101)])
    assert found is not None
    assert (found.p50_ms, found.p95_ms, found.max_ms) == (50.0, 95.0, 100.0)


def test_without_times_there_are_no_quantiles_and_no_bars() -> None:
    assert quantiles([]) is None
    assert histogram([]) == []


def test_bars_are_as_long_as_their_counts_and_gaps_are_shown() -> None:
    lines = [line.split() for line in histogram([0.3, 0.3, 0.4, 0.4, 1.0])]
    assert lines == [
        ["<", "0.5", "ms", "#" * 40, "4"],
        ["<", "1", "ms", "0"],
        ["<", "2", "ms", "#" * 10, "1"],
    ]


# ---- finding a match ------------------------------------------------------------------------------------------------


def records(folder: Path, *names: str) -> Path:
    (folder / "records").mkdir()
    for name in names:
        (folder / "records" / f"{name}.jsonl").touch()
    return folder


def test_a_match_is_found_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    assert find_record(records(tmp_path, "abc1", "abd2"), "abd").name == "abd2.jsonl"


def test_a_whole_id_is_found_though_another_begins_with_it(tmp_path: Path) -> None:
    assert find_record(records(tmp_path, "abc", "abcd"), "abc").name == "abc.jsonl"


@pytest.mark.parametrize(
    ("match", "line"),
    [
        ("ab", "'ab': expected one match, got 2: abc1, abd2"),
        ("x", "expected a match id that begins with 'x', got none"),
        ("c", "'c': expected at least 3 characters of a match id, got 1"),
    ],
)
def test_an_abbreviation_that_names_no_single_match_is_refused(tmp_path: Path, match: str, line: str) -> None:
    with pytest.raises(ConfigError) as caught:
        find_record(records(tmp_path, "abc1", "abd2", "ccc"), match)
    assert line in str(caught.value)


def test_a_folder_without_records_is_no_results_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a results folder, got no records in it"):
        find_record(tmp_path, "abc")


def test_a_record_needs_the_tournament_around_it(tmp_path: Path) -> None:
    copy = tmp_path / "records" / "lonely.jsonl"
    copy.parent.mkdir()
    copy.write_bytes(sorted((SAMPLE / "records").iterdir())[0].read_bytes())
    with pytest.raises(ConfigError, match=r"expected tournament\.yaml in the results folder around it, got none"):
        load_source(copy)


# ---- questions in files ---------------------------------------------------------------------------------------------

START = Start(
    match="m1",
    game="bomber",
    game_version="1",
    variant="bomber",
    params={},
    seats=[1],
    seat_count=2,
    teams=[0, 1],
    roles=["", ""],
    dynamics="simultaneous",
    briefing={"1": {"walls": 3}},
    bot_seed=9,
    limits=Limits(turn_ms=100, bank_ms=0, increment_ms=0, start_ms=1000),
    options={},
)
QUESTION = TurnMessage(
    match="m1", ask=0, seat=1, turn=7, observation={"tick": 6}, legal=["up"], legal_complete=True, limit_ms=250
)


def test_a_saved_question_is_read_back(tmp_path: Path) -> None:
    save_question(tmp_path / "q.json", START, QUESTION)
    held = load_question(tmp_path / "q.json")
    assert held.start == START
    assert message_of(held, match="m1", seat=1) == QUESTION


def test_a_turn_message_as_it_stands_on_the_wire_is_a_question(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_bytes(msgspec.json.encode(QUESTION))
    held = load_question(tmp_path / "q.json")
    assert (held.seat, held.turn, held.legal, held.start) == (1, 7, ["up"], None)


def test_an_object_without_an_observation_is_the_observation(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text('{"tick": 6, "hp": 3}')
    held = load_question(tmp_path / "q.json")
    assert held.observation == {"tick": 6, "hp": 3}
    assert (held.seat, held.legal, held.legal_complete) == (None, [], False)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[1, 2]", "Expected `object`, got `array`"),
        ("{", "Input data was truncated"),
        ('{"observation": 3}', "Expected `object`, got `int` - at `$.observation`"),
    ],
)
def test_what_is_no_question_is_refused_in_one_line(tmp_path: Path, text: str, part: str) -> None:
    (tmp_path / "q.json").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_question(tmp_path / "q.json")
    assert "q.json: expected a question (JSON), got: " in str(caught.value)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
