"""One run at a time in a results folder: a lock that ends with its process, and who holds it. Reads no results."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from gridjoust.runner.wire.errors import ConfigError

LOCK = "run.lock"  # in the results folder; stays there, for to remove it would let two runs hold one each
HOLDER = "run.holder"  # who holds the lock, for people; means nothing once the lock is free
PATIENCE_S = 0.2  # somebody may just be looking whether the lock is free


@contextmanager
def hold_folder(out: Path) -> Iterator[None]:
    """Keep every other run out of an existing folder while the context is open; ConfigError names the run in it."""
    with _locked(out):
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        (out / HOLDER).write_text(f"process {os.getpid()} on {socket.gethostname()}, since {now}", encoding="utf-8")
        try:
            yield
        finally:
            (out / HOLDER).unlink(missing_ok=True)


def require_no_run(out: Path) -> None:
    """ConfigError while a run holds the folder: its tables are being written."""
    if os.access(out / LOCK, os.W_OK):
        with _locked(out):
            pass


def empty_folder(out: Path) -> None:
    """Delete what is in a folder that this process holds."""
    for entry in out.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry.name not in (LOCK, HOLDER):
            entry.unlink()


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    try:
        lock = FileLock(out / LOCK, timeout=PATIENCE_S)
        lock.acquire()
    except Timeout:
        holder = out / HOLDER
        who = holder.read_text(encoding="utf-8") if holder.is_file() else "a process that has just begun"
        raise ConfigError(f"{out}: expected no run in this folder, got one: {who}") from None
    try:
        yield
    finally:
        lock.release()
