"""Compiles the kernels of the planners where Cython and a C compiler are at hand; without them the list code runs.

The files of `bots/ROOM/_kernels` and what they import of other rooms' kernels become `bots/ROOM/_compiled`, one module
that carries the checksums of its sources: `gridjoust.bots.planners.kernels` uses no other. All else about the package
stands in pyproject.toml.
"""

from __future__ import annotations

import ast
import os
import shlex
import shutil
import sysconfig
import zlib
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).parent
BOTS = Path("gridjoust/bots")  # in a checkout a link
FOLDER = Path("build/kernels")  # the joined sources, and the C that is made from them
DIRECTIVES = {
    "language_level": 3,
    "infer_types": True,
    "cdivision": True,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
}


def collect(module: str, parts: dict[str, str]) -> None:
    """Add a file of kernels after all that it imports of others, without these imports."""
    path = f"{module.replace('.', '/')}.py"
    if path in parts:
        return
    text = (ROOT / path).read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and "._kernels." in str(node.module):
            collect(str(node.module), parts)
            last = node.end_lineno or node.lineno
            lines[node.lineno - 1 : last] = [""] * (last - node.lineno + 1)
    parts[path] = "\n".join(lines)


def join(room: str) -> str:
    """Write the kernels of a room and their checksums into one file, unless it holds them already; return its path.

    pip runs this program three times for one installation.
    """
    parts: dict[str, str] = {}
    for source in sorted((ROOT / BOTS / room / "_kernels").glob("[!_]*.py")):
        collect(f"gridjoust.bots.{room}._kernels.{source.stem}", parts)
    sources = {path: zlib.crc32((ROOT / path).read_bytes()) for path in parts}
    made = FOLDER / f"{room}.py"
    text = "\n\n".join((*parts.values(), f"SOURCES = {sources}\n"))
    if not (ROOT / made).is_file() or (ROOT / made).read_text(encoding="utf-8") != text:
        (ROOT / FOLDER).mkdir(parents=True, exist_ok=True)
        (ROOT / made).write_text(text, encoding="utf-8")  # a new time, after which Cython makes the C anew
    return made.as_posix()


def has_compiler() -> bool:
    """Return False if the C compiler that extensions of this Python are made with is not on the PATH."""
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "")  # Windows names none
    return not command or shutil.which(command[0]) is not None


def extensions() -> list[Extension]:
    """Return an extension for every room of bots with kernels; none if they cannot be made."""
    if not has_compiler():
        return []  # the C alone takes Cython some seconds
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    rooms = sorted(folder.parent.name for folder in (ROOT / BOTS).glob("*/_kernels"))
    flags = ["-O3", "-g0", "-ffp-contract=off"]
    wanted = [Extension(f"gridjoust.bots.{room}._compiled", [join(room)], extra_compile_args=flags) for room in rooms]
    made: list[Extension] = cythonize(wanted, quiet=True, compiler_directives=DIRECTIVES)
    for extension in made:
        extension.optional = True  # without a C compiler the list code runs; `cythonize` keeps no such mark of ours
    return made


setup(ext_modules=extensions(), options={"build_ext": {"parallel": True}})
