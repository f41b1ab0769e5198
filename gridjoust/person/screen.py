"""Screens of all games for a person: the game's own drawing and keys, or a list of legal actions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gridjoust.games import find_room

# public view before and after a turn, briefing -> drawings
DrawTurn = Callable[[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]], list[str]]

ROOM = "terminal"
"""A game may bring a module of this name, with `KEYS`, `draw(view, briefing)`, `parse(line, view, legal)`, and perhaps
`RESERVED` keys, `PICKED` (a layer of its drawing), `draw_turn(before, after, briefing)` for replays and
`draw_plan(view, cells)` for advice. A drawing that needs a memory is a class `Drawing(briefing)` instead, called with
each view. Without the module there is a list.
"""


def turn_drawer(game: str) -> DrawTurn | None:
    """Return the game's function that draws a turn step by step, None if it has none."""
    return getattr(find_room(game, ROOM), "draw_turn", None)


class Screen:
    """The default screen: the observation as JSON and the legal actions numbered."""

    keys = "the number of an action, or an action in the game's notation"
    reserved: Mapping[str, str] = {}  # a game's own key -> `hint` or `auto`
    picked = ""  # layer of figures that are picked by their letter and moved by arrows

    def draw(self, view: Mapping[str, Any], legal: Sequence[str]) -> str:
        """Return the observation as text: a line per key and a numbered line per legal action."""
        seen = [f"{name}: {json.dumps(value)}" for name, value in view.items()]
        return "\n".join([*seen, *(f"{number:3} {text}" for number, text in enumerate(legal, 1))])

    def draw_plan(self, view: Mapping[str, Any], bot: object) -> str:  # noqa: ARG002 - a list shows no paths
        """Return a drawing of a bot's planned path, "" if the game cannot draw it."""
        return ""

    def parse(self, line: str, view: Mapping[str, Any], legal: Sequence[str]) -> str:  # noqa: ARG002 - the list is all
        """Return the action text for a typed number or text; ValueError for a number that is not in the list."""
        word = line.strip()
        if not word.isdecimal() or word in legal:
            return word
        if not 1 <= int(word) <= len(legal):
            raise ValueError(f"expected 1 to {len(legal)}, got {word}")
        return legal[int(word) - 1]


class DrawnScreen(Screen):
    """The screen of a game with its own drawing and keys."""

    def __init__(self, module: Any, briefing: Mapping[str, Any]) -> None:
        self._module, self._briefing = module, briefing
        self.keys: str = module.KEYS
        self.reserved = getattr(module, "RESERVED", {})
        self.picked = getattr(module, "PICKED", "")
        self._drawing = module.Drawing(briefing) if hasattr(module, "Drawing") else None

    def draw(self, view: Mapping[str, Any], legal: Sequence[str]) -> str:  # noqa: ARG002 - the drawing shows it
        """Return the game's own drawing."""
        return str(self._module.draw(view, self._briefing) if self._drawing is None else self._drawing(view))

    def draw_plan(self, view: Mapping[str, Any], bot: object) -> str:
        """Return a drawing of the bot's `itinerary`, "" if it has none or the game cannot draw it."""
        itinerary = getattr(bot, "itinerary", None)
        if itinerary is None or not hasattr(self._module, "draw_plan"):
            return ""
        return str(self._module.draw_plan(view, itinerary.path))

    def parse(self, line: str, view: Mapping[str, Any], legal: Sequence[str]) -> str:
        """Return the action text for typed keys of the game; ValueError for others."""
        return str(self._module.parse(line, view, legal))


def make_screen(game: str, briefing: Mapping[str, Any]) -> Screen:
    """Return the screen of a game."""
    module = find_room(game, ROOM)
    return Screen() if module is None else DrawnScreen(module, briefing)
