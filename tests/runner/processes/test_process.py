"""Real, small processes: how they start, are watched and end."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from runner.config.values import ResourceLimits
from runner.processes.process import BotProcess, Launch, inherited_environment, start_process
from runner.processes.tree import sample_tree
from runner.wire.errors import ConfigError
from tests.e2e.waiting import is_running, until

pytestmark = pytest.mark.e2e

Start = Callable[..., Awaitable[BotProcess]]
NO_LIMITS = ResourceLimits(memory_mb=None, cpu_s=None)


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    return Launch(
        "knight.0", (sys.executable, "-S", "-c", ""), {}, tmp_path / "logs" / "knight.log", NO_LIMITS, tmp_path
    )


@pytest.fixture
async def start(launch: Launch) -> AsyncIterator[Start]:
    """Start a Python program; whatever still runs at the end of the test is killed."""
    started: list[BotProcess] = []

    async def start_program(code: str, **changes: object) -> BotProcess:
        command = (sys.executable, "-S", "-c", code)
        process = await start_process(replace(launch, command=command, **changes))  # type: ignore[arg-type]
        started.append(process)
        return process

    yield start_program
    for process in started:
        process.kill()
        await process.wait()


@pytest.fixture
def no_setpriv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.processes.parent_death._find_setpriv", lambda: None)


async def read_line(file: Path) -> str:
    """The first whole line of a file, once it is there."""
    lines: list[str] = []

    def is_there() -> bool:
        lines[:] = file.read_text().splitlines(keepends=True) if file.exists() else []
        return bool(lines) and lines[0].endswith("\n")

    await until(is_there)
    return lines[0].strip()


async def gone(pid: int) -> None:
    """Return once no such process runs."""
    await until(lambda: not is_running(pid))


async def test_an_exit_code_is_reported(start: Start) -> None:
    exited = await (await start("raise SystemExit(3)")).wait()
    assert (exited.code, exited.reason) == (3, "exited with code 3")


async def test_a_crash_is_named_by_its_signal(start: Start) -> None:
    process = await start("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    exited = await process.wait()
    assert (exited.code, exited.reason) == (-signal.SIGSEGV, "killed by SIGSEGV")


async def test_several_tasks_may_wait_and_one_may_give_up(start: Start) -> None:
    process = await start("input()")  # its stdin is empty: it ends with an error
    patient, hasty = asyncio.create_task(process.wait()), asyncio.create_task(process.wait())
    await asyncio.sleep(0)
    hasty.cancel()
    assert (await patient).code == (await process.wait()).code == 1


async def test_output_and_marks_are_appended_to_the_stderr_file(start: Start, launch: Launch) -> None:
    launch.stderr.parent.mkdir()
    launch.stderr.write_text("before\n")
    process = await start("import sys; print('out', flush=True); print('err', file=sys.stderr)")
    await process.wait()
    process.mark("match 7")
    assert launch.stderr.read_text() == "before\nout\nerr\n==== match 7\n"


async def test_a_log_that_grows_without_end_is_cut(
    start: Start, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.processes.logs.LIMIT_BYTES", 1000)
    monkeypatch.setattr("runner.processes.logs.HEAD_BYTES", 5)
    monkeypatch.setattr("runner.processes.logs.TAIL_BYTES", 8)
    process = await start("print('begin' + 'x' * 100_000); print('the end')")
    await process.wait()
    assert launch.stderr.read_text() == "begin\n==== 100001 bytes are left out here\nthe end\n"


async def test_the_environment_holds_only_what_is_inherited_and_given(
    start: Start, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("LC_TIME", "C")
    process = await start("import os; print(sorted(os.environ))", environment={"JOUST_USER": "knight"})
    await process.wait()
    names = set(eval(launch.stderr.read_text()))
    assert {"PATH", "LC_TIME", "JOUST_USER"} <= names
    assert "SECRET_TOKEN" not in names


def test_an_environment_is_reduced_to_harmless_names() -> None:
    assert inherited_environment({"PATH": "/bin", "LC_ALL": "C", "AWS_KEY": "k"}) == {"PATH": "/bin", "LC_ALL": "C"}


async def test_an_unknown_command_is_the_users_mistake(launch: Launch) -> None:
    with pytest.raises(ConfigError, match=r"bots: knight\.0: command: expected an executable, got 'nodde'"):
        await start_process(replace(launch, command=("nodde", "x.js")))


@pytest.mark.skipif(not shutil.which("setpriv"), reason="setpriv is not on PATH")
async def test_a_file_that_is_no_program_is_named_in_the_log(launch: Launch, tmp_path: Path) -> None:
    (tmp_path / "bot").write_bytes(b"\x7fELF")
    (tmp_path / "bot").chmod(0o755)
    process = await start_process(replace(launch, command=("./bot",)))
    assert (await process.wait()).code in (126, 127)  # setpriv lets a shell try
    assert str(tmp_path / "bot") in launch.stderr.read_text()


async def test_a_file_that_is_no_program_is_the_users_mistake_where_setpriv_is_missing(
    launch: Launch, tmp_path: Path, no_setpriv: None
) -> None:
    (tmp_path / "bot").write_bytes(b"\x7fELF")
    (tmp_path / "bot").chmod(0o755)
    with pytest.raises(ConfigError, match=r"expected an executable, got '\./bot'"):
        await start_process(replace(launch, command=("./bot",)))


async def test_a_command_with_a_slash_starts_at_the_folder(launch: Launch, tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\nexit 5\n")
    (tmp_path / "bot").chmod(0o755)
    process = await start_process(replace(launch, command=("./bot",)))
    assert (await process.wait()).code == 5


async def test_a_missing_folder_is_the_users_mistake(launch: Launch, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="folder: expected a folder"):
        await start_process(replace(launch, folder=tmp_path / "nowhere"))


async def test_stop_leaves_a_process_the_time_to_go_by_itself(start: Start) -> None:
    process = await start("raise SystemExit(0)")
    assert (await process.stop(patience_s=20)).reason == "exited with code 0"


async def test_stop_asks_first_and_says_so(start: Start) -> None:
    process = await start("import time; time.sleep(600)")
    exited = await process.stop(patience_s=0.01)
    assert (exited.code, exited.reason) == (-signal.SIGTERM, "stopped: had not left after 0.01 s")


async def test_stop_kills_what_ignores_the_request(
    start: Start, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.processes.process.TERM_PATIENCE_S", 0.05)
    process = await start(
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(600)"
    )
    await read_line(launch.stderr)
    assert (await process.stop(patience_s=0)).code == -signal.SIGKILL


SPAWN = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"], start_new_session={own})
print(child.pid, flush=True)
{then}
"""


