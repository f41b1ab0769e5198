"""Control groups of the kernel (Linux, cgroup v2) for bots, if one is delegated to the runner.

A bot's group counts everything that the bot has started, even after it left the process tree: kills because of memory,
and the CPU time of descendants whose exit nobody waited for. Without a delegated group, only samples of the process
tree are counted; the same holds for any limit that cannot be written here.

A group is delegated if it is the runner's own or its parent, the runner may write to its folder, and it passes `memory`
and `pids` on (`cgroup.subtree_control`). The kernel allows such a group no processes of its own, so it is mostly the
parent.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gridjoust.runner.config.values import ResourceLimits

NEEDED = {"memory", "pids"}
_PREFIX = "joust-"  # name of a run's group, before the runner's process id
CROWD = 2  # the kernel allows this many times a bot's thread limit, so that the runner can count, report and end it
_PATIENCE_S = 0.5  # limit for killed processes to end


class ControlGroup:
    """The control group of one bot. Its CPU time may be read in any thread, even while it is closed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()  # a closed descriptor's number soon belongs to another file
        self._statistics: int | None = None
        with suppress(OSError):
            self._statistics = os.open(folder / "cpu.stat", os.O_RDONLY | os.O_CLOEXEC)
        self._kills_before, self._before_ns = self._kills(), 0  # counts of the slot's last process, if it still exists
        self._before_ns = self.cpu_ns() or 0

    def limit(self, limits: ResourceLimits) -> None:
        """Set the kernel's limits: memory, and `CROWD` times the thread limit, above which the runner ends the bot."""
        tasks = None if limits.threads is None else CROWD * limits.threads
        bytes_ = None if limits.memory_mb is None else limits.memory_mb << 20
        for name, value in {
            "memory.max": "max" if bytes_ is None else str(bytes_),
            "memory.swap.max": "max" if bytes_ is None else "0",
            "memory.oom.group": "1",  # the kernel kills all processes of the bot or none
            "pids.max": "max" if tasks is None else str(tasks),
        }.items():
            _write(self.folder / name, value)

    def enter(self, pid: int) -> None:
        """Move a process into the group before it starts others, as these then start in the group."""
        _write(self.folder / "cgroup.procs", f"{pid}\n")

    def ran_out_of_memory(self) -> bool:
        """Return True if the kernel has killed its processes because of memory since this object was made."""
        return self._kills() > self._kills_before

    def cpu_ns(self) -> int | None:
        """Return the CPU time used in ns, ended descendants included; None if that cannot be read."""
        with self._lock, suppress(OSError, ValueError, IndexError):
            if self._statistics is not None:
                used_us = int(os.pread(self._statistics, 64, 0).split(None, 2)[1])  # usage_usec comes first
                return used_us * 1000 - self._before_ns
        return None

    def close(self) -> None:
        """End the remaining processes and remove the group; call it in a thread, as it may take milliseconds."""
        with self._lock:
            statistics, self._statistics = self._statistics, None
            if statistics is not None:
                os.close(statistics)
        _write(self.folder / "cgroup.kill", "1")
        end_s = time.monotonic() + _PATIENCE_S
        while not _is_removed(self.folder) and time.monotonic() < end_s:
            time.sleep(0.01)

    def _kills(self) -> int:
        with suppress(OSError, ValueError):
            words = (self.folder / "memory.events").read_text(encoding="ascii").split()
            return sum(int(count) for name, count in zip(words[::2], words[1::2], strict=True) if name == "oom_kill")
        return 0


class ControlGroups:
    """The control groups of one run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, slot: str, limits: ResourceLimits) -> ControlGroup | None:
        """Make the control group of the bot process `slot` with these limits; None if that fails."""
        folder = self._folder / f"bot-{slot}"
        try:
            folder.mkdir(exist_ok=True)
        except OSError:
            return None
        group = ControlGroup(folder)
        group.limit(limits)
        return group


@contextmanager
def open_groups(delegated: Path | None) -> Iterator[ControlGroups | None]:
    """Yield groups below a delegated one, removed at the end; None without a delegated group."""
    if delegated is None:
        yield None
        return
    for left in delegated.glob(f"{_PREFIX}*"):  # groups of runs that were killed
        if not Path("/proc", left.name.removeprefix(_PREFIX)).exists():
            _remove(left)
    folder = delegated / f"{_PREFIX}{os.getpid()}"
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
    is_made = _write(folder / "cgroup.subtree_control", " ".join(f"+{name}" for name in sorted(NEEDED)))
    try:
        yield ControlGroups(folder) if is_made else None
    finally:
        _remove(folder)


def delegated_group(proc: Path = Path("/proc/self")) -> Path | None:
    """Return the folder of the control group that is delegated to the runner, or None."""
    with suppress(OSError):
        mounts = [line.split() for line in (proc / "mounts").read_text(encoding="utf-8").splitlines()]
        names = (proc / "cgroup").read_text(encoding="utf-8").splitlines()
        mount = next((Path(words[1]) for words in mounts if words[2] == "cgroup2"), None)
        own = next((name.removeprefix("0::/") for name in names if name.startswith("0::/")), None)
        if mount is not None and own is not None:
            places = [mount / own, *([(mount / own).parent] if own else [])]
            return next((place for place in places if _is_ours(place)), None)
    return None


def _is_ours(folder: Path) -> bool:
    try:
        given = (folder / "cgroup.subtree_control").read_text(encoding="ascii").split()
    except OSError:
        return False
    may_write = os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)
    return may_write and NEEDED.issubset(given)


def _write(file: Path, value: str) -> bool:
    """Write to an existing file of the kernel; return True if that worked."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(handle, value.encode("ascii"))
        finally:
            os.close(handle)
    except OSError:
        return False
    return True


def _remove(folder: Path) -> None:
    """Remove a run's group and those of its bots."""
    for group in [*folder.glob("bot-*"), folder]:
        _is_removed(group)


def _is_removed(folder: Path) -> bool:
    """Remove a group if that is possible now, with the kernel's files in it; return True if it is gone."""
    with suppress(OSError):
        folder.rmdir()
    return not folder.exists()
