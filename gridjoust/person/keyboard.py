"""Lines that a person types, read by a thread beside the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import TextIO


class Lines:
    """Typed lines that wait for a question; they outlast a match that is taken back. None = there will be no more."""

    def __init__(self) -> None:
        self.lines: deque[str | None] = deque()
        self.news = asyncio.Event()

    def add(self, line: str | None) -> None:
        """A typed line."""
        self.lines.append(line)
        self.news.set()

    def read_from(self, keyboard: TextIO) -> None:
        """Add every line from now on; the thread that waits for them never keeps the process from ending."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            for line in keyboard:
                loop.call_soon_threadsafe(self.add, line.rstrip("\n"))
            loop.call_soon_threadsafe(self.add, None)

        threading.Thread(target=read, name="keyboard", daemon=True).start()
