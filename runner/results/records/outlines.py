"""Reads header and end of a results folder's records, without their turns.

The file or pack of every record is looked up once for all of them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gridjoust.runner.results.packs.folder import open_packs
from gridjoust.runner.results.records.file import RECORDS, list_files, parse_outline, read_bytes, record_name
from gridjoust.runner.results.records.lines import MatchRecord

if TYPE_CHECKING:
    from gridjoust.runner.results.packs.pack import Pack


class Outlines:
    """Reads outlines of the records that exist when this is made, and of files that are added later."""

    def __init__(self, results: Path) -> None:
        self._folder = results / RECORDS
        self._pack_of: dict[str, Pack] = {}
        for pack in reversed(open_packs(self._folder)):  # the newest counts, a file before all packs
            self._pack_of |= dict.fromkeys(pack.ids(), pack)
        for match_id in list_files(results):
            self._pack_of.pop(match_id, None)

    def read(self, match_id: str) -> MatchRecord:
        """Read a record without its turns, faults and answers; RecordError if its header or end is invalid."""
        path = f"{self._folder}{os.sep}{record_name(match_id)}"
        pack = self._pack_of.get(match_id)
        head = None if pack is None else pack.head(match_id)
        return parse_outline(path, read_bytes(Path(path)) if head is None else head)
