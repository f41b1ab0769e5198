"""Count how many of a bot's answers its own planner chose; the rest is decided by tactics that the game's bots share.

`python -m study.planner_share [--seeds N] [--games GAME ...]`

An answer is the planner's own if its search chose it: the first step of a path or line that it found. What is done on
the spot (taking a token, breaking a seal, striking) and what ends a turn belongs to the tactics. In bomber the planner
must have had more than one safe move to choose from; in placement nothing may have been added to its plan. In ricochet
bids and solutions are the planner's own if they are those of the last plan that it found, and `pass` if it found none;
in navigation the step must be the next of the planned path. Results repeat exactly.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple
from unittest import mock

from gridjoust import Bot, Observation, ParamValue
from gridjoust.bots import bot_names, load_bot
from gridjoust.bots.bomber.gambit import Gambit
from gridjoust.bots.bomber.target_bot import TargetBot
from gridjoust.bots.eidolon.hero import HeroBot
from gridjoust.bots.lens import Lens
from gridjoust.bots.match import play_match
from gridjoust.bots.placement.builder import Builder
from gridjoust.bots.placement.task import Found, IsOver, Scene
from gridjoust.bots.ricochet.bidder import PASS, Bidder
from gridjoust.bots.ricochet.plans import Planner, Task
from gridjoust.games.bomber import Bomber
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.navigation import Navigation
from gridjoust.games.navigation.actions import GO
from gridjoust.games.navigation.board import HEADINGS
from gridjoust.games.placement import Placement
from gridjoust.games.ricochet import Ricochet
from gridjoust.games.ricochet.actions import Bid, Solve
from gridjoust.games.ricochet.optimum import Plan
from study.bomber_bots import BOTS as BOMBER
from study.eidolon import BOTS as EIDOLON
from study.heroquest import HEROES, ZARGONS
from study.navigation import BOTS as NAVIGATION
from study.placement import BOTS as PLACEMENT
from study.report import print_table

FIRST_SEED = 2_000_000
BOMBERS = ("astar", "dstar_lite", "dijkstra_map", "beam", "gambit")
NEARLY = {"bomber": "with one safe move left", "placement": "begin with its plan"}
Rows = Iterator[list[str]]
IsOwn = Callable[[Bot, str, Observation], bool]
STEPS: Mapping[tuple[int, int], str] = {heading.value: str(GO[heading]) for heading in HEADINGS}
SOLVE: Mapping[str, ParamValue] = {"mode": "solve", "positions": 20}
UNKNOWN: Mapping[str, ParamValue] = {"knowledge": "unknown", "max_turns": 100_000}
TRAFFIC: Mapping[str, ParamValue] = {
    "shared": True,
    "knowledge": "unknown",
    "density": 0.25,
    "sensor": 2,
    "width": 32,
    "height": 32,
    "max_turns": 300,
}  # of configs/navigation-traffic.yaml


class Count(NamedTuple):
    """The number of answers, of those that a planner chose, and of those that come near to it (see `NEARLY`)."""

    answers: int = 0
    own: int = 0
    nearly: int = 0

    def plus(self, other: Count) -> Count:
        """Return the sum of both counts."""
        return Count(self.answers + other.answers, self.own + other.own, self.nearly + other.nearly)

    def row(self, bot: str, where: str) -> list[str]:
        """Return a row of the table: bot, place, number of answers, and shares in per cent."""
        own, nearly = (f"{part / max(1, self.answers):.0%}" for part in (self.own, self.nearly))
        words = NEARLY.get(bot.partition("/")[0])
        return [bot, where, str(self.answers), own, f"{nearly} {words}" if words else ""]


class Counter:
    """Counts the answers of one bot, and those for which `is_own` is true when called right after the answer."""

    def __init__(self, bot: Bot, is_own: IsOwn) -> None:
        self._bot = bot
        self._is_own = is_own
        self.count = Count()

    def __call__(self, bot: Bot, observation: Observation) -> str:
        """Ask the bot, count the answer and return it."""
        answer = bot.act(observation)
        assert isinstance(answer, str)
        if bot is self._bot:
            self.count = self.count.plus(Count(1, self._is_own(bot, answer, observation)))
        return answer


def has_led(bot: Bot, answer: str, observation: Observation) -> bool:  # noqa: ARG001 - neither of them tells
    """Return True if the planner chose this act in eidolon: it has an act for the spot, or a path of several cells."""
    assert isinstance(bot, HeroBot)
    plan = bot.itinerary
    return plan is not None and (plan.act is not None or len(plan.path) > 1)


def has_walked(bot: Bot, answer: str, observation: Observation) -> bool:  # noqa: ARG001 - it does not tell
    """Return True if the planner chose this action in heroquest: a move after a search, or any action by a beam."""
    is_searched = bot.stats is not None and bool(bot.stats.expanded)
    return is_searched and (answer.startswith("move") or bot.planner == "beam")


def of_eidolon(make: Callable[[], Bot], params: Mapping[str, ParamValue], seats: int, seeds: range) -> Count:
    """Count the answers of one bot that holds all heroes."""
    total = Count()
    for seed in seeds:
        bot = make()
        counter = Counter(bot, has_led)
        play_match(Eidolon(params, seats=seats), [bot] * seats, seed=seed, ask=counter)
        total = total.plus(counter.count)
    return total


def of_heroquest(make: Callable[[], Bot], quest: str, seats: int, seeds: range, *, role: str) -> Count:
    """Count the answers of one bot in one role; A* plays the other role."""
    total = Count()
    for seed in seeds:
        bot, rival = make(), HEROES["astar"]()
        heroes, zargon = (bot, rival) if role == "heroes" else (rival, bot)
        counter = Counter(bot, has_walked)
        play_match(HeroQuest({"quest": quest}, seats=seats), [heroes] * (seats - 1) + [zargon], seed=seed, ask=counter)
        total = total.plus(counter.count)
    return total


def of_bomber(make: Callable[[], Bot], seeds: range) -> Count:
    """Count the answers of two bots of this kind against each other; the bots themselves count who decided."""
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
    """Counts the answers of placement's bots against the plans that their searches found, one towards each goal."""

    def __init__(self) -> None:
        self.count = Count()
        self._plans: list[str] = []

    def searches(
        self, searches: Callable[..., Iterator[Found]], scene: Scene, seat: int, is_over: IsOver
    ) -> Iterator[Found]:
        """Run the bot's own method `searches`, and note the plans that it finds."""
        self._plans.clear()
        for found in searches(scene, seat, is_over):
            self._plans.append(str(found.plan))
            yield found

    def __call__(self, bot: Bot, observation: Observation) -> str:
        """Ask the bot, compare the answer with its plans, count it and return it."""
        assert isinstance(bot, Builder)
        with mock.patch.object(bot, "searches", partial(self.searches, bot.searches)):
            answer = bot.act(observation)
        assert isinstance(answer, str)
        has_begun = any(map(answer.startswith, self._plans))
        self.count = self.count.plus(Count(1, answer in self._plans, has_begun))
        return answer


