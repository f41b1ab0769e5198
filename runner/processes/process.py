"""Starts, watches, confines and ends bots (and the broker) as processes.

Every process gets a session and process group of its own, so that it can be ended with all its descendants. On Linux it
dies with a killed runner.

Limits are enforced by sampling the whole process tree, and its orphans, every 250 ms, in a thread, as a tree may be
large and must not delay other work. The kernel's limits do not fit: RLIMIT_AS counts address space, of which Node
reserves gigabytes, and RLIMIT_CPU counts each process alone. The kernel does limit open files (Linux): a bot gets few,
so that it cannot exhaust the broker's connections, and the broker as many as possible. It also limits memory and
processes if a control group is delegated to the runner.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

from gridjoust.runner.config.programs import BOT_RUNNER
from gridjoust.runner.processes.history import History, Load, Spent
from gridjoust.runner.processes.logs import ASK, MARK, bound_log, is_whole, place_in
from gridjoust.runner.processes.meter import Meter
from gridjoust.runner.processes.private_folder import remove_folder
from gridjoust.runner.processes.sandbox import OWN_MEMORY
from gridjoust.runner.processes.start import Launch, start_child
from gridjoust.runner.processes.tree import (
    MOST_FILES,
    MOST_THREADS,
    TreeSample,
    gives_way,
    held_memory_mb,
    joined,
    peak_memory_mb,
    read_proc,
    sample_tree,
)
from gridjoust.runner.processes.users import TOPIC, end_leftovers
from gridjoust.runner.wire.errors import ConfigError, naming

LOOK_S = 0.25  # time between two samples
QUICK_THREADS = 32  # trees up to this size are also sampled in between, on the loop
LAST_LOOK_THREADS = 512  # threads that are searched for processes outside the process group before a kill
TERM_PATIENCE_S = 1.0  # from SIGTERM to SIGKILL
MOST_STACK_BYTES = 64 * 1024  # read of what a bot has written about where it is
STACK_LOOK_S, STACK_LOOKS = 0.001, 50  # between two looks for a bot's stack, and the most of them
KILL_PATIENCE_S = 10.0  # from SIGKILL to the end: longer only if the kernel cannot end the process


class Ending(Enum):
    """How a process ended: by itself, by a signal, or through the runner."""

    EXITED = auto()  # it returned a code
    SIGNALLED = auto()  # a signal that the runner has not sent
    STOPPED = auto()  # the runner, which needed it no more
    KILLED = auto()  # the runner, because of what it did: above a limit, or without its connection


@dataclass(frozen=True, slots=True)
class Exit:
    """The end of a process: `code` as in `subprocess` (negative = signal), `reason` as a sentence for people.

    `left_behind`: number and name of its processes outside its group that still ran after its end and were killed.
    """

    code: int | None
    reason: str
    ending: Ending = Ending.EXITED
    left_behind: tuple[str, ...] = ()


_Verdict = tuple[Ending, str]


@dataclass(frozen=True, slots=True)
class Usage:
    """The use of a process and its descendants so far; None if unknown."""

    cpu_ms: float | None
    peak_mb: float | None


class BotProcess:
    """A running process, made by `start_process`; the event loop on which it was started waits for its end."""

    def __init__(self, launch: Launch, child: subprocess.Popen[bytes]) -> None:
        self.name = launch.name
        self.pid = child.pid
        self.stdin, self.stdout = child.stdin, child.stdout  # None unless it was started with pipes
        self.silence: Callable[[], str] = str  # with pipes: says why no answer can be read from its output
        self._launch = launch
        self._child = child
        self._sweeper: asyncio.Task[None] | None = None
        self._surrender: asyncio.TimerHandle | None = None
        self._verdict: _Verdict | None = None  # the runner's, if it ended the process
        self._cpu_ms: float | None = None
        self._peak_mb: float | None = None
        self._history = History()
        self._history.add(_now_ms(), TreeSample((child.pid,), 0.0, 0.0, 1))
        self._meter = Meter(child.pid, launch.group)
        self._loop = asyncio.get_running_loop()
        self._exited: asyncio.Future[Exit] = self._loop.create_future()
        self._watcher = asyncio.create_task(self._watch(), name=f"look[{launch.name}]")
        self._reap_at_exit()

    def usage(self) -> Usage:
        """Return CPU time and peak memory of the whole tree so far, also after its end."""
        if self._has_its_number:
            self._glance()
            self._raise_peak(peak_memory_mb(self.pid))
        return Usage(self._cpu_ms, self._peak_mb)

    def load_since(self, when_ms: float) -> Load | None:
        """Return the use of the tree since a moment of the monotonic clock (ms) in the last minute."""
        if self._has_its_number:
            self._glance()
        return self._history.load_since(when_ms)

    def spent(self, *, exact: bool) -> Spent | None:
        """Return the CPU time of the tree so far, read in a few microseconds; None if unknown.

        Without `exact`, the time of children may be counted up to 250 ms later.
        """
        return self._meter.read(exact=exact)

    def has_yielded(self) -> bool:
        """Return True if a thread of the tree has a lower priority than the runner."""
        if not self._has_its_number or (sample := self._tree(QUICK_THREADS)) is None:
            return False
        return any(gives_way(thread) for thread in sample.waited_ms)

    async def place(self) -> str:
        """Return why a bot has not answered: where a Python bot is, `still in act, first.py line 8`; "" if unknown.

        Of a bot on standard output it may also say that no whole line has come. A Python bot's stack trace stays in its
        log.
        """
        if self._launch.is_piped:
            return self.silence()
        log = self._launch.stderr
        if BOT_RUNNER not in self._launch.command or (pid := self._interpreter()) is None or not log.exists():
            return ""
        before = log.stat().st_size
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, ASK)
        for _ in range(STACK_LOOKS):
            await asyncio.sleep(STACK_LOOK_S)
            if is_whole(_read_from(log, before)):
                break
        return place_in(_read_from(log, before))

    def mark(self, text: str) -> None:
        """Append a line of the runner to the process's stderr file."""
        with naming(self._launch.stderr), self._launch.stderr.open("ab") as file:
            file.write(f"{MARK}{text}\n".encode())

    async def wait(self) -> Exit:
        """Wait for the end of the process and return how it ended; any number of tasks may wait."""
        return await asyncio.shield(self._exited)

    async def stop(self, *, patience_s: float) -> Exit:
        """Give the process `patience_s` to end by itself, then send its group SIGTERM, then kill the group.

        A task that is cancelled meanwhile kills the group at once; CancelledError is raised when the process has ended.
        """
        try:
            exited = await self._wait_for(patience_s)
            if exited is None:
                self._signal(signal.SIGTERM, (Ending.STOPPED, f"stopped: had not left after {patience_s:g} s"))
                exited = await self._wait_for(TERM_PATIENCE_S)
            if exited is None:
                self.kill()
            return exited or await self.wait()
        except asyncio.CancelledError:
            self.kill()
            await self._wait_for(None)
            raise

    def kill(self, because: str = "") -> None:
        """Kill the process and all its descendants; if the system cannot end it, it counts as ended a while later.

        `because`: what it did; "" if it is just no longer needed.
        """
        self._kill(_killed(because) if because else (Ending.STOPPED, "killed by the runner"))

    async def look(self) -> None:
        """Sample the whole tree and enforce the limits; this also happens every 250 ms."""
        sample, held_mb = await asyncio.to_thread(self._sample)
        if sample is not None and self._has_its_number:
            self._keep(sample)
            self._enforce(sample, sample.memory_mb + held_mb)

    @property
    def _has_its_number(self) -> bool:
        """True until its exit was waited for; after that the system may reuse its process and group number."""
        return self._child.returncode is None

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await self.look()

    def _sample(self) -> tuple[TreeSample | None, float]:
        """Measure the bot's process tree and the MB of files that it holds, and cut its log; called in a thread."""
        with contextlib.suppress(OSError):  # a full disk, which is reported elsewhere
            bound_log(self._launch.stderr)
        limit = self._launch.limits.threads
        sample = self._tree(MOST_THREADS if limit is None else limit)
        if sample is None:
            return None, 0.0
        mounts = OWN_MEMORY if self._launch.is_bubblewrapped else ()
        held_mb = held_memory_mb(sample.pids, mounts=mounts, scratch=self._launch.scratch)
        return sample, held_mb

    def _tree(self, most_threads: int) -> TreeSample | None:
        sample = sample_tree(self.pid, most_threads=most_threads)
        if sample is None:
            return None
        group, orphans = self._launch.group, self._launch.orphans
        if orphans is not None:
            left = (sample_tree(pid, most_threads=most_threads) for pid in orphans.of(self.pid))
            sample = joined([sample, *(tree for tree in left if tree is not None)])
            sample = replace(sample, cpu_ms=sample.cpu_ms + orphans.ended_ms(self.pid))
            orphans.keep(self.pid, sample.pids)
        used_ns = None if group is None else group.cpu_ns()
        return sample if used_ns is None else replace(sample, cpu_ms=used_ns / 1e6)

    def _interpreter(self) -> int | None:
        """Return the number of the process that runs the bot's code; None if the bot has ended."""
        sample = self._tree(QUICK_THREADS) if self._has_its_number else None
        if sample is None or not self._launch.is_bubblewrapped:
            return None if sample is None else self.pid
        return next((pid for pid in sample.pids if read_proc(f"/proc/{pid}/comm") != b"bwrap\n"), None)

    def _glance(self) -> None:
        sample = self._tree(QUICK_THREADS)
        if sample is not None and sample.threads <= QUICK_THREADS:
            self._keep(sample)

    def _keep(self, sample: TreeSample) -> None:
        self._cpu_ms = max(sample.cpu_ms, self._cpu_ms or 0.0)
        self._raise_peak(sample.memory_mb)
        self._history.add(_now_ms(), sample)
        self._meter.keep(sample.pids)

    def _enforce(self, sample: TreeSample, memory_mb: float) -> None:
        """Kill a tree that exceeds a limit."""
        self._raise_peak(memory_mb if math.isfinite(memory_mb) else sample.memory_mb)
        limits, cpu_s, processes = self._launch.limits, (self._cpu_ms or 0.0) / 1000, len(sample.pids)
        if (verdict := self._out_of_memory()) is not None:
            self._kill(verdict, sample)
        elif limits.memory_mb is not None and math.isinf(memory_mb):
            self._kill(_killed(f"had more than {MOST_FILES:,} files in its own folder, or hid some there"), sample)
        elif limits.memory_mb is not None and memory_mb > limits.memory_mb:
            self._kill(_killed(f"used {memory_mb:.0f} of {limits.memory_mb} MB of memory"), sample)
        elif limits.cpu_s is not None and cpu_s > limits.cpu_s:
            self._kill(_killed(f"used {cpu_s:.1f} of {limits.cpu_s} s of CPU time"), sample)
        elif limits.processes is not None and processes > limits.processes:
            self._kill(_killed(f"had {processes} of {limits.processes} processes"), sample)
        elif limits.threads is not None and sample.threads > limits.threads:
            self._kill(_killed(f"had {sample.threads} of {limits.threads} threads"), sample)

    def _reap_at_exit(self) -> None:
        if not hasattr(os, "pidfd_open"):
            threading.Thread(target=self._reap_in_thread, name=f"reap[{self.name}]", daemon=True).start()
            return
        handle = os.pidfd_open(self.pid)

        def on_exit() -> None:
            self._loop.remove_reader(handle)
            os.close(handle)
            self._reap()

        self._loop.add_reader(handle, on_exit)

    def _reap_in_thread(self) -> None:
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with contextlib.suppress(RuntimeError):  # the loop is closed: no task waits any more
            self._loop.call_soon_threadsafe(self._reap)

    def _reap(self) -> None:
        """Kill what the ended process left, and read its exit code; called on the event loop.

        Until the code is read, the system cannot give its process number to another process.
        """
        self._watcher.cancel()
        self._meter.close()
        if self._surrender is not None:
            self._surrender.cancel()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)  # descendants that outlived it
        with contextlib.suppress(OSError):  # a full disk, as above
            bound_log(self._launch.stderr)
        _, status, used = os.wait4(self.pid, 0)
        code = self._child.returncode = os.waitstatus_to_exitcode(status)
        # the kernel's account also includes the time since the last sample; its ru_maxrss is useless, as it starts
        # from the size of the process that forked
        self._cpu_ms = max(1000.0 * (used.ru_utime + used.ru_stime), self._cpu_ms or 0.0)
        if self._launch.orphans is not None:
            self._cpu_ms += self._launch.orphans.ended_ms(self.pid)
        if self._launch.group is not None:
            self._cpu_ms = max(self._cpu_ms, (self._launch.group.cpu_ns() or 0) / 1e6)
        ending, reason = (
            self._verdict or self._out_of_memory() or _by_code(code, in_bubblewrap=self._launch.is_bubblewrapped)
        )
        exited = Exit(code, reason, ending)
        # bubblewrap ends with all its processes
        topic = "" if self._launch.is_bubblewrapped else self._launch.environment.get(TOPIC, "")
        if topic or self._launch.scratch or self._launch.group is not None or self._launch.orphans is not None:
            self._sweeper = asyncio.create_task(self._sweep(exited, topic), name=f"sweep[{self.name}]")
        else:
            self._announce(exited)

    async def _sweep(self, exited: Exit, topic: str) -> None:
        """Report the end of the bot's process once none of its descendants is left.

        The bot's next process has the same user, topic and control group, so nothing of this one may be left in them.
        """
        try:
            left_behind = await asyncio.to_thread(self._end_leftovers, topic)
            exited = replace(exited, left_behind=left_behind)
        finally:
            self._announce(exited)

    def _announce(self, exited: Exit) -> None:
        if not self._exited.done():
            self._exited.set_result(exited)

    def _give_up(self) -> None:
        """Report a killed process as ended although the system does not end it, as it must not delay the whole run."""
        self._watcher.cancel()
        assert self._verdict is not None
        ending, reason = self._verdict
        self._announce(Exit(None, f"{reason}; the system has not ended it within {KILL_PATIENCE_S:g} s", ending))

    def _end_leftovers(self, topic: str) -> tuple[str, ...]:
        """Kill all descendants that are left; remove control group and scratch folder; called in a thread.

        Return number and name of each descendant found, none without a `topic`.
        """
        found = end_leftovers(user=self._launch.user, topic=topic) if topic else ()
        if self._launch.orphans is not None:
            orphans = self._launch.orphans.end(self.pid)
            found = tuple(dict.fromkeys([*found, *orphans])) if topic else ()
        if self._launch.group is not None:
            self._launch.group.close()
        if self._launch.scratch is not None:
            remove_folder(self._launch.scratch)
        return found

    def _out_of_memory(self) -> _Verdict | None:
        """Return the verdict on a bot that the kernel has killed because of its memory limit, else None."""
        group, limit = self._launch.group, self._launch.limits.memory_mb
        if group is None or limit is None or not group.ran_out_of_memory():
            return None
        return _killed(f"used more than {limit:,} MB of memory")

    async def _wait_for(self, patience_s: float | None) -> Exit | None:
        # not asyncio.timeout: before Python 3.11.3 (CPython 102780) it raises CancelledError in a task that is
        # cancelled, and such a task must still end its processes
        await asyncio.wait([self._exited], timeout=patience_s)
        return self._exited.result() if self._exited.done() else None

    def _kill(self, verdict: _Verdict, sample: TreeSample | None = None) -> None:
        if self._exited.done() or not self._has_its_number:
            return
        sample = sample or sample_tree(self.pid, most_threads=LAST_LOOK_THREADS)
        self._raise_peak(peak_memory_mb(self.pid))
        self._signal(signal.SIGKILL, verdict)
        if self._surrender is None:
            self._surrender = self._loop.call_later(KILL_PATIENCE_S, self._give_up)
        for pid in sample.pids if sample else ():  # for processes that made a group of their own
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def _signal(self, number: signal.Signals, verdict: _Verdict) -> None:
        if self._has_its_number:
            self._verdict = self._verdict or verdict  # the first reason counts
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def _raise_peak(self, memory_mb: float | None) -> None:
        if memory_mb is not None:
            self._peak_mb = max(memory_mb, self._peak_mb or 0.0)


