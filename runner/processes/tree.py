"""What a process and its descendants use. Starts and ends nothing.

On Linux the few files needed are read from /proc: about 30 microseconds per process, where asking psutil for children
looks at every process of the machine. Memory is the sum of resident sizes, so pages shared after a fork count twice.
What a process holds in memory without mapping it, files of `memfd_create` and of a sandbox's own file systems, is
counted apart (`held_memory_mb`). A descendant whose parent has died no longer belongs to the tree.
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
_DELETED = " (deleted)"  # how the kernel marks a file without a name
MOST_THREADS = 8192  # a look ends there: it takes time with every thread
MOST_FILES = 10_000  # that a process may have in its own folder
TIMED_THREADS = 32  # of the first so many it is known how long they waited for a processor


@dataclass(frozen=True, slots=True)
class TreeSample:
    """One look at a process tree; `cpu_ms` includes descendants that have ended and were waited for."""

    pids: tuple[int, ...]  # parents before their children
    cpu_ms: float
    memory_mb: float
    threads: int
    waited_ms: Mapping[int, float] = field(default_factory=dict)  # by thread: ready to run while others ran


def sample_tree(pid: int, *, most_threads: int = MOST_THREADS) -> TreeSample | None:
    """What the process and its living descendants use now; None if it is gone or only its exit code is left.

    Where more than `most_threads` have been found the look ends: the figures are then those of a part of the tree.
    """
    return _sample_proc(pid, most_threads) if HAS_PROC else _sample_psutil(pid)


def joined(samples: Sequence[TreeSample]) -> TreeSample:
    """Several trees as one; the first is that of the bot itself."""
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
    """Return the MB of files without a name that the processes hold open, and of what they have written.

    Written counts in file systems in memory below `mounts` and in the folder `scratch`. Mounts are those of the last
    process, if it has its own; of none, where it cannot be looked into. What is also mapped counts here and in the
    resident size. Infinity: `scratch` has more than `MOST_FILES` files and folders, or hides some.
    """
    if not HAS_PROC:
        return 0.0
    files = {identity: size for pid in pids for identity, size in _memory_files(pid)}
    written = sum(_used_bytes(pids[-1], mount) for mount in mounts) + (0 if scratch is None else _folder_bytes(scratch))
    return (sum(files.values()) + written) / _MIB


def peak_memory_mb(pid: int) -> float | None:
    """The most one process (without descendants) has used since it was started; None where nobody counts that."""
    if not HAS_PROC:
        return None
    for line in read_proc(f"/proc/{pid}/status").splitlines():
        if line.startswith(b"VmHWM:"):
            return int(line.split()[1]) / 1024
    return None


def gives_way(thread: int) -> bool:
    """Whether a thread has lowered its priority below that of this process, so that others run before it."""
    try:
        is_batch = os.sched_getscheduler(thread) in (os.SCHED_IDLE, os.SCHED_BATCH)
        return is_batch or os.getpriority(os.PRIO_PROCESS, thread) > os.getpriority(os.PRIO_PROCESS, 0)
    except OSError:  # gone
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
    """The fields of /proc/<pid>/stat from `state` on; None for a process that is gone or a zombie."""
    fields = read_proc(f"/proc/{pid}/stat").rpartition(b")")[2].split()  # the name before may contain anything
    return None if not fields or fields[0] in (b"Z", b"X") else fields


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - a third of the time, four times a second
    except OSError:
        return []


def _memory_files(pid: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield (device, inode) and bytes of each open file of a process that has no name: in memory, or deleted."""
    try:
        handles = os.listdir(f"/proc/{pid}/fd")  # noqa: PTH208 - as above
    except OSError:  # gone, or it hides itself
        return
    for handle in handles:
        path = f"/proc/{pid}/fd/{handle}"
        with contextlib.suppress(OSError):
            target = os.readlink(path)  # noqa: PTH115 - as above
            if target.startswith("/memfd:") or target.endswith(_DELETED):
                status = os.stat(path)  # noqa: PTH116 - as above
                yield (status.st_dev, status.st_ino), status.st_blocks * 512


def _used_bytes(pid: int, mount: str) -> int:
    """What a process's own file system holds; none while that is the machine's: the sandbox is still being made."""
    path = f"/proc/{pid}/root{mount}"
    try:
        if os.stat(path).st_dev == os.stat(mount).st_dev:  # noqa: PTH116 - as above
            return 0
        status = os.statvfs(path)
    except OSError:
        return 0
    return (status.f_blocks - status.f_bfree) * status.f_frsize


def _folder_bytes(folder: Path) -> float:
    """Return what is on disk in a folder; infinity if it has more than `MOST_FILES` or one that cannot be looked at."""
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
        except (FileNotFoundError, NotADirectoryError):  # it has just gone
            continue
        except OSError:  # its path is too long, or it is closed to us
            return math.inf
    return total


def read_proc(path: str) -> bytes:
    """A small file of /proc; b"" where there is none, or it is not ours to read."""
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
    import psutil  # noqa: PLC0415 - not needed where /proc is

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
TICK_MS = 1000.0 / (os.sysconf("SC_CLK_TCK") if HAS_PROC else 100)  # in which the kernel accounts
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if HAS_PROC else 4096
