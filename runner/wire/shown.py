"""What a bot shows of its search to people who look, as it goes over a wire; neither referee nor record get it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

MOST_LETTERS = 100  # of a layer's name


class Layer(msgspec.Struct, frozen=True):
    """One layer over the board."""

    name: Annotated[str, msgspec.Meta(max_length=MOST_LETTERS)]
    kind: Literal["heat", "path", "nodes", "frontier", "arrows", "text"]
    data: list[float] | str


class Shown(msgspec.Struct, frozen=True):
    """The layers of one answer."""

    match: str
    seat: int
    turn: int
    layers: list[Layer]


def shown_topic(prefix: str) -> str:
    """Where a bot process shows its search, if the run wants it to; for the live page alone."""
    return f"{prefix}/shown"
