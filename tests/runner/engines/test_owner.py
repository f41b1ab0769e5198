"""A tournament on an engine has the tables that it has without one, byte for byte but for what is measured."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from gridjoust.runner.engines import dispatch
from gridjoust.runner.play.breakdown import tracebacks
from gridjoust.runner.results.records.file import list_records, record_path
from gridjoust.runner.results.replay import verify_file
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.results.tables.schedule_file import FILE as PLANNED
from tests.runner.engines.fleet import play_on_fleet
from tests.runner.memory_cup import make_cup, play_cup

FORMATS = {
    "round robin": "format: {rounds: 4}",
    "gauntlet": "format: {type: gauntlet, challengers: [c], rounds: 4}",
    "swiss": "format: {type: swiss, rounds: 3, pairs: 2}",
    "knockout": "format: {type: knockout, pairs: 2}",
    "ladder": "format: {type: ladder, rounds: 2}",
    "stop": "format: {rounds: 2}\nstop: {when: resolved, max_matches: 60, confidence: 0.6}",
    "adaptive": "format: {rounds: 2}\nstop: {when: resolved, max_matches: 60, confidence: 0.6, adaptive: race}",
}
CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 8}}]
FORMAT
time: {turn_ms: 60000, grace_ms: 60000}
execution: {isolation: none, parallel: 2}
bots: [{name: a, bot: bomber/wanderer}, {name: b, bot: random}, {name: c, path: own.py:Own}, {name: d, bot: random}]
"""
OWN = "from beside import Base\n\nclass Own(Base):\n    pass\n"
BESIDE = "from gridjoust.bots.api import Bot\n\nclass Base(Bot):\n    def act(self, turn):\n        return 'wait'\n"
# before the first question: whether a rival's answer to the question of a crash is in yet, is a matter of time
FRAGILE = OWN.replace("pass", "def start(self, setup):\n        raise ValueError('no')")


def cup(folder: Path, *, own: str = OWN) -> Path:
    folder.mkdir(parents=True)
    (folder / "own.py").write_text(own)
    (folder / "beside.py").write_text(BESIDE)
    return folder


@pytest.fixture(autouse=True)
def _nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance kills here, and on a busy machine silence: no match is to blame."""
    monkeypatch.setattr(dispatch, "DEATHS_ALONE", 1000)
    monkeypatch.setattr(dispatch, "MOST_TRIES", 1000)


async def compare(tmp_path: Path, text: str, workers: int, death: float, *, own: str = OWN) -> int:
    here = make_cup(text, cup(tmp_path / "here", own=own))
    there = make_cup(text, cup(tmp_path / "there", own=own))
    await play_cup(here)
    played, fleet = await play_on_fleet(there, tmp_path / "scratch", workers, death=death)
    assert first_difference(here.out, there.out) is None
    assert (here.out / PLANNED).read_bytes() == (there.out / PLANNED).read_bytes()
    assert len({one.pairing.match_id for one in played}) == len(played) == len(list_records(there.out))
    return fleet.deaths


@pytest.mark.gate
@pytest.mark.parametrize(
    "form", [pytest.param(form, marks=pytest.mark.gate if form == "adaptive" else ()) for form in FORMATS]
)
async def test_tables_are_those_of_a_local_run_whatever_the_format(form: str, tmp_path: Path) -> None:
    assert await compare(tmp_path, CUP.replace("FORMAT", FORMATS[form]), workers=2, death=0.1) >= 0


@pytest.mark.gate
@pytest.mark.parametrize("workers", [1, 4])
async def test_tables_are_the_same_when_every_third_batch_kills_its_worker(workers: int, tmp_path: Path) -> None:
    text = CUP.replace("FORMAT", "format: {rounds: 6}")
    assert await compare(tmp_path, text, workers=workers, death=0.34) > 1


@pytest.mark.gate
async def test_a_bot_that_always_crashes_is_quarantined_in_the_same_match(tmp_path: Path) -> None:
    text = CUP.replace("FORMAT", "format: {rounds: 3}")
    await compare(tmp_path, text, workers=3, death=0.1, own=FRAGILE)
    with (tmp_path / "there" / "results" / "cup" / "results.csv").open() as file:
        reasons = [row["reason"] for row in csv.DictReader(file) if row["bot"] == "c"]
    assert sum("quarantined after 3 crashes" in reason for reason in reasons) == len(reasons) - 3


async def test_records_say_where_they_were_played_and_are_sealed_with_the_key_of_the_folder(tmp_path: Path) -> None:
    plan = make_cup(CUP.replace("FORMAT", ""), cup(tmp_path / "there"))
    played, _ = await play_on_fleet(plan, tmp_path / "scratch", 2)
    assert {row["machine"] for one in played for row in one.rows} <= {"pc0", "pc1"}
    secrets = load_secrets(plan.out)
    assert secrets is not None
    assert all(verify_file(path, secrets.keys) is None for path in list_records(plan.out))
    assert tracebacks(plan.out) == []


@pytest.mark.gate
async def test_resuming_plays_what_is_missing_alone(tmp_path: Path) -> None:
    text = CUP.replace("FORMAT", "format: {rounds: 2}")
    plan = make_cup(text, cup(tmp_path / "there"))
    played, _ = await play_on_fleet(plan, tmp_path / "scratch", 2)
    lost = played[3].pairing.match_id
    record_path(plan.out, lost).unlink()
    again = make_cup(text, tmp_path / "there")
    resumed, _ = await play_on_fleet(again, tmp_path / "scratch2", 2, resume=True)
    assert [one.pairing.match_id for one in resumed if one.is_new] == [lost]
    assert len(resumed) == len(played)
