"""Chooses the code of the planners: kernels compiled from `_kernels` folders if they are built, else pure Python.

Both find the same plans with the same counts; JOUST_PURE=1 selects pure Python. A compiled module is used only if it
carries the checksums of the sources beside it, so that one built from older sources never runs.
"""

from __future__ import annotations

import os
import zlib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

COMPILED, PURE = "compiled", "pure Python"
SWITCH = "JOUST_PURE"
ROOMS = ("bomber", "placement", "planners", "ricochet")  # folders of bots with kernels
ROOT = Path(__file__).parents[3]


def is_pure_wanted() -> bool:
    """Return True if the environment asks for pure Python."""
    return os.environ.get(SWITCH, "") not in ("", "0")


def compiled_kernels(room: str) -> Any:
    """Return the compiled module of this folder of bots; None if it is missing, stale or not wanted."""
    if is_pure_wanted():
        return None
    try:
        module = import_module(f"gridjoust.bots.{room}._compiled")
    except ImportError:
        return None
    return module if is_fresh(module, ROOT, room) else None


def is_fresh(module: ModuleType, root: Path, room: str) -> bool:
    """Return True if the module was made from all sources of that folder as they are now."""
    made_from: dict[str, int] = getattr(module, "SOURCES", {})
    folder = f"gridjoust/bots/{room}/_kernels"
    here = {f"{folder}/{path.name}" for path in (root / folder).glob("[!_]*.py")}
    return here <= made_from.keys() and all(
        (root / path).is_file() and zlib.crc32((root / path).read_bytes()) == checksum
        for path, checksum in made_from.items()
    )


def describe_kernels() -> str:
    """Say which code runs and, if it is the slower one, why."""
    if is_pure_wanted():
        return f"{PURE} ({SWITCH} is set)"
    missing = [f"bots/{room}/_compiled" for room in ROOMS if compiled_kernels(room) is None]
    return f"{PURE} (not built from this source: {', '.join(missing)})" if missing else COMPILED


active: Any = compiled_kernels("planners")
