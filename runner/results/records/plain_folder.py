"""Checks that a results folder from anybody contains only plain files and folders. The folder itself may be a link.

A link in it could point to files elsewhere, and reading a pipe could wait without end.
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
)  # files that are read as a whole, so their size is limited; a sparse file can claim any size


def require_plain(results: Path) -> None:
    """Raise a ConfigError for the first thing in a folder that is not a folder or a plain file of usual size."""
    for entry in _entries(results):
        if entry.name.endswith(_SMALL) and _size_of(entry) > MOST_BYTES:
            raise ConfigError(f"{entry.path}: expected at most {MOST_BYTES} bytes, got {_size_of(entry)}")
        if entry.is_symlink():
            raise ConfigError(f"{entry.path}: expected a plain file, got a link, which is not followed")
        if not entry.is_file() and os.path.lexists(entry.path):  # a run may have renamed it meanwhile
            raise ConfigError(f"{entry.path}: expected a plain file, got something else (a pipe, a socket, a device)")


def _size_of(entry: os.DirEntry[str]) -> int:
    """Return a file's size in bytes, 0 if it has been deleted meanwhile."""
    try:
        return entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:
        return 0


def is_plain(path: Path) -> bool:
    """Return True if a path that a server opens often is a plain file, with no link in it or its folder."""
    return path.is_file() and not path.is_symlink() and not path.parent.is_symlink()


def _entries(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    """Yield everything in a folder, at any depth, except plain folders."""
    with suppress(FileNotFoundError), os.scandir(folder) as entries:  # the folder may be deleted meanwhile
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path)
            else:
                yield entry
