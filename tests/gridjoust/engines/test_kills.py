"""Workers that are killed at random moments, more than two hundred of them: nothing is lost, nothing is doubled."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from gridjoust.engines import registry
from gridjoust.runner.engines import dispatch
from gridjoust.runner.engines.dispatch import Dispatcher
from gridjoust.runner.engines.owner import run_on_engine
from gridjoust.runner.plan import Plan, prepare_folder
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.table_sink import Played
from gridjoust.tournament import RUNTIME, open_engine
from tests.runner.engines.test_owner import CUP, FORMATS, cup
from tests.runner.memory_cup import make_cup, play_cup

KILLS, KILLS_EACH = 210, 30  # of a tournament at most: then its workers live on
WORKERS = 4
ROOT = Path(__file__).parents[3]

pytestmark = [pytest.mark.gate, pytest.mark.e2e]


async def play_with_kills(plan: Plan, scratch: Path, *, seed: int, kills: int) -> tuple[list[Played], int]:
    """What entered, and how many workers were killed before the last match was there."""
    played: list[Played] = []
    prepared = prepare_folder(plan, resume=False)
    said: list[str] = []
    async with open_engine(prepared, RUNTIME, say=said.append) as engine:
        _, _, _, url, _, token = said[0].split()
        module = ["-m", "tests.gridjoust.engines.nursery"]
        command = [sys.executable, *module, url, token, *map(str, (seed, kills, WORKERS))]
        nursery = await asyncio.create_subprocess_exec(
            *command,
            cwd=ROOT,
            env=os.environ | {"TMPDIR": str(scratch)},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            await run_on_engine(prepared, engine, on_played=played.append, dispatcher=Dispatcher(target_s=0.1))
        finally:
            killed, _ = await nursery.communicate(b"")
    return played, int(killed)


async def test_over_two_hundred_killed_workers_lose_nothing_and_double_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "SILENT_S", 0.5)
    monkeypatch.setattr(dispatch, "DEATHS_ALONE", 1000)  # chance kills here: no match is to blame
    monkeypatch.setattr(dispatch, "MOST_TRIES", 1000)
    killed, run, forms = 0, 0, [*FORMATS]
    while killed < KILLS or run < len(forms):
        text = CUP.replace("FORMAT", FORMATS[forms[run % len(forms)]])
        here = make_cup(text, cup(tmp_path / f"here{run}"))
        await play_cup(here)
        there = make_cup(text.replace("isolation", "where: workers, isolation"), cup(tmp_path / f"there{run}"))
        (scratch := tmp_path / f"scratch{run}").mkdir()
        played, own = await play_with_kills(there, scratch, seed=run, kills=min(KILLS_EACH, KILLS - killed))
        killed, run = killed + own, run + 1
        assert first_difference(here.out, there.out) is None
        ids = [one.pairing.match_id for one in played]
        assert sorted(ids) == sorted({path.stem for path in list_records(there.out)})
    assert killed >= KILLS
