"""How much of what the bots of a game answer is their planner's own: the rest is decided by tactics that they share.

`python -m benchmarks.planner_share [--seeds N] [--games GAME ...]`

An answer is the planner's own if its search chose it: the first step of a way or line that it found. What is done on
the spot (a token taken, a seal broken, a blow struck) and what ends a turn is the tactics'. In bomber the planner must
have had more than one safe move to choose from, in placement nothing may have been added to its plan. Results repeat
exactly.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple
from unittest import mock

from benchmarks.bomber_bots import BOTS as BOMBER
from benchmarks.eidolon import BOTS as EIDOLON
from benchmarks.heroquest import HEROES, ZARGONS
from benchmarks.placement import BOTS as PLACEMENT
from benchmarks.report import print_table
from bots.api import Bot, Observation
from bots.bomber.gambit import Gambit
from bots.bomber.target_bot import TargetBot
from bots.eidolon.hero import HeroBot
from bots.match import play_match
from bots.placement.builder import Builder
from bots.placement.task import Found, IsOver, Scene
from games.api import ParamValue
from games.bomber import Bomber
from games.eidolon import Eidolon
from games.heroquest import HeroQuest
from games.placement import Placement

FIRST_SEED = 2_000_000
BOMBERS = ("astar", "dstar_lite", "dijkstra_map", "beam", "gambit")
NEARLY = {"bomber": "with one safe move left", "placement": "begin with its plan"}
Rows = Iterator[list[str]]


class Count(NamedTuple):
    """Answers in all, those that a planner chose, and those that come near to it (see `NEARLY`)."""

    answers: int = 0
    own: int = 0
    nearly: int = 0

    def plus(self, other: Count) -> Count:
        """Both together."""
        return Count(self.answers + other.answers, self.own + other.own, self.nearly + other.nearly)

    def row(self, bot: str, where: str) -> list[str]:
        """The count as percentages."""
        own, nearly = (f"{part / max(1, self.answers):.0%}" for part in (self.own, self.nearly))
        words = NEARLY.get(bot.partition("/")[0])
        return [bot, where, str(self.answers), own, f"{nearly} {words}" if words else ""]


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
            self.count = self.count.plus(Count(1, self._is_own(bot, answer)))
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
        total = total.plus(counter.count)
    return total


def of_heroquest(make: Callable[[], Bot], quest: str, seats: int, seeds: range, *, role: str) -> Count:
    """One bot in one role; A* in the other."""
    total = Count()
    for seed in seeds:
        bot, rival = make(), HEROES["astar"]()
        heroes, zargon = (bot, rival) if role == "heroes" else (rival, bot)
        counter = Counter(bot, has_walked)
        play_match(HeroQuest({"quest": quest}, seats=seats), [heroes] * (seats - 1) + [zargon], seed=seed, ask=counter)
        total = total.plus(counter.count)
    return total


def of_bomber(make: Callable[[], Bot], seeds: range) -> Count:
    """Two of a kind; both count their own answers."""
    total = Count()
    for seed in seeds:
        bots = [make(), make()]
        play_match(Bomber(), bots, seed=seed)
        for bot in bots:
            assert isinstance(bot, TargetBot | Gambit)
            decided = bot.decided
            total = total.plus(Count(decided.total(), decided["planner"], decided["safety"]))
    return total


class BuilderWatch:
    """Counts the answers of placement's bots against the last plan that their searches found."""

    def __init__(self) -> None:
        self.count = Count()
        self._found: Found | None = None

    def plans(self, plans: Callable[..., Iterator[Found]], scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:
        """In place of the bot's own method `plans`, which it calls."""
        for self._found in plans(scene, seat, is_over):
            yield self._found

    def __call__(self, bot: Bot, observation: Observation) -> str:
        """Ask, and compare."""
        assert isinstance(bot, Builder)
        with mock.patch.object(bot, "plans", partial(self.plans, bot.plans)):
            answer = bot.act(observation)
        assert isinstance(answer, str)
        plan = "" if self._found is None else str(self._found.plan)
        self.count = self.count.plus(Count(1, answer == plan, answer.startswith(plan)))
        return answer


def of_placement(make: Callable[[], Bot], seeds: range) -> Count:
    """Two of a kind; both are counted."""
    watch = BuilderWatch()
    for seed in seeds:
        play_match(Placement(), [make(), make()], seed=seed, ask=watch)
    return watch.count


def bomber_rows(seeds: range) -> Rows:
    """The default board."""
    for name in BOMBERS:
        yield of_bomber(BOMBER[name], seeds).row(f"bomber/{name}", "against itself")


def placement_rows(seeds: range) -> Rows:
    """The default board."""
    for name, make in PLACEMENT.items():
        yield of_placement(make, seeds).row(f"placement/{name}", "against itself")


def eidolon_rows(seeds: range) -> Rows:
    """The easiest preset and the board game."""
    for preset in ("sim1", "published"):
        for name, make in EIDOLON.items():
            yield of_eidolon(make, {"preset": preset}, 3, seeds).row(f"eidolon/{name}", f"{preset}, 3 heroes")


def heroquest_rows(seeds: range) -> Rows:
    """One quest, in both roles."""
    for role, bots in (("heroes", HEROES), ("zargon", ZARGONS)):
        for name, make in bots.items():
            if "random" not in name:
                count = of_heroquest(make, "watch_house", 4, seeds, role=role)
                yield count.row(f"heroquest/{name}", f"watch_house, {role}")


GAMES: Mapping[str, Callable[[range], Rows]] = {
    "bomber": bomber_rows,
    "placement": placement_rows,
    "eidolon": eidolon_rows,
    "heroquest": heroquest_rows,
}


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    options = parser.parse_args()
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    rows = [row for game in options.games for row in GAMES[game](seeds)]
    print_table("Answers that are the planner's own", ("bot", "in", "answers", "share", "besides"), rows)


if __name__ == "__main__":
    main()
