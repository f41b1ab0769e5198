"""A tournament on a Dask cluster of this machine: the tables of a local run, and a worker killed on the way."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")
import dask
from distributed import Client, LocalCluster

from gridjoust.engines.dask_cluster import OWN
from gridjoust.engines.open import open_engine
from gridjoust.tournament import HERE
from runner.engines import dispatch
from runner.engines.dispatch import Dispatcher
from runner.engines.owner import run_on_engine
from runner.plan import Played, prepare_folder
from runner.tables.compare import first_difference
from tests.runner.engines.test_owner import CUP, cup
from tests.runner.memory_cup import make_cup, play_cup

pytestmark = [pytest.mark.gate, pytest.mark.e2e]
TEXT = CUP.replace("FORMAT", "format: {type: swiss, rounds: 3, pairs: 2}")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with dask.config.set(OWN):
        made = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50)
        yield made
        made.close()


async def test_a_running_cluster_gives_the_tables_of_a_local_run_also_when_a_worker_is_killed(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "DEATHS_ALONE", 1000)  # a task counts for as many deaths as clusters usually allow
    monkeypatch.setattr(dispatch, "MOST_TRIES", 1000)
    here = make_cup(TEXT, cup(tmp_path / "here"))
    await play_cup(here)
    text = TEXT.replace("isolation: none", f"where: dask, address: '{cluster.scheduler_address}', isolation: none")
    there = make_cup(text, cup(tmp_path / "there"))
    prepare_folder(there, resume=False)
    played: list[Played] = []
    client = Client(cluster.scheduler_address, set_as_default=False)

    def count(one: Played) -> None:
        played.append(one)
        if len(played) == 5:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    async with open_engine(there, HERE, say=lambda _: None) as engine:
        await run_on_engine(there, engine, on_played=count, dispatcher=Dispatcher(target_s=0.1))
        names = {worker.name for worker in engine.workers()}
    client.close()
    assert first_difference(here.out, there.out) is None
    assert names
    assert {row["machine"] for one in played for row in one.rows} <= names
