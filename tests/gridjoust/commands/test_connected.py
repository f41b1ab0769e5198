"""The lobby and the workers as people and programs see them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from gridjoust.commands.shared import progress
from gridjoust.commands.shared.connected import lobby_line, seconds_left, workers_line
from gridjoust.commands.shared.progress import JsonReporter, PlainReporter, RichReporter
from gridjoust.runner.engines.batch import WorkerNews
from gridjoust.runner.remote.lobby import LobbyNews

OPEN = LobbyNews(there=("ada",), missing=("ben",), is_open=True, left_s=90, line="ada is there")
BEGUN = LobbyNews(there=("ada",), missing=("ben",), is_open=False)
LEFT = LobbyNews(there=(), missing=("ada", "ben"), is_open=False, line="ada has left: its matches wait 60 s for it")


@pytest.mark.parametrize(
    ("news", "line"),
    [
        (OPEN, "ada is there; waiting for ben; starting in 90 s at the latest"),
        (LobbyNews(there=("ada",), missing=(), is_open=True, left_s=90), "all bots are connected"),
        (BEGUN, "starting without ben"),
        (LobbyNews(there=("ada",), missing=(), is_open=False), "starting: all bots are connected"),
        (LEFT, LEFT.line),
    ],
)
def test_every_change_is_a_line(
    news: LobbyNews, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert lobby_line(news) == line
    PlainReporter(Path("results/cup")).lobby(news)
    assert capsys.readouterr().out == f"{line}\n"


def test_a_terminal_shows_who_is_there_and_who_is_missing_until_it_begins() -> None:
    console = Console(file=io.StringIO(), width=100, height=30, force_terminal=False)
    reporter = RichReporter(console, Path("results/cup"))
    shown = []
    for news in (OPEN, BEGUN, LEFT):
        reporter.lobby(news)
        with console.capture() as captured:
            console.print(reporter.draw())
        shown.append(captured.get())
    assert [word in shown[0] for word in ("ada", "connected", "ben", "missing", "starting in")] == [True] * 5
    assert not any("missing" in text for text in shown[1:])
    file = console.file
    assert isinstance(file, io.StringIO)
    assert file.getvalue().strip() == LEFT.line


def test_programs_read_who_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    JsonReporter(Path("results/cup")).lobby(OPEN)
    assert json.loads(capsys.readouterr().out) == {
        "event": "lobby",
        "there": ["ada"],
        "missing": ["ben"],
        "is_open": True,
        "line": "ada is there",
    }


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
