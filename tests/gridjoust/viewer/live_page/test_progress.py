"""Progress of a folder, read bit by bit while its tables grow."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest

from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.results.tables.schedule_file import Planned, write_planned
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.simulation import play
from gridjoust.viewer.live_page.progress import Progress

NAMES = ("ann", "ben", "cy")
HOSTILE = "<b>'\"&\u202e"


@pytest.fixture(scope="module")
def records() -> list[MatchRecord]:
    """Three matches; the last one has a fault."""
    made = []
    for number, names in enumerate([("ann", "ben"), ("ben", "cy"), ("cy", HOSTILE)]):
        record = play("bomber", ["random", "random"], seed=number, params={"max_ticks": 20}).record
        pairs = zip(record.header.seats, names, strict=True)
        seats = [msgspec.structs.replace(seat, bot=name) for seat, name in pairs]
        end = msgspec.structs.replace(record.end, faults=[0, 2]) if number == 2 else record.end
        header = msgspec.structs.replace(record.header, seats=seats)
        made.append(msgspec.structs.replace(record, header=header, end=end))
    return made


def test_a_match_is_entered_once_when_all_its_rows_are_there(tmp_path: Path, records: list[MatchRecord]) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    with TableWriter(whole) as tables:
        for record in records:
            tables.add(record)
    text = (whole / RESULTS.file).read_bytes()
    growing = tmp_path / "growing" / "whole"
    growing.mkdir(parents=True)
    found = Progress(growing)
    assert found.look() == []
    entered: list[list[str]] = []
    cuts = [*range(0, len(text), 97), len(text)]
    for before, cut in zip([0, *cuts], cuts, strict=False):
        with (growing / RESULTS.file).open("ab") as file:
            file.write(text[before:cut])
        entered.append(found.look())
    assert [match for some in entered for match in some] == [record.header.match_id for record in records]
    assert found.look() == []
    at_once = Progress(whole)
    at_once.look()
    assert found.state(is_live=True) == at_once.state(is_live=True)


def test_the_state_has_standings_results_faults_and_what_is_left(tmp_path: Path, records: list[MatchRecord]) -> None:
    write_planned(tmp_path, Planned(matches=8, is_exact=True))
    found = Progress(tmp_path)
    with TableWriter(tmp_path) as tables:
        for record in records:
            tables.add(record)
    found.look()
    state = found.state(is_live=True)
    assert (state["done"], state["total"], state["is_over"]) == (3, 8, False)
    assert [match["id"] for match in state["last"]] == [record.header.match_id for record in records][::-1]
    assert [match["id"] for match in state["faulty"]] == [records[2].header.match_id]
    assert {row["faults"] for row in state["standings"]} == {0, 2}
    assert sum(row["matches"] for row in state["standings"]) == 6
    assert "\u202e" not in str(state)  # what turns text around does not get to the page


def test_the_time_left_follows_the_pace_of_the_last_matches(
    tmp_path: Path, records: list[MatchRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    write_planned(tmp_path, Planned(matches=8, is_exact=True))
    found = Progress(tmp_path)
    with TableWriter(tmp_path) as tables:
        for record in records:
            tables.add(record)
            found.look()
            now += 6.0
    assert found.state(is_live=True)["left_s"] == 30  # five matches of six seconds each


def test_tables_that_are_written_anew_are_read_anew(tmp_path: Path, records: list[MatchRecord]) -> None:
    found = Progress(tmp_path)
    for some in (records, records[:1]):
        (tmp_path / RESULTS.file).unlink(missing_ok=True)
        with TableWriter(tmp_path) as tables:
            for record in some:
                tables.add(record)
        assert len(found.look()) == len(some)
    assert found.state(is_live=True)["done"] == 1
