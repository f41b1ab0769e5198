"""What a bot is to its author. Knows no network: plain synchronous methods, one instance per match and bot."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.runner.wire.protocol import End as MatchResult
from gridjoust.runner.wire.protocol import Observation
from gridjoust.runner.wire.protocol import Start as MatchSetup
from gridjoust.runner.wire.protocol import Stats as SearchStats

if TYPE_CHECKING:
    from gridjoust.bots.lens import Lens, Place

__all__ = [
    "AnytimeBot",
    "Bot",
    "Budget",
    "Deadline",
    "MatchResult",
    "MatchSetup",
    "Observation",
    "SearchStats",
]


class Deadline:
    """How much time is left for this answer; never ends where there is no limit.

    Where work is the limit (`clock: work`) there is no end of time: it is over when `work`, the bot's own, is spent.
    """

    def __init__(self, limit_ms: float | None, now_ms: Callable[[], float], work: Budget = UNLIMITED) -> None:
        self._now_ms = now_ms
        self._work = work
        self._end_ms = None if limit_ms is None else now_ms() + limit_ms

    def remaining_ms(self) -> float:
        """Milliseconds left; infinite without a limit, negative when over."""
        return float("inf") if self._end_ms is None else self._end_ms - self._now_ms()

    def is_over(self) -> bool:
        """Whether no time or no work is left."""
        return self._work.is_spent or self.remaining_ms() <= 0


class Bot:
    """A program that plays. Only `act` is required; options of the tournament file reach `__init__`.

    The harness makes a fresh instance for every match, sets `rng` from the match's bot seed, calls `start`, then
    `act` for every question. Set `self.stats` in `act` to report what the search cost.

    `self.work` holds the nodes that may still be expanded for this answer: give it to the planners as their `budget`,
    or call `self.work.spend()` for each node and stop when `self.work.is_spent`. Without `clock: work` it never is.
    """

    plays: ClassVar[tuple[str, ...]] = ()  # games by name; empty = every game
    planner: ClassVar[str] = "other"  # family of the search, 1 to 30 letters, digits or _
    version: ClassVar[str] = "1"

    stats: SearchStats | None = None
    rng: random.Random
    work: Budget = UNLIMITED
    lens: Lens | None = None  # where somebody looks: `joust look`

    def start(self, setup: MatchSetup) -> None:
        """Called once before the first turn, within `start_ms`: precompute here."""

    def act(self, observation: Observation) -> str:
        """The action text for this question."""
        raise NotImplementedError(f"{type(self).__name__} has no act method")

    def hear(self, event: Observation) -> None:
        """The situation changed while a question of yours stays open (real-time games)."""

    def finish(self, result: MatchResult) -> None:
        """The match is over."""

    def show(
        self,
        layer: str,
        *,
        heat: Mapping[Place, float] | None = None,
        path: Iterable[Place] = (),
        nodes: Iterable[Place] = (),
        frontier: Iterable[Place] = (),
        arrows: Iterable[tuple[Place, Place]] = (),
        text: str = "",
    ) -> None:
        """Show what you are thinking of cells (x, y) of the board, under a name of your choice; `joust look` draws it.

        `nodes` are in the order in which they were expanded. In a match nobody looks and this does nothing: what is
        costly to put together belongs under `if self.lens is not None`.
        """
        if self.lens is not None:
            self.lens.add(layer, heat=heat, path=path, nodes=nodes, frontier=frontier, arrows=arrows, text=text)


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