@pytest.mark.parametrize("own", [False, True], ids=["in its group", "in a session of its own"])
async def test_killing_a_bot_kills_its_children(start: Start, launch: Launch, own: bool) -> None:
    process = await start(SPAWN.format(own=own, then="time.sleep(600)"))
    child = int(await read_line(launch.stderr))
    process.kill()
    assert (await process.wait()).reason == "killed by the runner"
    await gone(child)


async def test_children_that_outlive_their_bot_are_killed(start: Start, launch: Launch) -> None:
    process = await start(SPAWN.format(own=False, then=""))
    await process.wait()
    await gone(int(await read_line(launch.stderr)))


async def test_no_zombie_is_left(start: Start) -> None:
    process = await start("")
    await process.wait()
    assert not psutil.pid_exists(process.pid)


async def test_too_much_memory_ends_the_whole_tree(start: Start, launch: Launch) -> None:
    hog = "import time; block = bytearray(150 << 20); time.sleep(600)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {hog!r}])"
    process = await start(code, limits=ResourceLimits(memory_mb=100, cpu_s=None))
    async with asyncio.timeout(20):
        exited = await process.wait()
    assert exited.code == -signal.SIGKILL
    assert exited.reason.startswith("killed: used 1")
    assert exited.reason.endswith(" of 100 MB")


