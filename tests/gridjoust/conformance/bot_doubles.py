"""Small bots for the tiny games, most of them with one thing wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, ClassVar

from gridjoust.bots.api import AnytimeBot, Bot, Deadline, MatchSetup, Observation


class DrawsBot(Bot):
    """Correct: draws from the listed actions."""

    def act(self, observation: Observation) -> str:
        return self.rng.choice(observation.legal)


class FirstThenBest(AnytimeBot):
    """Correct: an answer at once, a better one while time remains."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        yield observation.legal[0]
        if not deadline.is_over():
            yield None
            yield observation.legal[-1]


class NamesHighest(DrawsBot):
    """Correct, and good at numbers."""

    def act(self, observation: Observation) -> str:
        return max(observation.legal)


class PlaysChess(DrawsBot):
    plays: ClassVar[tuple[str, ...]] = ("chess",)


class PlansByMagic(DrawsBot):
    planner: ClassVar[str] = "magic!"


class AnswersNonsense(Bot):
    def act(self, observation: Observation) -> str:
        return "take all of it"


class WalksGlobally(Bot):
    def act(self, observation: Observation) -> str:
        return f"walk {random.randint(1, 7)}"


class WalksByHash(Bot):
    def start(self, setup: MatchSetup) -> None:
        self.rng = random.Random(hash("anything"))

    def act(self, observation: Observation) -> str:
        return f"walk {self.rng.randint(1, 7)}"


class SharesMemory(Bot):
    """Its memory belongs to the class: two matches at once disturb each other."""

    answers: ClassVar[list[str]] = []

    def start(self, setup: MatchSetup) -> None:
        self.answers.clear()

    def act(self, observation: Observation) -> str:
        self.answers.append("one more")
        return observation.legal[len(self.answers) % len(observation.legal)]


class ChangesObservation(DrawsBot):
    def act(self, observation: Observation) -> str:
        text = super().act(observation)
        observation.legal.remove(text)
        return text


class ChangesSetup(DrawsBot):
    def start(self, setup: MatchSetup) -> None:
        setup.briefing.clear()


class WaitsForTime(AnytimeBot):
    """Says nothing where no time is left."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        if not deadline.is_over():
            yield observation.legal[0]


class NeedsWholeList(Bot):
    def act(self, observation: Observation) -> str:
        if not observation.legal_complete:
            raise IndexError("too few actions")
        return self.rng.choice(observation.legal)


class NamesLowest(Bot):
    def act(self, observation: Observation) -> str:
        return min(observation.legal)


class CountsNews(Bot):
    """Correct; counts what it hears."""

    news = 0

    def act(self, observation: Observation) -> str:
        return observation.legal[0]

    def hear(self, event: Observation) -> None:
        self.news += 1


class WantsOption(DrawsBot):
    """Correct with its option."""

    def __init__(self, *, depth: int) -> None:
        self.depth = depth


BotClass = type[Any]
