"""What a person sees and may type, for every game: the game's own drawing and keys, or a plain list of actions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from games.registry import find_room

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


class Screen(Protocol):
    """How one game is shown to a person."""

    keys: str
    reserved: Mapping[str, str]  # a game's own key -> `hint` or `auto`

    def draw(self, view: Mapping[str, Any], legal: Sequence[str]) -> str:
        """The situation as text."""

    def draw_plan(self, view: Mapping[str, Any], bot: object) -> str:
        """The way a bot means to go, or "" where the game does not draw it."""

    def parse(self, line: str, view: Mapping[str, Any], legal: Sequence[str]) -> str:
        """What was typed -> action text; ValueError says what may be typed."""


class DrawnScreen:
    """A game with a drawing and keys of its own."""

    def __init__(self, module: Any, briefing: Mapping[str, Any]) -> None:
        self._module = module
        self._briefing = briefing
        self.keys: str = self._module.KEYS
        self.reserved: Mapping[str, str] = getattr(self._module, "RESERVED", {})
        self._drawing = self._module.Drawing(briefing) if hasattr(self._module, "Drawing") else None

    def draw(self, view: Mapping[str, Any], legal: Sequence[str]) -> str:  # noqa: ARG002 - the drawing shows it
        """The game's own drawing."""
        drawn: str = self._module.draw(view, self._briefing) if self._drawing is None else self._drawing(view)
        return drawn

    def draw_plan(self, view: Mapping[str, Any], bot: object) -> str:
        """The bot's `itinerary`, where it has one and the game draws it."""
        itinerary = getattr(bot, "itinerary", None)
        if itinerary is None or not hasattr(self._module, "draw_plan"):
            return ""
        drawn: str = self._module.draw_plan(view, itinerary.path)
        return drawn

    def parse(self, line: str, view: Mapping[str, Any], legal: Sequence[str]) -> str:
        """The game's own keys."""
        text: str = self._module.parse(line, view, legal)
        return text


class ListScreen:
    """Any game: what is seen as JSON, the legal actions numbered."""

    keys = "the number of an action, or an action in the game's notation"
    reserved: Mapping[str, str] = {}

    def draw(self, view: Mapping[str, Any], legal: Sequence[str]) -> str:
        """One line per thing seen and per legal action."""
        seen = [f"{name}: {json.dumps(value)}" for name, value in view.items()]
        return "\n".join([*seen, *(f"{number:3} {text}" for number, text in enumerate(legal, 1))])

    def draw_plan(self, view: Mapping[str, Any], bot: object) -> str:  # noqa: ARG002 - as every screen
        """Nothing: a list shows no ways."""
        return ""

    def parse(self, line: str, view: Mapping[str, Any], legal: Sequence[str]) -> str:  # noqa: ARG002 - as every screen
        """A number of the list, or the text itself."""
        word = line.strip()
        if not word.isdecimal() or word in legal:
            return word
        if not 1 <= int(word) <= len(legal):
            raise ValueError(f"expected 1 to {len(legal)}, got {word}")
        return legal[int(word) - 1]


def make_screen(game: str, briefing: Mapping[str, Any]) -> Screen:
    """The screen for a game."""
    module = find_room(game, ROOM)
    return ListScreen() if module is None else DrawnScreen(module, briefing)
