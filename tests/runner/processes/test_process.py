"""Real, small processes: how they start, are watched and end."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.process import QUICK_THREADS, BotProcess, Ending, Exit, start_process
from gridjoust.runner.processes.start import Launch, inherited_environment
from gridjoust.runner.processes.tree import MOST_THREADS, TreeSample, sample_tree
from gridjoust.runner.wire.errors import ConfigError
from tests.e2e.asking_inside import place_inside
from tests.e2e.joust_process import is_running, until

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

    async def start_program(code: str, *, stdin: bytes = b"", **changes: object) -> BotProcess:
        command = (sys.executable, "-S", "-c", code)
        process = await start_process(replace(launch, command=command, **changes), stdin=stdin)  # type: ignore[arg-type]
        started.append(process)
        return process

    yield start_program
    for process in started:
        process.kill()
        await process.wait()


def first_line(file: Path) -> str:
    """The first line of a file, "" until it is whole."""
    return "".join(file.read_text().splitlines(keepends=True)[:1]) if file.exists() else ""


async def read_line(file: Path) -> str:
    await until(lambda: first_line(file).endswith("\n"))
    return first_line(file).strip()


@pytest.mark.parametrize("limit", [64, 10**9, None])
async def test_open_files_are_limited_and_without_a_limit_are_as_many_as_the_system_allows(
    start: Start, launch: Launch, limit: int | None
) -> None:
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most - 1, most))  # as in a usual login shell: below what it may be
    try:
        code = "import resource; print(*resource.getrlimit(resource.RLIMIT_NOFILE), flush=True)"
        await start(code, limits=ResourceLimits(memory_mb=None, open_files=limit))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))
    assert await read_line(launch.stderr) == " ".join([str(min(limit or most, most))] * 2)


@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("raise SystemExit(3)", Exit(3, "exited with code 3")),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
            Exit(-signal.SIGSEGV, "killed by SIGSEGV", Ending.SIGNALLED),
        ),
        ("input()", Exit(1, "exited with code 1")),  # its stdin is empty
    ],
)
async def test_several_tasks_may_wait_for_the_end_and_nothing_is_left_then(start: Start, code: str, end: Exit) -> None:
    before = asyncio.all_tasks()
    process = await start(code)
    patient, hasty = asyncio.create_task(process.wait()), asyncio.create_task(process.wait())
    await asyncio.sleep(0)
    hasty.cancel()
    assert await patient == await process.stop(patience_s=20) == await process.wait() == end
    assert not psutil.pid_exists(process.pid)  # no zombie either
    assert asyncio.all_tasks() == before


async def test_without_pidfd_a_thread_waits(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    assert (await (await start("raise SystemExit(4)")).wait()).code == 4


async def test_what_the_system_cannot_end_holds_nobody_up_and_is_waited_for_when_it_does_end(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridjoust.runner.processes.process.KILL_PATIENCE_S", 0.1)
    process = await start("input()", is_piped=True)
    with monkeypatch.context() as stuck:  # no signal ends it, as in an uninterruptible wait
        stuck.setattr(os, "kill", lambda pid, number: None)
        stuck.setattr(os, "killpg", lambda group, number: None)
        process.kill("too slow")
        given_up = await process.wait()
        assert psutil.pid_exists(process.pid)
    assert given_up == Exit(None, "killed: too slow; the system has not ended it within 0.1 s", Ending.KILLED)
    os.killpg(process.pid, signal.SIGKILL)
    await until(lambda: not psutil.pid_exists(process.pid))  # no zombie is left
    assert await process.wait() == given_up


class SlowGroup:
    """A control group that is closed when it is told to."""

    def __init__(self) -> None:
        self.is_free = threading.Event()

    def enter(self, pid: int) -> None:
        pass

    def cpu_ns(self) -> int | None:
        return None

    def ran_out_of_memory(self) -> bool:
        return False

    def close(self) -> None:
        self.is_free.wait()


async def test_once_it_was_waited_for_its_number_may_be_anothers_who_is_neither_measured_nor_killed(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    group, signalled = SlowGroup(), list[int]()
    process = await start("", group=group)
    await until(lambda: not psutil.pid_exists(process.pid))
    another = TreeSample((process.pid,), 9_000_000.0, 7_000.0, 1)
    with monkeypatch.context() as reused:
        reused.setattr("gridjoust.runner.processes.process.sample_tree", lambda pid, most_threads: another)
        reused.setattr(os, "kill", lambda pid, number: signalled.append(pid))
        reused.setattr(os, "killpg", lambda pid, number: signalled.append(pid))
        process.kill()
        await process.look()
        usage = process.usage()
    group.is_free.set()
    assert (await process.wait()).reason == "exited with code 0"
    assert signalled == []
    assert usage.cpu_ms is not None
    assert usage.cpu_ms < 9_000_000.0


async def test_output_and_marks_are_appended_and_a_log_that_grows_without_end_is_cut(
    start: Start, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch.stderr.parent.mkdir()
    launch.stderr.write_text("before\n")
    process = await start("import sys; print('out', flush=True); print('err', file=sys.stderr)")
    await process.wait()
    process.mark("match 7")
    assert launch.stderr.read_text() == "before\nout\nerr\n==== match 7\n"
    for name, limit in (("LIMIT_BYTES", 1000), ("HEAD_BYTES", 7), ("TAIL_BYTES", 8)):
        monkeypatch.setattr(f"gridjoust.runner.processes.logs.{name}", limit)
    await (await start("print('x' * 100_000); print('the end')")).wait()
    assert launch.stderr.read_text() == "before\n\n==== 100022 bytes are left out here\nthe end\n"


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
    assert inherited_environment({"PATH": "/bin", "LC_ALL": "C", "AWS_KEY": "k"}) == {"PATH": "/bin", "LC_ALL": "C"}


async def test_an_unknown_command_and_a_missing_folder_are_the_users_mistakes(launch: Launch, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"bots: knight\.0: command: expected an executable, got 'nodde'"):
        await start_process(replace(launch, command=("nodde", "x.js")))
    with pytest.raises(ConfigError, match="folder: expected a folder"):
        await start_process(replace(launch, folder=tmp_path / "nowhere"))


async def test_a_command_with_a_slash_is_a_file_of_the_folder_and_one_that_is_no_program_is_named_in_the_log(
    launch: Launch, tmp_path: Path
) -> None:
    own_command, bot = replace(launch, command=("./bot",)), tmp_path / "bot"
    bot.write_text("#!/bin/sh\nexit 5\n")
    bot.chmod(0o755)
    assert (await (await start_process(own_command)).wait()).code == 5
    bot.write_text("#!/bin/sh\r\nexit 5\r\n", newline="")
    with pytest.raises(ConfigError, match="expected a script saved with Unix line ends, got 'bot', whose first line"):
        await start_process(own_command)
    bot.write_bytes(b"\x7fELF")
    process = await start_process(own_command)
    assert (await process.wait()).code in (126, 127)  # the shell's
    assert str(bot) in first_line(launch.stderr)


async def test_stop_gives_time_to_leave_then_asks_then_kills(
    start: Start, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await (await start("")).stop(patience_s=20) == Exit(0, "exited with code 0")
    sleeper = await start("import time; time.sleep(600)")
    assert await sleeper.stop(patience_s=0.01) == Exit(
        -signal.SIGTERM, "stopped: had not left after 0.01 s", Ending.STOPPED
    )
    monkeypatch.setattr("gridjoust.runner.processes.process.TERM_PATIENCE_S", 0.05)
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(600)"
    process = await start(deaf)
    await read_line(launch.stderr)
    assert await process.stop(patience_s=0) == Exit(-signal.SIGKILL, "stopped: had not left after 0 s", Ending.STOPPED)


async def test_a_task_that_is_cancelled_still_ends_its_process(start: Start) -> None:
    sleeper = await start("import time; time.sleep(600)")

    async def hold() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await sleeper.stop(patience_s=0.01)

    holding = asyncio.create_task(hold())
    await asyncio.sleep(0)
    holding.cancel()
    await asyncio.wait([holding])
    assert holding.cancelled()
    assert await sleeper.wait() == Exit(-signal.SIGTERM, "stopped: had not left after 0.01 s", Ending.STOPPED)


async def test_a_task_that_is_cancelled_while_it_stops_a_process_kills_it_and_waits_for_its_end(start: Start) -> None:
    sleeper = await start("import time; time.sleep(600)")
    stopping = asyncio.create_task(sleeper.stop(patience_s=600))
    await asyncio.sleep(0)
    stopping.cancel()
    await asyncio.wait([stopping])
    assert stopping.cancelled()
    assert not psutil.pid_exists(sleeper.pid)
    assert await sleeper.wait() == Exit(-signal.SIGKILL, "killed by the runner", Ending.STOPPED)


SPAWN = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"], start_new_session={own})
print(child.pid, flush=True)
{then}
"""


