"""How a reader comes from a match in the report to the match itself. Opens nothing."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_RECORD = re.compile(r"records/[A-Za-z0-9_-]+\.jsonl")


def replay_command(folder: Path, row: Mapping[str, Any]) -> str:
    """What shows the match of a row of the results in a terminal; "" if its record is not where records are."""
    if _RECORD.fullmatch(str(row["record"])) is None:
        return ""
    return f"joust replay {shlex.quote(folder.as_posix())} {str(row['match_id'])[:16]}"
