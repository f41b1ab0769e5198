"""Bomber bots without bombs, memory or caution: a moving target, and one that stands still."""

from __future__ import annotations

from typing import ClassVar

from gridjoust.bots.api import Bot, Observation
from gridjoust.games.bomber.actions import MOVES, Action
from gridjoust.games.bomber.board import OFF_BOARD, make_board

_OBSTACLES = ("metal", "soft", "ore", "bombs")


class Wanderer(Bot):
    """Steps to a random free neighbour each tick, or waits if there is none."""

    plays: ClassVar[tuple[str, ...]] = ("bomber",)

    def act(self, observation: Observation) -> str:
        """Return a move to one of the free neighbours, all equally likely, or `wait`."""
        view = observation.view
        board = make_board(*view["size"])
        places = [place for kind in _OBSTACLES for place in view[kind]]
        places += [opponent["position"] for opponent in view["opponents"]]
        taken = {y * board.width + x for x, y in places} | {OFF_BOARD}
        here = board.cell(*view["position"])
        moves = [move.value for move in MOVES if board.steps[move][here] not in taken]
        return self.rng.choice(moves) if moves else "wait"


class Idle(Bot):
    """Waits every tick: a target to practise on."""

    plays: ClassVar[tuple[str, ...]] = ("bomber",)

    def act(self, observation: Observation) -> str:  # noqa: ARG002 - it looks at nothing
        """Return the action `wait`."""
        return Action.WAIT.value