@pytest.mark.parametrize(
    ("own", "then", "reason"),
    [
        (False, "time.sleep(600)", "killed by the runner"),
        (True, "time.sleep(600)", "killed by the runner"),
        (False, "", "exited with code 0"),
    ],
    ids=["in its group", "in a session of its own", "that outlive it"],
)
async def test_the_end_of_a_bot_is_the_end_of_its_children(
    start: Start, launch: Launch, own: bool, then: str, reason: str
) -> None:
    process = await start(SPAWN.format(own=own, then=then))
    child = int(await read_line(launch.stderr))
    if then:
        process.kill()
    assert (await process.wait()).reason == reason
    await until(lambda: not is_running(child))


HOG = "import time; block = bytearray({mb} << 20); {then}; print(1, flush=True); time.sleep(600)"
IN_A_CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {code!r}])"


IN_BOUNDS = ResourceLimits(memory_mb=100, cpu_s=1)
TREE = IN_A_CHILD.format(code=HOG.format(mb=150, then="sum(range(10**6))"))
MEMFD = "import os, time; f = os.memfd_create('x'); [os.write(f, bytes(1 << 20)) for _ in range({mb})]; {then}"
WAIT = "print(1, flush=True); time.sleep(600)"
CROWD = "import subprocess, time; [subprocess.Popen(['sleep', '600']) for _ in range({count})]; " + WAIT
THREADS = (
    "import threading, time; [threading.Thread(target=time.sleep, args=[600]).start() for _ in range({count})]; " + WAIT
)
# how much too much it was depends on when it is looked at
FEW = ResourceLimits(memory_mb=None, processes=8, threads=20)
USES = {
    "too much memory that is mapped nowhere": (
        MEMFD.format(mb=150, then="time.sleep(600)"),
        IN_BOUNDS,
        r"killed: used 1\d\d of 100 MB of memory",
        100,
        0,
    ),
    "memory mapped nowhere within the limit": (MEMFD.format(mb=50, then=WAIT), IN_BOUNDS, "", 0, 0),
    "too many processes": (CROWD.format(count=9), FEW, r"killed: had (9|10) of 8 processes", 0, 0),
    "too many threads": (THREADS.format(count=30), FEW, r"killed: had (2[1-9]|3[01]) of 20 threads", 0, 0),
    "as many processes as it may have": (CROWD.format(count=7), FEW, "", 0, 0),
    "as many threads as it may have": (THREADS.format(count=19), FEW, "", 0, 0),
    "too much memory in the whole tree": (TREE, IN_BOUNDS, r"killed: used 1\d\d of 100 MB of memory", 100, 0),
    "too much processor time": ("while True: pass", IN_BOUNDS, r"killed: used [1-9]\.\d of 1 s of CPU time", 1, 1000),
    "a peak that is over": (HOG.format(mb=80, then="del block"), NO_LIMITS, "", 80, 0),
    "no limit": (TREE, NO_LIMITS, "", 150, 0),
}


