"""The Gambit bot of the CoderOne tournament (December 2020): moves downhill on a weighted sum of Dijkstra maps.

By default it chooses among the moves that a tick-exact look-ahead finds safest. With `faithful` it is the published
bot, which uses maps alone and sometimes kills itself. The maps and weights are those of its write-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from math import isfinite
from typing import ClassVar

from gridjoust.bots.api import Bot, MatchSetup, Observation
from gridjoust.bots.bomber.safety import Safety
from gridjoust.bots.bomber.situation import Situation, middle_cells
from gridjoust.bots.bomber.tracker import Memory, make_memories
from gridjoust.bots.planners.budget import UNLIMITED, Budget, OutOfWork
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan
from gridjoust.bots.planners.grid import open_terrain
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.bots.reported import search_stats
from gridjoust.games.bomber.actions import Action
from gridjoust.games.bomber.state import Seat

ESCAPE_LIMIT = 50.0  # a cell of the safe map below this is an escape
MAX_SKIPS = 2  # turns to wait for a move that has not happened
FLEE_FACTOR = -1.2  # factor of the write-up
FAITHFUL_FLEE_FACTOR = -1.3  # factor of the published code
MAPS_SHARE = 0.5  # share of limited work; the look-ahead for safety gets the other half
OLD_BOMB_TICKS = 5  # a bomb with fewer ticks left is old (older than 30 of 35 ticks)
AMMO_VALUE = -3.0
TREASURE_VALUE = -2.0
LOW_AMMO = 1


class MapName(Enum):
    """The Dijkstra maps that the Gambit bot adds up, in the order of its write-up."""

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
    """All maps of one tick for one seat that have weight and goals, and their sum per cell; lower is better.

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
        """Return the weighted sum of all maps in this cell; lower is better."""
        return sum([weight * values[cell] for weight, values in self._terms])

    def moves(self) -> list[int]:
        """Return the bot's own cell, then the neighbours without an obstacle."""
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
        """Make the map that leads to cells outside these blasts; the cell `new_bomb` counts as a wall too."""
        walls = self.now.standing if new_bomb is None else self.now.standing | {new_bomb}
        safe = [cell for cell in range(len(self.now.state.blocks)) if cell not in blasts and cell not in walls]
        return self._scan(walls, dict.fromkeys(safe, 0.0))

    def old_bombs_map(self) -> DijkstraMap | None:
        """Make the map that leads out of the blasts of bombs about to make fire; None without such bombs."""
        latest = self.now.state.tick + OLD_BOMB_TICKS - 3
        old = [bomb.cell for bomb in self.now.state.bombs if bomb.fires_tick <= latest]
        return self.safe_map(self.now.blast_counts(old)) if old else None


@dataclass
class _LastTick:
    """The bot's memory of the last tick: the map of old bombs and, if `faithful`, the cell that its move leads to."""

    old_bombs: DijkstraMap | None = None  # map of its old bombs: fire hits one tick after the bomb is gone from view
    expected_cell: int | None = None
    skips: int = 0

    def is_move_pending(self, here: int) -> bool:
        """Return True if the last move has not happened yet, at most MAX_SKIPS times in a row."""
        is_pending = self.expected_cell not in (None, here) and self.skips < MAX_SKIPS
        self.skips = self.skips + 1 if is_pending else 0
        return is_pending


