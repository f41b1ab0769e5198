"""Dijkstra-map hero: moves downhill on a map of the goals; weak heroes flee on the rescanned map of the monsters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from gridjoust.bots.heroquest.hero_bot import Field, HeroBot, way
from gridjoust.bots.heroquest.tactics import Goals, Scene
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, downhill_path, scan
from gridjoust.bots.planners.graph import Terrain, directed_terrain
from gridjoust.bots.planners.stats import INF, Plan
from gridjoust.games.heroquest.actions import Action

FAR = 500.0
FLEE_FACTOR = -1.2  # below -1: away from monsters, but not into dead ends


class MapHero(HeroBot):
    """Moves heroes, or Zargon's monsters, by Dijkstra maps."""

    planner: ClassVar[str] = "dijkstra_map"

    def route(self, field: Field, goals: Goals) -> Plan[int]:
        """Return the path downhill on the map of the goals; it crosses known traps only if nothing else leads there."""
        first = self._rolled(field, scan(self._terrain(field, avoid_traps=True), goals, maximum=FAR, budget=self.work))
        if first.found:
            return first
        second = self._rolled(
            field, scan(self._terrain(field, avoid_traps=False), goals, maximum=FAR, budget=self.work)
        )
        return replace(second, stats=first.stats + second.stats)

    def walk(self, scene: Scene, actions: Sequence[Action]) -> Action | None:
        """Return a move towards a goal; weak heroes flee instead, looking beyond what they reach in this turn."""
        if not (scene.is_weak and scene.monsters and scene.situation.state.points) or scene.is_going_home:
            return super().walk(scene, actions)
        field = Field(scene.situation)
        feared = {cell: 0.0 for at in scene.monsters for cell in scene.situation.beside(at)}
        near = scan(self._terrain(field, avoid_traps=True), feared, maximum=FAR, budget=self.work)
        chart = near.rescanned(FLEE_FACTOR, budget=self.work)
        plan = self._rolled(field, chart)
        self._spent += plan.stats
        return way(field, plan.path, actions)

    def _rolled(self, field: Field, chart: DijkstraMap) -> Plan[int]:
        if self.lens is not None:
            square, values = field.situation.board.square, chart.values
            self.show("map", heat={square(cell): value for cell, value in enumerate(values) if value < FAR})
        value = chart.values[field.start]
        if value >= FAR:
            return Plan((), INF, chart.stats)
        return Plan(tuple(downhill_path(chart, field.start, self.rng)), value, chart.stats)

    def _terrain(self, field: Field, *, avoid_traps: bool) -> Terrain:
        """Return the ground as a graph of steps of cost 1, as moving downhill compares squares and not the steps."""
        shut = [avoid_traps and field.is_trap(cell) for cell in range(field.size)]
        rows = []
        for cell in range(field.size):
            rows.append(field.neighbours(cell))
            self.work.count_tactics(len(rows[-1]))
        return directed_terrain(tuple(tuple(head for head in row if not shut[head]) for row in rows))
