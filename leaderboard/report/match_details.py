"""What the report says of one match: the command that replays it, and the end of the log of a bot in it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridjoust.runner.results.records.lines import is_match_id
from gridjoust.runner.results.records.plain_folder import is_plain
from gridjoust.runner.wire.text import plain_text

MOST_LINES = 14
_MOST_LETTERS = 160
_MARK = b"==== match "
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def replay_command(folder: Path, row: Mapping[str, Any]) -> str:
    """Return the command that shows the match of this row in a terminal; "" if its record is not in the folder."""
    match_id = row["match_id"]
    if not is_match_id(match_id) or row["record"] != f"records/{match_id}.jsonl":
        return ""
    return f"joust replay {shlex.quote(folder.as_posix())} {match_id[:16]}"


def log_excerpt(folder: Path, *, bot: str, match_id: str) -> str:
    """Return the last lines that the bot wrote in the match; "" if none are kept.

    A stranger may have made the folder, so links are not followed.
    """
    if not (_NAME.fullmatch(bot) and _NAME.fullmatch(match_id)):
        return ""
    mark = _MARK + match_id.encode()
    for log in sorted((folder / "logs").glob(f"{bot}.*log")):
        if not is_plain(log):
            continue
        _, found, written = log.read_bytes().rpartition(mark)
        if found:
            return _last_lines(written.partition(b"\n")[2].split(_MARK)[0])
    return ""


def _last_lines(written: bytes) -> str:
    lines = [line for line in written.decode("utf-8", "replace").splitlines() if line.strip()]
    shown = [plain_text(line.rstrip(), limit=_MOST_LETTERS) for line in lines[-MOST_LINES:]]
    return "\n".join(["…", *shown] if len(lines) > len(shown) else shown)