async def test_too_much_cpu_time_ends_it(start: Start) -> None:
    process = await start("while True: pass", limits=ResourceLimits(memory_mb=None, cpu_s=1))
    async with asyncio.timeout(30):
        exited = await process.wait()
    assert exited.reason.startswith("killed: used 1.")
    assert exited.reason.endswith(" of 1 s of CPU time")


async def test_usage_counts_the_whole_tree(start: Start, launch: Launch) -> None:
    hog = "block = bytearray(60 << 20); x = sum(range(10**6)); print(1, flush=True); import time; time.sleep(600)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {hog!r}])"
    process = await start(code)
    await read_line(launch.stderr)
    usage = process.usage()
    assert usage.peak_mb is not None
    assert usage.peak_mb > 60
    assert usage.cpu_ms is not None
    assert usage.cpu_ms > 0


async def test_usage_keeps_a_peak_that_is_over(start: Start, launch: Launch) -> None:
    process = await start("b = bytearray(80 << 20); del b; print(1, flush=True); import time; time.sleep(600)")
    await read_line(launch.stderr)
    peak_mb = process.usage().peak_mb
    assert peak_mb is not None
    assert peak_mb > 80


async def test_cpu_time_is_known_after_the_end(start: Start) -> None:
    process = await start("sum(range(3 * 10**6))")
    await process.wait()
    cpu_ms = process.usage().cpu_ms
    assert cpu_ms is not None
    assert cpu_ms > 10


async def test_input_can_be_longer_than_a_pipe(launch: Launch) -> None:
    command = (sys.executable, "-S", "-c", "import sys; print(len(sys.stdin.read()))")
    process = await start_process(replace(launch, command=command), stdin=b"x" * 300_000)
    await process.wait()
    assert launch.stderr.read_text() == "300000\n"


async def test_no_task_is_left(start: Start) -> None:
    before = asyncio.all_tasks()
    process = await start("")
    await process.stop(patience_s=20)
    assert asyncio.all_tasks() == before


async def test_without_pidfd_a_thread_waits(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    process = await start("raise SystemExit(4)")
    assert (await process.wait()).code == 4


def test_a_tree_that_is_gone_has_no_sample() -> None:
    child = subprocess.Popen([sys.executable, "-S", "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    as_zombie = sample_tree(child.pid)
    child.wait()
    assert (as_zombie, sample_tree(child.pid)) == (None, None)


def test_both_ways_of_sampling_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        fast = sample_tree(os.getpid())
        monkeypatch.setattr("runner.processes.tree._HAS_PROC", False)
        slow = sample_tree(os.getpid())
        child.kill()
    assert fast is not None
    assert slow is not None
    assert child.pid in fast.pids
    assert set(fast.pids) == set(slow.pids)
    assert slow.memory_mb == pytest.approx(fast.memory_mb, rel=0.2)
    assert slow.cpu_ms == pytest.approx(fast.cpu_ms, rel=0.1)


PARENT = """
import asyncio, sys
from pathlib import Path
import runner.processes.parent_death
from runner.config.values import ResourceLimits
from runner.processes.process import Launch, start_process

if sys.argv[2] == "fork":
    runner.processes.parent_death._find_setpriv = lambda: None

async def main():
    folder = Path(sys.argv[1])
    limits = ResourceLimits(memory_mb=None, cpu_s=None)
    code = "import time; print('up', flush=True); time.sleep(600)"
    launch = Launch("k", (sys.executable, "-S", "-c", code), {}, folder / "k.log", limits, folder)
    process = await start_process(launch)
    while "up" not in launch.stderr.read_text():
        await asyncio.sleep(0.01)
    print(process.pid, flush=True)
    await process.wait()

asyncio.run(main())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children die with their parent on Linux only")
@pytest.mark.parametrize("way", ["setpriv", "fork"])
def test_a_bot_dies_with_a_killed_runner(tmp_path: Path, way: str) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path), way], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        bot = int(parent.stdout.readline())
        parent.kill()
    asyncio.run(gone(bot))
