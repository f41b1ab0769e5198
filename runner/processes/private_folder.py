"""A folder for a run's secrets: only this user may enter it, and it goes with the run, also with one that was killed.

Its owner holds a lock in it as long as it lives; the kernel lets go of the lock when the owner dies. The next run
removes the folders whose lock is free.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # no unix: what a killed run leaves is left
    fcntl = None  # type: ignore[assignment]

PREFIX = "joust-"
LOCK = "owner.lock"
YOUNG_S = 60.0  # a folder as young as that may be about to be locked
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
                    yield Path(name)
                return


def remove_orphans(parent: Path) -> list[Path]:
    """Remove the private folders of this user whose owner is dead; which they were."""
    orphans = [folder for folder in sorted(parent.glob(f"{PREFIX}*")) if _is_orphan(folder)]
    for folder in orphans:
        shutil.rmtree(folder, ignore_errors=True)
    return [folder for folder in orphans if not folder.exists()]


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
