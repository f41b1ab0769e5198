"""Adopts orphans of bots, descendants whose parent has ended, as children of the runner. Linux only.

A process can become the parent of all its descendants' orphans (prctl(2), PR_SET_CHILD_SUBREAPER). Only a program that
owns its whole process may do so. Then a child outside the runner's session is an orphan, unless it was started through
this module or existed before, as a bot cannot enter the runner's session. It belongs to the bot whose session it is in,
whose tree it was seen in, or whose user it runs as, and is counted and ended with that bot. An orphan without such a
bot is ended at once; its environment proves nothing, as it may name a rival. Each orphan is waited for by its number,
so that no other child's exit status is lost.
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

OLD_S = 0.1  # a search for one bot serves the others for this long
_PATIENCE_S = 1.0  # limit for killed processes to end
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(slots=True)
class _Bot:
    """The facts by which processes that a bot left behind are recognized."""

    user: int | None  # the bot's own user id, if it has one
    tree: frozenset[int] = frozenset()  # its processes at the last sample
    seen: frozenset[int] = frozenset()  # the same, and those of the samples since the last search for orphans
    adopted: dict[int, str] = field(default_factory=dict)  # its living orphans, and their names
    ended_ms: float = 0.0  # CPU time of its orphans that have ended


class Orphans:
    """The processes that bots of this process have left behind (their parent has ended). May be used in any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bots: dict[int, _Bot] = {}
        self._session = os.getsid(0)
        self._strangers = frozenset(_children())
        self._looked_s = -1.0

    def start(self, begin: Callable[[], subprocess.Popen[bytes]], *, user: int | None) -> subprocess.Popen[bytes]:
        """Start a bot's own process by `begin` so that no search takes it for an orphan."""
        with self._lock:
            child = begin()
            self._bots[child.pid] = _Bot(user)
            return child

    def of(self, bot: int) -> tuple[int, ...]:
        """Return the living orphans of the bot with this process number."""
        with self._lock:
            if time.monotonic() - self._looked_s > OLD_S:
                self._look()
            return tuple(self._bots[bot].adopted) if bot in self._bots else ()

    def keep(self, bot: int, tree: Sequence[int]) -> None:
        """Note the processes of the bot's tree."""
        with self._lock:
            if bot in self._bots:
                noted = self._bots[bot]
                noted.tree = frozenset(tree)
                noted.seen |= noted.tree

    def ended_ms(self, bot: int) -> float:
        """Return the CPU time in ms of the bot's orphans that have ended."""
        with self._lock:
            return self._bots[bot].ended_ms if bot in self._bots else 0.0

    def end(self, bot: int) -> tuple[str, ...]:
        """Kill the orphans of a bot that has ended; return number and name of each. Call it in a thread."""
        killed = self._end_adopted([bot])
        with self._lock:
            del self._bots[bot]
        return tuple(f"{pid} {name}" for pid, name in killed.items())

    def end_all(self) -> None:
        """Kill the orphans of all bots."""
        self._end_adopted(self._bots)

    def _end_adopted(self, bots: Collection[int]) -> dict[int, str]:
        """Kill orphans of the bots until none is left or the time is over; return number and name of each."""
        killed: dict[int, str] = {}
        end_s = time.monotonic() + _PATIENCE_S
        while True:
            with self._lock:
                self._look()
                left = {pid: name for bot in bots for pid, name in self._bots[bot].adopted.items()}
                for pid in left:
                    _kill(pid)  # under the lock: once another thread has waited for it, its number may be reused
            killed |= left
            if not left or time.monotonic() > end_s:
                return killed
            time.sleep(0.005)

    def _look(self) -> None:
        """Find new orphans, forget ended ones, and kill those that belong to no bot."""
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
            bot.seen = bot.tree

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
    """Become the subreaper of all descendants while the context is open; yield None if unsupported."""
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
    """Return the child processes of this process's first thread; the kernel makes orphans children of that thread."""
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
