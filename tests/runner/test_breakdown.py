"""An error of the runner or of the rules ends one match: void, its traceback kept, loud at the end; others count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.bomber import Bomber
from gridjoust.in_process import open_in_process, open_memory_bus
from runner.breakdown import check_unbroken
from runner.lag import LagMonitor
from runner.record.file import read_record, record_path
from runner.record.replay import verify
from runner.tables.text import read_rows
from runner.tournament import Played
from runner.wire import protocol
from runner.wire.errors import BugError, RecordError
from tests.joust_here import joust
from tests.runner.memory_cup import Open, make_cup, play_cup
from tests.runner.test_tournament import broken_cup

BOTS = """
from bots.api import Bot

class Bad(Bot):
    version = "poison"
    def act(self, observation):
        return "up" if observation.turn == 3 else "wait"

class Good(Bot):
    def act(self, observation):
        return "wait"
"""
CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 6}}]
format: {swap_seats: false}
execution: {isolation: none, parallel: 2}
bots: [{name: bad, path: bots.py:Bad}, {name: one, path: bots.py:Good}, {name: two, path: bots.py:Good}]
"""
BUG = "\x1b[2J no such cell"


def fail_at_up(self: Bomber, text: str) -> Any:
    if text == "up":
        raise KeyError(BUG)
    return parse_action(self, text)


def fail_at_poison(payload: bytes) -> protocol.FromBot:
    if b"poison" in payload:
        raise KeyError(BUG)
    return decode_from_bot(payload)


parse_action, decode_from_bot = Bomber.parse_action, protocol.decode_from_bot
BUGS: dict[str, tuple[Any, str, Any, Open]] = {
    "the rules, bots called directly": (Bomber, "parse_action", fail_at_up, open_in_process),
    "the rules, over a bus": (Bomber, "parse_action", fail_at_up, open_memory_bus),
    "a message, while the match begins": (protocol, "decode_from_bot", fail_at_poison, open_memory_bus),
}


GOOD = ["one", "two"]


async def play(folder: Path, open_it: Open = open_in_process, *, resume: bool = False) -> list[Played]:
    (folder / "bots.py").write_text(BOTS)
    return await play_cup(make_cup(CUP, folder), resume=resume, open_it=open_it)


@pytest.mark.parametrize(("owner", "name", "bug", "open_it"), BUGS.values(), ids=BUGS)
async def test_only_the_matches_of_the_bot_that_meets_the_bug_are_void_until_it_is_mended(
    owner: Any, name: str, bug: Any, open_it: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, bug)
        played = await play(tmp_path, open_it)
    out = tmp_path / "results" / "cup"
    broken = [one for one in played if not one.record.end.counted]
    assert [sorted(seat.bot for seat in one.record.header.seats) for one in played if one not in broken] == [GOOD]
    assert [one.record.end.termination.value for one in broken] == ["void", "void"]
    for one in broken:
        file = f"logs/{one.pairing.match_id}.traceback"
        assert one.record.end.reason.endswith(f"traceback in {file}: KeyError: '\\x1b[2J no such cell'")
        assert "Traceback (most recent call last)" in (out / file).read_text()
        assert verify(read_record(record_path(out, one.pairing.match_id))) is None
    with pytest.raises(BugError, match="2 matches broke off"):
        check_unbroken(out)
    again = await play(tmp_path, open_it, resume=True)
    assert [one.is_new for one in again] == [one in broken for one in played]
    assert all(row["counted"] == "1" for row in read_rows(out / "results.csv"))
    check_unbroken(out)


async def test_rules_that_fail_at_the_deal_leave_a_record_that_verify_refuses_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise KeyError(BUG)

    (tmp_path / "bots.py").write_text(BOTS)
    plan = make_cup(CUP, tmp_path)
    monkeypatch.setattr(Bomber, "initial_state", fail)
    played = await play_cup(plan)
    assert [one.record.end.termination.value for one in played] == ["void"] * 3
    with pytest.raises(RecordError, match="the rules failed: KeyError"):
        verify(played[0].record)


def test_the_run_ends_with_exit_code_4_and_lists_what_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "cup.yaml").write_text(CUP)
    monkeypatch.setattr(Bomber, "parse_action", fail_at_up)
    done = joust("run", "cup.yaml", folder=tmp_path)
    assert done.returncode == 4
    assert "joust: 2 matches broke off on an error of the runner or the rules; traceback: results/cup/" in done.stderr
    assert "3 matches: 2 void, 1 completed\n2 void, not counted; --resume plays them again:\n" in done.stdout
    assert done.stdout.count("no such cell") == 2
    assert "report: results/cup/report.html" in done.stdout


async def test_a_match_void_for_lag_is_tried_again_on_resumption_and_one_that_counts_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = broken_cup(tmp_path, "Slow", rounds=2, turn_ms=10)
    lag_ms = 0.0
    monkeypatch.setattr(LagMonitor, "lag_ms", lambda self, asked, due: lag_ms)
    first, *others = await play_cup(make_cup(text, tmp_path))
    path = record_path(tmp_path / "results" / "cup", first.pairing.match_id)
    path.unlink()
    lag_ms = 999.0
    found = await play_cup(make_cup(text, tmp_path), resume=True)
    assert [one.is_new for one in found] == [True, *(False for _ in others)]
    assert (found[0].record.end.counted, read_record(path).usage.attempts) == (False, 3)
    lag_ms = 0.0
    again = await play_cup(make_cup(text, tmp_path), resume=True)
    assert [one.is_new for one in again] == [True, *(False for _ in others)]
    assert (again[0].record.end.termination.value, again[0].record.usage.attempts) == ("late", 4)
