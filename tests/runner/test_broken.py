"""Bots that cannot start: they forfeit, the others play, and what they forfeited is played once they can."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from gridjoust.in_process import open_in_process
from gridjoust.runner.results.records.lines import Fault, FaultLine
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import refuse_what_does_not_start
from gridjoust.runner.wire.errors import ConfigError
from tests.runner.memory_cup import make_cup, play_cup

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 4}}]
format: {rounds: 3}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: 2}
bots:
  - {name: mine, PROGRAM}
  - {name: a, bot: random}
  - {name: b, bot: random}
"""
BOT = "from gridjoust.bots.api import Bot\nclass Mine(Bot):\n    def act(self, question):\n        return 'wait'\n"
FILE = "path: mine.py:Mine"
BROKEN = {
    "a syntax error": (FILE, BOT.replace("(Bot):", "(Bot)"),
        "syntax error in mine.py line 2: expected ':'"),
    "no bot": ("path: mine.py", "x = 1\n", "mine.py contains no bot class; start with `class MyBot(joust.Bot):`"),
    "no such program": ("command: [no-such-program]", BOT, "expected a program on the PATH, got 'no-such-program'"),
    "no module": (FILE, f"import no_such\n{BOT}",
        "mine.py does not import: ModuleNotFoundError: No module named 'no_such' (mine.py line 1)"),
    "no act": (FILE, BOT.replace("act", "acct"), "mine.py:Mine: expected an act method, got acct"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


def said_of_mine(played: list[Played]) -> Counter[str]:
    """What it was blamed for."""
    lines = [(match.record, line) for match in played for line in match.record.lines if isinstance(line, FaultLine)]
    assert all(record.header.seats[line.seat].bot == "mine" for record, line in lines)
    assert all(line.fault is Fault.FAILED_TO_START for _, line in lines)
    return Counter(line.detail.rpartition("the last: ")[2] for _, line in lines)


@pytest.mark.default("a syntax error")
@pytest.mark.parametrize(("program", "text", "reason"), BROKEN.values(), ids=BROKEN)
async def test_it_forfeits_all_its_matches_with_the_reason_and_the_others_are_played(
    tmp_path: Path, program: str, text: str, reason: str
) -> None:
    (tmp_path / "mine.py").write_text(text)
    cup = make_cup(CUP.replace("PROGRAM", program), tmp_path, strict=False)
    played = await play_cup(cup)
    assert said_of_mine(played) == {reason: 12}
    assert sum(match.record.end.termination.value == "completed" for match in played) == 6


@pytest.mark.gate
@pytest.mark.parametrize("kind", ["a syntax error", "no module", "no act", "no bot"])
async def test_once_its_file_is_mended_resume_plays_them_and_no_others(tmp_path: Path, kind: str) -> None:
    text = CUP.replace("PROGRAM", BROKEN[kind][0])
    (tmp_path / "mine.py").write_text(BROKEN[kind][1])
    await play_cup(make_cup(text, tmp_path, strict=False))
    (tmp_path / "mine.py").write_text(BOT)
    played = await play_cup(make_cup(text, tmp_path, strict=False), resume=True)
    assert said_of_mine(played) == {}
    assert Counter(match.is_new for match in played) == {True: 12, False: 6}


@pytest.mark.gate
async def test_once_a_module_is_installed_resume_plays_them_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = CUP.replace("PROGRAM", FILE)
    (tmp_path / "mine.py").write_text(BROKEN["no module"][1])
    await play_cup(make_cup(text, tmp_path, strict=False))
    (tmp_path / "installed").mkdir()
    (tmp_path / "installed" / "no_such.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "installed")
    played = await play_cup(make_cup(text, tmp_path, strict=False), resume=True)
    assert said_of_mine(played) == {}
    assert Counter(match.is_new for match in played) == {True: 12, False: 6}


async def test_as_long_as_it_is_broken_resume_leaves_its_forfeits(tmp_path: Path) -> None:
    text = CUP.replace("PROGRAM", FILE)
    (tmp_path / "mine.py").write_text(BROKEN["a syntax error"][1])
    first = await play_cup(make_cup(text, tmp_path, strict=False))
    again = await play_cup(make_cup(text, tmp_path, strict=False), resume=True)
    assert not any(match.is_new for match in again)
    assert [repeating(match) for match in again] == [repeating(match) for match in first]


def repeating(match: Played) -> list[dict[str, object]]:
    """Its rows without what is measured, which tables round."""
    return [
        {name: row[name] for name, column in RESULTS.by_name.items() if not column.is_measured} for row in match.rows
    ]


async def test_strict_starts_every_bot_and_names_those_that_do_not(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BROKEN["no act"][1])
    plan = make_cup(CUP.replace("PROGRAM", FILE), tmp_path)
    async with open_in_process(plan) as backend:
        with pytest.raises(ConfigError, match="--strict: mine does not start: mine"):
            await refuse_what_does_not_start(plan, backend)
        (tmp_path / "mine.py").write_text(BOT)
        await refuse_what_does_not_start(plan, backend)
