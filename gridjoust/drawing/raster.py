"""Drawings as arrays of pixels for learning libraries, without letters."""

from __future__ import annotations

from itertools import pairwise
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from gridjoust.games.drawing import Circle, Drawing, Icon, Ink, Line, Rect, Shape, Text
from gridjoust.games.svg import COLOURS

CELL_PX = 16
Pixels = NDArray[np.uint8]
_Places = NDArray[np.float64]


def pixel_array(drawing: Drawing, *, cell_px: int = CELL_PX) -> Pixels:
    """Return the board alone as a uint8 array (height, width, 3)."""
    height, width = (round(side * cell_px) for side in (drawing.height, drawing.width))
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = _colour(Ink.FLOOR)
    y, x = (np.indices((height, width)) + 0.5) / cell_px
    for layer in drawing.layers:
        for shape in layer.shapes:
            covered = _covered(shape, x, y)
            if covered is not None:
                picture[covered] = _colour(shape.ink)
    return picture


def _colour(ink: Ink) -> tuple[int, int, int]:
    text = COLOURS[ink][0]
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _covered(shape: Shape, x: _Places, y: _Places) -> NDArray[np.bool_] | None:
    """Return a mask of the pixels whose centres a shape covers; None for letters."""
    match shape:
        case Rect():
            return (x >= shape.x) & (x < shape.x + shape.width) & (y >= shape.y) & (y < shape.y + shape.height)
        case Circle():
            distance = np.hypot(x - shape.x, y - shape.y)
            return np.abs(distance - shape.radius) <= 0.08 if shape.is_hollow else distance <= shape.radius
        case Line():
            near = [_near(one, other, shape.width / 2, x, y) for one, other in pairwise(shape.points)]
            reached: NDArray[np.bool_] = np.logical_or.reduce(near)
            return reached
        case Icon():  # a diamond of its size; the colour tells icons apart
            return np.abs(x - shape.x) + np.abs(y - shape.y) <= shape.size / 2
        case Text():
            return None
        case _:
            assert_never(shape)


def _near(
    one: tuple[float, float], other: tuple[float, float], reach: float, x: _Places, y: _Places
) -> NDArray[np.bool_]:
    """Return a mask of the pixels whose distance to the segment from `one` to `other` is at most `reach`."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    along = np.clip(((x - one[0]) * dx + (y - one[1]) * dy) / max(dx * dx + dy * dy, 1e-12), 0, 1)
    near: NDArray[np.bool_] = np.hypot(x - one[0] - along * dx, y - one[1] - along * dy) <= reach
    return near
