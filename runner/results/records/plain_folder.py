"""A results folder may come from anybody: links in it could name files elsewhere, and a pipe is waited for without end.

So it is read only if it holds plain files and folders. The folder itself may be a link.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gridjoust.runner.wire.errors import ConfigError

MOST_BYTES = 64 << 20
_SMALL = (
    ".json",
    ".yaml",
    ".seal",
    ".txt",
    ".log",
    ".html",
)  # files that are read as a whole; a file of holes is large


def require_plain(results: Path) -> None:
    """Raise a ConfigError for the first thing below a folder that is no plain file of usual size, and no folder."""
    for entry in _entries(results):
        if entry.name.endswith(_SMALL) and _size_of(entry) > MOST_BYTES:
            raise ConfigError(f"{entry.path}: expected at most {MOST_BYTES} bytes, got {_size_of(entry)}")
        if entry.is_symlink():
            raise ConfigError(f"{entry.path}: expected a plain file, got a link, which is not followed")
        if not entry.is_file() and os.path.lexists(entry.path):  # a run may have renamed it meanwhile
            raise ConfigError(f"{entry.path}: expected a plain file, got something else (a pipe, a socket, a device)")


def _size_of(entry: os.DirEntry[str]) -> int:
    """Return a file's size, 0 for one that has gone meanwhile."""
    try:
        return entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:
        return 0


def is_plain(path: Path) -> bool:
    """Return True if there is a plain file, and no link, at a path that a server opens again and again."""
    return path.is_file() and not path.is_symlink() and not path.parent.is_symlink()


def _entries(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """Yield everything below a folder but the plain folders."""
    with suppress(FileNotFoundError), os.scandir(folder) as found:  # the same of a folder
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path)
            else:
                yield entry
