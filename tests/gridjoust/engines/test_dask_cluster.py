"""Tournaments on Dask clusters of this machine: the tables of a local run, and a worker killed on the way."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")
import dask
from distributed import Client, LocalCluster

from gridjoust.engines.dask_cluster import OWN
from gridjoust.runner.engines import dispatch
from gridjoust.runner.engines.dispatch import Dispatcher
from gridjoust.runner.engines.owner import run_on_engine
from gridjoust.runner.plan import prepare_folder
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.table_sink import Played
from gridjoust.tournament import RUNTIME, open_engine
from tests.runner.engines.test_owner import CUP, FORMATS, cup
from tests.runner.memory_cup import make_cup, play_cup

pytestmark = [pytest.mark.gate, pytest.mark.e2e]
WAITING = ["swiss", "knockout", "ladder", "stop", "adaptive"]


@contextlib.contextmanager
def started(workers: int) -> Iterator[Any]:
    with dask.config.set(OWN):
        made = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50)
        with made:
            yield made


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with started(2) as made:
        yield made


async def compare(
    address: str, form: str, folder: Path, on_played: Callable[[Played], None] = lambda _: None
) -> set[str]:
    """Play here and there, expect the same tables; the names of the workers that have played."""
    text = CUP.replace("FORMAT", FORMATS[form])
    here = make_cup(text, cup(folder / "here"))
    await play_cup(here)
    text = text.replace("isolation", f"where: dask, address: '{address}', isolation")
    there = prepare_folder(make_cup(text, cup(folder / "there")), resume=False)
    async with open_engine(there, RUNTIME, say=lambda _: None) as engine:
        await run_on_engine(there, engine, on_played=on_played, dispatcher=Dispatcher(target_s=0.1))
        names = {worker.name for worker in engine.workers()}
    assert first_difference(here.out, there.out) is None
    return names


async def test_a_running_cluster_gives_the_tables_of_a_local_run_also_when_a_worker_is_killed(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "DEATHS_ALONE", 1000)  # a task counts for as many deaths as clusters usually allow
    monkeypatch.setattr(dispatch, "MOST_TRIES", 1000)
    played: list[Played] = []
    client = Client(cluster.scheduler_address, set_as_default=False)

    def count(one: Played) -> None:
        played.append(one)
        if len(played) == 5:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    names = await compare(cluster.scheduler_address, "swiss", tmp_path, count)
    client.close()
    assert names
    assert {row["machine"] for one in played for row in one.rows} <= names


@pytest.mark.parametrize("form", WAITING)
async def test_formats_that_wait_for_results_give_the_tables_of_a_local_run(
    form: str, cluster: Any, tmp_path: Path
) -> None:
    assert 1 <= len(await compare(cluster.scheduler_address, form, tmp_path)) <= 2


@pytest.mark.parametrize("workers", [1, 4])
async def test_one_worker_and_four_give_the_tables_of_a_local_run(workers: int, tmp_path: Path) -> None:
    with started(workers) as made:
        assert 1 <= len(await compare(made.scheduler_address, "round robin", tmp_path)) <= workers
