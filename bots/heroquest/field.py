"""Where heroes walk, as a graph for planners: known ground and what might be ground, priced. Plans nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bots.planners.stats import INF, PlanStats
from games.heroquest.movement import Ground, hero_ground
from games.heroquest.situation import Situation

TRAP_COST = 8.0  # of a square with a known trap: worth a detour of seven steps
HERO_COST = 1.25  # of passing another hero
SINK = -1  # the node behind every goal: one goal for planners that want one


@dataclass(frozen=True, slots=True)
class Route:
    """Squares from where the hero stands to a goal; empty if there is no way."""

    cells: tuple[int, ...]
    cost: float
    stats: PlanStats


class Field:
    """The graph of one hero in one situation. Monsters in the way are walls; goals have a price of their own."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.ground: Ground = hero_ground(situation)
        self.start = situation.state.heroes[situation.state.seat].cell
        state = situation.state
        self._traps = state.found_traps & ~state.gone_traps
        self._heroes = {cell for cell in situation.hero_cells() if cell != self.start}
        self._near: dict[int, tuple[int, ...]] = {}

    @property
    def size(self) -> int:
        """Number of squares."""
        return len(self.situation.board.regions)

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Squares one step away, in the order N, E, S, W."""
        near = self._near.get(cell)
        if near is None:
            steps = (self.ground.next_cell(cell, direction) for direction in range(4))
            near = self._near[cell] = tuple(target for target in steps if target >= 0)
        return near

    def cost(self, tail: int, head: int) -> float:  # noqa: ARG002 - the shape of a cost
        """Of stepping onto a square."""
        if self._traps >> head & 1:
            return TRAP_COST
        return HERO_COST if head in self._heroes else 1

    def is_trap(self, cell: int) -> bool:
        """Whether a known trap lies there."""
        return bool(self._traps >> cell & 1)

    def distance(self, one: int, other: int) -> int:
        """Steps if nothing stood between."""
        width = self.situation.board.width
        return abs(one % width - other % width) + abs(one // width - other // width)

    def arcs(self, goals: Mapping[int, float]) -> dict[tuple[int, int], float]:
        """Every arc and its price, those from goals to the sink included."""
        found = {
            (cell, other): self.cost(cell, other)
            for cell in range(self.size)
            if cell == self.start or self._is_ground(cell)
            for other in self.neighbours(cell)
        }
        found |= {(cell, SINK): max(price, 0.001) for cell, price in goals.items()}
        return found

    def _is_ground(self, cell: int) -> bool:
        return not self.ground.no_passing >> cell & 1


NO_ROUTE = Route((), INF, PlanStats(0, 0, 0, 0.0))
