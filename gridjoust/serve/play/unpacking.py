"""Unpacks an upload: a zip or tar archive, or a single file. Knows only the standard library, to start in a sandbox.

    python -m gridjoust.serve.play.unpacking UPLOAD FOLDER FILENAME

It counts the bytes that come out, as sizes in headers may be wrong. It writes regular files only, and refuses links,
absolute names and `..`. The last line that it prints says what was unpacked, or why nothing was (exit code 1).
"""

from __future__ import annotations

import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

MEGA = 1_000_000
MOST_PACKED = 20 * MEGA
MOST_UNPACKED = 100 * MEGA
MOST_ENTRY = 50 * MEGA
MOST_SOURCE = 2 * MEGA  # of a Python file, which the runner parses
MOST_FILES = 1_000
MOST_RATIO = 200  # bytes out of one byte in, beyond the first megabyte
MOST_NAME, MOST_DEPTH = 200, 16
_CHUNK = 1 << 16
_LITTER = ("__MACOSX", ".DS_Store", "__pycache__", ".git")


class UnpackError(Exception):
    """An upload that is refused; the text says why."""


@dataclass(slots=True)
class Counts:
    """The number and the sizes of the files written so far, with their limits."""

    packed: int  # bytes of the upload
    files: int = 0
    written: int = 0
    names: set[str] = field(default_factory=set)

    def begin(self, name: PurePosixPath) -> None:
        """Count a file; UnpackError if it is one too many, or a second one of its name."""
        self.files += 1
        if self.files > MOST_FILES:
            raise UnpackError(f"more than {MOST_FILES:,} files")
        if (key := str(name).casefold()) in self.names:
            raise UnpackError(f"two files named {name}")
        self.names.add(key)

    def add(self, name: PurePosixPath, size: int, chunk: int) -> None:
        """Count `chunk` more bytes of a file that now has `size` bytes; UnpackError if a limit is exceeded."""
        self.written += chunk
        most = MOST_SOURCE if name.suffix == ".py" else MOST_ENTRY
        if size > most:
            raise UnpackError(f"{name} is larger than {most // MEGA} MB")
        if self.written > MOST_UNPACKED:
            raise UnpackError(f"more than {MOST_UNPACKED // MEGA} MB when unpacked")
        if self.written > MEGA + MOST_RATIO * self.packed:
            raise UnpackError(f"more than {MOST_RATIO} times its size when unpacked")


def unpack(upload: Path, out: Path, *, filename: str) -> Counts:
    """Unpack an upload into a folder; a single folder in an archive is left out of the names. UnpackError says why not.

    `filename`: the upload's own name, which a single file gets.
    """
    counts = Counts(upload.stat().st_size)
    if counts.packed > MOST_PACKED:
        raise UnpackError(f"larger than {MOST_PACKED // MEGA} MB")
    if counts.packed == 0:
        raise UnpackError("an empty file")
    with _opened(upload) as archive:
        if archive is None:
            with upload.open("rb") as source:
                _write(source, out, _checked(PurePosixPath(filename).name or "bot.py"), counts)
            return counts
        for name, open_it in archive:
            with open_it() as source:
                _write(source, out, name, counts)
    if not counts.files:
        raise UnpackError("an archive without files")
    _lift(out)
    return counts


_Entry = tuple[PurePosixPath, Callable[[], IO[bytes]]]  # its name, its content


@contextmanager
def _opened(upload: Path) -> Iterator[Iterator[_Entry] | None]:
    """Yield the files of an archive in order; None if the upload is no archive."""
    try:
        if zipfile.is_zipfile(upload):
            with zipfile.ZipFile(upload) as packed:
                yield _of_zip(packed)
        elif tarfile.is_tarfile(upload):
            with tarfile.open(upload, mode="r:*") as taped:
                yield _of_tar(taped)
        else:
            yield None
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UnpackError(f"a damaged or locked archive ({error})") from None


def _of_zip(packed: zipfile.ZipFile) -> Iterator[_Entry]:
    for info in packed.infolist():
        mode = info.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise UnpackError(f"{info.filename} is a link or a device")
        name = _checked(info.filename)
        if not info.is_dir() and not _is_litter(name):
            yield name, lambda info=info: packed.open(info)  # type: ignore[misc]


def _of_tar(taped: tarfile.TarFile) -> Iterator[_Entry]:
    for info in taped:
        if not info.isreg() and not info.isdir():
            raise UnpackError(f"{info.name} is a link or a device")
        name = _checked(info.name)
        if info.isreg() and not _is_litter(name):
            source = taped.extractfile(info)
            assert source is not None
            yield name, lambda source=source: source  # type: ignore[misc]


def _checked(text: str) -> PurePosixPath:
    """Return a relative path of an archive; UnpackError for any other name."""
    name = PurePosixPath(text)
    bad = name.is_absolute() or ".." in name.parts or any(sign in text for sign in ("\\", "\0", ":", "\n"))
    if bad or len(text) > MOST_NAME or len(name.parts) > MOST_DEPTH:
        raise UnpackError(f"a file name that is not allowed: {text[:MOST_NAME]!r}")
    return name


def _is_litter(name: PurePosixPath) -> bool:
    return any(part in _LITTER for part in name.parts)


def _write(source: IO[bytes], out: Path, name: PurePosixPath, counts: Counts) -> None:
    counts.begin(name)
    place, size = out / name, 0
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as target:
            while chunk := source.read(_CHUNK):
                size += len(chunk)
                counts.add(name, size, len(chunk))
                target.write(chunk)
    except (FileExistsError, NotADirectoryError):
        raise UnpackError(f"two entries named {name}") from None


def _lift(out: Path) -> None:
    """Move the content of a folder up into `out`, if that folder is the only thing in `out`."""
    top = [*out.iterdir()]
    if len(top) != 1 or not top[0].is_dir():
        return
    [folder] = top
    apart = folder.rename(out / f"{folder.name}.lifted-{len(folder.name)}")
    for entry in [*apart.iterdir()]:
        entry.rename(out / entry.name)
    apart.rmdir()


def _main(words: list[str]) -> int:
    upload, out, filename = words
    try:
        counts = unpack(Path(upload), Path(out), filename=filename)
    except UnpackError as error:
        sys.stdout.write(f"{str(error).encode('ascii', 'backslashreplace').decode()}\n")
        return 1
    files = "1 file" if counts.files == 1 else f"{counts.files} files"
    sys.stdout.write(f"{files}, {counts.written / MEGA:.2f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
