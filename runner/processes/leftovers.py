"""Finds and kills processes that a bot leaves behind outside its process group and tree.

Processes of a bot with a user of its own are found by the user, with certainty. Others are found by the topic in their
environment, which a process can hide; but bots of one user are not protected from each other anyway.
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
