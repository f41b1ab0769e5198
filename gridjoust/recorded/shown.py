"""What people read of an examination: long messages cut down to their shape, times as bars and quantiles."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gridjoust.runner.wire.text import plain_text

ITEMS = 6  # of a list that are shown
KEYS = 24  # of an object
LETTERS = 120  # of a text
DEPTH = 5  # levels
BAR = 40  # characters of the longest
LEAST_MS = 0.125  # below this it is one range


def excerpt(value: Any, *, depth: int = DEPTH) -> Any:
    """The same JSON value with the middle of long parts left out.

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
    """The excerpt as one line of JSON."""
    return plain_text(json.dumps(excerpt(value), ensure_ascii=False, separators=(", ", ": ")))


def one_line(text: str, *, letters: int = 800) -> str:
    """Show what a bot wrote, and what we say of it, on one line: without control characters, not too long.

    >>> one_line("no\\n  way\\x1b[2J")
    'no way?[2J'
    """
    return plain_text(" ".join(text.split()), limit=letters)


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
    return Quantiles(*(ordered[math.ceil(part * len(ordered)) - 1] for part in (0.5, 0.95, 1)))


def histogram(times_ms: Sequence[float]) -> list[str]:
    """One line per range of times that doubles, from the first to the last that has any."""
    if not times_ms:
        return []
    # 0 below the least, else n with least * 2^(n-1) <= time < least * 2^n
    counts = Counter(0 if time < LEAST_MS else int(math.log2(time / LEAST_MS)) + 1 for time in times_ms)
    top = max(counts.values())
    return [_line(place, counts[place], top) for place in range(min(counts), max(counts) + 1)]


def _line(place: int, count: int, top: int) -> str:
    bar = "#" * math.ceil(count * BAR / top)
    return f"{f'< {LEAST_MS * 2**place:g} ms':>12}  {bar:<{BAR}}  {count}"
