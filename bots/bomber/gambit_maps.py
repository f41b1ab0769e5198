"""The eight Dijkstra maps of the Gambit bot and their weights. Decides nothing; the bot is in `dijkstra_map`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum

from bots.bomber.targets import blast_counts, breakable_blocks, middle_cells, standing_cells
from bots.planners.dijkstra_map import DijkstraMap, scan
from bots.planners.grid import open_terrain
from games.bomber.params import Rules
from games.bomber.state import FREE, Seat, State

OLD_BOMB_TICKS = 5  # a bomb is old when it has fewer ticks left than this (older than 30 of 35)
AMMO_VALUE = -3.0
TREASURE_VALUE = -2.0
LOW_AMMO = 1


class MapName(Enum):
    """The maps in the order of the write-up."""

    REWARD = "reward"
    BOMB_FLEE = "bomb flee"
    SAFE = "safe"
    SAFE_FROM_OLD = "safe from old bombs"
    AMMO = "ammo"
    TREASURE = "treasure"
    CENTRE = "centre"
    RUN = "run"


def choose_weights(*, ammo: int, hp: int, has_blocks: bool) -> dict[MapName, float]:
    """The published table; 0 = the map is not made. `has_blocks`: whether any soft or ore block is left."""
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


class MapMaker:
    """Makes the maps of one tick for one seat. `flee_factor` below -1 scales the two maps that lead away."""

    def __init__(self, rules: Rules, state: State, seat: Seat, *, flee_factor: float) -> None:
        self.rules = rules
        self.state = state
        self.seat = seat
        self.blocks = frozenset([cell for cell, block in enumerate(state.blocks) if block != FREE])
        self.standing = frozenset(standing_cells(state, seat))
        self._flee_factor = flee_factor

    def moves(self) -> list[int]:
        """The own cell, then the neighbours that nothing stands in."""
        here = self.state.players[self.seat].cell
        return [here, *(n for n in self.rules.board.neighbours[here] if n not in self.standing)]

    def scan(self, walls: frozenset[int], goals: Mapping[int, float]) -> DijkstraMap:
        """A map of this board."""
        return scan(open_terrain(self.rules.width, self.rules.height, walls=walls), goals)

    def make_maps(
        self, weights: Mapping[MapName, float], rewards: Mapping[int, float], *, blasts: Collection[int]
    ) -> dict[MapName, DijkstraMap]:
        """All maps with a weight and a goal, the one of old bombs excepted (a map without goals is flat)."""
        pickups = dict.fromkeys([token.cell for token in self.state.ammo], AMMO_VALUE)
        treasure = dict.fromkeys(self.state.treasure, TREASURE_VALUE)
        bombs = [bomb.cell for bomb in self.state.bombs]
        maps: dict[MapName, DijkstraMap] = {}
        if weights[MapName.REWARD] and rewards:
            maps[MapName.REWARD] = self.scan(self.standing, {cell: -value for cell, value in rewards.items()})
        if bombs:
            maps[MapName.BOMB_FLEE] = self.away_from(dict.fromkeys(bombs, -1.0))
            maps[MapName.SAFE] = self.safe_map(blasts)
        if pickups or treasure:
            maps[MapName.AMMO] = self.scan(self.standing, treasure | pickups)
        if weights[MapName.TREASURE] and treasure:
            maps[MapName.TREASURE] = self.scan(self.standing, treasure)
        if weights[MapName.CENTRE]:
            maps[MapName.CENTRE] = self.scan(self.blocks.union(bombs), dict.fromkeys(middle_cells(self.rules), 0.0))
        if weights[MapName.RUN]:
            maps[MapName.RUN] = self.away_from(dict.fromkeys(self._opponents(), 0.0))
        return maps

    def away_from(self, threats: Mapping[int, float]) -> DijkstraMap:
        """The rescanned map that leads away from the threats; only blocks are walls."""
        return self.scan(self.blocks, threats).rescanned(self._flee_factor)

    def safe_map(self, blasts: Collection[int], *, new_bomb: int | None = None) -> DijkstraMap:
        """The way to the cells outside these blasts; `new_bomb` is a further wall."""
        walls = self.standing
        if new_bomb is not None:
            walls |= {new_bomb}
        safe = [cell for cell in range(len(self.state.blocks)) if cell not in blasts and cell not in walls]
        return self.scan(walls, dict.fromkeys(safe, 0.0))

    def old_bombs_map(self) -> DijkstraMap | None:
        """The way out of the blasts of bombs about to make fire; None without such bombs."""
        latest = self.state.tick + OLD_BOMB_TICKS - 3
        old = [bomb.cell for bomb in self.state.bombs if bomb.fires_tick <= latest]
        return self.safe_map(blast_counts(self.rules, self.state, old)) if old else None

    def _opponents(self) -> list[int]:
        return [p.cell for seat, p in enumerate(self.state.players) if seat != self.seat and p.died_tick is None]


class Survey:
    """All maps of one tick as one height per cell; low is good."""

    def __init__(
        self,
        maker: MapMaker,
        rewards: Mapping[int, float],
        *,
        blasts: Collection[int],
        old_bombs: DijkstraMap | None,
    ) -> None:
        own = maker.state.players[maker.seat]
        weights = choose_weights(ammo=own.ammo, hp=own.hp, has_blocks=bool(breakable_blocks(maker.state)))
        self.rewards = rewards
        self.maps = maker.make_maps(weights, rewards, blasts=blasts)
        if old_bombs is not None:
            self.maps[MapName.SAFE_FROM_OLD] = old_bombs
        self._terms = [(weight, self.maps[name].values) for name, weight in weights.items() if name in self.maps]

    def height(self, cell: int) -> float:
        """The weighted sum of the maps."""
        return sum([weight * values[cell] for weight, values in self._terms])
