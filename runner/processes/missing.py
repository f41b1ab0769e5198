"""Finds the file or package that a bot is missing, from the last line of its log."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

FILE_HINT = " (a bot in the sandbox reads its own file, what that imports from beside it, and what `files:` names)"
_SAID = re.compile(
    r"(?:(?:FileNotFoundError|PermissionError): .*: |No module named |Cannot find module "
    r"|(?:no such file or directory|permission denied), open |can't open file )'([^'\0]+)'"
    r"|(?:: |[Cc]annot open |Can't open )([^\s:'\0]+): (?:No such file|Permission denied|not found)"
    r"|No module named ([\w.]+)$"
)
_PACKAGE = re.compile(r"Cannot find (?:package|module) '([^'./\0][^'\0]*)'")


def package_hint(said: str) -> str:
    """Return how to install the npm package that a line of Node's reports as missing; "" if it reports none."""
    match = _PACKAGE.search(said)
    return "" if match is None else f": npm install {match[1]}, in the folder of the bot's file"


def missing_file(said: str, folders: Iterable[Path]) -> Path | None:
    """Return the file or module that a line of output from Python or Node reports as missing, if a folder has it."""
    match = _SAID.search(said)
    if match is None:
        return None
    name = next(filter(None, match.groups()))
    module = name.replace(".", "/")
    names = (name, module, f"{module}.py")
    return next((folder / name for folder in folders for name in names if (folder / name).exists()), None)
