"""Times as text: bars over ranges that double, and the quantiles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

BAR = 40  # characters of the longest
LEAST_MS = 0.125  # below this it is one range


@dataclass(frozen=True, slots=True)
class Quantiles:
    """Milliseconds."""

    p50_ms: float
    p95_ms: float
    max_ms: float


def quantiles(times_ms: Sequence[float]) -> Quantiles | None:
    """Half of the times, and nineteen in twenty, are at most this long; None without times.

    >>> quantiles([1.0, 2.0, 3.0, 10.0])
    Quantiles(p50_ms=2.0, p95_ms=10.0, max_ms=10.0)
    """
    if not times_ms:
        return None
    ordered = sorted(times_ms)
    p50, p95 = (ordered[math.ceil(part * len(ordered)) - 1] for part in (0.5, 0.95))
    return Quantiles(p50, p95, ordered[-1])


def histogram(times_ms: Sequence[float]) -> list[str]:
    """One line per range of times, from the first to the last that has any."""
    if not times_ms:
        return []
    counts = Counter(_range_of(time_ms) for time_ms in times_ms)
    top = max(counts.values())
    return [_line(place, counts[place], top) for place in range(min(counts), max(counts) + 1)]


def _range_of(time_ms: float) -> int:
    """0 below the least, else n with least * 2^(n-1) <= time < least * 2^n."""
    return 0 if time_ms < LEAST_MS else int(math.log2(time_ms / LEAST_MS)) + 1


def _line(place: int, count: int, top: int) -> str:
    bar = "#" * math.ceil(count * BAR / top)
    return f"{f'< {LEAST_MS * 2**place:g} ms':>12}  {bar:<{BAR}}  {count}"