def of_placement(make: Callable[[], Bot], seeds: range) -> Count:
    """Count the answers of two bots of this kind against each other."""
    watch = BuilderWatch()
    for seed in seeds:
        play_match(Placement(), [make(), make()], seed=seed, ask=watch)
    return watch.count


class BidderWatch:
    """Counts the answers of one ricochet bot against the last solution that its planner found."""

    def __init__(self, bot: Bidder) -> None:
        self._find_plans: Planner = bot.find_plans
        self._found: Plan | None = None
        bot.find_plans = self.plans

    def plans(self, task: Task) -> Iterator[Plan | None]:
        """Run the bot's own `find_plans`, and note the last plan that it finds."""
        self._found = None
        for plan in self._find_plans(task):
            if plan is not None and plan.moves:
                self._found = plan
            yield plan

    def is_own(self, bot: Bot, answer: str, observation: Observation) -> bool:  # noqa: ARG002 - it watches one bot
        """Return True if the answer is exactly what the planner found."""
        view, moves = observation.view, self._found.moves if self._found is not None else None
        if moves is None:
            return answer == PASS
        if view["phase"] == "bidding":
            return answer == (PASS if view["bids"][observation.seat] == len(moves) else str(Bid(len(moves))))
        return answer == str(Solve(moves))


