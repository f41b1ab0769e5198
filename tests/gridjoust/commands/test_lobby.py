"""The lobby as people and programs see it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from gridjoust.commands.lobby import lobby_line
from gridjoust.commands.progress import JsonReporter, PlainReporter, RichReporter
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
