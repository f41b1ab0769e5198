"""What a seat of bomber may submit, and its text. What is legal when is decided elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Action(StrEnum):
    """What a seat submits; `str(action)` is the canonical text."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    BOMB = "bomb"
    WAIT = "wait"


ACTIONS: tuple[Action, ...] = tuple(Action)

MOVES: tuple[Action, ...] = (Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT)
_TEXTS: Mapping[str, Action] = {action.value: action for action in ACTIONS}


def parse_action(text: str) -> Action:
    """One of the six texts, exactly; ValueError for any other."""
    action = _TEXTS.get(text)
    if action is None:
        raise ValueError(f"expected one of {', '.join(ACTIONS)}, got {text!r}")
    return action
