"""Compiles the kernels of the planners where Cython and a C compiler are at hand; without them the list code runs.

`bots/ROOM/_kernels.py` becomes `bots/ROOM/_compiled`, which carries the checksum of the source it was made from:
`bots.planners.kernels` uses no other. All else about the package stands in pyproject.toml.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).parent
FOLDER = Path("build/kernels")  # the sources with their checksums, and the C that is made from them


def marked_copy(source: Path) -> str:
    """The source with its checksum, as a file of its own."""
    text = (ROOT / source).read_bytes()
    copy = FOLDER / source
    (ROOT / copy).parent.mkdir(parents=True, exist_ok=True)
    (ROOT / copy).write_bytes(text + f"\nSOURCE = {zlib.crc32(text)}\n".encode())
    return copy.as_posix()


def extensions() -> list[Extension]:
    """One for every room of bots with kernels; none where they cannot be made."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    sources = sorted(path.relative_to(ROOT) for path in (ROOT / "bots").glob("*/_kernels.py"))
    wanted = [
        Extension(
            ".".join((*source.parent.parts, "_compiled")),
            [marked_copy(source)],
            optional=True,
            extra_compile_args=["-O2", "-g0", "-ffp-contract=off"],
        )
        for source in sources
    ]
    made: list[Extension] = cythonize(wanted, quiet=True)
    return made


setup(ext_modules=extensions())
