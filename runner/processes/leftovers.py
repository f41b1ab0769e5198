"""What a bot leaves behind outside its process group and tree: found by what it was started with, and killed.

A bot with a user of its own is known by it, whatever it does. Others are known by the topic in their environment,
which a process can hide: among bots of one user nothing is safe from each other anyway.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from gridjoust.runner.processes.users import end_user

TOPIC = "JOUST_TOPIC"
_ROUNDS = 5  # what is born while we look is found by the next one


def end_leftovers(*, user: int | None, topic: str) -> tuple[str, ...]:
    """Kill what is left of a bot that has ended; number and name of each process that the topic has led to.

    Takes milliseconds: meant for a thread.
    """
    if user is not None:
        end_user(user)
        return ()
    found: dict[int, str] = {}
    for _ in range(_ROUNDS):
        if not (pids := list(_with_topic(topic))):
            break
        for pid in pids:
            with contextlib.suppress(OSError):
                found.setdefault(pid, f"{pid} {Path(f'/proc/{pid}/comm').read_text(encoding='utf-8').strip()}")
                os.kill(pid, signal.SIGKILL)
    return tuple(found.values())


def _with_topic(topic: str) -> Iterator[int]:
    if not sys.platform.startswith("linux"):
        return
    wanted = f"{TOPIC}={topic}".encode()
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):  # somebody else's, or it has just ended
                if wanted in Path(entry.path, "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)
