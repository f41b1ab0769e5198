"""Drawings of a match as small JSON: every shape once, then the changes of each turn.

A shape is a list: `["r", x, y, width, height, ink, rounded]`, `["l", [x, y, …], width, ink, is dashed]`,
`["c", x, y, radius, ink, is hollow]`, `["t", x, y, size, ink, text]`, `["i", x, y, size, ink, sign]`. A track is what
one reader sees from the start position to the end. A frame of it lists the layers that changed, each
`[layer, [shapes gone], [place, shape, place, shape, …]]`: first remove the shapes that are gone, then insert the others
at their places, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, assert_never

from gridjoust.games.drawing import Beside, Circle, Drawing, Icon, Line, Rect, Shape, Standing, Text

Json = list[Any]


class Shapes:
    """All distinct shapes of a match's drawings, numbered from 0."""

    def __init__(self) -> None:
        self.listed: list[Json] = []
        self._numbers: dict[Shape, int] = {}
        self._by_id: dict[int, tuple[int, Shape]] = {}  # the same, without comparing; the shapes live as long as this

    def numbers(self, shapes: Iterable[Shape]) -> list[int]:
        """Return the numbers of these shapes, in order and without duplicates."""
        return list(dict.fromkeys(map(self.number, shapes)))

    def number(self, shape: Shape) -> int:
        """Return a shape's number; a new shape gets the next one."""
        if (known := self._by_id.get(id(shape))) is not None:
            return known[0]
        found = self._numbers.get(shape)
        if found is None:
            found = self._numbers[shape] = len(self.listed)
            self.listed.append(_listed(shape))
        self._by_id[id(shape)] = found, shape
        return found


def _listed(shape: Shape) -> Json:
    ink = shape.ink.value
    match shape:
        case Rect():
            return ["r", *_short(shape.x, shape.y, shape.width, shape.height), ink, *_short(shape.rounded)]
        case Line():
            return ["l", _short(*(at for point in shape.points for at in point)), shape.width, ink, shape.is_dashed]
        case Circle():
            return ["c", *_short(shape.x, shape.y, shape.radius), ink, shape.is_hollow]
        case Text():
            return ["t", *_short(shape.x, shape.y, shape.size), ink, shape.text]
        case Icon():
            return ["i", *_short(shape.x, shape.y, shape.size), ink, shape.sign.value]
        case _:
            assert_never(shape)


def _short(*numbers: float) -> list[float]:
    """Round to hundredths of a cell, finer than a screen; write whole numbers as int."""
    rounded = (round(number, 2) for number in numbers)
    return [int(number) if number == int(number) else number for number in rounded]


class Track:
    """The drawings of a match for one reader, added in the order of turns."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._drawn: list[tuple[Shape, ...]] = []
        self._shown: list[list[int]] = []
        self._names: list[str] = []
        self._size = (0.0, 0.0)
        self._frames: list[Json] = []
        self._titles: list[str] = []
        self._panels: list[Json] = []
        self._legend: tuple[Beside, ...] = ()

    def add(self, drawing: Drawing) -> Json:
        """Add the next turn's drawing and return its frame of changes."""
        frame = list(self._changes(drawing))
        self._frames.append(frame)
        self._size = (max(self._size[0], drawing.width), max(self._size[1], drawing.height))
        self._titles.append(drawing.title)
        self._panels.append([self._standing(one) for one in drawing.seats])
        self._legend = tuple(dict.fromkeys((*self._legend, *drawing.legend)))
        return frame

    def look(self) -> dict[str, Any]:
        """Return what does not change often: size, layers, title, seats and legend of the last drawing."""
        return {
            "width": self._size[0],
            "height": self._size[1],
            "layers": list(self._names),
            "title": self._titles[-1],
            "panel": self._panels[-1],
            "legend": self._listed_legend(),
        }

    def _listed_legend(self) -> Json:
        return [[self._shapes.number(one.shape), one.text] for one in self._legend]

    def _changes(self, drawing: Drawing) -> Iterable[Json]:
        missing = len(self._shown) - len(drawing.layers)
        for at, shapes in enumerate([*(layer.shapes for layer in drawing.layers), *([()] * missing)]):
            if at == len(self._shown):
                self._names.append(drawing.layers[at].name)
                self._shown.append([])
                self._drawn.append(())
            if shapes is self._drawn[at] or shapes == self._drawn[at]:
                continue
            numbers = self._shapes.numbers(shapes)
            gone, put = changes(self._shown[at], numbers)
            self._drawn[at], self._shown[at] = shapes, numbers
            if gone or put:
                yield [at, gone, put]

    def _standing(self, one: Standing) -> Json:
        texts = [one.role, one.score, one.lives, list(one.resources), one.note]
        return [one.seat, self._shapes.number(one.shape), *texts, one.is_out]

    def as_json(self) -> dict[str, Any]:
        """Return all drawings as JSON data; panels and titles are lists of `[turn, value]` at changes."""
        return {
            "width": self._size[0],
            "height": self._size[1],
            "layers": self._names,
            "frames": self._frames,
            "titles": changed(self._titles),
            "panels": changed(self._panels),
            "legend": self._listed_legend(),
        }


def changes(old: Sequence[int], new: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the numbers to remove from `old`, and [place, number, ...] to insert after that, to get `new`.

    Neither list has duplicates.

    >>> changes([1, 2, 3], [1, 4, 3])
    ([2], [1, 4])
    >>> changes([1, 2], [2, 1])
    ([1, 2], [0, 2, 1, 1])
    """
    kept = set(old) & set(new)
    if [one for one in old if one in kept] != [one for one in new if one in kept]:
        kept = set()
    put = [number for at, one in enumerate(new) if one not in kept for number in (at, one)]
    return [one for one in old if one not in kept], put


def changed(values: Sequence[Any]) -> list[tuple[int, Any]]:
    """Return `(turn, value)` for every value that differs from the one before.

    >>> changed(["a", "a", "b"])
    [(0, 'a'), (2, 'b')]
    """
    return [(at, value) for at, value in enumerate(values) if not at or value != values[at - 1]]
