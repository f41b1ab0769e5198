"""Takes the layers of the search out of a bot's answers, and passes them on to the live page.

So only the answer itself counts against the referee's limits, and layers that are too large are not a fault.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Raw

from gridjoust.runner.wire.shown import SHOWN_KEY, SHOWN_LIMIT_BYTES, Pace
from gridjoust.runner.wire.text import UNREADABLE

_PARTS = msgspec.json.Decoder(dict[str, Raw])


class Showing:
    """Splits the answers of one process; `mark` writes a line into the bot's log."""

    def __init__(self, mark: Callable[[str], None]) -> None:
        self._mark = mark
        self._pace = Pace()
        self._has_dropped = False

    def split(self, answer: bytes) -> tuple[bytes, bytes | None]:
        """Return the answer without layers, and a message with them; None without layers, or if they come too often."""
        if SHOWN_KEY not in answer:
            return answer, None
        try:
            parts = _PARTS.decode(answer)
        except UNREADABLE:
            return answer, None  # the referee reports what is wrong with it
        shown = parts.pop("shown", None)
        if shown is None:  # the word was in a text
            return answer, None
        bare = msgspec.json.encode(parts)
        if len(bytes(shown)) > SHOWN_LIMIT_BYTES:
            self._drop(len(bytes(shown)))
            return bare, None
        seat = parts.get("seat")
        if seat is None or not self._pace.is_due(bytes(seat)):
            return bare, None
        return bare, msgspec.json.encode({"match": parts.get("match"), "seat": seat, "shown": shown})

    def _drop(self, size: int) -> None:
        if not self._has_dropped:
            self._mark(f"shown: expected at most {SHOWN_LIMIT_BYTES} bytes, got {size}: dropped, like all larger ones")
        self._has_dropped = True
