"""What processes write: the last line of a log, and a bound on its size. Looks at the ends of a file only.

A process may write as much as it likes, also a hole of gigabytes. Of a log beyond `LIMIT_BYTES` its first `HEAD_BYTES`
and last `TAIL_BYTES` are kept. The writer's file must be open for appending, as those of `start_process` are: then what
it writes next goes to the new end.
"""

from __future__ import annotations

import os
from pathlib import Path

LIMIT_BYTES = 10 << 20
HEAD_BYTES = 4 << 20
TAIL_BYTES = 1 << 20
MARK = "==== "  # lines of the runner, not of the process
_LINE_BYTES = 4096


def last_line(path: Path) -> str:
    """The last line that the process (not the runner) wrote, at most 300 characters; "" if there is none."""
    try:
        text = _read_end(path, _LINE_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(MARK)]
    return lines[-1][:300] if lines else ""


def bound_log(path: Path) -> None:
    """Cut the middle out of a log that has grown beyond the limit; a line says how much is gone."""
    try:
        size = path.stat().st_size
        if size <= LIMIT_BYTES:
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
