"""Measures the resources of a process and its descendants.

On Linux a few files of /proc are read, in about 30 microseconds per process; psutil would search every process of the
machine for children. Memory is the sum of resident sizes, so pages shared after a fork count twice. Memory in files,
those of `memfd_create` and of a sandbox's file systems, is counted separately (`held_memory_mb`). A descendant whose
parent has died no longer belongs to the tree.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_MIB = 1024 * 1024
_DELETED = " (deleted)"  # the kernel's mark for a file without a name
MOST_THREADS = 8192  # a sample ends there, as it takes time for every thread
MOST_FILES = 10_000  # files that a process may have in its own folder
TIMED_THREADS = 32  # threads of a sample whose waiting time is read


@dataclass(frozen=True, slots=True)
class TreeSample:
    """One sample of a process tree; `cpu_ms` includes ended descendants that their parent has waited for."""

    pids: tuple[int, ...]  # parents before their children
    cpu_ms: float
    memory_mb: float
    threads: int
    waited_ms: Mapping[int, float] = field(default_factory=dict)  # by thread: time ready to run while others ran


def sample_tree(pid: int, *, most_threads: int = MOST_THREADS) -> TreeSample | None:
    """Sample a process and its living descendants; None if it has ended, even if its exit code was not read yet.

    The sample ends after `most_threads` threads; its figures are then those of a part of the tree.
    """
    return _sample_proc(pid, most_threads) if HAS_PROC else _sample_psutil(pid)


def joined(samples: Sequence[TreeSample]) -> TreeSample:
    """Join samples of several trees into one; the bot's own tree comes first."""
    waited_ms: dict[int, float] = {}
    for sample in samples:
        waited_ms |= sample.waited_ms
    return TreeSample(
        tuple(pid for sample in samples for pid in sample.pids),
        sum(sample.cpu_ms for sample in samples),
        sum(sample.memory_mb for sample in samples),
        sum(sample.threads for sample in samples),
        waited_ms,
    )


def held_memory_mb(pids: Sequence[int], *, mounts: Sequence[str] = (), scratch: Path | None = None) -> float:
    """Return the MB of nameless files that the processes have open, and of files that they have written.

    Written files count if they are in file systems in memory, `mounts`, or in the folder `scratch`. Mounts are those of
    the last process; they count as empty if it has none of its own or cannot be read. Mapped files count here and in
    the resident size. Infinity if `scratch` has more than `MOST_FILES` files and folders, or unreadable ones.
    """
    if not HAS_PROC:
        return 0.0
    files = {identity: size for pid in pids for identity, size in _memory_files(pid)}
    written = sum(_used_bytes(pids[-1], mount) for mount in mounts) + (0 if scratch is None else _folder_bytes(scratch))
    return (sum(files.values()) + written) / _MIB


def peak_memory_mb(pid: int) -> float | None:
    """Return the peak memory in MB of one process, without descendants; None if the system does not count it."""
    if not HAS_PROC:
        return None
    for line in read_proc(f"/proc/{pid}/status").splitlines():
        if line.startswith(b"VmHWM:"):
            return int(line.split()[1]) / 1024
    return None


def gives_way(thread: int) -> bool:
    """Return True if a thread has a lower priority than this process."""
    try:
        is_batch = os.sched_getscheduler(thread) in (os.SCHED_IDLE, os.SCHED_BATCH)
        return is_batch or os.getpriority(os.PRIO_PROCESS, thread) > os.getpriority(os.PRIO_PROCESS, 0)
    except OSError:  # it has ended
        return False


