"""Makes a private folder for a run's secrets, which is removed after the run, even if the run is killed.

Its owner holds a lock in it as long as it lives; the kernel releases the lock when the owner dies. The next run removes
the folders whose lock is free.
"""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # not Unix: folders of killed runs stay
    fcntl = None  # type: ignore[assignment]

PREFIX = "joust-"
LOCK = "owner.lock"
YOUNG_S = 60.0  # a younger folder may be about to be locked
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_LAST = Path("/tmp")  # noqa: S108 - mkdtemp makes a private folder in it


@contextmanager
def private_folder(is_suitable: Callable[[Path], bool]) -> Iterator[Path]:
    """Make a suitable private folder in the system's temporary folder, else in /tmp; remove it after the context."""
    for parent in (Path(tempfile.gettempdir()), _LAST):
        remove_orphans(parent)
        with tempfile.TemporaryDirectory(prefix=PREFIX, dir=parent, ignore_cleanup_errors=True) as name:
            if is_suitable(Path(name)) or parent == _LAST:
                with Path(name, LOCK).open("w") as lock:
                    if fcntl is not None:
                        fcntl.flock(lock, fcntl.LOCK_EX)
                    try:
                        yield Path(name)
                    finally:
                        remove_folder(Path(name))
                return


def remove_orphans(parent: Path) -> list[Path]:
    """Remove the private folders of this user whose owner is dead; return their paths."""
    orphans = [folder for folder in sorted(parent.glob(f"{PREFIX}*")) if _is_orphan(folder)]
    for folder in orphans:
        remove_folder(folder)
    return [folder for folder in orphans if not folder.exists()]


def remove_folder(folder: Path) -> None:
    """Remove a folder and its contents, at any depth and with any modes; what cannot be removed stays.

    A bot may have filled it: `shutil.rmtree` would keep a file open for each level and end in a RecursionError. Here
    inner folders are moved to the top first. Links are not followed.
    """
    with suppress(OSError):
        with _opened(str(folder)) as top:
            waiting = _remove_files(top)
            while waiting:
                name = waiting.pop()
                with suppress(OSError):
                    with _opened(name, top) as below:
                        for inner in _remove_files(below):
                            moved = secrets.token_hex(16)
                            with suppress(OSError), _opened(inner, below):  # opening it makes it movable
                                os.rename(inner, moved, src_dir_fd=below, dst_dir_fd=top)
                                waiting.append(moved)
                    os.rmdir(name, dir_fd=top)
        folder.rmdir()


@contextmanager
def _opened(name: str, above: int | None = None) -> Iterator[int]:
    """Open a folder in the folder `above`, after giving its owner all rights to it. OSError for a link."""
    handle = os.open(name, _FOLDER | getattr(os, "O_PATH", 0), dir_fd=above)
    try:
        with suppress(OSError):
            Path(f"/proc/self/fd/{handle}").chmod(stat.S_IRWXU)
        folder = os.open(".", _FOLDER, dir_fd=handle)
    finally:
        os.close(handle)
    try:
        yield folder
    finally:
        os.close(folder)


def _remove_files(folder: int) -> list[str]:
    """Remove the files in an open folder; return the names of the folders in it."""
    names = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                names.append(entry.name)
            else:
                with suppress(OSError):
                    os.unlink(entry.name, dir_fd=folder)
    return names


def _is_orphan(folder: Path) -> bool:
    try:
        status = folder.lstat()
        if fcntl is None or status.st_uid != os.geteuid() or time.time() - status.st_mtime < YOUNG_S:
            return False
        with (folder / LOCK).open("r") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # its owner lives, it is not a private folder of a run, or it has just been removed
        return False
    return True
