"""The Gambit bot of the CoderOne tournament: moves downhill on a weighted sum of Dijkstra maps.

By default it chooses among the moves that a tick-exact look-ahead finds safest. With `faithful` it is the published
bot, which uses maps alone and sometimes kills itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar

from gridjoust.bots.api import Bot, MatchSetup, Observation
from gridjoust.bots.bomber.safety import Safety
from gridjoust.bots.bomber.situation import Situation
from gridjoust.bots.bomber.survey import Survey
from gridjoust.bots.bomber.tracker import Memory, make_memories
from gridjoust.bots.planners.dijkstra_map import DijkstraMap
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.bots.reported import search_stats
from gridjoust.games.bomber.actions import Action
from gridjoust.games.bomber.state import Seat

ESCAPE_LIMIT = 50.0  # a cell of the safe map below this is an escape
MAX_SKIPS = 2  # turns to wait for a move that has not happened
FLEE_FACTOR = -1.2  # factor of the write-up
FAITHFUL_FLEE_FACTOR = -1.3  # factor of the published code
MAPS_SHARE = 0.5  # share of limited work; the look-ahead for safety gets the other half


@dataclass
class _LastTick:
    """What the bot remembers of the last tick: the map of old bombs and, if `faithful`, where its move should end."""

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
    board). `stay_when_lowest`: stay if the own cell is among the lowest (write-up) instead of drawing among ties
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
        """Return the own cell and the free ones beside it, lowest sum of the maps first; ties are broken at random."""
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
        target = safety.pick(order)
        self.decided["planner" if len(safety.best_moves) > 1 else "safety"] += 1
        action = now.rules.board.action_to(here, target).value
        if order[0] == here and _can_bomb(survey):
            if safety.may_bomb():
                action, target = Action.BOMB.value, here
            else:
                memory.bar(here, tick=now.state.tick)
        self._safety_costs = safety.costs
        return action, target


def _can_bomb(survey: Survey) -> bool:
    now = survey.now
    return now.own.ammo > 0 and now.here not in now.bomb_cells and survey.rewards.get(now.here, 0) > 0


def _has_escape(survey: Survey) -> bool:
    """Return True if a cell beside a bomb laid here still leads out of all blasts, its own included."""
    now = survey.now
    safe = survey.safe_map(now.blast_counts([*now.bomb_cells, now.here]), new_bomb=now.here)
    return any(safe.values[cell] < ESCAPE_LIMIT for cell in survey.moves())
