"""Finds the files that belong to a bot: modules that its Python file imports from beside it, and those in `files`.

Import statements are read from the text, anywhere in it; an import by a computed name is not found. Python searches the
bot's folder last, so a module there with the name of a standard module or of our package is never imported.
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

TOKENS = ".joust"  # the folder beside a tournament file with the tokens of its remote bots
_NOT_BESIDE = sys.stdlib_module_names | {"gridjoust"}
_UNHASHED = "__pycache__"


def imported_files(file: Path) -> dict[str, Path]:
    """Return the modules beside a Python file that it imports, directly or not, by their path from its folder."""
    modules: dict[str, Path] = {}
    for root in dict.fromkeys((file.parent, file.resolve().parent)):  # a link's modules may be at either end
        waiting = [file]
        while waiting:
            module = waiting.pop()
            for path in _imports(module, root):
                name = path.relative_to(root).as_posix()
                if name not in modules and path != file:
                    modules[name] = path
                    waiting.append(path)
    return dict(sorted(modules.items()))


def named_paths(pattern: str) -> list[Path]:
    """Return the existing files and folders that an absolute entry of `files` matches."""
    return [Path(path) for path in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207 - it is absolute


def absolute_pattern(pattern: str, folder: Path) -> str:
    """Make an entry of `files` absolute; wildcard characters in the folder's name do not count."""
    return pattern if Path(pattern).is_absolute() else f"{glob.escape(str(folder.absolute()))}/{pattern}"


def tokens_in(path: Path, folder: Path) -> Path | None:
    """Return a token folder inside this path: another tournament's, or `folder`'s own even if it does not exist yet."""
    real = path.resolve()
    if folder.resolve().is_relative_to(real):
        return folder / TOKENS
    if TOKENS in real.parts:
        return path
    return next(real.rglob(TOKENS), None) if real.is_dir() else None


def named_files(patterns: Sequence[str]) -> dict[str, Path]:
    """Return every file that the entries of `files` match, folders' contents included, by entry number and path."""
    files: dict[str, Path] = {}
    for number, pattern in enumerate(patterns):
        for path in named_paths(pattern):
            inside = sorted(path.rglob("*")) if path.is_dir() else [path]
            for file in inside:
                if file.is_file() and _UNHASHED not in file.parts:
                    files[f"{number}:{file.relative_to(path.parent).as_posix()}"] = file
    return files


def _imports(module: Path, root: Path) -> Iterator[Path]:
    """Yield the files below `root` that a module's import statements name, with their parent packages."""
    if module.suffix != ".py":
        return
    try:
        status = module.stat()
        statements = _import_statements(module, status.st_mtime_ns, status.st_size)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # Python reports it when the bot starts
        return
    for node in statements:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _found(root, alias.name.split("."))
        else:
            with contextlib.suppress(ValueError):  # the import names a package above the folder
                package = _package(module, root, node)
                for alias in node.names:
                    yield from _found(root, [*package, alias.name], is_relative=node.level > 0)


@lru_cache(maxsize=1024)
def _import_statements(module: Path, changed_ns: int, size: int) -> tuple[ast.Import | ast.ImportFrom, ...]:  # noqa: ARG001
    """Return the import statements of a module; it is parsed once for each modification time and size.

    Each start of a bot needs them several times. OSError if it cannot be read, SyntaxError if it is not Python.
    """
    tree = ast.parse(module.read_bytes())
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def _package(module: Path, root: Path, node: ast.ImportFrom) -> list[str]:
    """Return the names of the imported package, from the folder on; ValueError if it is not below the folder."""
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
