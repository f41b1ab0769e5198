"""The layers of its search that a bot shows to spectators; neither the referee nor the record gets them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Literal

import msgspec

MOST_LETTERS = 100  # characters of a layer's name
SHOWN_LIMIT_BYTES = 64 * 1024  # bytes of one answer's layers
SHOWN_EVERY_S = 0.25  # time between two answers of a seat whose layers reach the live page
SHOWN_KEY = b'"shown"'  # the key of an answer with layers
_MOST_SEATS = 64  # seats in memory: limited, as a bot may claim any seat


class Layer(msgspec.Struct, frozen=True):
    """One layer of a bot's search, to draw over the board."""

    name: Annotated[str, msgspec.Meta(max_length=MOST_LETTERS)]
    kind: Literal["heat", "path", "nodes", "frontier", "arrows", "text"]
    data: list[float] | str


class Pace:
    """Limits how often a seat's search layers reach the live page: those of one answer in `SHOWN_EVERY_S`."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._passed_s: dict[bytes, float] = {}

    def is_due(self, seat: bytes) -> bool:
        """Return True if this seat's layers may be passed on now; the next ones then have to wait."""
        now_s = self._now_s()
        if now_s - self._passed_s.get(seat, -SHOWN_EVERY_S) < SHOWN_EVERY_S:
            return False
        if len(self._passed_s) == _MOST_SEATS:
            self._passed_s.clear()
        self._passed_s[seat] = now_s
        return True


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The search layers of one answer: published by the bot (`layers`), or part of it (`shown`, without a turn)."""

    match: str
    seat: int
    turn: int = 0
    layers: list[Layer] = []
    shown: list[Layer] = []


def shown_topic(prefix: str) -> str:
    """Return the topic on which a bot process shows its search if asked to, for the live page only."""
    return f"{prefix}/shown"
