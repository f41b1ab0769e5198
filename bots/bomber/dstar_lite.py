"""D* Lite: one search to one target, kept as long as the target is worth it and repaired as the board changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bots.api import MatchSetup, Observation
from bots.bomber import maps
from bots.bomber.prospects import choose, rate
from bots.bomber.situation import Situation
from bots.bomber.target_bot import Decision, TargetBot, Wish
from bots.planners.dstar_lite import GridDStarLite
from bots.planners.grid import SearchGrid
from bots.planners.grid_dstar_lite import make_grid_dstar_lite
from bots.planners.stats import INF

BLAST_COST = 2.0  # extra price of a step into a cell that will burn
FADED_PART = 0.6  # a target worth less than this part of what it was chosen for is given up


@dataclass
class Pursuit:
    """The search to the present target, over a board whose prices follow the situation."""

    grid: SearchGrid
    planner: GridDStarLite | None = None
    target: int = -1
    value: float = 0.0  # when it was chosen
    known: Mapping[int, float] = field(default_factory=dict)  # all values at that time


class DStarLiteBomber(TargetBot):
    """Stays with its target until that is reached, gone, cut off, or outshone by something new."""

    planner: ClassVar[str] = "dstar_lite"

    def start(self, setup: MatchSetup) -> None:
        """Also a board without anything on it, per seat held."""
        super().start(setup)
        boards = {seat: memory.tracker.rules for seat, memory in self._memories.items()}
        self._pursuits = {seat: Pursuit(SearchGrid(rules.width, rules.height)) for seat, rules in boards.items()}

    def act(self, observation: Observation) -> str:
        """The next step of the search, repaired or begun anew, if it is safe."""
        decision = self.look(observation)
        return self.settle(decision, self._wish(decision, self._pursuits[observation.seat]))

    def _wish(self, decision: Decision, pursuit: Pursuit) -> Wish | None:
        changes = pursuit.grid.change(_prices(decision.now))
        if pursuit.planner is not None:
            pursuit.planner.move_start(decision.now.here)
            pursuit.planner.update(changes)
            decision.cost.add(pursuit.planner.search(budget=decision.budget))
            if pursuit.planner.is_stopped:
                return None
        if pursuit.planner is None or not _is_still_best(decision, pursuit, pursuit.planner.cost):
            self._choose(decision, pursuit)
        if pursuit.planner is None:
            return None
        if self.lens is not None:
            self.show("way", path=[decision.now.rules.board.places[cell] for cell in pursuit.planner.path()])
        next_cell = pursuit.planner.next_step()
        next_cell = decision.now.here if next_cell is None else next_cell
        return decision.wish_for(pursuit.target, next_cell, plan_cost=pursuit.planner.cost)

    def _choose(self, decision: Decision, pursuit: Pursuit) -> None:
        now, values = decision.now, decision.prospects.values

        def find_way(target: int) -> GridDStarLite:
            planner = make_grid_dstar_lite(pursuit.grid, now.here, target)
            decision.cost.add(planner.search(budget=decision.budget))
            return planner

        bounds = dict(maps.flood(now.rules, now.here, now.standing))
        chosen = choose(values, bounds, find_way=find_way, is_wanted=decision.is_wanted, rng=self.rng)
        pursuit.known = values
        pursuit.planner = None
        if chosen is not None:
            pursuit.target, pursuit.planner = chosen
            pursuit.value = values[pursuit.target]


def _prices(now: Situation) -> dict[int, float]:
    """Entry cost of every cell now."""
    prices = {cell: 1 + BLAST_COST if cell in now.coming_fires else 1 for cell in range(len(now.state.blocks))}
    return prices | dict.fromkeys(now.standing, INF)


def _is_still_best(decision: Decision, pursuit: Pursuit, cost: float) -> bool:
    """Whether the target can be reached, is worth its way, and nothing that is new could bring more."""
    values = decision.prospects.values
    value = values.get(pursuit.target, 0.0)
    if cost == INF or value < FADED_PART * pursuit.value or not decision.is_wanted(pursuit.target):
        return False
    bar = rate(value, cost)
    news = [(cell, worth) for cell, worth in values.items() if worth > pursuit.known.get(cell, 0.0)]
    far = decision.now.rules.board.distance
    return all(rate(worth, far(decision.now.here, cell)) <= bar for cell, worth in news)
