"""Control groups of bots, on folders that look like the kernel's: no group of this machine is touched."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes import control_groups
from gridjoust.runner.processes.confinement import open_confinement
from gridjoust.runner.processes.control_groups import ControlGroup, ControlGroups, delegated_group, open_groups
from gridjoust.runner.processes.process import BotProcess, start_process
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.wire.errors import ConfigError
from tests.e2e.joust_process import is_running, until

FILES = {
    **dict.fromkeys(("cgroup.procs", "cgroup.kill", "memory.max", "memory.oom.group", "pids.max"), ""),
    "cpu.stat": "usage_usec 250000\nuser_usec 200000\nsystem_usec 50000\n",
    "memory.events": "low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\n",  # of the process before
}
LIMITS = ResourceLimits(memory_mb=1024, threads=20)


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_groups, "_PATIENCE_S", 0.02)


@pytest.fixture
def delegated(tmp_path: Path) -> Path:
    """A group that hands its controllers on, with that of a run in it, as the kernel makes it."""
    folder = tmp_path / "delegated"
    for group in (folder, folder / f"joust-{os.getpid()}"):
        group.mkdir()
        (group / "cgroup.procs").touch()
        (group / "cgroup.subtree_control").write_text("cpu memory pids\n")
    return folder


@pytest.fixture
def group(tmp_path: Path) -> ControlGroup:
    """One bot's, as the kernel makes it; without an account of swap, as where that is switched off."""
    folder = tmp_path / "run" / "bot-a.0"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    made = ControlGroups(folder.parent).of("a.0", LIMITS)
    assert made is not None
    return made


def launch(folder: Path, code: str, group: ControlGroup | None = None, limits: ResourceLimits = LIMITS) -> Launch:
    command = (sys.executable, "-S", "-c", code)
    return Launch("a.0", command, {}, folder / "a.log", limits, folder, group=group)


SLEEP = "import time; print('up', flush=True); time.sleep(600)"


async def started(folder: Path, group: ControlGroup) -> BotProcess:
    process = await start_process(launch(folder, SLEEP, group))
    await until(lambda: (folder / "a.log").read_text() == "up\n")
    return process


def spent_ms(process: BotProcess, *, exact: bool) -> float | None:
    spent = process.spent(exact=exact)
    return None if spent is None else spent.cpu_ms


def proc(folder: Path, *, mounts: str, groups: str) -> Path:
    (made := folder / "proc").mkdir(exist_ok=True)
    (made / "mounts").write_text(f"tmpfs /run tmpfs rw 0 0\n{mounts}")
    (made / "cgroup").write_text(groups)
    return made


def test_the_group_that_is_ours_to_divide_is_our_own_or_the_one_above(tmp_path: Path, delegated: Path) -> None:
    mounts = f"cgroup2 {tmp_path} cgroup2 rw,nosuid 0 0\n"
    assert delegated_group(proc(tmp_path, mounts=mounts, groups="0::/delegated\n")) == delegated
    (delegated / "runner").mkdir()
    assert delegated_group(proc(tmp_path, mounts=mounts, groups="0::/delegated/runner\n")) == delegated
    below = proc(tmp_path, mounts=mounts, groups="0::/delegated/runner/deep\n")
    assert delegated_group(below) is None
    (delegated / "cgroup.subtree_control").write_text("cpu pids\n")
    assert delegated_group(proc(tmp_path, mounts=mounts, groups="0::/delegated/runner\n")) is None


@pytest.mark.parametrize(
    ("mounts", "groups"),
    [
        ("cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n", "4:memory:/x\n"),  # the first version alone
        ("", "0::/delegated\n"),
        ("cgroup2 {tmp_path}/nowhere cgroup2 ro 0 0\n", "0::/delegated\n"),
    ],
)
def test_without_the_second_version_of_control_groups_none_is_ours(
    tmp_path: Path, delegated: Path, mounts: str, groups: str
) -> None:
    assert delegated_group(proc(tmp_path, mounts=mounts.format(tmp_path=tmp_path), groups=groups)) is None
    assert delegated_group(tmp_path / "no proc") is None


def test_a_run_has_a_group_with_one_for_every_slot_which_go_at_its_end(delegated: Path) -> None:
    (stale := delegated / "joust-4194399" / "bot-b.0").mkdir(parents=True)  # no process has such a number
    (run := delegated / f"joust-{os.getpid()}").joinpath("cgroup.procs").unlink()
    with open_confinement("process", (), trust=True, find_delegated=lambda: delegated) as made:
        assert (run / "cgroup.subtree_control").read_text().startswith("+memory +pids")
        (run / "cgroup.subtree_control").unlink()  # the kernel's files go with their folder
        assert made.groups is not None
        first, second = made.groups.of("a.0", LIMITS), made.groups.of("a.1", LIMITS)
        assert first is not None
        assert second is not None
        assert {group.folder for group in (first, second)} == {run / "bot-a.0", run / "bot-a.1"}
        first.close()
        assert [folder.name for folder in run.iterdir()] == ["bot-a.1"]
    assert not run.exists()
    assert not stale.parent.exists()


def test_a_folder_that_is_no_group_gives_none_and_is_left_as_it_was(tmp_path: Path) -> None:
    with open_groups(tmp_path) as groups:
        assert groups is None
    assert list(tmp_path.iterdir()) == []
    with open_groups(tmp_path / "nowhere") as groups:
        assert groups is None
    with open_groups(None) as groups:
        assert groups is None
    assert ControlGroups(tmp_path / "nowhere").of("a.0", LIMITS) is None


