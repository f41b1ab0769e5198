"""Descendants that have left a bot's tree: found, counted, ended and waited for by the program that adopts them."""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.orphans import Orphans, adopting_orphans
from gridjoust.runner.processes.process import BotProcess, start_process
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.processes.tree import HAS_PROC
from gridjoust.runner.processes.users import is_root, open_users
from tests.e2e.joust_process import LIMIT_S, is_running, until, use_tools_for_all

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(not HAS_PROC, reason="orphans are adopted on Linux only")]

# two forks away, in a session of the one between, with an environment that says it is another bot's
LEAVE = """
import os, sys, time
def leave(code, sessions=1, wait_for=""):
    if os.fork() == 0:
        while wait_for and not os.path.exists(wait_for): time.sleep(0.01)
        if sessions: os.setsid()
        if os.fork() == 0:
            if sessions > 1: os.setsid()
            code = "import os, time; print(os.getpid(), flush=True)\\n" + code
            os.execve(sys.executable, [sys.executable, "-S", "-c", code], {"JOUST_TOPIC": "rival"})
        os._exit(0)
    if not wait_for: os.wait()
def stay(): time.sleep(600)
"""
STAY = "time.sleep(600)"
NO_LIMITS = ResourceLimits(memory_mb=None, cpu_s=None, processes=None, threads=None)


@pytest.fixture
def orphans(monkeypatch: pytest.MonkeyPatch) -> Iterator[Orphans]:
    monkeypatch.setattr(
        "gridjoust.runner.processes.orphans._PATIENCE_S", LIMIT_S
    )  # a killed process needs a core to end
    with adopting_orphans() as made:
        assert made is not None
        yield made


@pytest.fixture
def launch(tmp_path: Path, orphans: Orphans) -> Launch:
    tmp_path.chmod(0o755)
    environment = {"JOUST_TOPIC": "attacker"}
    return Launch("a.0", (), environment, tmp_path / "a.log", NO_LIMITS, Path("/"), orphans=orphans)


async def start(launch: Launch, code: str) -> BotProcess:
    return await start_process(replace(launch, command=(sys.executable, "-S", "-c", LEAVE + code)))


async def orphan_of(launch: Launch) -> int:
    """Its number, once it is the child of this process."""
    await until(lambda: launch.stderr.exists() and launch.stderr.read_text().endswith("\n"))
    pid = int(launch.stderr.read_text().split()[0])
    await until(lambda: psutil.Process(pid).ppid() == os.getpid())
    return pid


def zombies() -> list[int]:
    return [child.pid for child in psutil.Process().children() if child.status() == psutil.STATUS_ZOMBIE]


async def end(process: BotProcess, orphan: int) -> None:
    """End the bot: of its orphan nothing is left, not even an exit status."""
    process.kill()
    assert (await process.wait()).reason == "killed by the runner"
    assert not psutil.pid_exists(orphan)
    assert zombies() == []


async def test_an_orphan_in_its_bots_session_counts_there_and_ends_with_it(launch: Launch) -> None:
    process = await start(launch, f"leave({STAY!r}, sessions=0); stay()")
    orphan = await orphan_of(launch)
    await process.look()
    load = process.load_since(0.0)
    assert load is not None
    assert (load.processes, is_running(orphan)) == (2, True)
    await end(process, orphan)


async def test_an_orphan_from_where_the_tree_was_seen_counts_there_whatever_its_environment_says(
    launch: Launch, tmp_path: Path
) -> None:
    rival = await start(replace(launch, environment={"JOUST_TOPIC": "rival"}, stderr=tmp_path / "b.log"), "stay()")
    process = await start(launch, f"leave({STAY!r}, wait_for='{tmp_path}/go'); stay()")
    await until(lambda: len(psutil.Process(process.pid).children()) == 1)
    await process.look()
    (tmp_path / "go").touch()
    orphan = await orphan_of(launch)
    await process.look()
    await rival.look()
    loads = [bot.load_since(0.0) for bot in (process, rival)]
    assert [load and load.processes for load in loads] == [2, 1]
    rival.kill()
    await rival.wait()
    assert is_running(process.pid)
    await end(process, orphan)


