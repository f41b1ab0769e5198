"""Navigation situations drawn as rows of text, and answers played one after another. Holds no expectations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from games.api import ParamValue, Turn
from games.navigation import Navigation
from games.navigation.state import Robot, State


@dataclass(frozen=True)
class Scene:
    """A game and a situation in it; every method that plays returns the scene after."""

    game: Navigation
    state: State

    def cell(self, x: int, y: int) -> int:
        return y * self.state.board.width + x

    def play(self, *answers: str) -> Scene:
        """One text for each seat that is asked, in turn."""
        state = self.state
        for answer in answers:
            (seat,) = self.game.seats_to_act(state)
            state = self.game.apply(state, Turn({seat: self.game.parse_action(answer)}, state.step))
        return replace(self, state=state)

    def flip(self, *places: tuple[int, int]) -> Scene:
        """The scene with cells of the true board changed behind everybody's back."""
        board = self.state.board.with_flipped(tuple(self.cell(x, y) for x, y in places))
        return replace(self, state=replace(self.state, board=board))

    @property
    def mover(self) -> int | None:
        """The seat that is asked."""
        return next(iter(self.game.seats_to_act(self.state)), None)

    @property
    def is_over(self) -> bool:
        return self.game.is_terminal(self.state)

    def robot(self, seat: int = 0) -> Robot:
        return self.state.robots[seat]

    def position(self, seat: int = 0) -> tuple[int, int]:
        return self.state.board.place(self.robot(seat).cell)

    def legal(self, seat: int = 0) -> list[str]:
        return [str(action) for action in self.game.legal_actions(self.state, seat)]

    def is_legal(self, answer: str, seat: int = 0) -> bool:
        return self.game.is_legal(self.state, seat, self.game.parse_action(answer))

    def view(self, seat: int = 0) -> dict[str, Any]:
        return self.game.observation(self.state, seat)

    def metrics(self, seat: int = 0) -> dict[str, float]:
        return dict(self.game.metrics(self.state)[seat])

    def returns(self) -> tuple[float, ...]:
        return self.game.returns(self.state)


def scene(*rows: str, seats: int = 1, seed: int = 1, **params: ParamValue) -> Scene:
    """The start of a match on a drawn board (see games.navigation.maps for the signs)."""
    game = Navigation({"map": "\n".join(rows), **params}, seats=seats)
    return Scene(game, game.initial_state(seed))
