"""What a bot shows of its search in its answers: taken out of them, and passed on for the live page of the run.

So the referee weighs the answer alone, and what is too large to be shown is no fault.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Raw

from gridjoust.runner.wire.shown import SHOWN_KEY, SHOWN_LIMIT_BYTES, Pace
from gridjoust.runner.wire.text import UNREADABLE

_PARTS = msgspec.json.Decoder(dict[str, Raw])


class Showing:
    """One process's; `mark` writes a line into the bot's log."""

    def __init__(self, mark: Callable[[str], None]) -> None:
        self._mark = mark
        self._pace = Pace()
        self._has_dropped = False

    def split(self, answer: bytes) -> tuple[bytes, bytes | None]:
        """The answer without its layers, and a message with them; None where there are none, or more than one sees."""
        if SHOWN_KEY not in answer:
            return answer, None
        try:
            parts = _PARTS.decode(answer)
        except UNREADABLE:
            return answer, None  # the referee says what is wrong with it
        shown = parts.pop("shown", None)
        if shown is None:  # a text that says so
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
            self._mark(f"shown: expected at most {SHOWN_LIMIT_BYTES} bytes, got {size}: dropped, as all that are more")
        self._has_dropped = True
