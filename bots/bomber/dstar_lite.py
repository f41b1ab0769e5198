"""D* Lite: one search to one target, kept as long as the target is worth it and repaired as the board changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from bots.api import Observation
from bots.bomber.prospects import choose, rate
from bots.bomber.target_bot import Decision, TargetBot, Wish
from bots.bomber.targets import coming_fires, standing_cells
from bots.planners.dstar_lite import GridDStarLite
from bots.planners.grid import SearchGrid
from bots.planners.stats import INF
from games.bomber.params import Rules

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


class DStarLiteBomber(TargetBot[Pursuit]):
    """Stays with its target until that is reached, gone, cut off, or outshone by something new."""

    planner: ClassVar[str] = "dstar_lite"

    def make_memory(self, rules: Rules) -> Pursuit:
        """A board without anything on it."""
        return Pursuit(SearchGrid(rules.width, rules.height))

    def act(self, observation: Observation) -> str:
        """The next step of the search, repaired or begun anew, if it is safe."""
        decision = self.look(observation)
        return self.settle(decision, self._wish(decision))

    def _wish(self, decision: Decision[Pursuit]) -> Wish | None:
        pursuit = decision.memory.kept
        changes = pursuit.grid.change(_prices(decision))
        if pursuit.planner is not None:
            pursuit.planner.move_start(decision.here)
            pursuit.planner.update(changes)
            _search(decision, pursuit.planner)
        if pursuit.planner is None or not _is_still_best(decision, pursuit):
            self._choose(decision)
        if pursuit.planner is None:
            return None
        next_cell = pursuit.planner.next_step()
        next_cell = decision.here if next_cell is None else next_cell
        return decision.wish_for(pursuit.target, next_cell, plan_cost=pursuit.planner.cost)

    def _choose(self, decision: Decision[Pursuit]) -> None:
        pursuit = decision.memory.kept
        values = decision.prospects.values

        def find_way(target: int) -> GridDStarLite:
            planner = GridDStarLite(pursuit.grid, decision.here, target)
            _search(decision, planner)
            return planner

        bounds = dict(decision.rules.board.flood(decision.here, standing_cells(decision.state, decision.seat)))
        chosen = choose(values, bounds, find_way=find_way, is_wanted=decision.is_wanted, rng=self.rng)
        pursuit.known = values
        pursuit.planner = None
        if chosen is not None:
            choice, pursuit.planner = chosen
            pursuit.target, pursuit.value = choice.cell, values[choice.cell]


def _prices(decision: Decision[Pursuit]) -> dict[int, float]:
    """Entry cost of every cell now."""
    walls = standing_cells(decision.state, decision.seat)
    fires = coming_fires(decision.rules, decision.state)
    prices = {cell: 1 + BLAST_COST if cell in fires else 1 for cell in range(len(decision.state.blocks))}
    prices.update(dict.fromkeys(walls, INF))
    return prices


def _search(decision: Decision[Pursuit], planner: GridDStarLite) -> None:
    decision.cost.add(planner.search())


def _is_still_best(decision: Decision[Pursuit], pursuit: Pursuit) -> bool:
    """Whether the target can be reached, is worth its way, and nothing that is new could bring more."""
    assert pursuit.planner is not None
    values, cost = decision.prospects.values, pursuit.planner.cost
    value = values.get(pursuit.target, 0.0)
    if cost == INF or value < FADED_PART * pursuit.value or not decision.is_wanted(pursuit.target):
        return False
    bar = rate(value, cost)
    news = [(cell, worth) for cell, worth in values.items() if worth > pursuit.known.get(cell, 0.0)]
    return all(rate(worth, decision.rules.board.distance(decision.here, cell)) <= bar for cell, worth in news)
