"""Two matches side by side: where they part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gridjoust.runner.results.records.lines import MatchRecord, TurnLine
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.simulation import Played, play
from gridjoust.viewer.compare_page import check_comparable, comparison_page, describe_difference, other_turns
from tests.joust_here import joust


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return play("bomber", ["random", "random"], seed=1, params={"max_ticks": 12}).record


def changed(record: MatchRecord, *turns: int) -> MatchRecord:
    """The second seat waits in these turns."""
    lines = [
        msgspec.structs.replace(line, actions=line.actions | {"1": "wait"})
        if isinstance(line, TurnLine) and line.turn in turns
        else line
        for line in record.lines
    ]
    return msgspec.structs.replace(record, lines=lines)


def moving_turns(record: MatchRecord) -> list[int]:
    return [line.turn for line in record.lines if isinstance(line, TurnLine) and line.actions.get("1") != "wait"]


def test_the_first_different_turn_is_named_with_what_each_did(record: MatchRecord) -> None:
    first, second = moving_turns(record)[1:3]
    other = changed(record, first, second)
    [line] = [line for line in record.lines if isinstance(line, TurnLine) and line.turn == first]
    told = f"first different turn {first}: seat 1: {line.actions['1']} in A, wait in B"
    assert describe_difference(record, other) == (first, told)
    assert other_turns(record, other) == [first, second]


def test_matches_that_are_alike_are_said_to_be_so(record: MatchRecord) -> None:
    assert describe_difference(record, record) == (None, "the same actions in all 12 turns, and the same end")
    assert other_turns(record, record) == []


def test_other_seeds_are_said_and_a_match_that_ends_earlier_differs_there(record: MatchRecord) -> None:
    other = play("bomber", ["random", "random"], seed=2, params={"max_ticks": 12}).record
    assert describe_difference(record, other)[1].startswith("other seed; first different turn ")
    short = msgspec.structs.replace(record, lines=record.lines[:8])
    assert describe_difference(record, short) == (9, "first different turn 9: A goes on, the other one has ended")
    assert other_turns(record, short) == [9, 10, 11, 12]


def test_matches_of_two_games_or_of_more_seats_are_refused(record: MatchRecord) -> None:
    check_comparable(record, record)
    walk = play("navigation", ["random", "random"], seats=2, seed=1).record
    with pytest.raises(ConfigError, match=r"expected two matches with equal game .*, got game bomber and navigation"):
        check_comparable(record, walk)
    four = play("bomber", ["random"] * 4, seed=1, params={"max_ticks": 2}).record
    with pytest.raises(ConfigError, match="got seats 2 and 4"):
        check_comparable(record, four)


def test_the_command_says_it_and_writes_the_page(record: MatchRecord, tmp_path: Path) -> None:
    for name, one in (("a", record), ("b", changed(record, *moving_turns(record)))):
        Played(one).save(tmp_path / f"{name}.jsonl")
    alike = joust("compare", "a.jsonl", "a.jsonl", folder=tmp_path)
    assert (alike.returncode, alike.stdout.splitlines()[2]) == (0, "the same actions in all 12 turns, and the same end")
    first = moving_turns(record)[0]
    folder = joust("compare", "a.jsonl", "b.jsonl", "--html", ".", folder=tmp_path)
    assert folder.stderr == "joust: --html: expected a file to write, got the folder .\n"
    page: dict[str, Any] = json.loads(
        comparison_page(record, record).split('id="match-data">')[1].split("</script>")[0]
    )
    assert [match["turns"] for match in page["matches"]] == [12, 12]
    assert (page["first"], page["others"]) == (None, [])
    shown = joust("compare", "a.jsonl", "b.jsonl", "--html", "both.html", folder=tmp_path)
    assert shown.returncode == 1
    assert f"first different turn {first}: " in shown.stdout
    assert (tmp_path / "both.html").is_file()
