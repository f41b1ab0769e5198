"""What a bot shows of its search to people who look, as it goes over a wire; neither referee nor record get it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Literal

import msgspec

MOST_LETTERS = 100  # of a layer's name
SHOWN_LIMIT_BYTES = 64 * 1024  # of one answer's layers
SHOWN_EVERY_S = 0.25  # by seat; what a bot shows in between the page does not get
SHOWN_KEY = b'"shown"'  # of an answer with layers
_MOST_SEATS = 64  # that are remembered: what a bot says of its seat is not to be believed


class Layer(msgspec.Struct, frozen=True):
    """One layer over the board."""

    name: Annotated[str, msgspec.Meta(max_length=MOST_LETTERS)]
    kind: Literal["heat", "path", "nodes", "frontier", "arrows", "text"]
    data: list[float] | str


class Pace:
    """Which answers' layers are passed on."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._passed_s: dict[bytes, float] = {}

    def is_due(self, seat: bytes) -> bool:
        """Whether this seat's are now; it then is not for a while."""
        now_s = self._now_s()
        if now_s - self._passed_s.get(seat, -SHOWN_EVERY_S) < SHOWN_EVERY_S:
            return False
        if len(self._passed_s) == _MOST_SEATS:
            self._passed_s.clear()
        self._passed_s[seat] = now_s
        return True


class Shown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The layers of one answer, as a bot publishes them or as a part of the answer itself, which names no turn."""

    match: str
    seat: int
    turn: int = 0
    layers: list[Layer] = []
    shown: list[Layer] = []


def shown_topic(prefix: str) -> str:
    """Where a bot process shows its search, if the run wants it to; for the live page alone."""
    return f"{prefix}/shown"
