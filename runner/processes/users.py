"""Keeps bots apart by the system's users: users without any rights, and processes that their own user cannot read.

If the runner is root, each bot slot has a user of its own. Their numbers are from `FIRST` to `LAST`, which usual lists
of reserved numbers leave free; numbers with a name or a running process are skipped. A socket reserves each number, and
the kernel removes it when the runner dies. So two runs never share a number, and no file is needed.

A bot may leave processes behind outside its process group and tree. Those of a bot with a user of its own are found by
the user, with certainty. Others are found by the topic in their environment, which a process can hide; but bots of one
user are not protected from each other anyway.

The kernel lets every process of the same user trace a process and read its memory and environment in /proc, unless it
is "not dumpable" (prctl(2), PR_SET_DUMPABLE; Linux only). A program that it starts is dumpable again.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import pwd
except ImportError:  # not Unix: there is no root
    pwd = None  # type: ignore[assignment]

from gridjoust.runner.wire.errors import ConfigError

FIRST, LAST = 60578, 61183
_SOCKET = "\0joust-uid-{user}"  # an abstract name of Linux, which needs no file
_KILL_ALL = ("/bin/sh", "-c", "kill -KILL -1")  # kills every process that the user may signal, which are its own


class Users:
    """Gives every bot process (slot, `<bot>.<number>`) a user id of the system, the same one each time."""

    def __init__(self) -> None:
        self._by_slot: dict[str, int] = {}
        self._held: list[socket.socket] = []

    def of(self, slot: str) -> int:
        """Return the user id for the bot process `slot`; ConfigError if no id is free."""
        if slot not in self._by_slot:
            self._by_slot[slot] = self._claim()
        return self._by_slot[slot]

    def release(self) -> None:
        """Release the reserved user ids for other runs."""
        for held in self._held:
            held.close()

    def _claim(self) -> int:
        taken = {entry.pw_uid for entry in pwd.getpwall()} | {user for _, user in _running()}
        for user in range(FIRST, LAST + 1):
            if user not in taken and self._hold(user):
                return user
        raise ConfigError(f"execution.isolation: no user id from {FIRST} to {LAST} is free: use sandbox")

    def _hold(self, user: int) -> bool:
        held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            held.bind(_SOCKET.format(user=user))
        except OSError:  # another run or slot has it
            held.close()
            return False
        self._held.append(held)
        return True


def is_root() -> bool:
    """Return True if this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def why_no_users() -> str:
    """Return why bots cannot have users of their own here, "" if they can; a test command is run as one."""
    if not is_root():
        return "only root can start bots as other users"
    if shutil.which("setpriv") is None:
        return "setpriv (util-linux) is not installed"
    tried = subprocess.run((*as_user(FIRST, tasks=10_000), "true"), capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else (tried.stderr.strip().splitlines() or ["setpriv failed"])[-1]


@contextmanager
def open_users() -> Iterator[Users]:
    """Yield the user ids for the bot processes of one run, and release them at its end."""
    users = Users()
    try:
        yield users
    finally:
        users.release()


def as_user(user: int, *options: str, tasks: int | None = None) -> tuple[str, ...]:
    """Return the words before a command that make it run as this user, without groups or a way to change its user.

    `options`: further ones of setpriv. `tasks`: the kernel's limit of processes and threads of the user.
    """
    setpriv, prlimit = shutil.which("setpriv") or "setpriv", shutil.which("prlimit")
    ids = ("--reuid", str(user), "--regid", str(user), "--clear-groups")
    bound = () if tasks is None or prlimit is None else (prlimit, f"--nproc={tasks}:{tasks}", "--")
    return (setpriv, *ids, "--inh-caps=-all", "--no-new-privs", *options, "--", *bound)


def end_user(user: int) -> None:
    """Kill all processes of a user at once, so that none can start new ones meanwhile."""
    subprocess.run((*as_user(user), *_KILL_ALL), stderr=subprocess.DEVNULL, check=False)


def barrier(path: Path, *, for_root: bool = False) -> Path | None:
    """Return the folder above a path that keeps a user from reading it, or the path itself; None if nothing does.

    The user is one that neither owns the files nor is in their group, or with `for_root` root without its privileges.
    """
    for way in dict.fromkeys((path.absolute(), path.resolve())):
        for folder in reversed(way.parents):
            if not _allows(folder, 0o1, for_root=for_root):
                return folder
        if not _allows(way, 0o5 if way.is_dir() else 0o4, for_root=for_root):
            return way
    return None


def _allows(path: Path, bits: int, *, for_root: bool) -> bool:
    """Return True if a path's mode has all of these bits for other users, or for root if root owns it."""
    status = path.stat()
    is_own = for_root and status.st_uid == 0
    return (status.st_mode >> (6 if is_own else 0)) & bits == bits


@contextmanager
def closed_to_others(folder: Path) -> Iterator[None]:
    """Allow only the owner to enter a folder while the context is open."""
    mode = folder.stat().st_mode & 0o777
    folder.chmod(mode & 0o700)
    try:
        yield
    finally:
        folder.chmod(mode)


def _running() -> Iterator[tuple[int, int]]:
    """Yield (process, its real user) of all running processes."""
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                status = Path(entry.path, "status").read_bytes()
            except OSError:  # it has just ended
                continue
            yield int(entry.name), int(status.partition(b"\nUid:")[2].split(maxsplit=1)[0])


TOPIC = "JOUST_TOPIC"
_ROUNDS = 5  # searches; each finds processes that started during the one before


def end_leftovers(*, user: int | None, topic: str) -> tuple[str, ...]:
    """Kill what is left of a bot that has ended; return number and name of each process found by the topic.

    Call it in a thread, as it takes milliseconds.
    """
    if user is not None:
        end_user(user)
        return ()
    killed: dict[int, str] = {}
    for _ in range(_ROUNDS):
        if not (pids := list(_with_topic(topic))):
            break
        for pid in pids:
            with contextlib.suppress(OSError):
                killed.setdefault(pid, f"{pid} {Path(f'/proc/{pid}/comm').read_text(encoding='utf-8').strip()}")
                os.kill(pid, signal.SIGKILL)
    return tuple(killed.values())


def _with_topic(topic: str) -> Iterator[int]:
    if not sys.platform.startswith("linux"):
        return
    wanted = f"{TOPIC}={topic}".encode()
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):  # another user's process, or it has just ended
                if wanted in Path(entry.path, "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)


_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4


def is_dumpable() -> bool:
    """Return True if other processes of this user can trace and read this process."""
    return not sys.platform.startswith("linux") or bool(ctypes.CDLL(None).prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0))


def set_dumpable(*, dumpable: bool) -> None:
    """Set whether other processes of this user can trace and read this process."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, int(dumpable), 0, 0, 0)


@contextmanager
def not_dumpable() -> Iterator[None]:
    """Protect this process from other processes of its user while the context is open."""
    before = is_dumpable()
    set_dumpable(dumpable=False)
    try:
        yield
    finally:
        set_dumpable(dumpable=before)
