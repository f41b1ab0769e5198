"""What a bot has missed, a file in the sandbox or a package, from the line with which it ended. Opens no file."""

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
    """How to get the npm package that is missing by a line of Node's; "" if none is."""
    found = _PACKAGE.search(said)
    return "" if found is None else f": npm install {found[1]}, in the folder of the bot's file"


def missing_file(said: str, folders: Iterable[Path]) -> Path | None:
    """The file or module that is missing by a line of Python's or Node's, if one of the folders has it."""
    found = _SAID.search(said)
    if found is None:
        return None
    name = next(filter(None, found.groups()))
    module = name.replace(".", "/")
    names = (name, module, f"{module}.py")
    return next((folder / name for folder in folders for name in names if (folder / name).exists()), None)
