"""A run and its workers over HTTP on this machine: the tables of a local run, whoever is killed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from gridjoust.engines import messages, registry
from gridjoust.engines.self_test import record_self_test, run_self_test
from gridjoust.engines.server import TOKEN, WorkerServer
from gridjoust.engines.worker import Owner, UnknownWorkerError, Work
from gridjoust.runner.engines import dispatch
from gridjoust.runner.engines.batch import Engine
from gridjoust.runner.engines.dispatch import Dispatcher
from gridjoust.runner.engines.owner import run_on_engine
from gridjoust.runner.plan import Plan, PreparedPlan, prepare_folder
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.table_sink import Played
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.tournament import RUNTIME, open_engine
from tests.e2e.joust_process import until
from tests.runner.engines.test_owner import CUP, cup
from tests.runner.memory_cup import make_cup, play_cup
from tests.tiers import gate_but

TEXT = CUP.replace("FORMAT", "format: {type: swiss, rounds: 3, pairs: 2}")
WORKERS = TEXT.replace("isolation: none", "where: workers, isolation: none")


def owner_of(said: list[str], token: str = "") -> Owner:
    words = said[0].split()
    return Owner(words[3], token or words[5])


def worker(said: list[str], name: str, heard: list[str] | None = None) -> Work:
    lines = [] if heard is None else heard
    shown = Work(
        owner=owner_of(said),
        name=name,
        say=lines.append,
        runtime=RUNTIME,
        show_program=lambda one: one.path or one.bot or "",
    )
    shown.patience_s = 20.0
    return shown


@contextlib.asynccontextmanager
async def opened(folder: Path, *, resume: bool = False) -> AsyncIterator[tuple[PreparedPlan, Engine, list[str]]]:
    plan = prepare_folder(make_cup(WORKERS, folder if resume else cup(folder)), resume=resume)
    said: list[str] = []
    async with open_engine(plan, RUNTIME, say=said.append) as engine:
        yield plan, engine, said


async def play(plan: PreparedPlan, engine: Engine, on_played: Callable[[Played], None] = lambda _: None) -> None:
    await run_on_engine(plan, engine, on_played=on_played, dispatcher=Dispatcher(target_s=0.1))


@pytest.mark.gate
@pytest.mark.parametrize("count", gate_but([1, 2, 4], (2,)))
async def test_any_number_of_workers_gives_the_tables_of_a_local_run(count: int, tmp_path: Path) -> None:
    here = make_cup(TEXT, cup(tmp_path / "here"))
    await play_cup(here)
    heard: list[str] = []
    async with opened(tmp_path / "there") as (plan, engine, said):
        working = [asyncio.create_task(worker(said, f"pc{number}", heard).run()) for number in range(count)]
        await play(plan, engine)
        assert {one.name for one in engine.workers()} == {f"pc{number}" for number in range(count)}
    await asyncio.gather(*working)  # they leave with the run
    assert first_difference(here.out, plan.out) is None
    assert any("c: own.py:Own" in line for line in heard)
    assert not (plan.out / TOKEN).exists()


@pytest.mark.gate
async def test_workers_that_vanish_and_come_back_lose_and_double_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "SILENT_S", 0.5)
    monkeypatch.setattr(messages, "BEAT_S", 0.1)
    monkeypatch.setattr(dispatch, "DEATHS_ALONE", 1000)  # on a busy machine the living may be silent for so long, too
    monkeypatch.setattr(dispatch, "MOST_TRIES", 1000)
    here = make_cup(TEXT, cup(tmp_path / "here"))
    await play_cup(here)
    async with opened(tmp_path / "there") as (plan, engine, said):
        monkeypatch.setattr(Work, "_leave", nothing)  # as one that is killed: it does not say goodbye
        playing = asyncio.create_task(play(plan, engine))
        deaths = 0
        while not playing.done():
            task = asyncio.create_task(worker(said, f"pc{deaths}").run())
            await until(partial(more_than, plan, playing, len(list_records(plan.out)) + 4))
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            deaths += 1
        await playing
    assert deaths >= 2
    assert first_difference(here.out, plan.out) is None


def more_than(plan: Plan, playing: asyncio.Task[None], records: int) -> bool:
    return playing.done() or len(list_records(plan.out)) >= records


def interrupt(task: asyncio.Task[None]) -> None:
    task.cancel()


async def nothing(*_: object) -> None:
    """Not even goodbye."""


@pytest.mark.gate
async def test_an_interrupted_run_goes_on_with_the_workers_that_wait_for_it(tmp_path: Path) -> None:
    folder = tmp_path / "there"
    async with opened(folder) as (plan, engine, said):
        token = (plan.out / TOKEN).read_text()
        first = asyncio.create_task(worker(said, "pc").run())
        playing = asyncio.create_task(play(plan, engine, lambda _: interrupt(playing)))  # two rounds are still to come
        with pytest.raises(asyncio.CancelledError):
            await playing
        first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    (plan.out / TOKEN).write_text(token)  # as an interrupt leaves it
    async with opened(folder, resume=True) as (again, engine, said):
        assert said[0].endswith(token)
        second = asyncio.create_task(worker(said, "pc").run())
        await play(again, engine)
    await second
    here = make_cup(TEXT, cup(tmp_path / "here"))
    await play_cup(here)
    assert first_difference(here.out, again.out) is None


@pytest.mark.gate
async def test_the_token_is_asked_for_everywhere_and_only_listed_files_are_given(tmp_path: Path) -> None:
    async with opened(tmp_path / "there") as (_, engine, said):
        for path in (messages.JOB, f"{messages.FILE}/0", f"{messages.ENTER}/x/{messages.NEXT}"):
            with pytest.raises(ConfigError, match="token"):
                await owner_of(said, "wrong").ask(path, [] if "next" in path else None)
        assert isinstance(engine, WorkerServer)
        owner = owner_of(said)
        assert [b"Base" in await owner.ask(f"{messages.FILE}/{digest}") for digest in engine.listed] == [True, True]
        with pytest.raises(UnknownWorkerError, match="expected a file of this tournament"):
            await owner.ask(f"{messages.FILE}/cup.yaml")


async def test_a_self_test_is_passed_with_the_same_rules_and_not_with_others(tmp_path: Path) -> None:
    plan = make_cup(TEXT, cup(tmp_path / "here"))
    trial, hashes = record_self_test(plan.loaded)
    assert len(trial[0].turns) >= 8
    assert (await run_self_test(plan.loaded, trial)).hashes == hashes
    other = [replace(trial[0], turns=trial[0].turns[:-1])]
    assert (await run_self_test(plan.loaded, other)).hashes != hashes
