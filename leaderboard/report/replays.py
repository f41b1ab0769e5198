"""The command with which readers of the report watch a match."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridjoust.runner.results.records.lines import is_match_id


def replay_command(folder: Path, row: Mapping[str, Any]) -> str:
    """Return the command that shows the match of this row in a terminal; "" if its record is not in the folder."""
    match_id = row["match_id"]
    if not is_match_id(match_id) or row["record"] != f"records/{match_id}.jsonl":
        return ""
    return f"joust replay {shlex.quote(folder.as_posix())} {match_id[:16]}"
