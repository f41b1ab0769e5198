"""Sandboxes for bots: bubblewrap if it works, else the built-in one with Landlock and seccomp; what all bots may read.

Every bot in a sandbox may read programs, libraries, a few settings and Python itself.
"""

from __future__ import annotations

import sys
from enum import Enum
from functools import cache
from pathlib import Path


class Sandbox(Enum):
    """The kinds of sandboxes."""

    BUBBLEWRAP = "bubblewrap"
    BUILT_IN = "built-in sandbox"


SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = (  # in /etc
    "alternatives",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "ssl/certs",
    "ssl/openssl.cnf",
)
OWN_MEMORY = ("/tmp", "/dev/shm")  # noqa: S108 - private file systems in memory that a bot in bubblewrap may write


def settings() -> tuple[Path, ...]:
    """Return the files and folders of /etc that bots may read, even if missing; Debian's Java has its own there."""
    return (*(Path("/etc", name) for name in _SETTINGS), *Path("/etc").glob("java-*-openjdk"))


def needed_paths(command: tuple[str, ...], *, folder: Path) -> tuple[Path, ...]:
    """Return the paths that a command needs besides the system: its program, and Python for the harness.

    The program's installation folder is included, unless the bots' folder is inside it: other bots would be readable.
    """
    program = Path(command[0])
    files = (program, program.resolve())
    start = folder.resolve()
    installed = (
        place for file in files if (place := _installation(file)) and not start.is_relative_to(place.resolve())
    )
    return (Path(sys.prefix), Path(sys.base_prefix), *files, *installed)


def _installation(program: Path) -> Path | None:
    """Return the installation folder of a program, for example with a language's library; None if there is none.

    It is a version manager's folder (pyenv, asdf: the program is in `shims`), a virtual environment, or a folder with
    `lib` beside the program's `bin`; never a home folder or its `.local`, which contain other things.
    """
    place = program.parent.parent
    home = Path.home()
    if place in (Path("/"), home, home / ".local"):
        return None
    if program.parent.name == "shims" or (place / "pyvenv.cfg").is_file():
        return place
    return place if program.parent.name == "bin" and (place / "lib").is_dir() else None


@cache
def package_paths() -> tuple[Path, ...]:
    """Return the folders of this package, for bots in the harness; in a checkout some of its parts are links."""
    package = Path(__file__).parents[3]
    return (package, *(part.resolve() for part in sorted(package.iterdir()) if part.is_symlink()))