@pytest.mark.default(
    "as many processes as it may have",
    "as many threads as it may have",
    "memory mapped nowhere within the limit",
    "a peak that is over",
    "no limit",
)
@pytest.mark.parametrize(("code", "limits", "reason", "least_mb", "least_ms"), USES.values(), ids=USES)
async def test_what_is_used_is_counted_and_too_much_ends_the_whole_tree(
    start: Start, launch: Launch, code: str, limits: ResourceLimits, reason: str, least_mb: float, least_ms: float
) -> None:
    process = await start(code, limits=limits)
    if reason:
        async with asyncio.timeout(60):
            exited = await process.wait()
        assert exited.code == -signal.SIGKILL
        assert exited.ending is Ending.KILLED
        assert re.fullmatch(reason, exited.reason)
    else:
        await read_line(launch.stderr)
        await process.look()
        assert is_running(process.pid)
    usage = process.usage()
    assert (usage.peak_mb or 0) > least_mb
    assert (usage.cpu_ms or 0) >= least_ms


async def test_the_loop_looks_at_small_trees_only_and_a_thread_at_large_ones(
    start: Start, launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[tuple[bool, int, int]] = []  # on the loop? at how many threads at the most, how many were there

    def spy(pid: int, *, most_threads: int = MOST_THREADS) -> TreeSample | None:
        sample = sample_tree(pid, most_threads=most_threads)
        looks.append(
            (threading.current_thread() is threading.main_thread(), most_threads, sample.threads if sample else 0)
        )
        return sample

    monkeypatch.setattr("gridjoust.runner.processes.process.sample_tree", spy)
    began_ms = time.monotonic() * 1000
    process = await start(THREADS.format(count=60), limits=ResourceLimits(threads=None, processes=None))
    await read_line(launch.stderr)
    await process.look()
    usage, load = process.usage(), process.load_since(began_ms)
    assert (False, MOST_THREADS, 61) in looks
    assert {most for is_loop, most, _ in looks if is_loop} == {QUICK_THREADS}
    assert load is not None
    assert (load.threads, load.processes, usage.cpu_ms) == (61, 1, load.cpu_ms)


async def test_input_can_be_longer_than_a_pipe(start: Start, launch: Launch) -> None:
    await (await start("import sys; print(len(sys.stdin.read()))", stdin=b"x" * 300_000)).wait()
    assert launch.stderr.read_text() == "300000\n"


def test_both_ways_of_sampling_agree_and_a_tree_that_is_gone_has_no_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    grandchild = "import time\nwhile time.process_time() < 0.3: pass\nprint('up', flush=True); input()"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {grandchild!r}])"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"up\n"
        fast = sample_tree(child.pid)
        with monkeypatch.context() as patch:
            patch.setattr("gridjoust.runner.processes.tree.HAS_PROC", False)
            slow = sample_tree(child.pid)
        child.communicate(b"\n")
    assert sample_tree(child.pid) is None
    assert fast is not None
    assert slow is not None
    assert len(fast.pids) == 2
    assert set(fast.pids) == set(slow.pids)
    assert slow.memory_mb == pytest.approx(fast.memory_mb, rel=0.2)
    assert slow.cpu_ms == pytest.approx(fast.cpu_ms, rel=0.1)


