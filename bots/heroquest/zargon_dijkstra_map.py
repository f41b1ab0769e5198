"""Zargon by Dijkstra map: monsters hunt the weakest hero that they can reach, on one map for all of them."""

from __future__ import annotations

from itertools import accumulate
from typing import ClassVar

from gridjoust.bots.api import Bot, MatchSetup, Observation, SearchStats
from gridjoust.bots.heroquest.ground import counted
from gridjoust.bots.heroquest.knowledge import Knowledge
from gridjoust.bots.heroquest.zargon import BODY_WEIGHT, best_strike, points_of, waiting
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan
from gridjoust.bots.planners.graph import Links, Terrain
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.games.bitset import mask_of
from gridjoust.games.heroquest.actions import Action, End, Move
from gridjoust.games.heroquest.movement import monster_ground, shortest_paths
from gridjoust.games.heroquest.situation import Situation

FAR = 500.0


def hunt(situation: Situation, budget: Budget) -> tuple[Action, PlanStats]:
    """Return (action, search cost): the best strike, else a move of the monster nearest to its prey, else the end."""
    strike = best_strike(situation)
    if strike is not None:
        return strike, PlanStats()
    chart = prey_map(situation, budget)
    monsters = situation.state.monsters
    for number in sorted(waiting(situation), key=lambda number: chart.values[monsters[number].cell]):
        move = best_walk(situation, number, chart.values, budget)
        if move is not None:
            return move, chart.stats
    return End(), chart.stats


def prey_map(situation: Situation, budget: Budget = UNLIMITED) -> DijkstraMap:
    """Return a Dijkstra map: each square's steps to a square beside a hero, plus a price by that hero's body."""
    links = _links(situation)
    budget.count_tactics(sum(map(len, links)))
    goals: dict[int, float] = {}
    for hero in situation.state.heroes:
        if hero.body > 0:
            for cell in situation.open_beside(hero.cell):
                goals[cell] = min(BODY_WEIGHT * hero.body, goals.get(cell, FAR))
    walls = situation.obstacles() | mask_of(situation.hero_cells())
    terrain = Terrain(links, links, frozenset(cell for cell in range(len(links)) if walls >> cell & 1))
    open_goals = {cell: value for cell, value in goals.items() if not walls >> cell & 1}
    return scan(terrain, open_goals, maximum=FAR, budget=budget)


def _links(situation: Situation) -> Links:
    return tuple(tuple(situation.open_beside(cell)) for cell in range(len(situation.board.regions)))


def best_walk(situation: Situation, number: int, values: tuple[float, ...], budget: Budget) -> Move | None:
    """Return a move to the square in reach with the lowest value; None if the monster's own is as low."""
    monster = situation.state.monsters[number]
    ground = counted(monster_ground(situation, number), budget)
    paths = shortest_paths(ground, monster.cell, points_of(situation, number))
    if not paths:
        return None
    cell = min(paths, key=lambda cell: (values[cell], len(paths[cell])))
    return Move(paths[cell], number) if values[cell] < values[monster.cell] else None


class ZargonHunter(Bot):
    """Plays Zargon by one Dijkstra map."""

    plays: ClassVar[tuple[str, ...]] = ("heroquest",)
    planner: ClassVar[str] = "dijkstra_map"

    def start(self, setup: MatchSetup) -> None:
        """Read the dungeon from the briefing."""
        self._knowledge = Knowledge(setup)

    def act(self, observation: Observation) -> str:
        """Return the best strike, or a walk towards the prey."""
        situation = self._knowledge.situation(observation.view)
        action, stats = hunt(situation, self.work)
        if self.lens is not None:
            self._show_hunt(situation, action)
        self.stats = SearchStats(expanded=stats.expanded, generated=stats.generated)
        return str(action)

    def _show_hunt(self, situation: Situation, action: Action) -> None:
        """Show every square's distance to a prey, and the chosen walk or strike."""
        square, values = situation.board.square, prey_map(situation).values
        self.show("prey", heat={square(cell): value for cell, value in enumerate(values) if value < FAR})
        self.show("deed", text=str(action))
        if isinstance(action, Move) and action.monster is not None:
            x, y = square(situation.state.monsters[action.monster].cell)
            places = accumulate(action.steps, lambda at, step: (at[0] + step.dx, at[1] + step.dy), initial=(x, y))
            self.show("deed", path=places)
