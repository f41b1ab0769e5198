"""What the holder of a run reads about its workers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridjoust.commands import progress
from gridjoust.commands.progress import JsonReporter, PlainReporter
from gridjoust.commands.workers import seconds_left, workers_line
from gridjoust.runner.engines.batch import WorkerNews

BUSY = WorkerNews(name="pc1", state="busy", matches=40, per_s=2.0, late_ms=3.4)
DROPPED = WorkerNews(name="pc2", state="dropped", matches=3, per_s=9.0, note="too late")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "WORKERS_EVERY_S", 0.0)


def test_only_those_who_are_there_count_for_the_time_left() -> None:
    assert seconds_left([BUSY, DROPPED], 100) == 50.0
    assert seconds_left([DROPPED], 100) is None
    assert workers_line([BUSY, DROPPED], 24000).startswith("1 worker, 2.0/s, about 3.3 h left")


def test_a_line_of_text_and_an_event_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for reporter in (PlainReporter(tmp_path), JsonReporter(tmp_path)):
        reporter.begin("cup", 100, [], is_exact=True)
        reporter.tell("worker pc2 dropped: too late")
        reporter.workers([BUSY, DROPPED])
    plain, note, event = [line for line in capsys.readouterr().out.splitlines() if "pc" in line][1:]
    assert plain == "1 worker, 2.0/s, about 50 s left: pc1 2.0/s 3 ms late"
    assert json.loads(note)["line"] == "worker pc2 dropped: too late"
    assert json.loads(event)["left_s"] == 50.0
    assert [worker["name"] for worker in json.loads(event)["workers"]] == ["pc1", "pc2"]
