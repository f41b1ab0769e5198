"""A folder for a run's secrets: only this user may enter it, and it goes with the run, also with one that was killed.

Its owner holds a lock in it as long as it lives; the kernel lets go of the lock when the owner dies. The next run
removes the folders whose lock is free.
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
except ImportError:  # no unix: what a killed run leaves is left
    fcntl = None  # type: ignore[assignment]

PREFIX = "joust-"
LOCK = "owner.lock"
YOUNG_S = 60.0  # a folder as young as that may be about to be locked
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_LAST = Path("/tmp")  # noqa: S108 - mkdtemp makes a private folder in it


@contextmanager
def private_folder(is_suitable: Callable[[Path], bool]) -> Iterator[Path]:
    """A suitable folder in the system's place for temporary files, else one in /tmp; removed when the context ends."""
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
    """Remove the private folders of this user whose owner is dead; which they were."""
    orphans = [folder for folder in sorted(parent.glob(f"{PREFIX}*")) if _is_orphan(folder)]
    for folder in orphans:
        remove_folder(folder)
    return [folder for folder in orphans if not folder.exists()]


def remove_folder(folder: Path) -> None:
    """Remove a folder and all that is in it, however deep and whatever its modes; what cannot be removed stays.

    A bot may have filled it: `shutil.rmtree` would hold a file open for each level, and end in a RecursionError. Here
    folders further down are moved to the top first. No link is followed.
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
                            with suppress(OSError), _opened(inner, below):  # which lets it be moved
                                os.rename(inner, moved, src_dir_fd=below, dst_dir_fd=top)
                                waiting.append(moved)
                    os.rmdir(name, dir_fd=top)
        folder.rmdir()


@contextmanager
def _opened(name: str, above: int | None = None) -> Iterator[int]:
    """Open a folder in the folder `above`, and let its owner list and change it first. OSError for a link."""
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
    """Remove what is in an open folder but for folders; return the names of these."""
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
    except OSError:  # somebody holds it, it is none of ours, or it has just gone
        return False
    return True
