"""Boards as drawings: values made by a game's module `drawing`, written as text, SVG, pictures or arrays of pixels.

>>> import gridjoust as joust
>>> from gridjoust import drawing
>>> boards = []
>>> def watch(turn):
...     boards.append(drawing.draw_state(turn.game, turn.state, past=[]))
>>> _ = joust.play("bomber", ["random", "random"], params={"max_ticks": 20}, on_turn=watch)
>>> boards[0].width, boards[0].height
(9, 9)
>>> drawing.write_svg(boards[0])[:26]
'<svg xmlns="http://www.w3.'

`paint` needs the extra `pictures`. What writes drawings is loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from gridjoust.games.drawing import (
    PUBLIC,
    Beside,
    Circle,
    Drawing,
    Icon,
    Ink,
    Layer,
    Line,
    Rect,
    Sign,
    Standing,
    Text,
    figure,
    fill,
    grid,
    ground,
    key,
    side_of,
    signs,
    trail,
)

if TYPE_CHECKING:
    from gridjoust.drawing.find import draw_state as draw_state
    from gridjoust.drawing.pixels import paint as paint
    from gridjoust.drawing.raster import pixel_array as pixel_array
    from gridjoust.drawing.terminal import board_text as board_text
    from gridjoust.games.svg import write_svg as write_svg

_HOME_OF = {
    "board_text": "gridjoust.drawing.terminal",
    "draw_state": "gridjoust.drawing.find",
    "paint": "gridjoust.drawing.pixels",
    "pixel_array": "gridjoust.drawing.raster",
    "write_svg": "gridjoust.games.svg",
}
__all__ = [
    "PUBLIC",
    "Beside",
    "Circle",
    "Drawing",
    "Icon",
    "Ink",
    "Layer",
    "Line",
    "Rect",
    "Sign",
    "Standing",
    "Text",
    "board_text",
    "draw_state",
    "figure",
    "fill",
    "grid",
    "ground",
    "key",
    "paint",
    "pixel_array",
    "side_of",
    "signs",
    "trail",
    "write_svg",
]


def __getattr__(name: str) -> object:
    """Load a function that writes drawings on first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(_HOME_OF[name]), name)
    return found


def __dir__() -> list[str]:
    """Return all public names, loaded or not."""
    return sorted(__all__)
