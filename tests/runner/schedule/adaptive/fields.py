"""Made-up fields for the tests of scheduling: tables of results that follow given Elo differences."""

from __future__ import annotations

import string
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gridjoust.runner.schedule.adaptive.pairs import Goal, Guard, PairTally, PlannedPair, Rule, Step
from gridjoust.runner.schedule.adaptive.resolve import next_step

Floats = NDArray[np.float64]


def names(count: int) -> list[str]:
    return list(string.ascii_lowercase[:count])


def ladder(count: int, *, step_elo: float) -> Floats:
    """Elo differences of bots that stand in a line, a the best."""
    strength = -step_elo * np.arange(count)
    found: Floats = strength[:, None] - strength[None, :]
    return found


def circle(count: int, *, elo: float) -> Floats:
    """Everybody beats the next half of the others and loses to the rest; all scores are alike (odd counts)."""
    ahead = (np.arange(count)[None, :] - np.arange(count)[:, None]) % count
    return np.where(ahead == 0, 0.0, np.where(ahead <= count // 2, elo, -elo))


class Simulation:
    """Plays planned pairs by chance, from one seed."""

    def __init__(self, elo: Floats, *, seed: int = 1) -> None:
        self._elo = elo
        self._rng = np.random.default_rng(seed)
        self.tally = PairTally(names(len(elo)))

    def play(self, pairs: Iterable[PlannedPair]) -> None:
        for pair in pairs:
            self._meet(self.tally.index(pair.first), self.tally.index(pair.second))

    def play_rounds(self, rounds: int) -> PairTally:
        for _ in range(rounds):
            for first, second in zip(*np.triu_indices(len(self._elo), 1), strict=True):
                self._meet(int(first), int(second))
        return self.tally

    def run(self, goal: Goal, *, rule: Rule, guard: Guard = Guard.UNTESTED) -> list[Step]:
        """All decisions until the goal is resolved."""
        steps: list[Step] = []
        while not steps or not steps[-1].resolution.is_resolved:
            steps.append(next_step(self.tally, goal, rule=rule, guard=guard))
            guard = steps[-1].guard
            self.play(steps[-1].pairs)
        return steps

    def _meet(self, first: int, second: int) -> None:
        expected = 1 / (1 + 10 ** (-self._elo[first, second] / 400))
        score = float((self._rng.random(2) < expected).mean())
        self.tally.add(self.tally.bots[first], self.tally.bots[second], score)
