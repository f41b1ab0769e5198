"""The built-in sandbox: a thread gives up all rights except the bot's, and then starts the bot's process.

Restrictions of Landlock, seccomp and capabilities belong to a thread, and a process inherits those of the thread that
starts it. So a thread restricts itself, starts the process and ends; no helper program is needed. Inside there is no
network, no file except those in `Rules`, no signal to other processes, and no privilege. A bot may write into one
folder, its scratch folder, which is removed after the bot has ended.

If it works here is tested by trying each right that it takes away and each that it leaves. The version that a kernel
reports is not enough: some kernels report a version of Landlock but lack parts of it.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import functools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import TypeVar

from gridjoust.runner.processes.sandbox import SYSTEM, needed_paths, settings
from gridjoust.runner.processes.sandbox.landlock import LEAST_ABI, Rules, abi, libc, restrict_thread
from gridjoust.runner.processes.sandbox.seccomp import Sockets, filter_program, knows_machine, restrict_calls

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


_DENIED = (errno.EACCES, errno.EPERM, errno.EXDEV)
_LOOPBACK = "127.0.0.1"
_CLONE_NEW_USER = 0x10000000
_IO_URING_SETUP = 425

Try = tuple[str, Callable[[], object]]
"""A test: its name for people, and the function that tries it."""


def why_not_built_in() -> str:
    """Return why the built-in sandbox does not work on this machine, "" if it does."""
    if not sys.platform.startswith("linux") or not knows_machine():
        return "it needs Linux on x86-64 or arm64"
    if (version := abi()) < LEAST_ABI:
        return f"it needs Landlock {LEAST_ABI} (Linux 6.12), this kernel has {version or 'none'}"
    try:
        with ExitStack() as stack:
            return run_apart(functools.partial(_first_failure, _make_ground(stack)))
    except OSError as error:
        return str(error)


@dataclass(frozen=True, slots=True)
class _Ground:
    """Files, sockets and a process on which the sandbox is tested; its rules allow access to some and not to others."""

    outside: Path
    own: Path
    scratch: Path
    port: socket.socket
    abstract: socket.socket
    bystander: int  # a process

    @property
    def rules(self) -> Rules:
        """The rules under which the tests run."""
        return Rules((self.own,), devices=(Path(os.devnull),), writable=(self.scratch,))


def _make_ground(stack: ExitStack) -> _Ground:
    top = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="joust-probe-")))
    outside, own, scratch = top / "outside", top / "own", top / "scratch"
    for folder in (outside, outside / "folder", own, scratch):
        folder.mkdir()
    for file in (outside / "file", own / "file"):
        file.write_text("#!/bin/sh\n", encoding="ascii")
        file.chmod(0o755)
    port = stack.enter_context(socket.create_server((_LOOPBACK, 0)))
    abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
    abstract.bind("")  # the kernel chooses an abstract name
    abstract.listen()
    bystander = stack.enter_context(subprocess.Popen(("/bin/sh", "-c", "read -r line"), stdin=subprocess.PIPE))
    return _Ground(outside, own, scratch, port, abstract, bystander.pid)


def _first_failure(ground: _Ground) -> str:
    """Restrict this thread; return the first right that is not as it should be, "" if all are."""
    with ExitStack() as stack:
        tcp, tcp_bound = (stack.enter_context(socket.socket()) for _ in range(2))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        restrict_thread(ground.rules)
        denied: list[Try] = [
            *_on_files(ground),
            ("connect to a TCP port", functools.partial(tcp.connect, ground.port.getsockname())),
            ("listen on a TCP port", functools.partial(tcp_bound.bind, (_LOOPBACK, 0))),
            ("connect to an abstract socket", functools.partial(unix.connect, ground.abstract.getsockname())),
            ("signal another process", functools.partial(os.kill, ground.bystander, signal.SIGCONT)),
        ]
        allowed: list[Try] = [
            ("read its own file", (ground.own / "file").read_bytes),
            ("write into its scratch", functools.partial((ground.scratch / "file").write_bytes, b"x")),
        ]
        failure = _not_denied(denied) or _not_allowed(allowed)
        restrict_calls(filter_program(Sockets.NONE, keeps_attributes=True))
        drop_capabilities()
        return failure or _not_denied(_on_calls(ground)) or _not_allowed([("make a socket pair", _pair)])


def _on_files(ground: _Ground) -> Iterator[Try]:
    """Yield a test for each right to files that Landlock takes away from a bot."""
    file, folder, new = ground.outside / "file", ground.outside / "folder", ground.outside / "new"
    yield "read a file", file.read_bytes
    yield "write a file", functools.partial(os.open, file, os.O_WRONLY)
    yield "cut a file", functools.partial(os.truncate, file, 0)
    yield "run a file", functools.partial(subprocess.run, (str(file),), check=False)
    yield "list a folder", functools.partial(os.listdir, folder)
    yield "remove a file", file.unlink
    yield "remove a folder", folder.rmdir
    yield "make a file", functools.partial(new.write_bytes, b"x")
    yield "make a folder", new.mkdir
    yield "make a link", functools.partial(new.symlink_to, file)
    yield "make a pipe", functools.partial(os.mkfifo, new)
    yield "link its file elsewhere", functools.partial(os.link, ground.own / "file", ground.outside / "link")
    yield "move a file into its scratch", functools.partial(os.rename, file, ground.scratch / "moved")
    yield "control a device", _control_device


def _on_calls(ground: _Ground) -> Iterator[Try]:
    """Yield a test for each kind of system call that the seccomp filter denies to a bot."""
    yield "make a socket", socket.socket
    yield "make a namespace", functools.partial(_call, lambda: libc().unshare(_CLONE_NEW_USER))
    yield "use io_uring", functools.partial(_call, lambda: libc().syscall(_IO_URING_SETUP, 1, None))
    yield "trace a process", functools.partial(_call, lambda: libc().ptrace(16, ground.bystander, None, None))
    yield "change a file's mode", functools.partial(os.chmod, ground.outside / "file", 0o644)
    yield "lower another's priority", functools.partial(os.setpriority, os.PRIO_PROCESS, ground.bystander, 1)


def _control_device() -> None:
    with open(os.devnull, "rb") as device:  # noqa: PTH123 - as any program does
        fcntl.ioctl(device, termios.TCGETS, bytes(64))


def _pair() -> None:
    for end in socket.socketpair():
        end.close()


def _call(call: Callable[[], int]) -> None:
    if call() < 0:
        number = ctypes.get_errno()
        raise OSError(errno.EPERM if number == errno.ENOSYS else number, os.strerror(number))


def _not_denied(tries: Iterable[Try]) -> str:
    for what, attempt in tries:
        try:
            attempt()
        except OSError as error:
            if error.errno in _DENIED:
                continue
            return f"this kernel does not say no when a bot tries to {what}: {error.strerror}"
        return f"this kernel lets a bot {what}"
    return ""


def _not_allowed(tries: Iterable[Try]) -> str:
    for what, attempt in tries:
        try:
            attempt()
        except OSError as error:
            return f"this kernel does not let a bot {what}: {error.strerror}"
    return ""
