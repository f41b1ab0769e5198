"""Locks a results folder for one run at a time; the lock ends with its process."""

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

LOCK = "run.lock"  # in the results folder; never removed, as two runs could then hold one each
HOLDER = "run.holder"  # names the process that holds the lock, for people; without meaning once the lock is free
PATIENCE_S = 0.2  # time for another process that only tests if the lock is free


@contextmanager
def hold_folder(out: Path) -> Iterator[None]:
    """Lock an existing folder while the context is open; a ConfigError names the run that holds it already."""
    with _locked(out):
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        (out / HOLDER).write_text(f"process {os.getpid()} on {socket.gethostname()}, since {now}", encoding="utf-8")
        try:
            yield
        finally:
            (out / HOLDER).unlink(missing_ok=True)


def require_no_run(out: Path) -> None:
    """Raise a ConfigError while a run holds the folder, as its tables are being written."""
    if os.access(out / LOCK, os.W_OK):
        with _locked(out):
            pass


def empty_folder(out: Path) -> None:
    """Delete the contents of a folder that this process has locked."""
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
        who = holder.read_text(encoding="utf-8") if holder.is_file() else "a process that has just started"
        raise ConfigError(f"another run is using {out}: {who}") from None
    try:
        yield
    finally:
        lock.release()
