"""The Gambit bot of the CoderOne tournament: a weighted sum of Dijkstra maps, rolled downhill. Plays bomber only.

By default every step and bomb is checked by a tick-exact look-ahead; `faithful` plays the published bot, which looks at
maps alone and now and then blows itself up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from bots.api import Bot, MatchSetup, Observation
from bots.bomber.gambit_maps import MapMaker, Survey
from bots.bomber.moves import action_to
from bots.bomber.safety import Safety
from bots.bomber.targets import blast_counts, block_values, bomb_rewards
from bots.bomber.tracker import Tracker, setup_rules
from bots.planners.dijkstra_map import DijkstraMap
from bots.reported import search_stats
from games.bomber.params import Rules
from games.bomber.state import Seat, State

BOMB = "bomb"
WAIT = "wait"
ESCAPE_LIMIT = 50.0  # a cell of the safe map below this is a way out
MAX_SKIPS = 2  # turns waited for a move that has not happened
BARRED_TICKS = 20  # how long a cell is no target after a bomb in it was found to leave no way out
FLEE_FACTOR = -1.2  # of the write-up
FAITHFUL_FLEE_FACTOR = -1.3  # of the published code


class Gambit(Bot):
    """Rolls downhill on the sum of the maps; lays a bomb where it would stay, if that pays and leaves a way out.

    `safe_escape`: never bomb without a way out, take the safest way when in danger; `rival_reach` is for how many ticks
    rivals are thought to walk into that way (0: they stay put; more is safer, but leaves them more of the board).
    `stay_when_lowest`: stay where the own cell is among the lowest (write-up) instead of drawing among ties (code).
    `faithful`: the published bot, without `safe_escape`.
    """

    plays: ClassVar[tuple[str, ...]] = ("bomber",)
    planner: ClassVar[str] = "dijkstra_map"
    version: ClassVar[str] = "1"

    def __init__(
        self,
        *,
        safe_escape: bool = True,
        rival_reach: int = 0,
        faithful: bool = False,
        stay_when_lowest: bool = False,
    ) -> None:
        self._rival_reach = rival_reach
        self._is_faithful = faithful
        self._is_safe = safe_escape and not faithful
        self._stay_when_lowest = stay_when_lowest
        self._memories: dict[Seat, _Memory] = {}

    def start(self, setup: MatchSetup) -> None:
        """One memory per seat held."""
        rules = setup_rules(setup)
        self._memories = {seat: _Memory(rules, seat, setup.seat_count) for seat in setup.seats}

    def act(self, observation: Observation) -> str:
        """One of the six action texts."""
        memory = self._memories[observation.seat]
        state = memory.tracker.update(observation.view)
        here = state.players[memory.seat].cell
        self.stats = None
        if self._is_faithful and memory.is_move_pending(here):
            return WAIT
        maker = self._map_maker(memory, state)
        survey = self._survey(memory, maker)
        act = self._act_safely if self._is_safe else self._act_by_maps
        action, memory.expected_cell = act(memory, maker, survey)
        memory.old_bombs = maker.old_bombs_map()
        return action

    def _map_maker(self, memory: _Memory, state: State) -> MapMaker:
        factor = FAITHFUL_FLEE_FACTOR if self._is_faithful else FLEE_FACTOR
        return MapMaker(memory.rules, state, memory.seat, flee_factor=factor)

    def _survey(self, memory: _Memory, maker: MapMaker) -> Survey:
        state = maker.state
        blasts = blast_counts(memory.rules, state, [bomb.cell for bomb in state.bombs])
        if not self._is_faithful:
            for fire in state.fires:  # not to be seen, but known: what it takes is as good as gone
                blasts[fire.cell] = blasts.get(fire.cell, 0) + 1
        values = block_values(state, blasts, pays_doomed_ore=self._is_faithful)
        rewards = bomb_rewards(memory.rules, state, values, blasts=blasts)
        for cell in memory.barred_cells(state.tick):
            rewards.pop(cell, None)
        return Survey(maker, rewards, blasts=blasts, old_bombs=memory.old_bombs)

    def _act_by_maps(self, memory: _Memory, maker: MapMaker, survey: Survey) -> tuple[str, int]:
        """(action, cell it leads to) by the maps alone."""
        here = maker.state.players[memory.seat].cell
        self.stats = search_stats(survey.cost)
        target = self._by_height(maker.moves(), survey)[0]
        if target == here and self._can_bomb(maker, survey) and _has_escape(maker, here):
            return BOMB, here
        return action_to(memory.rules, here, target), target

    def _can_bomb(self, maker: MapMaker, survey: Survey) -> bool:
        own = maker.state.players[maker.seat]
        is_free = all(bomb.cell != own.cell for bomb in maker.state.bombs)
        return own.ammo > 0 and is_free and survey.rewards.get(own.cell, 0) > 0

    def _by_height(self, cells: list[int], survey: Survey) -> list[int]:
        """The cells (own one first) from the lowest up, ties drawn."""
        heights = {cell: survey.height(cell) for cell in cells}
        here, order = cells[0], self.rng.sample(cells, len(cells))
        if self._stay_when_lowest:
            order.sort(key=lambda cell: cell != here)
        return sorted(order, key=lambda cell: heights[cell])

    def _act_safely(self, memory: _Memory, maker: MapMaker, survey: Survey) -> tuple[str, int]:
        """(action, cell it leads to) by the maps among what the look-ahead finds safest."""
        state = maker.state
        here = state.players[memory.seat].cell
        safety = Safety(memory.rules, state, memory.seat, windows=memory.tracker.windows, rival_reach=self._rival_reach)
        order = self._by_height(maker.moves(), survey)
        target = safety.pick(order)
        action = action_to(memory.rules, here, target)
        if order[0] == here and self._can_bomb(maker, survey):
            if safety.may_bomb():
                action, target = BOMB, here
            else:
                memory.bar(here, until_tick=state.tick + BARRED_TICKS)
        cost = survey.cost
        cost.add(safety.cost)
        self.stats = search_stats(cost)
        return action, target


class _Memory:
    """What one seat remembers from tick to tick."""

    def __init__(self, rules: Rules, seat: Seat, seat_count: int) -> None:
        self.rules = rules
        self.seat = seat
        self.tracker = Tracker(rules, seat=seat, seat_count=seat_count)
        self.old_bombs: DijkstraMap | None = None  # last tick's: fire hits one tick after the bomb is gone from view
        self.expected_cell: int | None = None
        self._skips = 0
        self._barred: dict[int, int] = {}  # cell -> tick until which it is no target

    def is_move_pending(self, here: int) -> bool:
        """Whether the last move has not been done yet; true for two calls at most."""
        if self.expected_cell in (None, here) or self._skips == MAX_SKIPS:
            self._skips = 0
            return False
        self._skips += 1
        return True

    def bar(self, cell: int, *, until_tick: int) -> None:
        """Take a cell from the targets for a while."""
        self._barred[cell] = until_tick

    def barred_cells(self, tick: int) -> Iterable[int]:
        """Cells that are no targets now."""
        self._barred = {cell: until for cell, until in self._barred.items() if until > tick}
        return self._barred


def _has_escape(maker: MapMaker, here: int) -> bool:
    """Whether a cell next to a bomb laid here still leads out of all blasts (own one included)."""
    cells = [*(bomb.cell for bomb in maker.state.bombs), here]
    safe = maker.safe_map(blast_counts(maker.rules, maker.state, cells), new_bomb=here)
    return any(safe.values[cell] < ESCAPE_LIMIT for cell in maker.moves())
