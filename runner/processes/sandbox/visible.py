"""The paths that every bot in a sandbox may read: programs, libraries, a few settings and Python itself."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path

from runner.config.sources import PACKAGES

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = (  # of /etc
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "ssl/certs",
    "ssl/openssl.cnf",
)
OWN_MEMORY = ("/tmp", "/dev/shm")  # noqa: S108 - what a bot in bubblewrap may write: file systems in memory, its own


def settings() -> tuple[Path, ...]:
    """Return the files and folders of /etc, whether they exist or not; Debian's Java has its own there."""
    return (*(Path("/etc", name) for name in _SETTINGS), *Path("/etc").glob("java-*-openjdk"))


def needed_paths(command: tuple[str, ...]) -> tuple[Path, ...]:
    """Return what a command needs besides the system: its program, and the Python that built-in bots run on."""
    program = Path(command[0])
    return Path(sys.prefix), Path(sys.base_prefix), program, program.resolve()


def package_paths(names: Iterable[str] = PACKAGES) -> tuple[Path, ...]:
    """Return the folders of importable packages, for bots that run in our harness. Import none of them."""
    found = (importlib.util.find_spec(name) for name in names)
    return tuple(Path(folder) for spec in found if spec for folder in spec.submodule_search_locations or ())
