"""Formats numbers and names for people, the same way everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence

NARROW = "\u202f"  # no-break, between a number and its unit


def whole_number(value: float) -> str:
    """Format a whole number with marks for thousands: `1,234`."""
    return f"{value:,.0f}"


def decimal(value: float, places: int = 1) -> str:
    """Format a number with at most `places` decimals, marks for thousands and a real minus.

    >>> decimal(1234.50, 2), decimal(-0.25, 2), decimal(3.0)
    ('1,234.5', '−0.25', '3')
    """
    text = f"{abs(value):,.{places}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"−{text}" if value < 0 and text.strip("0.,") else text


def significant(value: float, digits: int = 3) -> str:
    """Format a number with `digits` significant digits.

    >>> significant(0.01234), significant(123.4), significant(12345.6)
    ('0.0123', '123', '12,346')
    """
    return decimal(value, max(0, digits - _magnitude(value)))


def signed(value: float) -> str:
    """Format a rating: whole, with its sign.

    >>> signed(112.4), signed(-7.5), signed(0.2)
    ('+112', '−8', '0')
    """
    rounded = round(value)
    return f"+{rounded:,}" if rounded > 0 else f"−{-rounded:,}" if rounded < 0 else "0"


def per_cent(share: float, places: int = 1) -> str:
    """Format a share in per cent: `62.5 %`."""
    return decimal(100 * share, places) + NARROW + "%"


def milliseconds(value: float) -> str:
    """Format a time: to a microsecond below a millisecond, then coarser: `0.012 ms`, `7.45 ms`, `20.3 ms`, `12.3 s`."""
    if value >= 10_000:
        return f"{significant(value / 1000)}{NARROW}s"
    places = 3 if value < 0.995 else 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:,.{places}f}{NARROW}ms"


def plain_milliseconds(value: float) -> str:
    """Format a time as `milliseconds` does, with a space that every terminal shows: `7.45 ms`."""
    return milliseconds(value).replace(NARROW, " ")


def aligned(values: Sequence[float], *, places: int | None = None) -> list[str]:
    """Format numbers with the same decimals: `places`, or as many as they need.

    >>> aligned([4.47, 3.5, 10]), aligned([0.25, -0.001]), aligned([3.0, 12.0]), aligned([1.9412, 1.943])
    (['4.5', '3.5', '10.0'], ['0.25', '0.00'], ['3', '12'], ['1.9412', '1.9430'])
    """
    decimals = shared_places(values) if places is None else places
    return [f"{round(value, decimals) + 0.0:,.{decimals}f}".replace("-", "−") for value in values]


def shared_places(values: Sequence[float], *, digits: int = 3) -> int:
    """Return how many decimals show `digits` digits of the largest value, and tell the smallest from the largest."""
    if all(float(value).is_integer() for value in values):
        return 0
    largest = max(abs(value) for value in values)
    width = max(values) - min(values)
    wanted = digits - max(1, _magnitude(largest)) if largest >= 0.0995 else digits + 1
    apart = 1 - math.floor(math.log10(width)) if width > 0 else 0
    return min(6, max(0, wanted, apart))


def probability(value: float) -> str:
    """Format a p-value for a sentence: `= 0.032`, `< 0.001`."""
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"


def likelihood(percent: float) -> str:
    """Format a likelihood that is in per cent; it is never 0 or 100, as it is an estimate.

    >>> likelihood(72.04), likelihood(99.97), likelihood(0.01)
    ('72.0', '99.9', '0.1')
    """
    return f"{min(99.9, max(0.1, percent)):.1f}"


def likelihood_pct(likelihood: float) -> float:
    """Convert a likelihood of 0 to 1 for tables: per cent with three decimals, never 0 or 100.

    >>> likelihood_pct(0.7204), likelihood_pct(1 - 1e-9), likelihood_pct(0.0)
    (72.04, 99.999, 0.001)
    """
    return round(min(99.999, max(0.001, 100 * float(likelihood))), 3)


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Format a count with its noun: `1 match`, `2 matches`."""
    ending = "es" if noun.endswith(("ch", "sh", "s", "x")) else "s"
    return f"{count:,} {noun if count == 1 else nouns or noun + ending}"


def listed(names: Sequence[str], *, most: int = 4) -> str:
    """Join names for a sentence; of more than `most`, the rest is only counted.

    >>> listed(["a", "b", "c"]), listed(list("abcdef"), most=3)
    ('a, b and c', 'a, b, c and 3 others')
    """
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def _magnitude(value: float) -> int:
    """Return the number of digits before the decimal point; for values below 1, minus the zeros after it."""
    return math.floor(math.log10(abs(value))) + 1 if value else 0
