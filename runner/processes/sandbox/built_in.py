"""The built-in sandbox: a thread gives up all rights except the bot's, and then starts the bot's process.

Restrictions of Landlock, seccomp and capabilities belong to a thread, and a process inherits those of the thread that
starts it. So a thread restricts itself, starts the process and ends; no helper program is needed. Inside there is no
network, no file except those in `Rules`, no signal to other processes, and no privilege. A bot may write into one
folder, its scratch folder, which is removed after the bot has ended.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from subprocess import Popen
from typing import TypeVar

from gridjoust.runner.processes.sandbox import SYSTEM, needed_paths, settings
from gridjoust.runner.processes.sandbox.landlock import Rules, libc, restrict_thread
from gridjoust.runner.processes.sandbox.seccomp import restrict_calls

T = TypeVar("T")

_DEVICES = ("null", "zero", "full", "random", "urandom")  # in /dev
_FACTS = (  # files with the number of processors and the size of memory, for the runtimes of languages
    *("/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/sys/vm/overcommit_memory"),
    "/sys/devices/system/cpu",
)
_DROP_FROM_BOUND, _AMBIENT, _CLEAR_AMBIENT = 24, 47, 4  # numbers of prctl(2)
_CAPABILITIES_VERSION = 0x20080522  # for capset(2)
_POLL_S = 0.0002


def rules_of(
    command: tuple[str, ...],
    *,
    folder: Path,
    readable: Iterable[Path] = (),
    listed: Iterable[Path] = (),
    writable: tuple[Path, ...],
    may_use_tcp: bool = False,
) -> Rules:
    """Return the rules for a command, whose first word is an absolute path.

    It starts in `folder`, may read `readable`, list the names in and below the folders `listed`, and write in the
    folders `writable`.
    """
    system = (*map(Path, SYSTEM), *settings(), *map(Path, _FACTS))
    return Rules(
        readable=(*system, *needed_paths(command, folder=folder), *readable),
        listed=tuple(listed),
        devices=tuple(Path("/dev", name) for name in _DEVICES),
        writable=writable,
        may_use_tcp=may_use_tcp,
    )


def start_restricted(
    begin: Callable[[], Popen[bytes]], rules: Rules, calls: bytes, *, keeps_capabilities: bool
) -> Popen[bytes]:
    """Start a process by `begin` under these rules and this filter of system calls.

    When this returns, the restricted thread has ended, so a bot cannot send a signal to any thread of this process.
    `keeps_capabilities`: for a command that changes its user and thereby loses capabilities. OSError if the kernel
    refuses a rule; exceptions of `begin` are raised too.
    """

    def restrict_and_begin() -> Popen[bytes]:
        restrict_thread(rules)
        restrict_calls(calls)
        if not keeps_capabilities:
            drop_capabilities()
        return begin()

    return run_apart(restrict_and_begin)


def run_apart(work: Callable[[], T]) -> T:
    """Run `work` in a thread of its own and return its result once the kernel has removed that thread.

    Children of an ended thread become those of another thread. Until then, they could still get the signal that they
    requested for their parent's end.
    """
    outcome: Future[T] = Future()

    def work_and_tell() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    thread = threading.Thread(target=work_and_tell, name="restricted", daemon=True)
    thread.start()
    thread.join()
    trace = Path(f"/proc/self/task/{thread.native_id}")
    while trace.exists():
        time.sleep(_POLL_S)
    return outcome.result()


def drop_capabilities() -> None:
    """Give up every capability of this thread for good; OSError if the kernel refuses."""
    libc().prctl(_AMBIENT, _CLEAR_AMBIENT, 0, 0, 0)
    number = 0
    while libc().prctl(_DROP_FROM_BOUND, number, 0, 0, 0) == 0:  # it fails after the last capability, or if forbidden
        number += 1
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    if libc().capset(header, (ctypes.c_uint32 * 6)()) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"capset: {os.strerror(code).lower()}")
