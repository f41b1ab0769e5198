"""Formats results for people: shortened messages, quantiles and histograms of times."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gridjoust.runner.wire.text import plain_text

ITEMS = 6  # shown of a list
KEYS = 24  # shown of an object
LETTERS = 120  # shown of a text
DEPTH = 5  # levels shown
BAR = 40  # characters of the longest bar
LEAST_MS = 0.125  # all shorter times are one range


def excerpt(value: Any, *, depth: int = DEPTH) -> Any:
    """Return a JSON value with long parts shortened.

    >>> excerpt([1, 2, 3, 4, 5, 6, 7, 8, 9])
    [1, 2, 3, 4, 5, 6, '... 3 more']
    """
    if isinstance(value, str):
        return value if len(value) <= LETTERS else f"{value[:LETTERS]}... {len(value) - LETTERS} more letters"
    if not isinstance(value, dict | list):
        return value
    if depth == 0 and value:
        return f"... {len(value)} {'keys' if isinstance(value, dict) else 'items'}"
    if isinstance(value, list):
        shown = [excerpt(item, depth=depth - 1) for item in value[:ITEMS]]
        return shown if len(value) <= ITEMS else [*shown, f"... {len(value) - ITEMS} more"]
    kept = {key: excerpt(item, depth=depth - 1) for key, item in list(value.items())[:KEYS]}
    return kept if len(value) <= KEYS else {**kept, "...": f"{len(value) - KEYS} more keys"}


def excerpt_text(value: Any) -> str:
    """Return the shortened value as one line of JSON."""
    return plain_text(json.dumps(excerpt(value), ensure_ascii=False, separators=(", ", ": ")))


@dataclass(frozen=True, slots=True)
class Quantiles:
    """Quantiles of times in ms."""

    p50_ms: float
    p95_ms: float
    max_ms: float


def quantiles(times_ms: Sequence[float]) -> Quantiles | None:
    """Return median, 95 % quantile and maximum of the times (nearest rank); None without times.

    >>> quantiles([1.0, 2.0, 3.0, 10.0])
    Quantiles(p50_ms=2.0, p95_ms=10.0, max_ms=10.0)
    """
    if not times_ms:
        return None
    ordered = sorted(times_ms)
    return Quantiles(*(ordered[math.ceil(part * len(ordered)) - 1] for part in (0.5, 0.95, 1)))


def histogram(times_ms: Sequence[float]) -> list[str]:
    """Return the histogram of times as text, a line per range, each twice as wide as the one before.

    Empty ranges at the ends are left out.
    """
    if not times_ms:
        return []
    # 0 below the least, else n with least * 2^(n-1) <= time < least * 2^n
    counts = Counter(0 if time < LEAST_MS else int(math.log2(time / LEAST_MS)) + 1 for time in times_ms)
    top = max(counts.values())
    return [_line(place, counts[place], top) for place in range(min(counts), max(counts) + 1)]


def _line(place: int, count: int, top: int) -> str:
    bar = "#" * math.ceil(count * BAR / top)
    return f"{f'< {LEAST_MS * 2**place:g} ms':>12}  {bar:<{BAR}}  {count}"