def test_limits_are_written_where_the_kernel_has_them(group: ControlGroup) -> None:
    written = {name: (group.folder / name).read_text() for name in FILES if "." in name and FILES[name] == ""}
    assert written == {
        "cgroup.procs": "",
        "cgroup.kill": "",
        "memory.max": str(1024 << 20),
        "memory.oom.group": "1",
        "pids.max": "40",
    }
    assert not (group.folder / "memory.swap.max").exists()
    (group.folder / "memory.swap.max").touch()
    group.limit(LIMITS)
    assert (group.folder / "memory.swap.max").read_text() == "0"
    (group.folder / "memory.max").write_text("")
    group.limit(ResourceLimits(memory_mb=None, threads=None))
    assert (group.folder / "memory.max").read_text() == "max"


async def test_a_bot_starts_in_its_group_and_what_that_has_used_is_what_the_bot_has_used(
    group: ControlGroup, tmp_path: Path
) -> None:
    process = await started(tmp_path, group)
    assert (group.folder / "cgroup.procs").read_text() == f"{process.pid}\n"
    assert spent_ms(process, exact=True) == 0.0
    (group.folder / "cpu.stat").write_text("usage_usec 7250000\n")
    assert spent_ms(process, exact=False) == 7000.0
    assert process.usage().cpu_ms == 7000.0
    process.kill()
    assert (await process.wait()).reason == "killed by the runner"
    assert process.usage().cpu_ms == 7000.0
    assert (group.folder / "cgroup.kill").read_text() == "1"


def test_a_group_that_is_closed_in_another_thread_is_read_from_its_own_file(
    group: ControlGroup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (rival := tmp_path / "rival").write_text("usage_usec 666000000\n")
    reading, closing = threading.Event(), threading.Event()
    pread, close = os.pread, os.close

    def slow_read(handle: int, size: int, offset: int) -> bytes:
        reading.set()
        closing.wait()  # the other thread closes, or waits until this one has read
        return pread(handle, size, offset)

    def close_and_open_another(handle: int) -> None:
        close(handle)
        if not closing.is_set():
            os.open(rival, os.O_RDONLY)  # gets the number that has become free
            closing.set()

    class ToldLock:
        """A lock that says when somebody has to wait for it."""

        def __init__(self) -> None:
            self._lock = threading.Lock()

        def __enter__(self) -> None:
            if not self._lock.acquire(blocking=False):
                closing.set()
                self._lock.acquire()

        def __exit__(self, *_: object) -> None:
            self._lock.release()

    monkeypatch.setattr(control_groups, "threading", SimpleNamespace(Lock=ToldLock), raising=False)
    shared = ControlGroup(group.folder)
    (group.folder / "cpu.stat").write_text("usage_usec 7250000\n")
    monkeypatch.setattr(os, "pread", slow_read)
    monkeypatch.setattr(os, "close", close_and_open_another)
    found: list[int | None] = []
    reader = threading.Thread(target=lambda: found.append(shared.cpu_ns()))
    reader.start()
    reading.wait()
    shared.close()
    reader.join()
    assert found == [7_000_000_000]
    assert shared.cpu_ns() is None


async def test_too_much_cpu_time_of_the_group_ends_the_bot(group: ControlGroup, tmp_path: Path) -> None:
    process = await start_process(launch(tmp_path, SLEEP, group, ResourceLimits(cpu_s=6)))
    (group.folder / "cpu.stat").write_text("usage_usec 7250000\n")
    assert (await process.wait()).reason == "killed: used 7.0 of 6 s of CPU time"


@pytest.mark.default("the bot")
@pytest.mark.parametrize("is_whole", [True, False], ids=["the bot", "a child of it"])
async def test_a_bot_for_which_the_kernel_ran_out_of_memory_is_said_to_have_used_too_much(
    group: ControlGroup, tmp_path: Path, is_whole: bool
) -> None:
    process = await started(tmp_path, group)
    await process.look()
    assert is_running(process.pid)
    (group.folder / "memory.events").write_text(FILES["memory.events"].replace("oom_kill 1", "oom_kill 2"))
    if is_whole:
        os.kill(process.pid, signal.SIGKILL)  # as the kernel does
    exited = await process.wait()
    assert (exited.code, exited.reason) == (-signal.SIGKILL, "killed: used more than 1,024 MB of memory")


async def test_a_bot_that_somebody_else_kills_has_not_used_too_much(group: ControlGroup, tmp_path: Path) -> None:
    process = await started(tmp_path, group)
    os.kill(process.pid, signal.SIGKILL)
    assert (await process.wait()).reason == "killed by SIGKILL"


async def test_a_group_that_has_gone_is_no_reason_not_to_play(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    group = ControlGroups(tmp_path / "run").of("a.0", LIMITS)
    assert group is not None
    group.folder.rmdir()
    process = await start_process(launch(tmp_path, "print('up')", group))
    exited = await process.wait()
    assert (exited.reason, (tmp_path / "a.log").read_text()) == ("exited with code 0", "up\n")
    assert process.usage().cpu_ms is not None


async def test_a_command_that_cannot_be_started_leaves_no_group(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    group = ControlGroups(tmp_path / "run").of("a.0", LIMITS)
    assert group is not None
    with pytest.raises(ConfigError, match="expected an executable"):
        await start_process(Launch("a.0", ("nodde",), {}, tmp_path / "a.log", LIMITS, tmp_path, group=group))
    assert not group.folder.exists()