def of_ricochet(name: str, params: Mapping[str, ParamValue], seats: int, seeds: range) -> Count:
    """Count the answers of the bot on the first seat; all bots are of this kind."""
    total = Count()
    for seed in seeds:
        bots = [load_bot(f"ricochet/{name}")() for _ in range(seats)]
        assert isinstance(bots[0], Bidder)
        counter = Counter(bots[0], BidderWatch(bots[0]).is_own)
        play_match(Ricochet(params, seats=seats), bots, seed=seed, ask=counter)
        total = total.plus(counter.count)
    return total


def has_followed(bot: Bot, answer: str, observation: Observation) -> bool:  # noqa: ARG001 - the lens tells
    """Return True if the step is the next one of the path that the planner in navigation shows."""
    assert bot.lens is not None
    for layer in bot.lens.take():
        if (layer.name, layer.kind) == ("way", "path") and not isinstance(layer.data, str) and len(layer.data) >= 4:
            x, y, next_x, next_y = (int(value) for value in layer.data[:4])
            return answer == STEPS[next_x - x, next_y - y]
    return False


def of_navigation(make: Callable[[], Bot], params: Mapping[str, ParamValue], seats: int, seeds: range) -> Count:
    """Count the answers of the bot on the first seat; all bots are of this kind."""
    total = Count()
    for seed in seeds:
        bots = [make() for _ in range(seats)]
        bots[0].lens = Lens()
        counter = Counter(bots[0], has_followed)
        play_match(Navigation(params, seats=seats), bots, seed=seed, ask=counter)
        total = total.plus(counter.count)
    return total


def bomber_rows(seeds: range) -> Rows:
    """Yield a row for each bomber bot against itself, on the default board."""
    for name in BOMBERS:
        yield of_bomber(BOMBER[name], seeds).row(f"bomber/{name}", "against itself")


def placement_rows(seeds: range) -> Rows:
    """Yield a row for each placement bot against itself, on the default board."""
    for name, make in PLACEMENT.items():
        yield of_placement(make, seeds).row(f"placement/{name}", "against itself")


def eidolon_rows(seeds: range) -> Rows:
    """Yield a row for each eidolon bot, with three heroes, in the easiest preset and in that of the board game."""
    for preset in ("sim1", "published"):
        for name, make in EIDOLON.items():
            yield of_eidolon(make, {"preset": preset}, 3, seeds).row(f"eidolon/{name}", f"{preset}, 3 heroes")


def heroquest_rows(seeds: range) -> Rows:
    """Yield a row for each heroquest bot in its role, in one quest."""
    for role, bots in (("heroes", HEROES), ("zargon", ZARGONS)):
        for name, make in bots.items():
            if "random" not in name:
                count = of_heroquest(make, "watch_house", 4, seeds, role=role)
                yield count.row(f"heroquest/{name}", f"watch_house, {role}")


def ricochet_rows(seeds: range) -> Rows:
    """Yield a row for each ricochet bot: alone on positions, and bidding against a bot of the same kind."""
    names = [name.partition("/")[2] for name in bot_names() if name.startswith("ricochet/")]
    for where, params, seats in (("solve", SOLVE, 1), ("bidding", {}, 2)):
        for name in names:
            yield of_ricochet(name, params, seats, seeds).row(f"ricochet/{name}", where)


def navigation_rows(seeds: range) -> Rows:
    """Yield a row for each navigation bot: alone on known and on unknown maps, and with a second robot in its way."""
    for where, params, seats in (("known", {}, 1), ("unknown", UNKNOWN, 1), ("traffic, 2 robots", TRAFFIC, 2)):
        for name, make in NAVIGATION.items():
            yield of_navigation(make, params, seats, seeds).row(f"navigation/{name}", where)


GAMES: Mapping[str, Callable[[range], Rows]] = {
    "bomber": bomber_rows,
    "placement": placement_rows,
    "eidolon": eidolon_rows,
    "heroquest": heroquest_rows,
    "ricochet": ricochet_rows,
    "navigation": navigation_rows,
}


def main() -> None:
    """Play the matches of this study and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    options = parser.parse_args()
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    rows = [row for game in options.games for row in GAMES[game](seeds)]
    print_table("Answers that are the planner's own", ("bot", "in", "answers", "share", "besides"), rows)


if __name__ == "__main__":
    main()