async def test_an_orphan_counts_there_too_if_the_tree_is_seen_without_its_parent_before_the_next_search(
    launch: Launch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await start(launch, f"leave({STAY!r}, wait_for='{tmp_path}/go'); os.wait(); stay()")
    await until(lambda: len(psutil.Process(process.pid).children()) == 1)
    await process.look()
    monkeypatch.setattr("gridjoust.runner.processes.orphans.OLD_S", math.inf)
    (tmp_path / "go").touch()
    orphan = await orphan_of(launch)
    await until(lambda: psutil.Process(process.pid).children() == [])
    await process.look()
    monkeypatch.setattr("gridjoust.runner.processes.orphans.OLD_S", 0.0)
    await process.look()
    load = process.load_since(0.0)
    assert load is not None
    assert (load.processes, is_running(orphan)) == (2, True)
    await end(process, orphan)


async def test_an_orphan_whose_bot_leaves_is_ended_and_named(launch: Launch, tmp_path: Path) -> None:
    process = await start(launch, f"leave({STAY!r}, wait_for='{tmp_path}/go'); os.wait()")
    await until(lambda: len(psutil.Process(process.pid).children()) == 1)
    await process.look()
    (tmp_path / "go").touch()
    exited = await process.wait()
    assert exited.reason == "exited with code 0"
    [left] = exited.left_behind
    assert not psutil.pid_exists(int(left.split()[0]))
    assert zombies() == []


@pytest.mark.gate
async def test_an_orphan_that_hides_whose_it_is_is_ended_at_once_at_nobodys_cost(launch: Launch) -> None:
    process = await start(launch, f"leave({STAY!r}, sessions=2); stay()")
    await until(lambda: launch.stderr.exists() and launch.stderr.read_text().endswith("\n"))
    orphan = int(launch.stderr.read_text().split()[0])
    await until(lambda: not psutil.pid_exists(orphan))  # by the look every 250 ms
    assert is_running(process.pid)
    process.kill()
    assert (await process.wait()).left_behind == ()


@pytest.mark.skipif(not is_root() or shutil.which("setpriv") is None, reason="only root gives bots users of their own")
async def test_an_orphan_of_a_bot_with_a_user_of_its_own_is_known_by_it(
    launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_tools_for_all(monkeypatch)
    with open_users() as given:
        code = "(setsid sh -c 'echo $$; exec env -i sleep 600' &); exec sleep 600"
        process = await start_process(replace(launch, user=given.of("a.0"), command=("/bin/sh", "-c", code)))
        orphan = await orphan_of(launch)
        await process.look()
        load = process.load_since(0.0)
        assert load is not None
        assert load.processes == 2
        process.kill()
        await process.wait()
    assert not psutil.pid_exists(orphan)
    assert zombies() == []


async def test_what_an_orphan_uses_is_its_bots(launch: Launch) -> None:
    eat = f"block = bytearray(150 << 20); {STAY}"
    limits = ResourceLimits(memory_mb=100, cpu_s=None)
    process = await start(replace(launch, limits=limits), f"leave({eat!r}, sessions=0); stay()")
    reason = (await process.wait()).reason
    assert reason.startswith("killed: used 1")
    assert reason.endswith(" of 100 MB of memory")


@pytest.mark.gate
async def test_processor_time_of_orphans_that_have_ended_counts(launch: Launch) -> None:
    burn = "end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    process = await start(launch, f"leave({burn!r}, sessions=0); stay()")
    await until(lambda: launch.stderr.exists() and launch.stderr.read_text().endswith("\n"))
    orphan = int(launch.stderr.read_text().split()[0])
    await until(lambda: not psutil.pid_exists(orphan))  # ended, and waited for by a look
    await process.look()
    assert (process.usage().cpu_ms or 0) >= 300
    process.kill()
    await process.wait()
    assert (process.usage().cpu_ms or 0) >= 300


def test_other_children_of_the_program_keep_their_exit_status() -> None:
    command = [sys.executable, "-S", "-c", "input(); raise SystemExit(3)"]
    before = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
    with adopting_orphans() as orphans:
        assert orphans is not None
        beside = subprocess.Popen(command, stdin=subprocess.PIPE)
        own = orphans.start(lambda: subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True), user=None)
        for child in (before, beside, own):
            orphans.of(own.pid)
            assert child.stdin is not None
            child.stdin.write(b"\n")
            child.stdin.close()
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        orphans.end_all()
    assert [child.wait() for child in (before, beside, own)] == [3, 3, 3]


def test_orphans_are_adopted_only_for_a_while() -> None:
    flag = ctypes.c_int()

    def adopts() -> int:
        ctypes.CDLL(None).prctl(37, ctypes.byref(flag), 0, 0, 0)
        return flag.value

    with adopting_orphans():
        assert adopts() == 1
    assert adopts() == 0
