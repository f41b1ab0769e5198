"""How much somebody may send: so much at once, so much a second. Counts; what happens above it is others' decision."""

from __future__ import annotations

import time
from collections.abc import Callable


class Allowance:
    """A token bucket that looks at the clock only when it seems empty: spending costs a subtraction.

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
        """Take so much; False if that is more than there is."""
        self._left -= amount
        if self._left >= 0:
            return True
        now_s = self._now_s()
        owed = max(self._left, -self._burst)  # whoever stops is not held to account for all of a flood
        self._left = min(self._burst, owed + (now_s - self._filled_s) * self._per_s)
        self._filled_s = now_s
        return self._left >= 0

    def grant(self, amount: float) -> None:
        """Allow so much more: somebody was asked."""
        if self._left < self._burst:
            self._left += amount
