"""The maps of one tick for one seat of bomber, and their weighted sum.

The maps and weights are those of the Gambit bot (CoderOne tournament, December 2020).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum

from gridjoust.bots.bomber.situation import Situation, middle_cells
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan
from gridjoust.bots.planners.grid import open_terrain
from gridjoust.bots.planners.stats import PlanStats

OLD_BOMB_TICKS = 5  # a bomb with fewer ticks left is old (older than 30 of 35 ticks)
AMMO_VALUE = -3.0
TREASURE_VALUE = -2.0
LOW_AMMO = 1


class MapName(Enum):
    """The maps, in the order of the write-up of the Gambit bot."""

    REWARD = "reward"
    BOMB_FLEE = "bomb flee"
    SAFE = "safe"
    SAFE_FROM_OLD = "safe from old bombs"
    AMMO = "ammo"
    TREASURE = "treasure"
    CENTRE = "centre"
    RUN = "run"


def choose_weights(*, ammo: int, hp: int, has_blocks: bool) -> dict[MapName, float]:
    """Return the weight of each map, as published; a map of weight 0 is not made.

    `has_blocks`: a soft or ore block is left.
    """
    return {
        MapName.REWARD: (2.0 if ammo > 0 else 0.5) if has_blocks else 0.0,
        MapName.BOMB_FLEE: 0.35,
        MapName.SAFE: 8.0 if hp == 1 else 1.0,
        MapName.SAFE_FROM_OLD: 25.0,
        MapName.AMMO: 9.0 if ammo <= LOW_AMMO else 1.4,
        MapName.TREASURE: 0.0 if has_blocks else 5.0,
        MapName.CENTRE: 0.0 if has_blocks else 1.0,
        MapName.RUN: 0.0 if has_blocks else 0.25,
    }


class Survey:
    """All maps of one tick for one seat that have weight and goals, and their sum per cell; low is good.

    `flee_factor` below -1 scales the two maps that lead away; `old_bombs` is the map of old bombs from the last tick.
    """

    def __init__(
        self,
        now: Situation,
        rewards: Mapping[int, float],
        *,
        blasts: Collection[int],
        old_bombs: DijkstraMap | None,
        flee_factor: float,
        budget: Budget = UNLIMITED,
    ) -> None:
        self.now = now
        self._budget = budget
        self.costs: list[PlanStats] = []  # of all maps made
        self.rewards = rewards
        self._flee_factor = flee_factor
        weights = choose_weights(ammo=now.own.ammo, hp=now.own.hp, has_blocks=bool(now.breakable))
        self.maps = self._make_maps({name for name, weight in weights.items() if weight}, blasts)
        if old_bombs is not None:
            self.maps[MapName.SAFE_FROM_OLD] = old_bombs
        self._terms = [(weight, self.maps[name].values) for name, weight in weights.items() if name in self.maps]

    def height(self, cell: int) -> float:
        """Return the weighted sum of all maps in this cell; low is good."""
        return sum([weight * values[cell] for weight, values in self._terms])

    def moves(self) -> list[int]:
        """Return the own cell, then the neighbours without an obstacle."""
        here = self.now.here
        moves = [here, *(n for n in self.now.rules.board.neighbours[here] if n not in self.now.standing)]
        self.now.work.count_tactics(len(moves))
        return moves

    def _scan(self, walls: frozenset[int], goals: Mapping[int, float]) -> DijkstraMap:
        terrain = open_terrain(self.now.rules.width, self.now.rules.height, walls=walls)
        return self._counted(scan(terrain, goals, budget=self._budget))

    def _counted(self, chart: DijkstraMap) -> DijkstraMap:
        self.costs.append(chart.stats)
        return chart

    def _make_maps(self, wanted: Collection[MapName], blasts: Collection[int]) -> dict[MapName, DijkstraMap]:
        """Make all wanted maps that have a goal, except the map of old bombs."""
        now, state = self.now, self.now.state
        treasure = dict.fromkeys(state.treasure, TREASURE_VALUE)
        pickups = treasure | dict.fromkeys([token.cell for token in state.ammo], AMMO_VALUE)
        maps: dict[MapName, DijkstraMap] = {}
        if MapName.REWARD in wanted and self.rewards:
            maps[MapName.REWARD] = self._scan(now.standing, {cell: -value for cell, value in self.rewards.items()})
        if now.bomb_cells:
            maps[MapName.BOMB_FLEE] = self._away_from(dict.fromkeys(now.bomb_cells, -1.0))
            maps[MapName.SAFE] = self.safe_map(blasts)
        if pickups:
            maps[MapName.AMMO] = self._scan(now.standing, pickups)
        if MapName.TREASURE in wanted and treasure:
            maps[MapName.TREASURE] = self._scan(now.standing, treasure)
        if MapName.CENTRE in wanted:
            middle = dict.fromkeys(middle_cells(now.rules), 0.0)
            maps[MapName.CENTRE] = self._scan(now.blocks.union(now.bomb_cells), middle)
        if MapName.RUN in wanted:
            maps[MapName.RUN] = self._away_from({rival.cell: 0.0 for _, rival in now.rivals})
        return maps

    def _away_from(self, threats: Mapping[int, float]) -> DijkstraMap:
        """Make a flee map, which leads away from the threats (cell -> start value); only blocks are walls."""
        return self._counted(self._scan(self.now.blocks, threats).rescanned(self._flee_factor, budget=self._budget))

    def safe_map(self, blasts: Collection[int], *, new_bomb: int | None = None) -> DijkstraMap:
        """Make the map that leads to cells outside these blasts; `new_bomb` is a further wall."""
        walls = self.now.standing if new_bomb is None else self.now.standing | {new_bomb}
        safe = [cell for cell in range(len(self.now.state.blocks)) if cell not in blasts and cell not in walls]
        return self._scan(walls, dict.fromkeys(safe, 0.0))

    def old_bombs_map(self) -> DijkstraMap | None:
        """Make the map that leads out of the blasts of bombs about to make fire; None without such bombs."""
        latest = self.now.state.tick + OLD_BOMB_TICKS - 3
        old = [bomb.cell for bomb in self.now.state.bombs if bomb.fires_tick <= latest]
        return self.safe_map(self.now.blast_counts(old)) if old else None
