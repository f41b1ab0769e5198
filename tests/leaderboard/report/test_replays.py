"""The command that a report shows for a match: nothing in it but what Joust writes itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.leaderboard.report.match_details import replay_command


def test_a_match_is_named_by_the_first_letters_of_its_id() -> None:
    row = {"match_id": "0123456789abcdef-long", "record": "records/0123456789abcdef-long.jsonl"}
    assert replay_command(Path("my cup"), row) == "joust replay 'my cup' 0123456789abcdef"


@pytest.mark.parametrize(
    ("match_id", "record"),
    [
        ("a;curl x|sh", "records/a;curl x|sh.jsonl"),
        ("a;curl x|sh", "records/a.jsonl"),
        ("b", "records/a.jsonl"),
        ("a", "../records/a.jsonl"),
        ("", "records/.jsonl"),
    ],
)
def test_a_row_that_joust_did_not_write_has_no_command(match_id: str, record: str) -> None:
    assert replay_command(Path("cup"), {"match_id": match_id, "record": record}) == ""