def test_a_process_that_has_ended_has_no_sample_even_before_it_is_waited_for() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert sample_tree(child.pid) is None


PARENT = """
import asyncio, sys
from pathlib import Path
import gridjoust.runner.processes.start
from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.start import Launch

if sys.argv[2] == "python":
    gridjoust.runner.processes.start._find_setpriv = lambda: None

async def main():
    folder = Path(sys.argv[1])
    code = "import time; print('up', flush=True); time.sleep(600)"
    launch = Launch("k", (sys.executable, "-S", "-c", code), {}, folder / "k.log", ResourceLimits(), folder)
    process = await start_process(launch)
    while "up" not in launch.stderr.read_text():
        await asyncio.sleep(0.01)
    print(process.pid, flush=True)
    await process.wait()

asyncio.run(main())
"""


@pytest.mark.gate
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children die with their parent on Linux only")
@pytest.mark.parametrize("way", ["setpriv", "python"])
def test_a_bot_dies_with_a_killed_runner(tmp_path: Path, way: str) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path), way], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        bot = int(parent.stdout.readline())
        parent.kill()
    asyncio.run(until(lambda: not is_running(bot)))


async def test_a_bot_that_loops_is_asked_for_its_line(launch: Launch) -> None:
    assert await place_inside(launch) in {f"still loading, inf.py line {line}, in act" for line in (4, 5)}


async def test_a_program_that_is_no_python_bot_is_not_asked_and_lives(start: Start, launch: Launch) -> None:
    process = await start("import time; print('up', flush=True); time.sleep(60)")
    await read_line(launch.stderr)
    assert await process.place() == ""
    assert is_running(process.pid)
