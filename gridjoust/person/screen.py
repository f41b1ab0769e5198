"""What a person sees and may type, for every game: the game's own drawing and keys, or a plain list of actions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gridjoust.games.registry import find_room

# public view before and after a turn, briefing -> drawings
DrawTurn = Callable[[Mapping[str, Any], Mapping[str, Any], Mapping[str, Any]], list[str]]

ROOM = "terminal"
"""A game may bring a module of this name, with `KEYS`, `draw(view, briefing)`, `parse(line, view, legal)`, and perhaps
`RESERVED` keys, `draw_turn(before, after, briefing)` for replays and `draw_plan(view, cells)` for advice. A drawing
that needs a memory is a class `Drawing(briefing)` instead, called with each view. Without the module there is a list.
"""


def turn_drawer(game: str) -> DrawTurn | None:
    """How a game shows a turn step by step to everyone, if it does."""
    return getattr(find_room(game, ROOM), "draw_turn", None)


class Screen:
    """How any game is shown to a person: what is seen as JSON, the legal actions numbered."""

    keys = "the number of an action, or an action in the game's notation"
    reserved: Mapping[str, str] = {}  # a game's own key -> `hint` or `auto`

    def draw(self, view: Mapping[str, Any], legal: Sequence[str]) -> str:
        """The situation as text: one line per thing seen and per legal action."""
        seen = [f"{name}: {json.dumps(value)}" for name, value in view.items()]
        return "\n".join([*seen, *(f"{number:3} {text}" for number, text in enumerate(legal, 1))])

    def draw_plan(self, view: Mapping[str, Any], bot: object) -> str:  # noqa: ARG002 - a list shows no ways
        """The way a bot means to go, or "" where the game does not draw it."""
        return ""

    def parse(self, line: str, view: Mapping[str, Any], legal: Sequence[str]) -> str:  # noqa: ARG002 - the list is all
        """What was typed, a number of the list or the text itself -> action text; ValueError says what may be typed."""
        word = line.strip()
        if not word.isdecimal() or word in legal:
            return word
        if not 1 <= int(word) <= len(legal):
            raise ValueError(f"expected 1 to {len(legal)}, got {word}")
        return legal[int(word) - 1]


class DrawnScreen(Screen):
    """A game with a drawing and keys of its own."""

    def __init__(self, module: Any, briefing: Mapping[str, Any]) -> None:
        self._module, self._briefing = module, briefing
        self.keys: str = module.KEYS
        self.reserved = getattr(module, "RESERVED", {})
        self._drawing = module.Drawing(briefing) if hasattr(module, "Drawing") else None

    def draw(self, view: Mapping[str, Any], legal: Sequence[str]) -> str:  # noqa: ARG002 - the drawing shows it
        """The game's own drawing."""
        return str(self._module.draw(view, self._briefing) if self._drawing is None else self._drawing(view))

    def draw_plan(self, view: Mapping[str, Any], bot: object) -> str:
        """The bot's `itinerary`, where it has one and the game draws it."""
        itinerary = getattr(bot, "itinerary", None)
        if itinerary is None or not hasattr(self._module, "draw_plan"):
            return ""
        return str(self._module.draw_plan(view, itinerary.path))

    def parse(self, line: str, view: Mapping[str, Any], legal: Sequence[str]) -> str:
        """The game's own keys."""
        return str(self._module.parse(line, view, legal))


def make_screen(game: str, briefing: Mapping[str, Any]) -> Screen:
    """The screen for a game."""
    module = find_room(game, ROOM)
    return Screen() if module is None else DrawnScreen(module, briefing)
