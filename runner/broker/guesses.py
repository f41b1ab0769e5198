"""How long a wrong password waits for its answer: longer for each of the same address. Keeps nobody out.

Passwords have 128 bits, so nobody guesses one; this keeps whoever tries from filling the log and the processor. A right
password never waits, whatever came from its address before: a whole class may sit behind one.
"""

from __future__ import annotations

import time
from collections.abc import Callable

FREE = 10  # wrong passwords of an address that are answered at once: people err
FIRST_S, LONGEST_S = 0.1, 5.0
_FORGOTTEN_S = 60.0  # after so long without another one
_ADDRESSES = 1024  # that are remembered, the latest


class Guesses:
    """Wrong passwords by address.

    >>> guesses = Guesses(now_s=lambda: 0.0)
    >>> [guesses.delay_s("192.0.2.1") for _ in range(13)][-4:]
    [0.0, 0.1, 0.2, 0.4]
    """

    def __init__(self, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._wrong: dict[str, tuple[int, float]] = {}  # how many, and when the last one came; latest address last

    def delay_s(self, address: str) -> float:
        """Another one has come from there: how long it waits."""
        now_s = self._now_s()
        count, last_s = self._wrong.pop(address, (0, now_s))
        count = 1 if now_s - last_s > _FORGOTTEN_S else count + 1
        self._wrong[address] = count, now_s
        if len(self._wrong) > _ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
        doublings = min(count - FREE - 1, 16)
        return min(LONGEST_S, FIRST_S * 2.0**doublings) if doublings >= 0 else 0.0
