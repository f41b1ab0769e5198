"""Users of the system without any rights, one for each bot slot, where the runner is root. Knows no bots.

Their numbers are from `FIRST` to `LAST`, which the usual lists of reserved numbers leave free; those that have a name
here or run something are passed over. A number is held by a lock on a byte of one file, which the kernel lets go of
when the runner dies, so that two runs never share one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

try:
    import fcntl
    import pwd
except ImportError:  # no unix: nobody is root
    fcntl = pwd = None  # type: ignore[assignment]

from runner.wire.errors import ConfigError

FIRST, LAST = 60578, 61183
LOCKS = Path("/run/joust-users.lock")  # root's alone
_held: set[int] = set()  # by this process: its own locks do not exclude each other
_KILL_ALL = ("/bin/sh", "-c", "kill -KILL -1")  # all that the user may signal: its own; a shell's builtin


class Users:
    """A number for every slot that asks for one, the same each time."""

    def __init__(self, locks: IO[bytes]) -> None:
        self._locks = locks
        self._by_slot: dict[str, int] = {}

    def of(self, slot: str) -> int:
        """The slot's own number."""
        if slot not in self._by_slot:
            self._by_slot[slot] = self._claim()
        return self._by_slot[slot]

    def release(self) -> None:
        """Let other runs have the numbers."""
        _held.difference_update(self._by_slot.values())

    def _claim(self) -> int:
        taken = {entry.pw_uid for entry in pwd.getpwall()} | _held | {user for _, user in _running()}
        for user in range(FIRST, LAST + 1):
            if user not in taken and self._locked(user):
                _held.add(user)
                return user
        raise ConfigError(f"execution.isolation: expected a free user id from {FIRST} to {LAST}, got none: use sandbox")

    def _locked(self, user: int) -> bool:
        try:
            fcntl.lockf(self._locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, user)
        except OSError:
            return False
        return True


def is_root() -> bool:
    """Whether this process may give its children users of their own."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


@contextmanager
def open_users() -> Iterator[Users]:
    """Users for the slots of one run; ConfigError where they cannot be had."""
    if shutil.which("setpriv") is None:
        raise ConfigError("execution.isolation: expected setpriv (util-linux) on PATH to start bots as root, got none")
    try:
        handle = os.open(LOCKS, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ConfigError(f"{LOCKS}: expected a file that root can lock, got {error.strerror}") from None
    with os.fdopen(handle, "r+b", buffering=0) as locks:
        users = Users(locks)
        try:
            yield users
        finally:
            users.release()


def as_user(user: int, *options: str, tasks: int | None = None) -> tuple[str, ...]:
    """What comes before a command so that it runs as this user, in no groups, and can become nobody else.

    `options` of setpriv are added. The kernel lets the user have so many `tasks`, processes and their threads, at once.
    """
    setpriv, prlimit = shutil.which("setpriv") or "setpriv", shutil.which("prlimit")
    ids = ("--reuid", str(user), "--regid", str(user), "--clear-groups")
    bound = () if tasks is None or prlimit is None else (prlimit, f"--nproc={tasks}:{tasks}", "--")
    return (setpriv, *ids, "--inh-caps=-all", "--no-new-privs", *options, "--", *bound)


def end_user(user: int) -> None:
    """Kill whatever a user runs, at once and for good: nothing is born meanwhile."""
    subprocess.run((*as_user(user), *_KILL_ALL), stderr=subprocess.DEVNULL, check=False)


def barrier(path: Path) -> Path | None:
    """The first folder on the way to a file or folder, or that itself, that strangers may not read; None if none."""
    for way in dict.fromkeys((path.absolute(), path.resolve())):
        for folder in reversed(way.parents):
            if not folder.stat().st_mode & 0o001:
                return folder
        wanted = 0o005 if way.is_dir() else 0o004
        if way.stat().st_mode & wanted != wanted:
            return way
    return None


def require_open(paths: Iterable[Path]) -> None:
    """ConfigError that names the first place which users of their own cannot get past."""
    for path in dict.fromkeys(paths):
        if (found := barrier(path)) is not None:
            got = f"mode {found.stat().st_mode & 0o777:o}"
            raise ConfigError(
                f"{found}: expected what everybody may read, since root starts each bot as a user of its own, got {got}"
                f" (on the way to {path}): use isolation: sandbox, a place open to all, or --trust for your own bots"
            )


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
    """(process, its real user) of all that run."""
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            try:
                status = Path(entry.path, "status").read_bytes()
            except OSError:  # it has just ended
                continue
            yield int(entry.name), int(status.partition(b"\nUid:")[2].split(maxsplit=1)[0])
