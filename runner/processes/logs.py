"""What processes write: the line of a log that tells most, and a bound on its size. Looks at the ends of a file only.

A process may write as much as it likes, also a hole of gigabytes. Of a log beyond `LIMIT_BYTES` its first `HEAD_BYTES`
and last `TAIL_BYTES` are kept. The writer's file must be open for appending, as those of `start_process` are: then what
it writes next goes to the new end.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

LIMIT_BYTES = 10 << 20
HEAD_BYTES = 4 << 20
TAIL_BYTES = 1 << 20
RESERVED_BYTES = 4 * LIMIT_BYTES  # file systems themselves reserve as much again as a file has
MARK = "==== "  # lines of the runner, not of the process
_END_BYTES = 8192
_OF_A_STACK = re.compile(
    r"\s+(?:at |File |code: |requireStack|['~^]|\S+\.go:\d)"  # frames, and marks below them
    r"|\s*[{}\])]|Node\.js v\d|goroutine \d|exit status \d|[\w./*()]+\(.*\)$|note: run with "
)


def telling_line(path: Path) -> str:
    """The line with which the process (not the runner) ended, at most 500 characters; "" if it wrote none.

    It is the last one that is no part of a stack: `Error: Cannot find package 'mqtt'`, not `Node.js v20.1.0`.
    """
    try:
        text = _read_end(path, _END_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(MARK)]
    telling = (line for line in reversed(lines) if _OF_A_STACK.match(line) is None)
    return next(telling, lines[-1] if lines else "").strip()[:500]


def bound_log(path: Path) -> None:
    """Cut the middle out of a log that has grown beyond the limit; a line says how much is gone.

    Space that its writer has reserved beyond its end is given back (fallocate(2), FALLOC_FL_KEEP_SIZE).
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
        return  # removed by somebody else: nothing to bound


def _read_end(path: Path, count: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - count))
        return file.read(count)
