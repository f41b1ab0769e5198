"""Delays the answers to wrong passwords, longer for each one from the same address.

Passwords have 128 bits, so guessing is hopeless; the delay keeps attempts from filling the log and using the processor.
A correct password is never delayed, as a whole class may share one address.
"""

from __future__ import annotations

import time
from collections.abc import Callable

FREE = 10  # wrong passwords of an address that are answered at once, as people make mistakes
FIRST_S, LONGEST_S = 0.1, 5.0
_FORGOTTEN_S = 60.0  # an address is forgotten after this time without a wrong password
_ADDRESSES = 1024  # the latest addresses that are remembered


class Guesses:
    """Counts wrong passwords by address and returns their delays.

    >>> guesses = Guesses(now_s=lambda: 0.0)
    >>> [guesses.delay_s("192.0.2.1") for _ in range(13)][-4:]
    [0.0, 0.1, 0.2, 0.4]
    """

    def __init__(self, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._wrong: dict[str, tuple[int, float]] = {}  # number, and time of the last one; latest address last

    def delay_s(self, address: str) -> float:
        """Note another wrong password from this address; return by how many seconds its answer is to be delayed."""
        now_s = self._now_s()
        count, last_s = self._wrong.pop(address, (0, now_s))
        count = 1 if now_s - last_s > _FORGOTTEN_S else count + 1
        self._wrong[address] = count, now_s
        if len(self._wrong) > _ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
        doublings = min(count - FREE - 1, 16)
        return min(LONGEST_S, FIRST_S * 2.0**doublings) if doublings >= 0 else 0.0
