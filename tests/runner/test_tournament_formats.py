"""Formats that depend on results, played: the same whatever runs at once, and after any interruption."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from gridjoust.in_process import open_in_process
from runner.lag import LagMonitor
from runner.record.file import list_records
from runner.tables.columns import RESULTS
from runner.tables.compare import first_difference
from runner.tables.text import read_rows
from runner.tournament import Plan, Played, prepare_folder, run_tournament
from tests.runner.memory_cup import make_cup, play_cup

CUP = """
tournament: cup
seed: 5
games: [{game: bomber, params: {max_ticks: 25, treasure_min_ticks: 5, treasure_max_ticks: 9}}]
FORMAT
time: {turn_ms: 2000}
execution: {isolation: none, parallel: PARALLEL}
bots:
  - {name: a, bot: random}
  - {name: b, bot: bomber/wanderer}
  - {name: c, bot: random}
  - {name: d, bot: bomber/wanderer}
  - {name: e, bot: random}
"""
FORMATS = {
    "swiss": "format: {type: swiss, rounds: 3}",
    "knockout": "format: {type: knockout, replays: 1}",
    "ladder": "format: {type: ladder, rounds: 2}",
    "stop": "stop: {goal: winner, confidence: 0.6, max_matches: 40}",
    "safe": "stop: {goal: top, top: 2, confidence: 0.7, adaptive: safe, max_matches: 36}",
}
VERDICTS = {
    "swiss": "swiss after 3 rounds: 1. ",
    "knockout": "knockout: 1. ",
    "ladder": "ladder after 2 rounds: 1. ",
    "stop": "stopped after ",
    "safe": "",
}


def cup(kind: str, parallel: int = 1) -> str:
    return CUP.replace("PARALLEL", str(parallel)).replace("FORMAT", FORMATS[kind])


class KillError(Exception):
    """Stands for a kill."""


async def play_until(plan: Plan, last: float) -> tuple[int, str]:
    """Play until so many matches are in the tables, then die; how many were, and what has been decided."""
    prepare_folder(plan, resume=False)
    played: list[Played] = []

    def count(one: Played) -> None:
        played.append(one)
        if len(played) == last:
            raise KillError

    async with open_in_process(plan) as backend:
        said = await run_tournament(plan, backend, on_played=count)
    return len(played), said


@pytest.mark.parametrize("kind", FORMATS)
async def test_matches_at_once_a_kill_and_lost_records_change_nothing_but_what_is_measured(
    tmp_path: Path, kind: str
) -> None:
    one, eight, cut = (make_cup(cup(kind, many), tmp_path / f"{many}") for many in (1, 8, 2))
    total, said = await play_until(one, last=float("inf"))
    assert said.startswith(VERDICTS[kind])
    await play_cup(eight)
    assert first_difference(one.out, eight.out) is None
    with pytest.raises(BaseExceptionGroup):
        await play_until(cut, last=total // 2)
    played = await play_cup(make_cup(cup(kind, 2), tmp_path / "2"), resume=True)
    assert sum(not again.is_new for again in played) >= total // 2
    assert first_difference(one.out, cut.out) is None
    for path in random.Random(1).sample(list_records(cut.out), 4):
        path.unlink()
    played = await play_cup(make_cup(cup(kind, 2), tmp_path / "2"), resume=True)
    assert sum(again.is_new for again in played) == 4
    assert first_difference(one.out, cut.out) is None
    if kind == "swiss":  # the tables say why every match was scheduled
        reasons = Counter(str(row["schedule_reason"]).partition(":")[0] for row in read_rows(one.out / RESULTS.file))
        assert reasons == {"swiss round 1": 8, "swiss round 2": 8, "swiss round 3": 8}


async def test_a_ladder_with_more_rounds_goes_on(tmp_path: Path) -> None:
    short, long = (cup("ladder", 2).replace("rounds: 2", f"rounds: {rounds}") for rounds in (1, 3))
    first = await play_cup(make_cup(short, tmp_path / "one"))
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    second = await play_cup(make_cup(long, tmp_path / "two"), resume=True)
    at_once = make_cup(long, tmp_path / "three")
    await play_cup(at_once)
    assert [one.pairing.match_id for one in second if not one.is_new] == [one.pairing.match_id for one in first]
    assert first_difference(make_cup(long, tmp_path / "two").out, at_once.out) is None


@pytest.mark.parametrize("kind", FORMATS)
async def test_matches_that_never_count_wedge_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\nfrom bots.api import Bot\nclass Slow(Bot):\n"
        "    def act(self, observation):\n        time.sleep(0.003)\n        return 'wait'\n"
    )
    monkeypatch.setattr(LagMonitor, "lag_ms", lambda self, asked, due: 999.0)
    text = cup(kind, 8).replace("max_ticks: 25, treasure_min_ticks: 5, treasure_max_ticks: 9", "max_ticks: 2")
    text = text.replace("turn_ms: 2000", "turn_ms: 1").replace("bot: bomber/wanderer", "path: slow.py:Slow")
    played = await play_cup(make_cup(text.replace("bot: random", "path: slow.py:Slow"), tmp_path))
    assert played
    assert not any(one.record.end.counted for one in played)