def _sample_proc(pid: int, most_threads: int) -> TreeSample | None:
    if _stat(pid) is None:
        return None
    pids: list[int] = []
    cpu_ticks = pages = threads = 0
    waiting = [pid]
    waited_ms: dict[int, float] = {}
    while waiting and threads <= most_threads:
        current = waiting.pop()
        fields = _stat(current)
        if fields is None:
            continue
        pids.append(current)
        cpu_ticks += sum(int(field) for field in fields[11:15])  # user, system, and both of ended children
        pages += int(fields[21])
        threads += int(fields[17])
        if threads <= most_threads:
            for thread in _threads(current):
                waiting += map(int, read_proc(f"/proc/{current}/task/{thread}/children").split())
                if len(waited_ms) < TIMED_THREADS and (times := read_proc(f"/proc/{current}/task/{thread}/schedstat")):
                    waited_ms[int(thread)] = int(times.split()[1]) / 1e6
    return TreeSample(tuple(pids), cpu_ticks * TICK_MS, pages * _PAGE_BYTES / _MIB, threads, waited_ms)


def _stat(pid: int) -> list[bytes] | None:
    """Return the fields of /proc/<pid>/stat from `state` on; None for a zombie or a process that is gone."""
    fields = read_proc(f"/proc/{pid}/stat").rpartition(b")")[2].split()  # the name before may contain anything
    return None if not fields or fields[0] in (b"Z", b"X") else fields


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - a third of the time, four times a second
    except OSError:
        return []


def _memory_files(pid: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield ((device, inode), bytes) of each nameless open file of a process: in memory, or deleted."""
    try:
        handles = os.listdir(f"/proc/{pid}/fd")  # noqa: PTH208 - as above
    except OSError:  # it has ended, or cannot be read
        return
    for handle in handles:
        path = f"/proc/{pid}/fd/{handle}"
        with contextlib.suppress(OSError):
            target = os.readlink(path)  # noqa: PTH115 - as above
            if target.startswith("/memfd:") or target.endswith(_DELETED):
                status = os.stat(path)  # noqa: PTH116 - as above
                yield (status.st_dev, status.st_ino), status.st_blocks * 512


def _used_bytes(pid: int, mount: str) -> int:
    """Return the bytes used in the process's own mount; 0 while it is still the host's, as the sandbox is starting."""
    path = f"/proc/{pid}/root{mount}"
    try:
        if os.stat(path).st_dev == os.stat(mount).st_dev:  # noqa: PTH116 - as above
            return 0
        status = os.statvfs(path)
    except OSError:
        return 0
    return (status.f_blocks - status.f_bfree) * status.f_frsize


def _folder_bytes(folder: Path) -> float:
    """Return the bytes on disk in a folder; infinity if it has more than `MOST_FILES` entries or unreadable ones."""
    total = count = 0
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if count > MOST_FILES:
                        return math.inf
                    with contextlib.suppress(FileNotFoundError):
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):  # it has just been removed
            continue
        except OSError:  # its path is too long, or it must not be read
            return math.inf
    return total


def read_proc(path: str) -> bytes:
    """Read a small file of /proc; return b"" if it is missing or must not be read."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(file, 65536)
    except OSError:  # ended between open and read
        return b""
    finally:
        os.close(file)


def _sample_psutil(pid: int) -> TreeSample | None:
    import psutil  # noqa: PLC0415 - not needed with /proc

    try:
        root = psutil.Process(pid)
        if root.status() == psutil.STATUS_ZOMBIE:
            return None
        family = [root, *root.children(recursive=True)]
    except psutil.Error:
        return None
    pids: list[int] = []
    cpu_s = memory_bytes = 0.0
    threads = 0
    for member in family:
        try:
            times, memory, count = member.cpu_times(), member.memory_info(), member.num_threads()
        except psutil.Error:
            continue
        pids.append(member.pid)
        cpu_s += times.user + times.system + getattr(times, "children_user", 0) + getattr(times, "children_system", 0)
        memory_bytes += memory.rss
        threads += count
    return TreeSample(tuple(pids), 1000.0 * cpu_s, memory_bytes / _MIB, threads)


HAS_PROC = sys.platform.startswith("linux") and Path("/proc/self/task", str(os.getpid()), "children").exists()
TICK_MS = 1000.0 / (os.sysconf("SC_CLK_TCK") if HAS_PROC else 100)  # unit of the kernel's accounts
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if HAS_PROC else 4096
