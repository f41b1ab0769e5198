"""On a terminal sentences wrap between words; piped output and what people copy stays on its line."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from gridjoust.commands import main
from gridjoust.commands.shared.output import wrapped

SAMPLE = Path(__file__).parents[3] / "results" / "sample"


class Terminal(io.StringIO):
    """A terminal, as far as `isatty` says."""

    def isatty(self) -> bool:
        return True


COMMANDS = [
    "leaderboard SAMPLE",
    "matches SAMPLE",
    "games",
    "games bomber",
    "run a-file-that-is-not-there-and-has-a-long-name.yaml --parallel 3 --strict --trust --overwrite",
    "doctor random --game heroquest --role a-role-that-nobody-has-ever-heard-of-in-any-dungeon",
]


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("typed", COMMANDS)
def test_no_line_is_longer_than_the_terminal_is_wide(
    typed: str, columns: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "SAMPLE").symlink_to(SAMPLE)
    shown = Terminal()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown), pytest.raises(SystemExit):
        main(typed.split())
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown.getvalue()).splitlines()
    assert lines
    assert [line for line in lines if len(line) > columns] == []


@pytest.mark.parametrize("typed", ["leaderboard SAMPLE", "matches SAMPLE", "games"])
def test_what_is_piped_is_not_wrapped(typed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "SAMPLE").symlink_to(SAMPLE)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown), pytest.raises(SystemExit):
        main(typed.split())
    assert max(map(len, shown.getvalue().splitlines())) > 80


COPIED = [
    "    joust ask --record results/cup/records/9021fe0964812258.jsonl --turn 3",
    "`joust connect TOKEN my_bots/first.py`",
    '{"action": "..."}',
    "'a file with blanks.yaml'",
    "/home/ada/results/a-very-long-name-of-a-tournament/report.html",
]


@pytest.mark.parametrize("text", COPIED)
def test_what_people_copy_stays_whole(text: str) -> None:
    assert text in wrapped(text, 20)
    assert text.strip() in wrapped(f"expected one of these and no other: {text.strip()} or nothing", 20)
