"""Writes a table's file, and counts and hashes its bytes."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, BinaryIO

from gridjoust.runner.results.tables.kept import KeptTables, new_digest
from gridjoust.runner.wire.errors import naming

_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # no name, no time: equal tables are equal files
_AT_ONCE = 1 << 20  # bytes


class Output:
    """A file that replaces an earlier one once it has its first bytes, or the kept part of the earlier one."""

    def __init__(self, path: Path, first: bytes, *, name: str, kept: KeptTables | None = None) -> None:
        self._path = path
        self._digest: Any = new_digest() if kept is None else kept.digests[name]
        self.size = 0 if kept is None else kept.seal.tables[name].size
        part = path.with_name(f"{path.name}.part")
        self._file: BinaryIO = part.open("wb")
        if kept is None:
            self.write(first)
        else:
            with path.open("rb") as old:
                _copy(old, self._file, self.size)
            self._file.flush()
        part.replace(path)

    def write(self, data: bytes) -> None:
        """Write data in one call: if the process is killed, the file has all of it or nothing."""
        with naming(self._path):
            self._file.write(data)
            self._file.flush()
        self._digest.update(data)
        self.size += len(data)

    @property
    def digest(self) -> str:
        """The hash of everything written so far, in hex."""
        return str(self._digest.hexdigest())

    def close(self) -> None:
        """Close the file."""
        with naming(self._path):
            self._file.close()


class PackedOutput(Output):
    """An output compressed with gzip; readers can see every write at once."""

    def __init__(self, path: Path, first: bytes, *, name: str, level: int, kept: KeptTables | None = None) -> None:
        self._deflate = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
        self.crc, self.unpacked = (0, 0) if kept is None else (kept.seal.crc, kept.seal.unpacked)
        super().__init__(path, _GZIP_HEADER, name=name, kept=kept)
        if kept is None:
            self.add(first)

    def add(self, data: bytes) -> None:
        """Compress the data and write it."""
        self.crc, self.unpacked = zlib.crc32(data, self.crc), self.unpacked + len(data)
        self.write(self._deflate.compress(data) + self._deflate.flush(zlib.Z_SYNC_FLUSH))

    def close(self) -> None:
        """Write the gzip trailer and close the file."""
        ends = (self.crc.to_bytes(4, "little"), (self.unpacked % 2**32).to_bytes(4, "little"))
        try:
            self.write(b"".join((self._deflate.flush(), *ends)))
        finally:
            super().close()


def _copy(old: BinaryIO, new: BinaryIO, size: int) -> None:
    while size and (data := old.read(min(size, _AT_ONCE))):
        new.write(data)
        size -= len(data)
