"""Measures the CPU time of a process tree, exactly enough for a chess clock.

The kernel's clock of a process counts in ns, ended threads included, and takes half a microsecond to read. The time of
ended children is in their parent's account in steps of 10 ms and takes four microseconds to read; unless it must be
exact, the value of the last sample is used. Only Linux lets other processes read these clocks. A bot's control group,
if it has one, counts everything in microseconds, including descendants that have left the tree.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress

from gridjoust.runner.processes.control_groups import ControlGroup
from gridjoust.runner.processes.history import Spent
from gridjoust.runner.processes.tree import HAS_PROC, TICK_MS

COUNT_AFTER_NS = 500_000  # new waiting time after which forced switches are read again, which takes 7 microseconds
WATCHED = 8  # processes of a tree whose files are kept open; for further ones only the clock is read
_CPU_CLOCK = 2  # the clock of a whole process, in the clock numbers of Linux


class Meter:
    """Reads the CPU time of one tree repeatedly. `keep` names its processes; new children are found by the meter."""

    def __init__(self, pid: int, group: ControlGroup | None = None) -> None:
        self._members = [_Member(pid)] if HAS_PROC else []
        self._group = group

    def keep(self, pids: Sequence[int]) -> None:
        """Set the processes of the tree."""
        self._look_for_ended()
        if not HAS_PROC or [member.pid for member in self._members] == list(pids):
            return
        known = {member.pid: member for member in self._members}
        self._members = [
            known[pid] if pid in known else _Member(pid, is_watched=place < WATCHED) for place, pid in enumerate(pids)
        ]
        for pid in known.keys() - set(pids):
            known[pid].close()

    def read(self, *, exact: bool = True) -> Spent | None:
        """Return what the tree has used; None if unknown. Without `exact`, children may be counted later."""
        cpu_ns = waited_ns = ended_ticks = forced = 0
        members = self._members
        if not members:
            return None
        counted_ns = None if self._group is None else self._group.cpu_ns()
        for member in members:  # grows meanwhile
            try:
                clock_ns = time.clock_gettime_ns(member.clock)
                cpu_ns += clock_ns
                if member.files:
                    waited_ns += member.waited_ns(clock_ns)
                    forced += member.forced
                    if exact:
                        member.look_for_ended()
                        if children := member.children():
                            self._adopt(children)
                ended_ticks += member.ended_ticks
            except OSError:  # it has ended: its time is in its parent's account
                continue
        cpu_ms = cpu_ns / 1e6 + ended_ticks * TICK_MS if counted_ns is None else counted_ns / 1e6
        return Spent(cpu_ms, waited_ns / 1e6, forced)

    def close(self) -> None:
        """Close all files; the meter reads no more."""
        self.keep(())

    def _look_for_ended(self) -> None:
        for member in self._members:
            if member.files:
                with suppress(OSError):  # the process itself has ended
                    member.look_for_ended()

    def _adopt(self, children: Sequence[int]) -> None:
        known = {member.pid for member in self._members}
        fresh = [pid for pid in children if pid not in known]
        self._members += [_Member(pid, is_watched=len(self._members) < WATCHED) for pid in fresh]


class _Member:
    """One process of a measured tree: the number of its CPU clock and its open files in /proc."""

    def __init__(self, pid: int, *, is_watched: bool = True) -> None:
        self.pid = pid
        self.clock = (~pid << 3) | _CPU_CLOCK
        self.files: tuple[int, ...] = ()
        self.forced = 0  # forced switches of its main thread, up to the last reading
        self._clock_ns = -1  # its clock when its waiting time was read last
        self._waited_ns = 0
        self._counted_ns = 0  # its waiting time when forced switches were read last
        self.ended_ticks = 0  # user and system time of children that have ended and were waited for
        self._kept = ExitStack()
        if is_watched:
            try:
                self.files = tuple(self._open(f"/proc/{pid}/{name}") for name in _files_of(pid))
            except OSError:  # it has ended, or no more files can be opened: only its clock is read
                self.close()

    def waited_ns(self, clock_ns: int) -> int:
        """Return how long its main thread was ready to run while others ran, in ns; update `forced` if that has grown.

        `clock_ns`: its clock now. The kernel adds waiting time when the thread runs again, so nothing is new if it has
        not run since.
        """
        if clock_ns == self._clock_ns:
            return self._waited_ns
        self._clock_ns = clock_ns
        self._waited_ns = waited_ns = int(os.pread(self.files[0], 256, 0).split()[1])
        if waited_ns - self._counted_ns >= COUNT_AFTER_NS:
            self._counted_ns = waited_ns
            _, is_told, count = os.pread(self.files[3], 4096, 0).rpartition(b"nonvoluntary_ctxt_switches:")
            self.forced = int(count) if is_told else 0
        return waited_ns

    def children(self) -> list[int]:
        return [int(pid) for pid in os.pread(self.files[1], 4096, 0).split()]

    def look_for_ended(self) -> None:
        """Update `ended_ticks`, the CPU time of the process's ended children, from the kernel's account."""
        fields = os.pread(self.files[2], 1024, 0).rpartition(b")")[2].split(None, 15)
        self.ended_ticks = int(fields[13]) + int(fields[14])

    def close(self) -> None:
        self.files = ()
        self._kept.close()

    def _open(self, path: str) -> int:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._kept.callback(os.close, handle)
        return handle


def _files_of(pid: int) -> tuple[str, ...]:
    return "schedstat", f"task/{pid}/children", "stat", "status"
