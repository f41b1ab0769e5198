"""A results folder may come from anybody: links in it could name files elsewhere, and a pipe is waited for without end.

So it is read only if it holds plain files and folders. The folder itself may be a link.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from runner.wire.errors import ConfigError


def require_plain(results: Path) -> None:
    """Raise a ConfigError for the first thing below a folder that is neither a plain file nor a folder."""
    for entry in _entries(results):
        if entry.is_symlink():
            raise ConfigError(f"{entry.path}: expected a plain file, got a link, which is not followed")
        if not entry.is_file() and os.path.lexists(entry.path):  # a run may have renamed it meanwhile
            raise ConfigError(f"{entry.path}: expected a plain file, got something else (a pipe, a socket, a device)")


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