class Gambit(Bot):
    """Moves downhill on the sum of the maps; lays a bomb if its own cell is lowest, the bomb pays and leaves an escape.

    `safe_escape`: never bomb without an escape, and take the safest path when in danger. `rival_reach`: for how many
    ticks rivals are assumed to walk into that path (0: they stay put; more is safer, but leaves them more of the
    board). `stay_when_lowest`: stay if the bot's own cell is among the lowest (write-up) instead of drawing among ties
    (code). `faithful`: play the published bot, without `safe_escape`.
    """

    plays: ClassVar[tuple[str, ...]] = ("bomber",)
    planner: ClassVar[str] = "dijkstra_map"
    version: ClassVar[str] = "1"

    def __init__(
        self, *, safe_escape: bool = True, rival_reach: int = 0, faithful: bool = False, stay_when_lowest: bool = False
    ) -> None:
        self._rival_reach = rival_reach
        self._is_faithful = faithful
        self._is_safe = safe_escape and not faithful
        self._stay_when_lowest = stay_when_lowest
        self._memories: dict[Seat, Memory] = {}
        self._last_ticks: dict[Seat, _LastTick] = {}
        self._safety_costs: list[PlanStats] = []  # of this answer's look-ahead
        self.decided: Counter[str] = Counter()  # answers by who decided: planner, or safety (only one move was left)

    def start(self, setup: MatchSetup) -> None:
        """Prepare one memory for every seat held."""
        self._memories = make_memories(setup)
        self._last_ticks = {seat: _LastTick() for seat in setup.seats}

    def survey(self, observation: Observation) -> Survey:
        """Compute the maps of this tick."""
        memory, last = self._memories[observation.seat], self._last_ticks[observation.seat]
        now = memory.look(observation.view, self.work)
        return self._survey(now, last.old_bombs, memory.barred(now.state.tick))

    def act(self, observation: Observation) -> str:
        """Return the text of one of the six actions."""
        memory, last = self._memories[observation.seat], self._last_ticks[observation.seat]
        now = memory.look(observation.view, self.work)
        self.stats = None
        if self._is_faithful and last.is_move_pending(now.here):
            return Action.WAIT.value
        survey = self._survey(now, last.old_bombs, memory.barred(now.state.tick))
        if self.lens is not None:
            self._show_maps(survey)
        action, last.expected_cell = self._act_safely(memory, survey) if self._is_safe else self._act_by_maps(survey)
        last.old_bombs = survey.old_bombs_map()
        self.stats = search_stats(*survey.costs, *self._safety_costs)
        return action

    def _show_maps(self, survey: Survey) -> None:
        """Show the weighted sum of the maps, then each of them."""
        places, blocks = survey.now.rules.board.places, survey.now.blocks
        maps = {name.value: chart.values for name, chart in survey.maps.items()}
        for name, values in {"sum": [*map(survey.height, range(len(places)))], **maps}.items():
            open_cells = (cell for cell, value in enumerate(values) if cell not in blocks and isfinite(value))
            self.show(name, heat={(places[cell][0], places[cell][1]): values[cell] for cell in open_cells})

    def _survey(self, now: Situation, old_bombs: DijkstraMap | None, barred: Collection[int]) -> Survey:
        blasts = now.blast_counts(now.bomb_cells) if self._is_faithful else now.coming_fires
        values = now.block_values(blasts, pays_doomed_ore=self._is_faithful)
        rewards = now.bomb_rewards(values, blasts=blasts)
        for cell in barred:
            rewards.pop(cell, None)
        factor = FAITHFUL_FLEE_FACTOR if self._is_faithful else FLEE_FACTOR
        return Survey(
            now, rewards, blasts=blasts, old_bombs=old_bombs, flee_factor=factor, budget=self.work.part(MAPS_SHARE)
        )

    def _act_by_maps(self, survey: Survey) -> tuple[str, int]:
        """Return (action, cell it leads to), chosen by the maps alone."""
        here = survey.now.here
        target = self._by_height(survey)[0]
        if target == here and _can_bomb(survey) and _has_escape(survey):
            return Action.BOMB.value, here
        return survey.now.rules.board.action_to(here, target).value, target

    def _by_height(self, survey: Survey) -> list[int]:
        """Return the bot's cell and free ones beside it, lowest sum of the maps first; ties are broken at random."""
        cells = survey.moves()
        heights = {cell: survey.height(cell) for cell in cells}
        order = self.rng.sample(cells, len(cells))
        if self._stay_when_lowest:
            order.sort(key=lambda cell: cell != survey.now.here)
        return sorted(order, key=lambda cell: heights[cell])

    def _act_safely(self, memory: Memory, survey: Survey) -> tuple[str, int]:
        """Return (action, cell it leads to), chosen by the maps among the moves that the look-ahead finds safest."""
        now, here = survey.now, survey.now.here
        safety = Safety(now, rival_reach=self._rival_reach, budget=self.work)
        order = self._by_height(survey)
        try:
            target = safety.pick(order)
            self.decided["planner" if len(safety.best_moves) > 1 else "safety"] += 1
        except OutOfWork:
            target = here
        action = now.rules.board.action_to(here, target).value
        if order[0] == here and _can_bomb(survey):
            if _may_bomb(safety):
                action, target = Action.BOMB.value, here
            else:
                memory.bar(here, tick=now.state.tick)
        self._safety_costs = safety.costs
        return action, target


def _may_bomb(safety: Safety) -> bool:
    """Return True if a bomb laid now leaves an escape; False if there is not enough work left to find out."""
    try:
        return safety.may_bomb()
    except OutOfWork:
        return False


def _can_bomb(survey: Survey) -> bool:
    now = survey.now
    return now.own.ammo > 0 and now.here not in now.bomb_cells and survey.rewards.get(now.here, 0) > 0


def _has_escape(survey: Survey) -> bool:
    """Return True if the bot can lay a bomb in its own cell and still reach a cell outside all blasts."""
    now = survey.now
    safe = survey.safe_map(now.blast_counts([*now.bomb_cells, now.here]), new_bomb=now.here)
    return any(safe.values[cell] < ESCAPE_LIMIT for cell in survey.moves())
