"""Finds the most informative line of a process's log and what it says is missing, and limits the size of logs.

A process may write any amount, even a sparse file of gigabytes. Of a log larger than `LIMIT_BYTES`, the first
`HEAD_BYTES` and the last `TAIL_BYTES` are kept. The writer must have opened the file for appending, as in
`start_process`, so that its next output goes to the new end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

LIMIT_BYTES = 10 << 20
HEAD_BYTES = 4 << 20
TAIL_BYTES = 1 << 20
RESERVED_BYTES = 4 * LIMIT_BYTES  # file systems themselves may reserve as much again as a file has
MARK = "==== "  # begins the runner's own lines in the log
_END_BYTES = 8192
_OF_A_STACK = re.compile(
    r"\s+(?:at |File |code: |requireStack|['~^]|\S+\.go:\d)"  # frames of a stack, and marks below them
    r"|\s*[{}\])]|Node\.js v\d|goroutine \d|exit status \d|[\w./*()]+\(.*\)$|note: run with "
)


def telling_line(path: Path) -> str:
    """Return the last informative line of the process's output, at most 500 characters; "" if it wrote none.

    It is the last line outside a stack trace: `Error: Cannot find package 'mqtt'`, not `Node.js v20.1.0`.
    """
    try:
        text = _read_end(path, _END_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(MARK)]
    telling = (line for line in reversed(lines) if _OF_A_STACK.match(line) is None)
    return next(telling, lines[-1] if lines else "").strip()[:500]


def bound_log(path: Path) -> None:
    """Cut the middle out of a log above the limit; a line in its place says how many bytes are gone.

    Space that the writer has reserved beyond the end is released (fallocate(2), FALLOC_FL_KEEP_SIZE).
    """
    try:
        status = path.stat()
        size = status.st_size
        if size <= LIMIT_BYTES:
            if status.st_blocks * 512 > RESERVED_BYTES:
                os.truncate(path, size)
            return
        tail = _read_end(path, TAIL_BYTES)
        os.truncate(path, HEAD_BYTES)
        with path.open("ab") as file:
            file.write(f"\n{MARK}{size - HEAD_BYTES - TAIL_BYTES} bytes are left out here\n".encode() + tail)
    except FileNotFoundError:
        return  # another process has removed it


def _read_end(path: Path, count: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - count))
        return file.read(count)


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
