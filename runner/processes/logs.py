"""Reads a process's log: its most informative line, what it says is missing, where the bot is; limits its size.

A process may write any amount, even a sparse file of gigabytes. Of a log larger than `LIMIT_BYTES`, the first
`HEAD_BYTES` and the last `TAIL_BYTES` are kept. The writer must have opened the file for appending, as in
`start_process`, so that its next output goes to the new end.
"""

from __future__ import annotations

import os
import re
import signal
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

LIMIT_BYTES = 10 << 20
HEAD_BYTES = 4 << 20
TAIL_BYTES = 1 << 20
RESERVED_BYTES = 4 * LIMIT_BYTES  # file systems themselves may reserve as much again as a file has
MARK = "==== "  # begins the runner's own lines in the log
PRINTED = f"{MARK}standard output: "  # begins a line of a bot with `protocol: stdio` that is no answer
_END_BYTES = 8192
_OF_A_STACK = re.compile(
    r"Stack \(most recent call first\):"
    r"|\s+(?:at |\.\.\.$|File |code: |requireStack|['~^]|\S+\.go:\d)"  # frames of a stack, and marks below them
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
    """Return the path of what a line of output from Python or Node reports as missing, if one of `folders` has it."""
    match = _SAID.search(said)
    if match is None:
        return None
    name = next(filter(None, match.groups()))
    module = name.replace(".", "/")
    names = (name, module, f"{module}.py")
    return next((folder / name for folder in folders for name in names if (folder / name).exists()), None)


ASK = signal.SIGURG  # the harness writes its stack on it; processes without a handler for it ignore it
_FRAME = re.compile(r'^  File "(?P<file>.*)", line (?P<line>\d+) in (?P<name>.+)$')
_HEAD = "Stack (most recent call first):"
_LAST = ("in _run_module_as_main", "  ...")  # of a whole stack, and of one with too many frames
_OURS = str(Path(__file__).parents[2])
_LIBRARIES = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
_FOREIGN = ("<", *(f"{path}/" for path in _LIBRARIES), f"{_OURS}/")
_HARNESS = tuple(f"{_OURS}/bots/{name}.py" for name in ("harness", "answers", "match", "__init__", "__main__"))
_METHODS = {"<module>": "loading", "__init__": "__init__", **{name: name for name in ("start", "act", "improve")}}


class Frame(NamedTuple):
    """One call in a stack trace."""

    file: str
    line: int
    name: str


def is_whole(text: str) -> bool:
    """Return True if the text contains a complete stack trace, its last line included."""
    return any(line.endswith(_LAST[0]) or line == _LAST[1] for line in text.splitlines())


def place_in(text: str) -> str:
    """Return the bot's own call in a stack trace: `still in act, inf.py line 8`; "" if it waits for a message."""
    calls: list[Frame] = []
    for call in _frames(text.rpartition(_HEAD)[2].splitlines()):
        if call.file in _HARNESS:
            break
        calls.append(call)
    method = next((call.name for call in reversed(calls) if not call.file.startswith("<")), "")
    own = next((call for call in calls if not call.file.startswith(_FOREIGN)), None)
    if own is None and method not in _METHODS:
        return ""
    shown = own or calls[0]
    doing = _METHODS.get(method, method)
    within = "" if shown.name == method else f", in {shown.name}"
    return f"still {'' if doing == 'loading' else 'in '}{doing}, {Path(shown.file).name} line {shown.line}{within}"


def without_stacks(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a log without the stack traces in it."""
    return (line for line in lines if line != _HEAD and line != _LAST[1] and _FRAME.match(line) is None)


def _frames(lines: Iterable[str]) -> Iterator[Frame]:
    for line in lines:
        if found := _FRAME.match(line):
            yield Frame(found["file"], int(found["line"]), found["name"])
