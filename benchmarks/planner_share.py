"""How much of what the bots of a game answer is their planner's own: the rest is decided by tactics that they share.

`python -m benchmarks.planner_share [--seeds N]`

An answer is the planner's own if its search chose it: the first step of a way or line that it found. What is done on
the spot (a token taken, a seal broken, a blow struck) and what ends a turn is the tactics'. Results repeat exactly.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import NamedTuple

from benchmarks.eidolon import BOTS as EIDOLON
from benchmarks.heroquest import HEROES
from benchmarks.report import print_table
from bots.api import Bot, Observation
from bots.eidolon.hero import HeroBot
from bots.match import play_match
from games.api import ParamValue
from games.eidolon import Eidolon
from games.heroquest import HeroQuest

FIRST_SEED = 2_000_000


class Count(NamedTuple):
    """Answers in all, and those that a planner chose."""

    answers: int = 0
    own: int = 0

    @property
    def share(self) -> str:
        """As a percentage."""
        return f"{self.own / max(1, self.answers):.0%}"


class Counter:
    """Counts the answers of one bot; `is_own` looks at it right after each."""

    def __init__(self, bot: Bot, is_own: Callable[[Bot, str], bool]) -> None:
        self._bot = bot
        self._is_own = is_own
        self.count = Count()

    def __call__(self, bot: Bot, observation: Observation) -> str:
        """Ask as ever."""
        answer = bot.act(observation)
        assert isinstance(answer, str)
        if bot is self._bot:
            self.count = Count(self.count.answers + 1, self.count.own + self._is_own(bot, answer))
        return answer


def has_led(bot: Bot, answer: str) -> bool:  # noqa: ARG001 - the answer does not tell
    """Eidolon: the act begins a line of the planner or is the first step of its way."""
    assert isinstance(bot, HeroBot)
    plan = bot.itinerary
    return plan is not None and (plan.act is not None or len(plan.path) > 1)


def has_walked(bot: Bot, answer: str) -> bool:
    """Heroquest: a walk that was searched for, or a turn that a beam planned."""
    is_searched = bot.stats is not None and bool(bot.stats.expanded)
    return is_searched and (answer.startswith("move") or bot.planner == "beam")


def of_eidolon(make: Callable[[], Bot], params: Mapping[str, ParamValue], seats: int, seeds: range) -> Count:
    """One bot that holds all heroes."""
    total = Count()
    for seed in seeds:
        bot = make()
        counter = Counter(bot, has_led)
        play_match(Eidolon(params, seats=seats), [bot] * seats, seed=seed, ask=counter)
        total = Count(total.answers + counter.count.answers, total.own + counter.count.own)
    return total


def of_heroquest(make: Callable[[], Bot], quest: str, seats: int, seeds: range, *, role: str) -> Count:
    """One bot in one role; A* in the other."""
    total = Count()
    for seed in seeds:
        bot, rival = make(), HEROES["astar"]()
        heroes, zargon = (bot, rival) if role == "heroes" else (rival, bot)
        counter = Counter(bot, has_walked)
        play_match(HeroQuest({"quest": quest}, seats=seats), [heroes] * (seats - 1) + [zargon], seed=seed, ask=counter)
        total = Count(total.answers + counter.count.answers, total.own + counter.count.own)
    return total


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    rows = [
        [f"eidolon/{name}", f"{preset}, {seats} heroes", str(count.answers), count.share]
        for preset, seats in (("sim1", 3), ("published", 3))
        for name, make in EIDOLON.items()
        for count in [of_eidolon(make, {"preset": preset}, seats, seeds)]
    ]
    rows += [
        [f"heroquest/{name}", f"watch_house, {role}", str(count.answers), count.share]
        for role in ("heroes", "zargon")
        for name in EIDOLON
        for count in [of_heroquest(HEROES[name], "watch_house", 4, seeds, role=role)]
    ]
    print_table("Answers that are the planner's own", ("bot", "in", "answers", "share"), rows)


if __name__ == "__main__":
    main()
