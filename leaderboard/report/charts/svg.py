"""SVG elements as escaped text, and the scales that charts share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

LABEL_LENGTH = 11  # characters of a name beside a mark; its title has the whole name
LETTER_PX = 6.6

Attribute = str | float | None


def element(name: str, *children: str, **attributes: Attribute) -> Markup:
    """Return an SVG element; text is escaped, None is left out, the name `stroke_width` becomes `stroke-width`."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value) if isinstance(value, float) else value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(escape(child) for child in children)
    return Markup(f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>")  # noqa: S704 - escaped above


def join(*parts: str) -> Markup:
    """Join pieces of SVG; plain text among them is escaped."""
    return Markup("").join(parts)


def segment(left: float, right: float, top: float, bottom: float, css: str | None = None) -> Markup:
    """Draw a straight line; `left` and `right` in per cent of the width, `top` and `bottom` in px."""
    return element("line", x1=percent(left), x2=percent(right), y1=top, y2=bottom, class_=css)


def horizontal(left: float, right: float, level: float, css: str | None = None) -> Markup:
    """Draw a horizontal line; `left` and `right` in per cent of the width, `level` in px from the top."""
    return segment(left, right, level, level, css)


def vertical(at: float, top: float, bottom: float, css: str | None = None) -> Markup:
    """Draw a vertical line; `at` in per cent of the width, `top` and `bottom` in px."""
    return segment(at, at, top, bottom, css)


def percent(value: float) -> str:
    """Format a share of the width in per cent for SVG.

    >>> percent(12.50)
    '12.5%'
    """
    return number(value) + "%"


def number(value: float) -> str:
    """Format a coordinate, rounded to a tenth.

    >>> number(3.0), number(0.25), number(-0.04)
    ('3', '0.2', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def shorten(name: str, length: int = LABEL_LENGTH) -> str:
    """Cut a name to `length` characters, the last of which is then an ellipsis.

    >>> shorten("dijkstra_map_with_a_very_long_name", 12)
    'dijkstra_ma…'
    """
    return name if len(name) <= length else name[: length - 1] + "…"


def label_width(text: str) -> float:
    """Estimate how wide a label is, in px."""
    return len(text) * LETTER_PX


def label_left(text: str, anchor: str, at_px: float) -> float:
    """Return the left end, in px, of a label whose start, middle or end (`anchor`) is at `at_px`."""
    return at_px - label_width(text) * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]


@dataclass(frozen=True, slots=True)
class Scale:
    """A map from values between `low` and `high` to positions from `start` to `end`; values outside are cut off."""

    low: float
    high: float
    start: float = 0.0
    end: float = 100.0
    is_log: bool = False

    def __call__(self, value: float) -> float:
        """Return the position of a value."""
        low, high, at = (self._flat(one) for one in (self.low, self.high, value))
        share = (at - low) / (high - low) if high > low else 0.5
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)

    def _flat(self, value: float) -> float:
        return math.log10(max(value, 1e-12)) if self.is_log else value

    def ticks(self, count: int = 5) -> list[float]:
        """Return about `count` round numbers inside the scale."""
        return list(_powers(self.low, self.high, count) if self.is_log else _steps(self.low, self.high, count))

    def named_ticks(self, count: int = 5) -> list[tuple[float, str]]:
        """Return (value, text) of about `count` round numbers inside the scale."""
        ticks = self.ticks(count)
        return list(zip(ticks, tick_texts(ticks), strict=True))


def padded(low: float, high: float, *, start: float = 0.0, end: float = 100.0, share: float = 0.06) -> Scale:
    """Return a linear scale with a margin at both ends; it is never empty, even if `low` equals `high`."""
    room = (high - low) * share or max(1.0, abs(low) * share)
    return Scale(low - room, high + room, start, end)


def padded_log(low: float, high: float, *, start: float = 0.0, end: float = 100.0) -> Scale:
    """Return a logarithmic scale with room at both ends, of at least a factor of 10: a power of 10 lies on it."""
    low = max(low, 1e-6)
    high = max(high, low)
    room = max((high / low) ** 0.1, math.sqrt(10 / min(10.0, high / low)) * 1.05, 1.1)
    return Scale(low / room, high * room, start, end, is_log=True)


def _steps(low: float, high: float, count: int) -> Iterator[float]:
    if high <= low:
        return
    rough = (high - low) / max(1, count)
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
    at = math.ceil(low / step - 1e-9)
    while at * step <= high + step * 1e-9:
        yield at * step + 0.0
        at += 1


def _powers(low: float, high: float, count: int) -> Iterator[float]:
    """Yield at most `count` powers of ten from `low` to `high`; below three of them, twice and five times those too."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last - first < 2:
        powers = [10.0**exponent for exponent in range(first - 1, last + 1)]
        yield from (at for power in powers for factor in (1, 2, 5) if low <= (at := power * factor) <= high)
        return
    every = max(1, math.ceil((last - first + 1) / max(1, count)))
    yield from (10.0**exponent for exponent in range(first, last + 1, every))


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Format the numbers on an axis, with as many decimals as tell neighbours apart.

    >>> tick_texts([-2000, 0, 2000]), tick_texts([1.9425, 1.945]), tick_texts([0.01, 0.1, 1]), tick_texts([2e6])
    (['−2,000', '0', '2,000'], ['1.9425', '1.9450'], ['0.01', '0.1', '1'], ['2M'])
    """
    gaps = [two - one for one, two in pairwise(ticks)]
    is_even = (len(gaps) > 1 and max(gaps) < 1.01 * min(gaps)) or (len(gaps) == 1 and ticks[0] * 2 > ticks[1])
    places = max(map(_decimals, ticks), default=0)
    return [_tick_text(tick, places if is_even else _decimals(tick)) for tick in ticks]


def _decimals(value: float) -> int:
    """Count the decimals of a number up to the last that is not 0."""
    return len(f"{value:.6f}".rstrip("0").partition(".")[2])


def _tick_text(value: float, places: int) -> str:
    size = abs(value)
    if size >= 1e6:
        text = f"{size / 1e6:g}M"
    elif size >= 1e4:
        text = f"{size / 1e3:g}k"
    else:
        text = f"{size:,.{places}f}"
    return f"−{text}" if value < 0 else text
