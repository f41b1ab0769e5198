"""The files that belong to a bot: what its Python file imports from beside it, and what `files` names. Runs none.

Imports are read from the text, wherever they stand in it: what a file imports by a name that it computes is not found.
A module beside the bot is the last that Python looks for, so one that is called like one of the standard library or
like our package is never meant.
"""

from __future__ import annotations

import ast
import contextlib
import glob
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.machinery import all_suffixes
from pathlib import Path

TOKENS = ".joust"  # the folder beside a tournament file that holds what its remote bots connect with
_NOT_BESIDE = sys.stdlib_module_names | {"gridjoust"}
_UNHASHED = "__pycache__"


def imported_files(file: Path) -> dict[str, Path]:
    """The modules beside a Python file that it imports, and those that they import; by their path from its folder."""
    found: dict[str, Path] = {}
    for root in dict.fromkeys((file.parent, file.resolve().parent)):  # a link's modules may lie at either end
        waiting = [file]
        while waiting:
            module = waiting.pop()
            for path in _imports(module, root):
                name = path.relative_to(root).as_posix()
                if name not in found and path != file:
                    found[name] = path
                    waiting.append(path)
    return dict(sorted(found.items()))


def named_paths(pattern: str) -> list[Path]:
    """The files and folders that an absolute entry of `files` means; none if nothing is there."""
    return [Path(found) for found in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207 - it is absolute


def absolute_pattern(pattern: str, folder: Path) -> str:
    """An entry of `files` that means the same from everywhere; only its own wildcards count."""
    return pattern if Path(pattern).is_absolute() else f"{glob.escape(str(folder.absolute()))}/{pattern}"


def tokens_in(path: Path, folder: Path) -> Path | None:
    """Tokens that a bot would see with this path, or None: another folder's, or those of `folder`, there or not."""
    real = path.resolve()
    if folder.resolve().is_relative_to(real):
        return folder / TOKENS
    if TOKENS in real.parts:
        return path
    return next(real.rglob(TOKENS), None) if real.is_dir() else None


def named_files(patterns: Sequence[str]) -> dict[str, Path]:
    """Every file that `files` names, those in folders too; by the entry's number and their path from what it means."""
    files: dict[str, Path] = {}
    for number, pattern in enumerate(patterns):
        for path in named_paths(pattern):
            inside = sorted(path.rglob("*")) if path.is_dir() else [path]
            for file in inside:
                if file.is_file() and _UNHASHED not in file.parts:
                    files[f"{number}:{file.relative_to(path.parent).as_posix()}"] = file
    return files


def _imports(module: Path, root: Path) -> Iterator[Path]:
    """Files below `root` that a module's import statements name, packages on the way included."""
    if module.suffix != ".py":
        return
    try:
        status = module.stat()
        statements = _import_statements(module, status.st_mtime_ns, status.st_size)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # what Python says of it comes later
        return
    for node in statements:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _found(root, alias.name.split("."))
        else:
            with contextlib.suppress(ValueError):  # it climbs above the folder
                package = _package(module, root, node)
                for alias in node.names:
                    yield from _found(root, [*package, alias.name], is_relative=node.level > 0)


@lru_cache(maxsize=1024)
def _import_statements(module: Path, changed_ns: int, size: int) -> tuple[ast.Import | ast.ImportFrom, ...]:  # noqa: ARG001
    """Return the import statements of a module; it is parsed once for each time of change and size.

    A bot's files are asked for several times at each start of it. OSError, or what Python says of its text.
    """
    tree = ast.parse(module.read_bytes())
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def _package(module: Path, root: Path, node: ast.ImportFrom) -> list[str]:
    """Names of the package from which something is imported, from the folder on; ValueError if it is not below it."""
    above = module.parents[node.level - 1].relative_to(root).parts if node.level else ()
    return [*above, *(node.module or "").split(".")] if node.module else [*above]


def _found(root: Path, names: Sequence[str], *, is_relative: bool = False) -> Iterator[Path]:
    if not is_relative and names[0] in _NOT_BESIDE:
        return
    place = root
    for name in names:
        candidates = [place / name / "__init__.py", *(place / f"{name}{suffix}" for suffix in all_suffixes())]
        yield from (path for path in candidates if path.is_file())
        place = place / name
