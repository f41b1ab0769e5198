"""Orphans of bots: descendants whose parent has ended, which are the runner's children from then on. Linux only.

A process can ask to get the orphans of all its descendants (prctl(2), PR_SET_CHILD_SUBREAPER). Only a program that has
its process for itself may: here every child in a session of its own that was neither started through this module nor
there before is an orphan, for a bot cannot enter the runner's session. It belongs to the bot whose session it is in,
in whose tree it was seen or whose user it runs as, and is counted and ended with it. Of any other nobody can tell whose
it is (its environment may lie, at a rival's cost): it is ended at once. Each is waited for by its number, so that no
exit status is taken from anybody else.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from gridjoust.runner.processes.tree import HAS_PROC, read_proc

OLD_S = 0.1  # what one bot's look has found serves the others for so long
_PATIENCE_S = 1.0  # for what was killed to be gone
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(slots=True)
class _Bot:
    """What its descendants are known by."""

    user: int | None  # of its own
    seen: frozenset[int] = frozenset()  # in its tree at the last look
    adopted: dict[int, str] = field(default_factory=dict)  # those that live, and their names
    ended_ms: float = 0.0  # CPU time of those that have ended


class Orphans:
    """Those of all bots of one process. May be used in any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bots: dict[int, _Bot] = {}
        self._session = os.getsid(0)
        self._strangers = frozenset(_children())
        self._looked_s = -1.0

    def start(self, begin: Callable[[], subprocess.Popen[bytes]], *, user: int | None) -> subprocess.Popen[bytes]:
        """A bot's own process as `begin` starts it: no orphan, however early somebody looks."""
        with self._lock:
            child = begin()
            self._bots[child.pid] = _Bot(user)
            return child

    def of(self, bot: int) -> tuple[int, ...]:
        """Living orphans of the bot with this process number."""
        with self._lock:
            if time.monotonic() - self._looked_s > OLD_S:
                self._look()
            return tuple(self._bots[bot].adopted) if bot in self._bots else ()

    def keep(self, bot: int, tree: Sequence[int]) -> None:
        """What has been seen in the bot's tree."""
        with self._lock:
            if bot in self._bots:
                self._bots[bot].seen = frozenset(tree)

    def ended_ms(self, bot: int) -> float:
        """CPU time of the bot's orphans that have ended."""
        with self._lock:
            return self._bots[bot].ended_ms if bot in self._bots else 0.0

    def end(self, bot: int) -> tuple[str, ...]:
        """The bot itself has ended: kill what it has left; number and name of each. Meant for a thread."""
        found = self._end_adopted([bot])
        with self._lock:
            del self._bots[bot]
        return tuple(f"{pid} {name}" for pid, name in found.items())

    def end_all(self) -> None:
        """Kill what is left of any bot."""
        self._end_adopted(self._bots)

    def _end_adopted(self, bots: Collection[int]) -> dict[int, str]:
        """What is killed until nothing is left, or it takes too long: number and name."""
        found: dict[int, str] = {}
        end_s = time.monotonic() + _PATIENCE_S
        while True:
            with self._lock:
                self._look()
                left = {pid: name for bot in bots for pid, name in self._bots[bot].adopted.items()}
                for pid in left:
                    _kill(pid)  # before another thread waits for it, and its number is another process's
            found |= left
            if not left or time.monotonic() > end_s:
                return found
            time.sleep(0.005)

    def _look(self) -> None:
        """Find those that are new, forget those that have ended, end those that are nobody's."""
        self._looked_s = time.monotonic()
        alive = set()
        for pid in set(_children()) - self._bots.keys() - self._strangers:
            fields = read_proc(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            if not fields or (session := int(fields[3])) == self._session:
                continue
            bot = self._bot_of(pid, session)
            if fields[0] in (b"Z", b"X"):
                _wait_for(pid, bot)
                continue
            alive.add(pid)
            if bot is None:
                _kill(pid)
            elif pid not in bot.adopted:
                bot.adopted[pid] = read_proc(f"/proc/{pid}/comm").decode("utf-8", "replace").strip()
        for bot in self._bots.values():
            bot.adopted = {pid: name for pid, name in bot.adopted.items() if pid in alive}

    def _bot_of(self, pid: int, session: int) -> _Bot | None:
        for bot in self._bots.values():
            if pid in bot.adopted or not bot.seen.isdisjoint((pid, session)):
                return bot
        if session in self._bots:
            return self._bots[session]
        with suppress(OSError):
            owner = Path(f"/proc/{pid}").stat().st_uid
            return next((bot for bot in self._bots.values() if bot.user == owner), None)
        return None


@contextmanager
def adopting_orphans() -> Iterator[Orphans | None]:
    """Orphans of all that this process starts are its own while the context is open; None where that cannot be had."""
    if not (HAS_PROC and _adopt(is_wanted=True)):
        yield None
        return
    orphans = Orphans()
    try:
        yield orphans
    finally:
        orphans.end_all()
        _adopt(is_wanted=False)


def _adopt(*, is_wanted: bool) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(is_wanted), 0, 0, 0) == 0)


def _children() -> list[int]:
    """Of this process's first thread: it is that one that gets orphans."""
    own = os.getpid()
    return [int(pid) for pid in read_proc(f"/proc/{own}/task/{own}/children").split()]


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _wait_for(pid: int, bot: _Bot | None) -> None:
    with suppress(ChildProcessError):
        _, _, used = os.wait4(pid, os.WNOHANG)
        if bot is not None:
            bot.ended_ms += 1000.0 * (used.ru_utime + used.ru_stime)
