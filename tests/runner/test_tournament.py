"""Whole tournaments: order, resume, replays of void matches, quarantine, disqualification, what bots are told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from runner.record.file import list_records, read_record, record_path
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


def cup(parallel: int = 1) -> str:
    return CUP.replace("PARALLEL", str(parallel))


async def test_matches_at_once_change_nothing_but_what_is_measured_and_the_tables_follow_the_schedule(
    tmp_path: Path,
) -> None:
    one, eight = make_cup(cup(1), tmp_path / "one"), make_cup(cup(8), tmp_path / "eight")
    await play_cup(one)
    played = await play_cup(eight)
    assert [match.pairing.index for match in played] == list(range(18))
    assert first_difference(one.out, eight.out) is None
    for paths in zip(list_records(one.out), list_records(eight.out), strict=True):
        left, right = map(read_record, paths)
        assert (left.header, left.lines, left.end) == (right.header, right.lines, right.end)


async def test_resume_plays_only_what_is_missing_and_gives_the_same_tables(tmp_path: Path) -> None:
    plan = make_cup(cup(2), tmp_path)
    await play_cup(plan)
    shutil.copytree(plan.out, tmp_path / "whole")
    records = list_records(plan.out)
    for path in records[::2]:
        path.unlink()
    (plan.out / "results.csv").unlink()
    part = plan.out / "records" / "0123456789abcdef.part"
    part.write_text('{"type":"header"')  # of a match cut short
    played = await play_cup(make_cup(cup(2), tmp_path), resume=True)
    assert sum(one.is_new for one in played) == len(records[::2])
    assert first_difference(tmp_path / "whole", plan.out) is None
    assert not part.exists()


async def test_results_are_never_written_over_nor_mixed_with_those_of_another_tournament_but_may_grow(
    tmp_path: Path,
) -> None:
    plan = make_cup(cup(), tmp_path)
    await play_cup(plan)
    with pytest.raises(ConfigError, match="expected an empty folder, got results: continue with --resume"):
        await play_cup(plan)
    other = make_cup(cup().replace("tournament: cup", "tournament: other"), tmp_path)
    other.out = plan.out
    with pytest.raises(ConfigError, match="expected results of other, got results of cup"):
        await play_cup(other, resume=True)
    played = await play_cup(make_cup(cup() + "  - {name: x, bot: random}\n", tmp_path), resume=True)
    assert [one.is_new for one in played].count(False) == 18
    assert len(played) == 36


BROKEN = """
import time
from bots.api import Bot

class Slow(Bot):
    def act(self, observation):
        time.sleep(0.03)
        return "wait"

class Crasher(Bot):
    def act(self, observation):
        raise IndexError("my list was too short")

class Illegal(Bot):
    def act(self, observation):
        return "fly"
"""


def broken_cup(folder: Path, bot: str, extra: str = "", *, rounds: int = 3, turn_ms: int = 2000) -> str:
    (folder / "broken.py").write_text(BROKEN)
    return f"""
tournament: cup
games: [{{game: bomber, params: {{max_ticks: 20}}}}]
format: {{rounds: {rounds}, swap_seats: {"true" if rounds > 1 else "false"}}}
time: {{turn_ms: {turn_ms}}}
execution: {{isolation: none, parallel: 1}}
bots: [{{name: bad, path: broken.py:{bot}}}, {{name: good, bot: random}}]
{extra}
"""


DISQUALIFY = "faults: {limit: 2, on_limit: disqualify}"
BAD = {
    "who crashes again and again is quarantined": (
        "Crasher",
        "",
        ["crashed"] * 3 + ["failed_to_start"] * 3,
        "quarantined after 3 crashes in a row, the last: IndexError: my list was too short",
    ),
    "who forfeits by faults plays on": ("Illegal", "faults: {limit: 2}", ["malformed"] * 6, "malformed, fault 2"),
    "who is disqualified forfeits the rest": (
        "Illegal",
        DISQUALIFY,
        ["malformed"] + ["failed_to_start"] * 5,
        "disqualified in match",
    ),
}


@pytest.mark.parametrize(("bot", "extra", "terminations", "reason"), BAD.values(), ids=BAD)
async def test_of_bad_bots(tmp_path: Path, bot: str, extra: str, terminations: list[str], reason: str) -> None:
    text = broken_cup(tmp_path, bot, extra)
    plan = make_cup(text, tmp_path)
    played = await play_cup(plan)
    assert [one.record.end.termination.value for one in played] == terminations
    assert reason in played[-1].record.end.reason
    if extra == DISQUALIFY:  # which is known after a resumption too
        shutil.copytree(plan.out, tmp_path / "whole")
        for one in played[1:]:
            record_path(plan.out, one.pairing.match_id).unlink()
        await play_cup(make_cup(text, tmp_path), resume=True)
        assert first_difference(tmp_path / "whole", plan.out) is None


SPY = """
import json
from pathlib import Path
from bots.api import Bot

class Spy(Bot):
    def start(self, setup):
        Path(__file__).with_name("seen.json").write_text(json.dumps([setup.params, setup.briefing]))
    def act(self, observation):
        return observation.legal[0]
"""

SOLO_CUP = """
tournament: cup
games: [{game: navigation, params: {knowledge: KNOWLEDGE, max_turns: 2, map: "S.#\\n..G"}}]
format: {type: solo}
execution: {isolation: none}
bots: [{name: spy, path: spy.py:Spy}]
"""


@pytest.mark.parametrize("knowledge", ["known", "unknown"])
async def test_the_text_of_a_known_map_is_told_and_that_of_an_unknown_one_reaches_no_bot(
    knowledge: str, tmp_path: Path
) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    await play_cup(make_cup(SOLO_CUP.replace("KNOWLEDGE", knowledge), tmp_path))
    assert ("..G" in (tmp_path / "seen.json").read_text()) == (knowledge == "known")
