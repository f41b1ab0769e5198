"""Whether a results folder was made by this user on this machine: its programs may then be started unasked.

The mark is an HMAC of the resolved tournament file, keyed with what this machine does not tell others. So a folder from
elsewhere cannot carry one that is right here, nor can one whose tournament file was changed since.
"""

from __future__ import annotations

import hmac
import json
import os
import uuid
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from runner.wire.errors import naming

TOURNAMENT = "tournament.yaml"  # in a results folder
ENVIRONMENT = "environment.json"  # beside it; has the mark
MAKER = "maker"  # its key
_MACHINE_IDS = (Path("/etc/machine-id"), Path("/proc/sys/kernel/random/boot_id"))  # the second lasts until a reboot


def make_mark(tournament: str) -> str:
    """The mark of a folder with this tournament file, made here and now."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    return hmac.new(_machine_id(), f"{user}\n{tournament}".encode(), sha256).hexdigest()


def mark_folder(results: Path, tournament: str, environment: Mapping[str, object] | None = None) -> None:
    """Write the resolved tournament file, each time whole, and `environment.json` with its mark (None: as it was)."""
    file = results / ENVIRONMENT
    facts = json.loads(file.read_text(encoding="utf-8")) if environment is None else dict(environment)
    text = json.dumps(facts | {MAKER: make_mark(tournament)}, indent=2) + "\n"
    for path, content in ((file, text), (results / TOURNAMENT, tournament)):
        part = path.with_name(f"{path.name}.part")
        with naming(path):
            part.write_text(content, encoding="utf-8")
        part.replace(path)


def is_own(results: Path) -> bool:
    """Whether this user has made the folder on this machine."""
    try:
        tournament = (results / TOURNAMENT).read_text(encoding="utf-8")
        environment = json.loads((results / ENVIRONMENT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    mark = environment.get(MAKER) if isinstance(environment, dict) else None
    return isinstance(mark, str) and hmac.compare_digest(mark.encode(), make_mark(tournament).encode())


def _machine_id() -> bytes:
    for file in _MACHINE_IDS:
        if file.is_file() and (found := file.read_bytes().strip()):
            return found
    return str(uuid.getnode()).encode()
