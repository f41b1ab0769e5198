"""Line charts as SVG that needs nothing else: whole numbers to the right, a logarithmic scale upwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from xml.sax.saxutils import escape

Points = Sequence[tuple[int, float]]

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 130, 40, 50
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # distinct for colour-blind eyes too


def line_chart(title: str, *, x_name: str, y_name: str, series: Mapping[str, Points]) -> str:
    """Return an SVG chart with a line for each series; ValueError without a point, or for one that is not above 0."""
    points = [point for line in series.values() for point in line]
    if not points or min(y for _, y in points) <= 0:
        raise ValueError("series: expected points above 0")
    scale = _Scale(points)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(WIDTH / 2, 22, title, anchor="middle", size=15),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_name, anchor="middle"),
        _text(LEFT - 50, TOP - 10, y_name),
    ]
    parts += scale.axes()
    for number, (name, line) in enumerate(series.items()):
        parts += _line(name, line, scale, colour=COLOURS[number % len(COLOURS)], number=number)
    return "\n".join([*parts, "</svg>\n"])


class _Scale:
    """Converts values to pixels."""

    def __init__(self, points: Points) -> None:
        self.columns = sorted({x for x, _ in points})
        self._low = floor(log10(min(y for _, y in points)))
        self._high = max(self._low + 1, ceil(log10(max(y for _, y in points))))

    def x(self, value: int) -> float:
        """Return where a value lies, in pixels from the left."""
        span = max(1, self.columns[-1] - self.columns[0])
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - self.columns[0]) / span

    def y(self, value: float) -> float:
        """Return where a value lies, in pixels from the top."""
        share = (log10(value) - self._low) / (self._high - self._low)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    def axes(self) -> list[str]:
        """Return the axes as SVG: a line and a number for every power of ten, and a number for every column."""
        parts = []
        for power in range(self._low, self._high + 1):
            y = self.y(10.0**power)
            parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>')
            parts.append(_text(LEFT - 8, y + 4, f"{10.0**power:g}", anchor="end"))
        return parts + [_text(self.x(x), HEIGHT - BOTTOM + 18, str(x), anchor="middle") for x in self.columns]


def _line(name: str, line: Points, scale: _Scale, *, colour: str, number: int) -> list[str]:
    places = [(scale.x(x), scale.y(y)) for x, y in sorted(line)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
    legend = _text(WIDTH - RIGHT + 15, TOP + 15 + 20 * number, name, colour=colour)
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>', *dots, legend]


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, colour: str = "#333333") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"
