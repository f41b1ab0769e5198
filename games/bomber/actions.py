"""What a seat of bomber may submit, and its text. What is legal when is decided elsewhere."""

from __future__ import annotations

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


def parse_action(text: str) -> Action:
    """One of the six texts, exactly; ValueError for any other."""
    if text not in ACTIONS:
        raise ValueError(f"expected one of {', '.join(ACTIONS)}, got {text!r}")
    return Action(text)
