"""A results folder as a whole: one run at a time may use it, and it says which user and machine have made it.

A folder is locked for one run; the lock ends with its process. It describes machine and software for people who repeat
its tournament. Programs of folders with a valid mark may be started without asking. The mark is an HMAC of the resolved
tournament file, keyed with a secret of this machine. So a folder from elsewhere cannot have a mark that is valid here,
and neither can a folder whose tournament file was changed.
"""

from __future__ import annotations

import hmac
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from filelock import FileLock, Timeout

from gridjoust.runner import __version__
from gridjoust.runner.wire.errors import ConfigError, naming
from gridjoust.runner.wire.protocol import PROTOCOL

TOURNAMENT = "tournament.yaml"  # in a results folder
ENVIRONMENT = "environment.json"  # beside it; contains the mark
MAKER = "maker"  # the mark's key in that file
ISOLATION = "isolation"  # another key in that file: how bots are isolated
_MACHINE_IDS = (Path("/etc/machine-id"), Path("/proc/sys/kernel/random/boot_id"))  # the second lasts until a reboot


def make_mark(tournament: str) -> str:
    """Return the mark that a folder with this tournament file gets from this user on this machine."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    return hmac.new(_machine_id(), f"{user}\n{tournament}".encode(), sha256).hexdigest()


def mark_folder(results: Path, tournament: str, environment: Mapping[str, object] | None = None) -> None:
    """Write the resolved tournament file and `environment.json` with its mark, each atomically.

    Without an `environment` the facts in the file are kept. The isolation of earlier runs is always kept.
    """
    file = results / ENVIRONMENT
    before = json.loads(file.read_text(encoding="utf-8")) if environment is None or file.is_file() else {}
    kept = {ISOLATION: before[ISOLATION]} if ISOLATION in before else {}
    facts = before if environment is None else {**environment, **kept}
    text = json.dumps(facts | {MAKER: make_mark(tournament)}, indent=2) + "\n"
    for path, content in ((file, text), (results / TOURNAMENT, tournament)):
        _write_whole(path, content)


def note_isolation(results: Path, title: str) -> None:
    """Add this run's isolation of bots to `environment.json`, after those of earlier runs.

    A folder without the file belongs to no tournament and is left alone.
    """
    file = results / ENVIRONMENT
    if not file.is_file():
        return
    facts = json.loads(file.read_text(encoding="utf-8"))
    known = [name for name in str(facts.get(ISOLATION, "")).split(", ") if name]
    facts[ISOLATION] = ", ".join(dict.fromkeys([*known, title]))
    _write_whole(file, json.dumps(facts, indent=2) + "\n")


def is_own(results: Path) -> bool:
    """Return True if this user has made the folder on this machine."""
    try:
        tournament = (results / TOURNAMENT).read_text(encoding="utf-8")
        environment = json.loads((results / ENVIRONMENT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    mark = environment.get(MAKER) if isinstance(environment, dict) else None
    return isinstance(mark, str) and hmac.compare_digest(mark.encode(), make_mark(tournament).encode())


def _write_whole(path: Path, content: str) -> None:
    part = path.with_name(f"{path.name}.part")
    with naming(path):
        part.write_text(content, encoding="utf-8")
    part.replace(path)


def _machine_id() -> bytes:
    for file in _MACHINE_IDS:
        if file.is_file() and (machine_id := file.read_bytes().strip()):
            return machine_id
    return str(uuid.getnode()).encode()


PACKAGES = ("aiomqtt", "paho-mqtt", "amqtt", "Jinja2", "msgspec", "numpy", "pandas", "psutil", "PyYAML")


def describe_environment() -> dict[str, object]:
    """Return versions and machine as plain values, for `environment.json`."""
    return {
        "gridjoust": __version__,
        "protocol": PROTOCOL,
        "python": sys.version.split()[0],
        "implementation": platform.python_implementation(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "packages": {name: _package_version(name) for name in PACKAGES},
        "mosquitto": _mosquitto_version(),
    }


def _package_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _mosquitto_version() -> str | None:
    if (path := shutil.which("mosquitto")) is None:
        return None
    printed = subprocess.run([path, "-h"], capture_output=True, text=True, check=False, timeout=10).stdout
    return printed.splitlines()[0].strip() if printed else None


LOCK = "run.lock"  # in the results folder; never removed, as two runs could then hold one each
HOLDER = "run.holder"  # names the process that holds the lock, for people; without meaning once the lock is free
PATIENCE_S = 0.2  # time for another process that only tests if the lock is free


@contextmanager
def hold_folder(out: Path, *, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Lock an existing folder while the context is open; a ConfigError names the run that still holds it after a while.

    `patience_s`: how long another process may hold it before this one gives up.
    """
    with _locked(out, patience_s):
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        (out / HOLDER).write_text(f"process {os.getpid()} on {socket.gethostname()}, since {now}", encoding="utf-8")
        try:
            yield
        finally:
            (out / HOLDER).unlink(missing_ok=True)


def require_no_run(out: Path) -> None:
    """Raise a ConfigError while a run holds the folder, as its tables are being written."""
    if os.access(out / LOCK, os.W_OK):
        with _locked(out, PATIENCE_S):
            pass


def empty_folder(out: Path) -> None:
    """Delete the contents of a folder that this process has locked."""
    for entry in out.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry.name not in (LOCK, HOLDER):
            entry.unlink()


@contextmanager
def _locked(out: Path, patience_s: float) -> Iterator[None]:
    try:
        lock = FileLock(out / LOCK, timeout=patience_s)
        lock.acquire()
    except Timeout:
        holder = out / HOLDER
        who = holder.read_text(encoding="utf-8") if holder.is_file() else "a process that has just started"
        raise ConfigError(f"another run is using {out}: {who}") from None
    try:
        yield
    finally:
        lock.release()
