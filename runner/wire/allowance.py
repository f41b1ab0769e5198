"""Limits how much a sender may send: an amount at once, and an amount per second."""

from __future__ import annotations

import time
from collections.abc import Callable


class Allowance:
    """A token bucket that reads the clock only when it seems empty, so that spending costs one subtraction.

    >>> allowance = Allowance(3, per_s=1)
    >>> [allowance.spend(1) for _ in range(4)]
    [True, True, True, False]
    """

    __slots__ = ("_burst", "_filled_s", "_left", "_now_s", "_per_s")

    def __init__(self, burst: float, *, per_s: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self._burst = self._left = burst
        self._per_s = per_s
        self._now_s = now_s
        self._filled_s = now_s()

    def spend(self, amount: float) -> bool:
        """Take an amount; return False if that is more than is left."""
        self._left -= amount
        if self._left >= 0:
            return True
        now_s = self._now_s()
        owed = max(self._left, -self._burst)  # after a flood, a sender that stops owes one burst at most
        self._left = min(self._burst, owed + (now_s - self._filled_s) * self._per_s)
        self._filled_s = now_s
        return self._left >= 0

    def grant(self, amount: float) -> None:
        """Allow an additional amount, as the sender was asked for an answer."""
        if self._left < self._burst:
            self._left += amount