async def start_process(launch: Launch, *, stdin: bytes = b"") -> BotProcess:
    """Start a process with `stdin` as its input; ConfigError if the command or the folder does not exist."""
    begin = functools.partial(start_child, launch, stdin)
    try:
        child = begin() if launch.orphans is None else launch.orphans.start(begin, user=launch.user)
        return BotProcess(launch, child)
    except (ConfigError, OSError):
        if launch.group is not None:
            launch.group.close()
        raise


def _read_from(log: Path, start: int) -> str:
    with log.open("rb") as file:
        file.seek(start)
        return file.read(MOST_STACK_BYTES).decode("utf-8", "replace")


def _now_ms() -> float:
    return time.monotonic() * 1000


def _killed(because: str) -> _Verdict:
    return Ending.KILLED, f"killed: {because}"


def _by_code(code: int, *, in_bubblewrap: bool) -> _Verdict:
    number = -code if code < 0 else code - 128 if in_bubblewrap and code > 128 else 0  # bubblewrap: 128 + signal
    if not number:
        return Ending.EXITED, f"exited with code {code}"
    try:
        return Ending.SIGNALLED, f"killed by {signal.Signals(number).name}"
    except ValueError:
        return Ending.SIGNALLED, f"killed by signal {number}"


async def end_by_input(process: asyncio.subprocess.Process, *, patience_s: float) -> None:
    """Close the standard input of one of our own processes, so that it ends; kill it if it does not in time."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), patience_s)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
