"""What a bot is to its author. Knows no network: plain synchronous methods, one instance per match and bot."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import msgspec

PLANNERS = ("astar", "dstar_lite", "beam", "dijkstra_map", "other")


class SearchStats(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a decision cost; every field is optional and reaches `turns.csv.gz`."""

    expanded: int | None = None
    generated: int | None = None
    frontier: int | None = None  # peak size
    plan_cost: float | None = None


class MatchSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot knows before the first turn."""

    match: str
    game: str
    game_version: str
    variant: str
    params: dict[str, Any]
    seats: list[int]  # held by this bot, sorted
    seat_count: int
    teams: list[int]  # team of every seat
    roles: list[str]  # role of every seat, "" where the game has none
    briefing: dict[str, Any]  # seat (as text) -> what stays true all match for that seat
    bot_seed: int  # the bot's only randomness; the same on a rerun
    dynamics: str  # "sequential", "simultaneous", "real_time" or "ticked"
    turn_ms: int | None  # thinking time per turn; None = no limit

    @property
    def seat(self) -> int:
        """The first (usually the only) seat held."""
        return self.seats[0]


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """One question, or news of a change, for one seat."""

    seat: int
    turn: int
    view: dict[str, Any]  # what this seat may know now; the game's documentation lists the keys
    legal: list[str]  # legal action texts (a useful sample where `legal_complete` is false)
    legal_complete: bool = True


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """How the match ended, told to every bot that is still there."""

    termination: str
    reason: str
    returns: list[float]
    ranks: list[int]  # 1 is best, ties share


class Deadline:
    """How much time is left for this answer; never ends where there is no limit."""

    def __init__(self, limit_ms: float | None, now_ms: Callable[[], float]) -> None:
        self._now_ms = now_ms
        self._end_ms = None if limit_ms is None else now_ms() + limit_ms

    def remaining_ms(self) -> float:
        """Milliseconds left; infinite without a limit, negative when over."""
        return float("inf") if self._end_ms is None else self._end_ms - self._now_ms()

    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.remaining_ms() <= 0


class Bot:
    """A program that plays. Only `act` is required; options of the tournament file reach `__init__`.

    The harness makes a fresh instance for every match, sets `rng` from the match's bot seed, calls `start`, then
    `act` for every question. Set `self.stats` in `act` to report what the search cost.
    """

    plays: ClassVar[tuple[str, ...]] = ()  # games by name; empty = every game
    planner: ClassVar[str] = "other"  # one of PLANNERS
    version: ClassVar[str] = "1"

    stats: SearchStats | None = None
    rng: random.Random

    def start(self, setup: MatchSetup) -> None:
        """Called once before the first turn, within `start_ms`: precompute here."""

    def act(self, observation: Observation) -> str:
        """The action text for this question."""
        raise NotImplementedError(f"{type(self).__name__} has no act method")

    def hear(self, event: Observation) -> None:
        """The situation changed while a question of yours stays open (real-time games)."""

    def finish(self, result: MatchResult) -> None:
        """The match is over."""


class AnytimeBot(Bot):
    """A bot whose answers get better while time remains."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        """Yield better and better action texts; the harness looks at the network between yields.

        Turn-based games: the last one before the deadline counts. Real-time games: each is sent. Yield None where
        there is nothing better yet, so that news can come in.
        """
        raise NotImplementedError(f"{type(self).__name__} has no improve method")

    def act(self, observation: Observation) -> str:
        """The last answer of `improve` without a limit."""
        answer: str | None = None
        for better in self.improve(observation, Deadline(None, lambda: 0.0)):
            answer = answer if better is None else better
        if answer is None:
            raise ValueError(f"{type(self).__name__}.improve yielded no answer")
        return answer
