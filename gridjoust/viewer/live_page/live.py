"""Watches a results folder, and its run if there is one, and writes events for the pages."""

from __future__ import annotations

import asyncio
from pathlib import Path

from gridjoust.viewer.live_page.boards import Boards
from gridjoust.viewer.live_page.events import EventLog
from gridjoust.viewer.live_page.progress import Progress
from gridjoust.viewer.live_page.searches import LatestSearches

LOOK_EVERY_S = 0.25


class Live:
    """Writes events of one results folder for pages; `is_live`: its run sends the lines of its matches to `boards`."""

    def __init__(self, results: Path, *, is_live: bool) -> None:
        self.log = EventLog(on_reader=self._on_reader)
        self.boards = Boards(self.log)
        self.searches: LatestSearches | None = None  # debug layers of running matches
        self.note = ""  # shown on the page
        self._progress = Progress(results)
        self._is_live = is_live

    async def follow(self) -> None:
        """Read the folder every `LOOK_EVERY_S`; if no page is open, only note finished matches of a live run."""
        while True:
            if self.log.readers:
                self.look()
            elif self._is_live:
                self._enter_matches()
            await asyncio.sleep(LOOK_EVERY_S)

    def look(self) -> None:
        """Read new results of the folder and update the state of the pages."""
        self._enter_matches()
        state = self._progress.state(is_live=self._is_live)
        boards = {"running": self.boards.running, "boards": self.boards.shown, "search": self.searches is not None}
        self.log.set_state({**state, **boards, "note": self.note})

    def end(self) -> None:
        """Note that the run is over or interrupted."""
        self._is_live = False
        self.look()

    def _enter_matches(self) -> None:
        for match_id in self._progress.look():
            self.boards.close_match(match_id)

    def _on_reader(self) -> None:
        self.look()
        self.boards.look()
