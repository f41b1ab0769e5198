"""Games that only stand in tournament files: seats, teams, roles and parameters; one turn long, no rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from gridjoust import games
from gridjoust.games.api import Dynamics, Game, GameSpec, Json, Param, Seat, Turn, Utility

GAMES = {
    "duel": "tests.runner.config.tiny_games:Duel",
    "quest": "tests.runner.config.tiny_games:Quest",
    "maze": "tests.runner.config.tiny_games:Maze",
    "crew": "tests.runner.config.tiny_games:Crew",
}


@pytest.fixture(autouse=True, scope="module")
def only_tiny_games() -> Iterator[None]:
    """For every test of a module that imports it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "GAMES", GAMES)
        yield


KNOWN_PARAMS: Mapping[str, Param] = {
    "max_ticks": Param(100, "length", 1, 1000),
    "map": Param("", "board as text"),
    "pace": Param("slow", "speed", choices=("slow", "fast")),
    "weight": Param(0.5, "a number", 0, 1),
    "fog": Param(default=False, help="a switch"),
}


class Tiny(Game[int, str]):
    """One turn, then over."""

    spec = GameSpec("duel", "1", 2, 4, Dynamics.SIMULTANEOUS, Utility.INDIVIDUAL, True, 1, KNOWN_PARAMS)

    def initial_state(self, seed: int) -> int:
        if "no way in" in str(self.params.get("map", "")):
            raise ValueError("map: row 2: expected a way in, got none")
        if self.params.get("weight") == 1.0:
            raise ValueError("max_ticks + weight: expected at most 50, got 101")
        if self.params.get("pace") == "fast" and self.params.get("fog"):
            raise ValueError("too fast to see")
        if self.params.get("max_ticks") == 14:
            raise ValueError("weight: expected at least 0.6, got 0.5")
        if self.params.get("max_ticks") == 13:
            raise ValueError("max_ticks: expected a lucky number, got 13")
        return 0

    def seats_to_act(self, state: int) -> tuple[Seat, ...]:
        return () if state else tuple(range(self.seats))

    def legal_actions(self, state: int, seat: Seat) -> tuple[str, ...]:
        return () if state else ("pass",)

    def default_action(self, state: int, seat: Seat) -> str:
        return "pass"

    def apply(self, state: int, turn: Turn[str]) -> int:
        return 1

    def is_terminal(self, state: int) -> bool:
        return state == 1

    def returns(self, state: int) -> tuple[float, ...]:
        return (0.0,) * self.seats

    def observation(self, state: int, seat: Seat) -> dict[str, Json]:
        return {}

    def public_view(self, state: int) -> dict[str, Json]:
        return {}

    def redeal(self, state: int, seat: Seat, rng: random.Random) -> int:
        return state

    def encode(self, state: int) -> bytes:
        return bytes([state])

    def parse_action(self, text: str) -> str:
        if text != "pass":
            raise ValueError(f"expected pass, got {text!r}")
        return text

    def render(self, state: int) -> str:
        return "tiny"


class Duel(Tiny):
    """Two to four seats, each its own side; loads maps."""


class Quest(Tiny):
    """Three heroes against zargon, who sits last; no maps."""

    spec = GameSpec("quest", "1", 4, 4, Dynamics.SEQUENTIAL, Utility.INDIVIDUAL, False, 1)

    @property
    def teams(self) -> tuple[int, ...]:
        return (0, 0, 0, 1)

    @property
    def roles(self) -> tuple[str, ...]:
        return ("heroes", "heroes", "heroes", "zargon")


class Maze(Tiny):
    """One seat."""

    spec = GameSpec("maze", "1", 1, 1, Dynamics.SEQUENTIAL, Utility.INDIVIDUAL, True, 1)


class Crew(Tiny):
    """Two to four seats that share one return."""

    spec = GameSpec("crew", "1", 2, 4, Dynamics.SIMULTANEOUS, Utility.SHARED, True, 1)
