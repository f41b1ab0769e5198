"""Reads a growing table incrementally, each row once."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

from gridjoust.viewer.matches import Row


@dataclass(slots=True)
class TableTail:
    """Reads the rows that a growing table gets: after `look`, `rows` are those added since the last `look`."""

    path: Path
    rows: list[Row] = field(default_factory=list)
    _inode: int = 0
    _read: int = 0  # bytes
    _columns: list[str] = field(default_factory=list)

    def look(self) -> bool:
        """Read the new rows; return True if the table's file was replaced, so that `rows` are all of its rows."""
        self.rows = []
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return False
        is_anew = self._inode != found.st_ino or found.st_size < self._read
        if is_anew:
            self._inode, self._read, self._columns = found.st_ino, 0, []
        if found.st_size > self._read:
            self._enter()
        return is_anew

    def _enter(self) -> None:
        with self.path.open("rb") as file:
            file.seek(self._read)
            text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        lines = list(csv.reader(whole.decode().splitlines(keepends=True)))
        if not self._columns and lines:
            self._columns = lines.pop(0)
        self.rows = [dict(zip(self._columns, line, strict=False)) for line in lines]
