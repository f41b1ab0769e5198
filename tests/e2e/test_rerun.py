"""A match again: the same comes out the same, and what does not is shown where it begins."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from gridjoust.runner.results.records.file import list_records
from tests.joust_here import joust
from tests.runner.memory_cup import make_cup, play_cup

pytestmark = pytest.mark.e2e

BOT = """
from gridjoust.bots.api import Bot

class Walker(Bot):
    def act(self, observation):
        return "up" if observation.turn < 5 else "wait"
"""
CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 8}}]
format: {swap_seats: false}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
bots:
  - {name: mine, path: "mine.py:Walker"}
  - {name: random, bot: random}
"""
RESULTS = "results/cup"


@pytest.fixture
async def record(tmp_path: Path) -> Path:
    """The record of a match that has been played in the test's folder."""
    (tmp_path / "mine.py").write_text(BOT)
    plan = make_cup(CUP, tmp_path)
    await play_cup(plan)
    return list_records(plan.out)[0]


def rerun(record: Path, *arguments: str, code: int = 0) -> dict[str, Any]:
    done = joust("rerun", RESULTS, record.stem[:6], *arguments, "--json", folder=record.parents[3])
    assert done.returncode == code, done.stdout + done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_a_match_comes_out_the_same_beside_its_record(record: Path) -> None:
    before = record.read_bytes()
    told = rerun(record)
    assert told["is_identical"]
    assert told["changed"] == []
    assert told["now"]["hash"] == told["before"]["hash"]
    assert record.read_bytes() == before
    second = rerun(record)
    assert told["record"] == f"{RESULTS}/reruns/{record.stem}-1/records/{record.name}"
    assert second["record"] == f"{RESULTS}/reruns/{record.stem}-2/records/{record.name}"
    for folder in (RESULTS, f"{RESULTS}/reruns/{record.stem}-1"):
        assert joust("verify", folder, folder=record.parents[3]).returncode == 0


@pytest.mark.gate
def test_a_record_cannot_say_where_its_rerun_is_written(record: Path) -> None:
    folder = record.parents[3]
    record.write_text(record.read_text().replace(f'"match_id":"{record.stem}"', '"match_id":"../../../evil"', 1))
    done = joust("rerun", RESULTS, record.stem, folder=folder)
    assert (done.returncode, done.stderr.partition(", got")[0]) == (
        1,
        f"joust: {record.relative_to(folder)}: line 1: expected a match id of letters and digits",
    )
    assert not list(folder.rglob("*evil*"))
    assert not (folder / RESULTS / "reruns").exists()


@pytest.mark.gate
def test_a_changed_bot_is_named_with_the_first_turn_that_differs(record: Path) -> None:
    folder = record.parents[3]
    (folder / "mine.py").write_text(BOT.replace("observation.turn < 5", "observation.turn <= 2"))
    done = joust("rerun", RESULTS, record.stem, folder=folder)
    seat = json.loads(record.read_text().splitlines()[0])["seats"][1]["bot"] == "mine"
    assert done.returncode == 1
    assert "changed since the match: the program of mine" in done.stdout
    assert f"first difference: turn 3: seat {seat:d}: up, now wait" in done.stdout
    command = next(line for line in done.stdout.splitlines() if "joust ask" in line)
    again = joust(*shlex.split(command)[1:], folder=folder)
    assert "answer:    wait" in again.stdout
    assert "recorded:  up" in again.stdout


@pytest.mark.gate
def test_recorded_actions_play_in_place_of_a_bot_also_when_it_has_gone(record: Path) -> None:
    kept = rerun(record, "--keep", "mine")
    assert (kept["recorded"], kept["is_identical"]) == (["random"], True)
    (record.parents[3] / "mine.py").unlink()
    told = rerun(record, "--recorded", "mine")
    assert (told["recorded"], told["is_identical"]) == (["mine"], True)
