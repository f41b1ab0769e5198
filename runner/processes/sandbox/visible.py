"""The paths that every bot in a sandbox may read: programs, libraries, a few settings and Python itself."""

from __future__ import annotations

import sys
from pathlib import Path

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


def needed_paths(command: tuple[str, ...], *, folder: Path) -> tuple[Path, ...]:
    """Return what a command needs besides the system: its program, and the Python that built-in bots run on.

    What is installed with the program is among it, unless the bots' folder lies in there: rivals would be readable too.
    """
    program = Path(command[0])
    files = (program, program.resolve())
    start = folder.resolve()
    installed = (
        place for file in files if (place := _installation(file)) and not start.is_relative_to(place.resolve())
    )
    return (Path(sys.prefix), Path(sys.base_prefix), *files, *installed)


def _installation(program: Path) -> Path | None:
    """Return the folder of what is installed with a program, such as a language's library; None if there is none.

    It is a version manager's (pyenv, asdf: the program lies in `shims`), a virtual environment, or a folder with `lib`
    beside the program's `bin`; never a home folder or its `.local`, which hold more.
    """
    place = program.parent.parent
    home = Path.home()
    if place in (Path("/"), home, home / ".local"):
        return None
    if program.parent.name == "shims" or (place / "pyvenv.cfg").is_file():
        return place
    return place if program.parent.name == "bin" and (place / "lib").is_dir() else None


def package_paths() -> tuple[Path, ...]:
    """Return the folders of our package, for bots in our harness; in a checkout some of its parts are links."""
    package = Path(__file__).parents[3]
    return (package, *(part.resolve() for part in sorted(package.iterdir()) if part.is_symlink()))
