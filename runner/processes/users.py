"""Users of the system without any rights, one for each bot slot, where the runner is root. Knows no bots.

Their numbers are from `FIRST` to `LAST`, which the usual lists of reserved numbers leave free; those that have a name
here or run something are passed over. A number is held by a socket of its name, which the kernel lets go of when the
runner dies, so that two runs never share one. No file is needed.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import pwd
except ImportError:  # no unix: nobody is root
    pwd = None  # type: ignore[assignment]

from gridjoust.runner.wire.errors import ConfigError

FIRST, LAST = 60578, 61183
_SOCKET = "\0joust-uid-{user}"  # in Linux's abstract names, which need no file
_KILL_ALL = ("/bin/sh", "-c", "kill -KILL -1")  # all that the user may signal: its own; a shell's builtin


class Users:
    """A number for every slot that asks for one, the same each time."""

    def __init__(self) -> None:
        self._by_slot: dict[str, int] = {}
        self._held: list[socket.socket] = []

    def of(self, slot: str) -> int:
        """Return the slot's own number; ConfigError if none is free."""
        if slot not in self._by_slot:
            self._by_slot[slot] = self._claim()
        return self._by_slot[slot]

    def release(self) -> None:
        """Let other runs have the numbers."""
        for held in self._held:
            held.close()

    def _claim(self) -> int:
        taken = {entry.pw_uid for entry in pwd.getpwall()} | {user for _, user in _running()}
        for user in range(FIRST, LAST + 1):
            if user not in taken and self._hold(user):
                return user
        raise ConfigError(f"execution.isolation: expected a free user id from {FIRST} to {LAST}, got none: use sandbox")

    def _hold(self, user: int) -> bool:
        held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            held.bind(_SOCKET.format(user=user))
        except OSError:  # another run, or slot, has it
            held.close()
            return False
        self._held.append(held)
        return True


def is_root() -> bool:
    """Return True if this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def why_no_users() -> str:
    """Return why bots cannot have users of their own here, "" if they can: one is tried."""
    if not is_root():
        return "only root can start bots as other users"
    if shutil.which("setpriv") is None:
        return "setpriv (util-linux) is not installed"
    tried = subprocess.run((*as_user(FIRST), "true"), capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else (tried.stderr.strip().splitlines() or ["setpriv failed"])[-1]


@contextmanager
def open_users() -> Iterator[Users]:
    """Yield users for the slots of one run."""
    users = Users()
    try:
        yield users
    finally:
        users.release()


def as_user(user: int, *options: str, tasks: int | None = None) -> tuple[str, ...]:
    """Return what comes before a command so that it runs as this user, in no groups, and can become nobody else.

    `options` of setpriv are added. The kernel lets the user have so many `tasks`, processes and their threads, at once.
    """
    setpriv, prlimit = shutil.which("setpriv") or "setpriv", shutil.which("prlimit")
    ids = ("--reuid", str(user), "--regid", str(user), "--clear-groups")
    bound = () if tasks is None or prlimit is None else (prlimit, f"--nproc={tasks}:{tasks}", "--")
    return (setpriv, *ids, "--inh-caps=-all", "--no-new-privs", *options, "--", *bound)


def end_user(user: int) -> None:
    """Kill whatever a user runs, at once and for good: nothing is born meanwhile."""
    subprocess.run((*as_user(user), *_KILL_ALL), stderr=subprocess.DEVNULL, check=False)


def barrier(path: Path, *, for_root: bool = False) -> Path | None:
    """Return the first folder on the way to a path, or the path itself, that a user without rights may not read.

    None if there is none. The user is a stranger, or with `for_root` the user root without root's privileges.
    """
    for way in dict.fromkeys((path.absolute(), path.resolve())):
        for folder in reversed(way.parents):
            if not _allows(folder, 0o1, for_root=for_root):
                return folder
        if not _allows(way, 0o5 if way.is_dir() else 0o4, for_root=for_root):
            return way
    return None


def _allows(path: Path, bits: int, *, for_root: bool) -> bool:
    """Return True if a path's mode has all of the bits for strangers, or for root where root owns it."""
    status = path.stat()
    is_own = for_root and status.st_uid == 0
    return (status.st_mode >> (6 if is_own else 0)) & bits == bits


@contextmanager
def closed_to_others(folder: Path) -> Iterator[None]:
    """Keep everybody but its owner out of a folder while the context is open."""
    mode = folder.stat().st_mode & 0o777
    folder.chmod(mode & 0o700)
    try:
        yield
    finally:
        folder.chmod(mode)


def _running() -> Iterator[tuple[int, int]]:
    """Yield (process, its real user) of all that run."""
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                status = Path(entry.path, "status").read_bytes()
            except OSError:  # it has just ended
                continue
            yield int(entry.name), int(status.partition(b"\nUid:")[2].split(maxsplit=1)[0])
