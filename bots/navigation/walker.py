"""The bot that all navigation planners share: belief, one route a seat, answers, other robots. Searches nothing itself.

It gives up where its planner proves that there is no way. Where the map is unknown and changes, that proof may rest on
what was seen long ago: it forgets that and goes on. Where the planner merely found none it waits: it might be wrong.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from bots.api import Bot, MatchSetup, Observation, SearchStats
from bots.navigation.belief import Belief
from bots.navigation.route import MakeRoute, Route
from bots.planners.graph import ArcChange
from bots.planners.stats import INF, PlanStats
from bots.reported import search_stats
from games.navigation.actions import GO, MAX_PATH, Path, Stay

DETOUR_CHANCE = 0.5  # of going round a robot that stands in the way rather than waiting for it


class Walker(Bot):
    """Walks the way of its planner. Subclasses say which planner that is."""

    plays: ClassVar[tuple[str, ...]] = ("navigation",)

    def __init__(self, make_route: MakeRoute) -> None:
        self._make_route = make_route
        self._robots: dict[int, _Robot] = {}

    def start(self, setup: MatchSetup) -> None:
        """One robot for each seat held; planning waits for the first question, so that it is counted."""
        for seat in setup.seats:
            belief = Belief(setup, seat)
            self._robots[seat] = _Robot(setup, belief, self._make_route(belief.grid, belief.start, belief.goal))

    def act(self, observation: Observation) -> str:
        """A step, a path where the match takes them, `wait` or `give up`."""
        robot = self._robots[observation.seat]
        robot.hear(observation)
        answer = robot.answer(self.rng)
        self.stats = robot.stats()
        return answer


class _Robot:
    """One seat's belief and route. `stats` tell of a question only if it took a search, so they count replans."""

    def __init__(self, setup: MatchSetup, belief: Belief, route: Route) -> None:
        self._belief = belief
        self._route = route
        self._takes_paths = bool(setup.params["batch"])
        self._may_have_changed = setup.params["knowledge"] == "unknown" and setup.params["changes"] > 0
        self._spent: PlanStats | None = None

    def hear(self, observation: Observation) -> None:
        """Take in the news and plan."""
        self._spent = None
        self._revise(self._belief.update(observation.view))
        if self._route.cost == INF and self._may_have_changed:
            self._revise(self._belief.forget())

    def answer(self, rng: random.Random) -> str:
        """What to do now."""
        belief, step = self._belief, self._route.next_step()
        if step is None:
            is_certain = self._route.is_proven and not self._may_have_changed and belief.here != belief.goal
            return str(Stay.GIVE_UP if is_certain else Stay.WAIT)
        if step in belief.taken:
            return self._make_way(rng)
        if self._takes_paths:
            steps = pairwise(self._route.path()[: MAX_PATH + 1])
            return str(Path(tuple([belief.heading(tail, head) for tail, head in steps])))
        return str(GO[belief.heading(belief.here, step)])

    def stats(self) -> SearchStats | None:
        """What planning for the last question cost, None if there was none."""
        return None if self._spent is None else search_stats(self._spent, plan_cost=self._route.cost)

    def _revise(self, changes: Sequence[ArcChange[int]]) -> None:
        spent = self._route.revise(self._belief.here, changes)
        if spent is not None:
            self._spent = spent if self._spent is None else self._spent + spent

    def _make_way(self, rng: random.Random) -> str:
        """A robot stands in the way: wait, or step aside, rather nearer to the goal than away from it.

        Who steps aside is drawn, so that two robots face to face do not mirror each other for ever.
        """
        belief = self._belief
        free = [cell for cell in belief.grid.neighbours[belief.here] if cell not in belief.taken]
        if not free or rng.random() >= DETOUR_CHANCE:
            return str(Stay.WAIT)
        estimate = belief.grid.estimate_to((belief.goal,))
        target = min(rng.sample(free, min(2, len(free))), key=estimate)
        return str(GO[belief.heading(belief.here, target)])
