"""The bot that all navigation planners share: belief, one route per seat, answers, other robots.

If the planner proves that there is no path, the bot gives up. If an unknown map may have changed meanwhile, the proof
may rest on old observations: the bot forgets these and goes on. If the planner merely found no path, the bot waits.
If its work was spent before a path was found, it takes the step that leads nearest to the goal by distance alone.
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
    """Make the grid that planners search, under the moves of the game."""
    return SearchGrid(
        width, height, blocked=blocked,
        connectivity=moves.connectivity, diagonal_cost=moves.diagonal_cost, cut_corners=moves.cut_corners,
    )  # fmt: skip


class Belief:
    """The map as one seat knows it, in the form that planners search; only this object may change its grid.

    Unseen cells count as free, cells seen earlier as unchanged. The robot's own cell counts as free while it is there,
    even if it has closed: the rules let it leave, and planners need a start with arcs out.
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
        self._closed_below = False  # the robot's cell is in fact blocked
        self._has_forgotten = False
        self._is_late: bool | None = None  # joined a running match; None until the first view
        self._trusts_news = False  # joined late or has forgotten: cells in sight may be missing from all later news

    def update(self, view: dict[str, Any]) -> list[ArcChange[int]]:
        """Take in an observation and return the arcs that it changed."""
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
        """Treat blocked cells out of sight as free again, since they may have changed; return the changed arcs."""
        blocked = [cell for cell, cost in enumerate(self.grid.entry_costs) if cost == INF]
        self._has_forgotten, self._trusts_news = True, False
        return self.grid.change({cell: 1 for cell in blocked if cell not in self._sensed})

    def heading(self, cell: int, target: int) -> Heading:
        """Return the heading of the step between two adjacent cells."""
        (x, y), (target_x, target_y) = self.grid.place(cell), self.grid.place(target)
        return _HEADING[target_x - x, target_y - y]


_HEADING = {heading.value: heading for heading in HEADINGS}


DETOUR_CHANCE = 0.5  # chance to go round a robot in the path; otherwise wait for it


class Walker(Bot):
    """A navigation bot that walks the path of its planner.

    Args:
        make_route: the class of its routes, such as a `FixedPath` with a `search` of its own
    """

    plays: ClassVar[tuple[str, ...]] = ("navigation",)  # games by name

    def __init__(self, make_route: MakeRoute) -> None:
        self.make_route = make_route
        self._robots: dict[int, _Robot] = {}

    def start(self, setup: MatchSetup) -> None:
        """Prepare one robot for each seat; planning waits for the first question, so that it is counted."""
        for seat in setup.seats:
            belief = Belief(setup, seat)
            work = self.work.keeping(belief.grid.connectivity)  # a step aside reads the neighbours of one cell
            route = self.make_route(belief.grid, belief.start, belief.goal, budget=work)
            self._robots[seat] = _Robot(setup, belief, route, work)

    def act(self, observation: Observation) -> str:
        """Return a step, a path if the match accepts paths, `wait` or `give up`."""
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
    """One seat's belief and route; after a question without a search `stats` is None, so that reports count replans."""

    def __init__(self, setup: MatchSetup, belief: Belief, route: Route, work: Budget) -> None:
        self.belief = belief
        self._route = route
        self._work = work
        self._takes_paths = bool(setup.params["batch"])
        self._may_have_changed = setup.params["knowledge"] == "unknown" and setup.params["changes"] > 0
        self._spent: PlanStats | None = None

    def hear(self, observation: Observation) -> None:
        """Take in an observation and bring the route up to date.

        If no path is left and the map may have changed, old observations are forgotten and the route is planned again.
        """
        self._spent = None
        self._revise(self.belief.update(observation.view))
        if self._route.cost == INF and self._may_have_changed and not self._work.is_spent:
            self._revise(self.belief.forget())

    def answer(self, rng: random.Random) -> str:
        """Return the action text for this question."""
        belief, step = self.belief, self._route.next_step()
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
        """Return the (x, y) of the cells to come, as planned now."""
        return [self.belief.grid.place(cell) for cell in self._route.path()]

    def place(self, cell: int) -> tuple[int, int]:
        """Return (x, y) of a cell."""
        return self.belief.grid.place(cell)

    def shown(self) -> Mapping[str, Shown]:
        """Return layers of the search for this answer; empty if there was no search."""
        return {} if self._spent is None else self._route.shown(self.belief.here)

    def stats(self) -> SearchStats | None:
        """Return what planning for the last question cost, None if no search was made."""
        return None if self._spent is None else search_stats(self._spent, plan_cost=self._route.cost)

    def _revise(self, changes: Sequence[ArcChange[int]]) -> None:
        spent = self._route.revise(self.belief.here, changes)
        if spent is not None:
            self._spent = spent if self._spent is None else self._spent + spent

    def _approach(self) -> str:
        """Return a step to the free neighbour nearest to the goal, or `wait`; used if no path is known yet."""
        belief, free = self.belief, self._free_beside()
        if not free:
            return str(Stay.WAIT)
        return str(GO[belief.heading(belief.here, min(free, key=belief.grid.estimate_to((belief.goal,))))])

    def _make_way(self, rng: random.Random) -> str:
        """Return `wait` for a robot in the path, or a step aside, rather towards the goal than away from it.

        Whether to step aside is drawn by chance, so that two robots face to face do not mirror each other for ever.
        """
        belief, free = self.belief, self._free_beside()
        if not free or rng.random() >= DETOUR_CHANCE:
            return str(Stay.WAIT)
        estimate = belief.grid.estimate_to((belief.goal,))
        target = min(rng.sample(free, min(2, len(free))), key=estimate)
        return str(GO[belief.heading(belief.here, target)])

    def _free_beside(self) -> list[int]:
        """Return the neighbours of the robot's cell where no other robot is."""
        near = self.belief.grid.neighbours[self.belief.here]
        self._work.count_tactics(len(near))
        return [cell for cell in near if cell not in self.belief.taken]
