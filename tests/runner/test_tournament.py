"""Whole tournaments: order, resume, replays of void matches, quarantine, disqualification."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from runner.lag import LagMonitor
from runner.record.file import list_records, read_record, record_path
from runner.record.lines import MatchRecord
from runner.tables.compare import first_difference
from runner.wire.errors import ConfigError
from tests.runner.memory_cup import make_cup, play_cup

CUP = """
tournament: cup
seed: 5
games: [{game: bomber, params: {max_ticks: 30, treasure_min_ticks: 5, treasure_max_ticks: 9}}]
format: {rounds: 3}
time: {turn_ms: 2000}
execution: {isolation: none, parallel: PARALLEL}
bots:
  - {name: a, bot: random}
  - {name: b, bot: random}
  - {name: w, bot: bomber/wanderer}
"""

BROKEN = """
from bots.api import Bot

class Crasher(Bot):
    plays = ("bomber",)
    def act(self, observation):
        raise IndexError("my list was too short")

class Illegal(Bot):
    plays = ("bomber",)
    def act(self, observation):
        return "fly"
"""


def cup(parallel: int = 1) -> str:
    return CUP.replace("PARALLEL", str(parallel))


def unmeasured(record: MatchRecord) -> tuple[object, ...]:
    return (record.header, record.lines, record.end)


async def test_matches_at_once_change_nothing_but_what_is_measured(tmp_path: Path) -> None:
    one = make_cup(cup(1), tmp_path / "one")
    eight = make_cup(cup(8), tmp_path / "eight")
    await play_cup(one)
    await play_cup(eight)
    assert first_difference(one.out, eight.out) is None
    pairs = zip(list_records(one.out), list_records(eight.out), strict=True)
    assert all(unmeasured(read_record(left)) == unmeasured(read_record(right)) for left, right in pairs)


async def test_the_tables_follow_the_schedule(tmp_path: Path) -> None:
    plan = make_cup(cup(8), tmp_path)
    played = await play_cup(plan)
    assert [one.pairing.index for one in played] == list(range(18))


async def test_resume_plays_only_what_is_missing_and_gives_the_same_tables(tmp_path: Path) -> None:
    plan = make_cup(cup(2), tmp_path)
    await play_cup(plan)
    shutil.copytree(plan.out, tmp_path / "whole")
    records = list_records(plan.out)
    for path in records[::2]:
        path.unlink()
    (plan.out / "results.csv").unlink()
    played = await play_cup(make_cup(cup(2), tmp_path), resume=True)
    assert sum(one.is_new for one in played) == len(records[::2])
    assert first_difference(tmp_path / "whole", plan.out) is None


async def test_a_match_cut_short_leaves_nothing_that_counts(tmp_path: Path) -> None:
    plan = make_cup(cup(), tmp_path)
    await play_cup(plan)
    part = plan.out / "records" / "0123456789abcdef.part"
    part.write_text('{"type":"header"')
    await play_cup(plan, resume=True)
    assert not part.exists()


async def test_results_are_never_written_over(tmp_path: Path) -> None:
    plan = make_cup(cup(), tmp_path)
    await play_cup(plan)
    with pytest.raises(ConfigError, match="expected an empty folder, got results: continue with --resume"):
        await play_cup(plan)


async def test_results_of_another_tournament_are_refused(tmp_path: Path) -> None:
    plan = make_cup(cup(), tmp_path)
    await play_cup(plan)
    other = make_cup(cup().replace("tournament: cup", "tournament: other"), tmp_path)
    other.out = plan.out
    with pytest.raises(ConfigError, match="expected results of other, got results of cup"):
        await play_cup(other, resume=True)


async def test_adding_a_bot_keeps_the_matches_that_were_played(tmp_path: Path) -> None:
    await play_cup(make_cup(cup(), tmp_path))
    wider = make_cup(cup() + "  - {name: x, bot: random}\n", tmp_path)
    played = await play_cup(wider, resume=True)
    assert sum(not one.is_new for one in played) == 18
    assert len(played) == 36


async def test_a_void_match_is_replayed_twice_and_then_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\nfrom bots.api import Bot\nclass Slow(Bot):\n"
        "    def act(self, observation):\n        time.sleep(0.03)\n        return 'wait'\n"
    )
    monkeypatch.setattr(LagMonitor, "lag_ms", lambda self, asked, due: 999.0)
    text = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 3}}]
format: {swap_seats: false}
time: {turn_ms: 10}
execution: {isolation: none}
bots: [{name: a, path: slow.py:Slow}, {name: b, bot: random}]
"""
    [played] = await play_cup(make_cup(text, tmp_path))
    assert played.record.end.termination.value == "void"
    assert played.record.end.counted is False
    assert played.record.usage.attempts == 3


def broken_cup(tmp_path: Path, bot: str, extra: str) -> str:
    (tmp_path / "broken.py").write_text(BROKEN)
    return f"""
tournament: cup
games: [{{game: bomber, params: {{max_ticks: 20}}}}]
format: {{rounds: 3}}
time: {{turn_ms: 2000}}
execution: {{isolation: none, parallel: 1}}
bots: [{{name: bad, path: broken.py:{bot}}}, {{name: good, bot: random}}]
{extra}
"""


async def test_a_bot_that_crashes_again_and_again_is_quarantined(tmp_path: Path) -> None:
    played = await play_cup(make_cup(broken_cup(tmp_path, "Crasher", ""), tmp_path))
    terminations = [one.record.end.termination.value for one in played]
    assert terminations == ["crashed"] * 3 + ["failed_to_start"] * 3
    assert "quarantined after 3 crashes in a row, the last: IndexError" in played[-1].record.end.reason
    assert "IndexError: my list was too short" in played[0].record.end.reason


async def test_a_bot_that_forfeits_by_faults_plays_on_in_its_next_match(tmp_path: Path) -> None:
    played = await play_cup(make_cup(broken_cup(tmp_path, "Illegal", "faults: {limit: 2}"), tmp_path))
    assert [one.record.end.termination.value for one in played] == ["malformed"] * 6


async def test_disqualification_forfeits_the_remaining_matches(tmp_path: Path) -> None:
    extra = "faults: {limit: 2, on_limit: disqualify}"
    played = await play_cup(make_cup(broken_cup(tmp_path, "Illegal", extra), tmp_path))
    assert [one.record.end.termination.value for one in played] == ["malformed"] + ["failed_to_start"] * 5
    assert "disqualified in match" in played[1].record.end.reason


async def test_a_resumed_tournament_knows_who_was_disqualified(tmp_path: Path) -> None:
    text = broken_cup(tmp_path, "Illegal", "faults: {limit: 2, on_limit: disqualify}")
    played = await play_cup(make_cup(text, tmp_path))
    plan = make_cup(text, tmp_path)
    shutil.copytree(plan.out, tmp_path / "whole")
    for one in played[1:]:
        record_path(plan.out, one.pairing.match_id).unlink()
    await play_cup(plan, resume=True)
    assert first_difference(tmp_path / "whole", plan.out) is None
