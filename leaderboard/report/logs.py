"""What a bot wrote while it played a match: the end of that part of its log. Links are not followed."""

from __future__ import annotations

import re
from pathlib import Path

from gridjoust.runner.results.records.plain_folder import is_plain
from gridjoust.runner.wire.text import plain_text

MOST_LINES = 14
_MOST_LETTERS = 160
_MARK = b"==== match "
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def log_excerpt(folder: Path, *, bot: str, match_id: str) -> str:
    """Return the last lines that the bot wrote in the match, "" if none are kept; the folder may be anybody's."""
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
