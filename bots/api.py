"""The interface for authors of bots: plain synchronous methods, no network; each match gets a fresh instance."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from gridjoust.bots.planners.budget import UNLIMITED, Budget, OutOfWork
from gridjoust.runner.wire.protocol import End as MatchResult  # The result of a match, as `Bot.finish` gets it.
from gridjoust.runner.wire.protocol import Observation
from gridjoust.runner.wire.protocol import Start as MatchSetup  # The facts about a match, as `Bot.start` gets them.
from gridjoust.runner.wire.protocol import Stats as SearchStats  # The cost of an answer, for `Bot.stats`.

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
    "OutOfWork",
    "SearchStats",
]


class Deadline:
    """The time left for this answer; it never ends if there is no limit.

    If work is the limit (`clock: work`), there is no limit of time: the deadline is over when the bot's `work` is
    spent.
    """

    def __init__(self, limit_ms: float | None, now_ms: Callable[[], float], work: Budget = UNLIMITED) -> None:
        self._now_ms = now_ms
        self._work = work
        self._end_ms = None if limit_ms is None else now_ms() + limit_ms

    def remaining_ms(self) -> float:
        """Return the milliseconds left; infinite without a limit, negative when over."""
        return float("inf") if self._end_ms is None else self._end_ms - self._now_ms()

    def is_over(self) -> bool:
        """Return True if no time or no work is left."""
        return self._work.is_spent or self.remaining_ms() <= 0


class Bot:
    """A program that plays. Only `act` is required; `options` of the tournament file reach `__init__`.

    >>> import gridjoust as joust
    >>> class Lefty(joust.Bot):
    ...     plays = ("bomber",)
    ...     def act(self, observation):
    ...         return "left" if "left" in observation.legal else "wait"
    >>> joust.play("bomber", [Lefty, "random"], params={"max_ticks": 20}).faults
    []

    The harness makes a fresh instance for every match, sets `rng` from the match's bot seed, calls `start`, then `act`
    for every question. Set `self.stats` in `act` to report what the search cost.

    `self.work` counts the successors that this answer may still generate: pass it to the planners as their `budget`, or
    call `self.work.spend(successors)` for each node and stop when `self.work.is_spent`. What you generate outside of a
    search belongs into `self.work.count_tactics(successors)`; it raises OutOfWork if nothing is left. Without an answer
    by then, the first of `legal` is played. Work has no limit unless the match sets `clock: work`.
    """

    plays: ClassVar[tuple[str, ...]] = ()  # games by name; empty = every game
    planner: ClassVar[str] = "other"  # family of the search, 1 to 30 letters, digits or _
    version: ClassVar[str] = "1"  # for the tables: letters, digits and . _ + -

    stats: SearchStats | None = None  # set it in `act`: the cost of this answer's search
    rng: random.Random  # the only source of chance: with it a rerun gives the same answers
    work: Budget = UNLIMITED  # successors that this answer may still generate
    lens: Lens | None = None  # set while `joust look` shows the bot's search

    def start(self, setup: MatchSetup) -> None:
        """Prepare for the match: called once before the first turn, within `start_ms`."""

    def act(self, observation: Observation) -> str:
        """Return the text of an action that answers this question."""
        raise NotImplementedError(f"{type(self).__name__} has no act method")

    def hear(self, event: Observation) -> None:
        """Take note of a change while a question to this bot is open (real-time games)."""

    def finish(self, result: MatchResult) -> None:
        """Take note of the result when the match is over."""

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
        """Show your search on cells (x, y) of the board, under a layer name of your choice; `joust look` draws it.

        List `nodes` in the order of their expansion. In a match without spectators the call does nothing: put costly
        preparations under `if self.lens is not None`.
        """
        if self.lens is not None:
            self.lens.add(layer, heat=heat, path=path, nodes=nodes, frontier=frontier, arrows=arrows, text=text)


class AnytimeBot(Bot):
    """A bot whose answers improve while time remains.

    >>> import gridjoust as joust
    >>> class Careful(joust.AnytimeBot):
    ...     def improve(self, observation, deadline):
    ...         yield observation.legal[0]  # at once, so that there is an answer
    ...         if not deadline.is_over():
    ...             yield observation.legal[-1]  # found by more thought
    >>> joust.play("placement", [Careful, "random"], params={"max_game_rounds": 2}).faults
    []
    """

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        """Yield better and better action texts; the harness reads the network between yields.

        Turn-based games count the last text before the deadline; real-time games send each one. Yield None while there
        is nothing better, so that news can arrive.
        """
        raise NotImplementedError(f"{type(self).__name__} has no improve method")

    def act(self, observation: Observation) -> str:
        """Return the last answer of `improve`, run without a limit; ValueError if it yields none."""
        answer: str | None = None
        for better in self.improve(observation, Deadline(None, lambda: 0.0)):
            answer = answer if better is None else better
        if answer is None:
            raise ValueError(f"{type(self).__name__}.improve yielded no answer")
        return answer
