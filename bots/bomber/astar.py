"""A* through space and time: searches anew every tick for a path to the best target that avoids every fire."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from gridjoust.bots.bomber import maps
from gridjoust.bots.bomber.prospects import choose
from gridjoust.bots.bomber.target_bot import Decision, TargetBot, Wish
from gridjoust.bots.planners.astar import AtTick, grid_timed_astar
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import Plan
from gridjoust.bots.planners.trail import Trail

Trails = dict[int, Trail[int]]  # by target
TimedSearch = Callable[..., Plan[int]]  # takes what `grid_timed_astar` takes

MAX_COST = 40  # in ticks, waiting included; longer paths are not searched for
SOON_TICKS = 12  # what stands longer than this counts as a wall: every tick of waiting adds a layer to the search


class AStarBomber(TargetBot):
    """Goes through blocks and bombs that will be gone when it gets there, and waits for fire to pass."""

    planner: ClassVar[str] = "astar"
    find_path: ClassVar[TimedSearch] = staticmethod(grid_timed_astar)

    def wish(self, decision: Decision) -> Wish | None:
        """Return the first step to the target of most value per step."""
        rules, look = decision.now.rules, decision.safety.plain
        walls = {cell for cell, opening in look.schedule.opens.items() if opening > SOON_TICKS} | look.rivals.keys()
        trails: Trails | None = None if self.lens is None else {}
        grid = SearchGrid(rules.width, rules.height, blocked=walls)
        chosen = choose(
            decision.prospects.values,
            dict(maps.flood(rules, decision.now.here, walls, decision.now.work)),
            find_way=_way_finder(self.find_path, decision, grid, trails),
            is_wanted=decision.is_wanted,
            rng=self.rng,
        )
        if chosen is None:
            return None
        target, plan = chosen
        if trails is not None:
            self.show("way", path=[rules.board.places[cell] for cell in plan.path])
            self.show("closed", nodes=trails[target].expanded, frontier=trails[target].frontier())
        return decision.wish_for(target, plan.path[min(1, len(plan.path) - 1)], plan_cost=plan.cost)


def _way_finder(
    find_path: TimedSearch, decision: Decision, grid: SearchGrid, trails: Trails | None
) -> Callable[[int], Plan[int]]:
    """Return a function that searches the quickest path to a cell, around all fire and with an allowed first move.

    Tick 1 of the search is the tick to be played now, offset 0 of the fire schedule. `trails` collects each search for
    spectators.
    """
    look, here = decision.safety.plain, decision.now.here
    burning = look.schedule.burning

    def is_forbidden(cell: int, tick: int) -> bool:
        offset = tick - 1
        if offset == 0 and cell not in decision.allowed:
            return True
        return cell in burning.get(offset, ()) or (cell != here and not look.is_open(cell, offset))

    def find_way(target: int) -> Plan[int]:
        def is_goal(cell: int, _: int) -> bool:
            return cell == target

        if trails is not None:
            trails[target] = Trail(decision.now.rules.board.places.__getitem__)
        plan = find_path(
            grid,
            here,
            is_goal if trails is None else _noted(is_goal, trails[target], grid),
            is_forbidden=is_forbidden,
            horizon=look.schedule.last_offset + 2,
            heuristic=grid.estimate_to((target,)),
            cost_limit=MAX_COST,
            budget=decision.budget,
        )
        decision.cost.add(plan.stats)
        return plan

    return find_way


def _noted(is_goal: AtTick, trail: Trail[int], grid: SearchGrid) -> AtTick:
    """Wrap `is_goal` to note expanded cells in `trail`: a search expands a cell right after `is_goal` denies it."""

    def noted(cell: int, tick: int) -> bool:
        if is_goal(cell, tick):
            return True
        trail.expand(cell, grid.neighbours[cell])
        return False

    return noted
