"""Navigation situations drawn as rows of text, and answers played one after another. Holds no expectations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from gridjoust.games.api import ParamValue
from gridjoust.games.navigation import Navigation
from gridjoust.games.navigation.state import Robot, State
from tests import scene as shared


@dataclass(frozen=True)
class Scene(shared.Scene[Navigation, State]):
    """A game of navigation and a situation in it."""

    @property
    def size(self) -> tuple[int, int]:
        return self.state.board.width, self.state.board.height

    def flip(self, *places: tuple[int, int]) -> Self:
        """The scene with cells of the true board changed behind everybody's back."""
        return self.change(board=self.state.board.with_flipped(tuple(self.cell(x, y) for x, y in places)))

    def robot(self, seat: int = 0) -> Robot:
        return self.state.robots[seat]

    def position(self, seat: int = 0) -> tuple[int, int]:
        return self.place(self.robot(seat).cell)


def scene(*rows: str, seats: int = 1, seed: int = 1, **params: ParamValue) -> Scene:
    """The start of a match on a drawn board (see gridjoust.games.navigation.maps for the signs)."""
    game = Navigation({"map": "\n".join(rows), **params}, seats=seats)
    return Scene(game, game.initial_state(seed))
