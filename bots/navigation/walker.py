"""The bot that all navigation planners share: belief, one route a seat, answers, other robots. Searches nothing itself.

It gives up where its planner proves that there is no way. Where the map is unknown and changes, that proof may rest on
what was seen long ago: it forgets that and goes on. Where the planner merely found none it waits: it might be wrong.
Where its work was spent before a way was found it takes the step that brings it nearest, as the crow flies.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from gridjoust.bots.api import Bot, MatchSetup, Observation, SearchStats
from gridjoust.bots.navigation.route import MakeRoute, Route, Shown
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, PlanStats
from gridjoust.bots.reported import search_stats
from gridjoust.games.navigation.actions import GO, MAX_PATH, Path, Stay
from gridjoust.games.navigation.board import HEADINGS, MOVES, Heading, Moves


def make_grid(width: int, height: int, moves: Moves, blocked: Iterable[int]) -> SearchGrid:
    """The grid that planners search, under the moves of the game."""
    return SearchGrid(
        width, height, blocked=blocked,
        connectivity=moves.connectivity, diagonal_cost=moves.diagonal_cost, cut_corners=moves.cut_corners,
    )  # fmt: skip


class Belief:
    """The map as one seat knows it, in the form that planners search. No one else may change its grid.

    Unseen cells are taken for free, cells seen some time ago for unchanged. The cell under the robot is taken for free
    as long as it is there, even if it has closed: the rules let it leave, and planners need a start that has ways out.
    """

    def __init__(self, setup: MatchSetup, seat: int) -> None:
        briefing = setup.briefing[str(seat)]
        blocked = [cell for cell, sign in enumerate("".join(briefing["rows"] or ())) if sign == "@"]
        width, height = briefing["size"]
        self.grid = make_grid(width, height, MOVES[setup.params["connectivity"]], blocked)
        self.start = self.grid.index(*briefing["start"])
        self.goal = self.grid.index(*briefing["goal"])
        self.here = self.start
        self.taken: frozenset[int] = frozenset()  # cells of other robots in sight
        self._sensed: frozenset[int] = frozenset()
        self._closed_below = False  # the cell under the robot is blocked in truth
        self._has_forgotten = False
        self._is_late: bool | None = None  # joined a match under way; None until the first view
        self._trusts_news = False  # joined late or has forgotten: what is in sight may be part of no news to come

    def update(self, view: dict[str, Any]) -> list[ArcChange[int]]:
        """Take in an observation; the arcs that it changed."""
        grid = self.grid
        costs: dict[int, float] = {}
        here = grid.index(*view["position"])
        if here != self.here and self._closed_below:
            costs[self.here] = INF
            self._closed_below = False
        self.here = here
        sensed = [grid.index(*place) for place in view["sensed"]]
        if not self._trusts_news:
            costs |= dict.fromkeys(sensed, INF)
        for x, y, is_blocked in view["news"]:
            costs[grid.index(x, y)] = INF if is_blocked else 1
        if here in costs:
            self._closed_below = costs[here] == INF
            costs[here] = 1
        self._sensed = frozenset(sensed)
        self.taken = frozenset([grid.index(*place) for place in view["robots"]])
        if self._is_late is None:
            self._is_late = view["step"] > 0
        self._trusts_news = not (self._has_forgotten or self._is_late)
        return grid.change(costs)

    def forget(self) -> list[ArcChange[int]]:
        """Take all blocked cells out of sight for free again, since they may have changed; the arcs that changed."""
        blocked = [cell for cell, cost in enumerate(self.grid.entry_costs) if cost == INF]
        self._has_forgotten, self._trusts_news = True, False
        return self.grid.change({cell: 1 for cell in blocked if cell not in self._sensed})

    def heading(self, cell: int, target: int) -> Heading:
        """The heading of the step between two cells that touch."""
        (x, y), (target_x, target_y) = self.grid.place(cell), self.grid.place(target)
        return _HEADING[target_x - x, target_y - y]


_HEADING = {heading.value: heading for heading in HEADINGS}


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
            route = self._make_route(belief.grid, belief.start, belief.goal, budget=self.work)
            self._robots[seat] = _Robot(setup, belief, route, self.work)

    def act(self, observation: Observation) -> str:
        """A step, a path where the match takes them, `wait` or `give up`."""
        robot = self._robots[observation.seat]
        robot.hear(observation)
        answer = robot.answer(self.rng)
        if self.lens is not None:
            self.show("way", path=robot.way())
            self._show_search(robot)
        self.stats = robot.stats()
        return answer

    def _show_search(self, robot: _Robot) -> None:
        place = robot.place
        for name, layer in robot.shown().items():
            self.show(
                name,
                heat={place(cell): value for cell, value in layer.heat.items()},
                nodes=map(place, layer.nodes),
                frontier=map(place, layer.frontier),
            )


class _Robot:
    """One seat's belief and route. `stats` tell of a question only if it took a search, so they count replans."""

    def __init__(self, setup: MatchSetup, belief: Belief, route: Route, work: Budget) -> None:
        self._belief = belief
        self._route = route
        self._work = work
        self._takes_paths = bool(setup.params["batch"])
        self._may_have_changed = setup.params["knowledge"] == "unknown" and setup.params["changes"] > 0
        self._spent: PlanStats | None = None

    def hear(self, observation: Observation) -> None:
        """Take in the news and plan."""
        self._spent = None
        self._revise(self._belief.update(observation.view))
        if self._route.cost == INF and self._may_have_changed and not self._work.is_spent:
            self._revise(self._belief.forget())

    def answer(self, rng: random.Random) -> str:
        """What to do now."""
        belief, step = self._belief, self._route.next_step()
        if step is None and self._work.is_spent and belief.here != belief.goal:
            return self._approach()
        if step is None:
            is_certain = self._route.is_proven and not self._may_have_changed and belief.here != belief.goal
            return str(Stay.GIVE_UP if is_certain else Stay.WAIT)
        if step in belief.taken:
            return self._make_way(rng)
        if self._takes_paths:
            steps = pairwise(self._route.path()[: MAX_PATH + 1])
            return str(Path(tuple([belief.heading(tail, head) for tail, head in steps])))
        return str(GO[belief.heading(belief.here, step)])

    def way(self) -> list[tuple[int, int]]:
        """The places to come, as planned now."""
        return [self._belief.grid.place(cell) for cell in self._route.path()]

    def place(self, cell: int) -> tuple[int, int]:
        """Of a cell."""
        return self._belief.grid.place(cell)

    def shown(self) -> Mapping[str, Shown]:
        """Layers of what was searched for this answer; none where nothing was."""
        return {} if self._spent is None else self._route.shown(self._belief.here)

    def stats(self) -> SearchStats | None:
        """What planning for the last question cost, None if there was none."""
        return None if self._spent is None else search_stats(self._spent, plan_cost=self._route.cost)

    def _revise(self, changes: Sequence[ArcChange[int]]) -> None:
        spent = self._route.revise(self._belief.here, changes)
        if spent is not None:
            self._spent = spent if self._spent is None else self._spent + spent

    def _approach(self) -> str:
        """A step to the neighbour nearest to the goal, as the crow flies; no way is known yet."""
        belief = self._belief
        free = [cell for cell in belief.grid.neighbours[belief.here] if cell not in belief.taken]
        if not free:
            return str(Stay.WAIT)
        return str(GO[belief.heading(belief.here, min(free, key=belief.grid.estimate_to((belief.goal,))))])

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
