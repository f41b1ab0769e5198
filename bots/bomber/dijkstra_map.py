"""The Gambit bot of the CoderOne tournament: a weighted sum of Dijkstra maps, rolled downhill. Plays bomber only.

By default every step and bomb is checked by a tick-exact look-ahead; `faithful` plays the published bot, which looks at
maps alone and now and then blows itself up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bots.api import Bot, MatchSetup, Observation
from bots.bomber.gambit_maps import MapMaker, Survey
from bots.bomber.memory import Memory, make_memories
from bots.bomber.safety import Safety
from bots.bomber.targets import blast_counts, block_values, bomb_rewards, coming_fires
from bots.planners.dijkstra_map import DijkstraMap
from bots.reported import search_stats
from games.bomber.actions import Action
from games.bomber.state import Seat, State

ESCAPE_LIMIT = 50.0  # a cell of the safe map below this is a way out
MAX_SKIPS = 2  # turns waited for a move that has not happened
FLEE_FACTOR = -1.2  # of the write-up
FAITHFUL_FLEE_FACTOR = -1.3  # of the published code


@dataclass
class _LastTick:
    """What the maps alone need to know of the tick before."""

    old_bombs: DijkstraMap | None = None  # its map: fire hits one tick after the bomb is gone from view
    expected_cell: int | None = None
    skips: int = 0

    def is_move_pending(self, here: int) -> bool:
        """Whether the last move has not been done yet; true for two calls at most."""
        is_pending = self.expected_cell not in (None, here) and self.skips < MAX_SKIPS
        self.skips = self.skips + 1 if is_pending else 0
        return is_pending


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
        self._memories: dict[Seat, Memory[_LastTick]] = {}

    def start(self, setup: MatchSetup) -> None:
        """One memory per seat held."""
        self._memories = make_memories(setup, lambda _: _LastTick())

    def act(self, observation: Observation) -> str:
        """One of the six action texts."""
        memory = self._memories[observation.seat]
        state = memory.tracker.update(observation.view)
        here = state.players[memory.seat].cell
        self.stats = None
        if self._is_faithful and memory.kept.is_move_pending(here):
            return Action.WAIT.value
        maker = self._map_maker(memory, state)
        survey = self._survey(memory, maker)
        act = self._act_safely if self._is_safe else self._act_by_maps
        action, memory.kept.expected_cell = act(memory, maker, survey)
        memory.kept.old_bombs = maker.old_bombs_map()
        return action

    def _map_maker(self, memory: Memory[_LastTick], state: State) -> MapMaker:
        factor = FAITHFUL_FLEE_FACTOR if self._is_faithful else FLEE_FACTOR
        return MapMaker(memory.rules, state, memory.seat, flee_factor=factor)

    def _survey(self, memory: Memory[_LastTick], maker: MapMaker) -> Survey:
        state = maker.state
        if self._is_faithful:
            blasts = blast_counts(memory.rules, state, [bomb.cell for bomb in state.bombs])
        else:
            blasts = coming_fires(memory.rules, state)
        values = block_values(state, blasts, pays_doomed_ore=self._is_faithful)
        rewards = bomb_rewards(memory.rules, state, values, blasts=blasts)
        for cell in memory.barred(state.tick):
            rewards.pop(cell, None)
        return Survey(maker, rewards, blasts=blasts, old_bombs=memory.kept.old_bombs)

    def _act_by_maps(self, memory: Memory[_LastTick], maker: MapMaker, survey: Survey) -> tuple[str, int]:
        """(action, cell it leads to) by the maps alone."""
        here = maker.state.players[memory.seat].cell
        self.stats = search_stats(*survey.maps.values())
        target = self._by_height(maker.moves(), survey)[0]
        if target == here and self._can_bomb(maker, survey) and _has_escape(maker, here):
            return Action.BOMB.value, here
        return memory.rules.board.action_to(here, target).value, target

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

    def _act_safely(self, memory: Memory[_LastTick], maker: MapMaker, survey: Survey) -> tuple[str, int]:
        """(action, cell it leads to) by the maps among what the look-ahead finds safest."""
        state = maker.state
        here = state.players[memory.seat].cell
        safety = Safety(memory.rules, state, memory.seat, windows=memory.tracker.windows, rival_reach=self._rival_reach)
        order = self._by_height(maker.moves(), survey)
        target = safety.pick(order)
        action = memory.rules.board.action_to(here, target).value
        if order[0] == here and self._can_bomb(maker, survey):
            if safety.may_bomb():
                action, target = Action.BOMB.value, here
            else:
                memory.bar(here, tick=state.tick)
        self.stats = search_stats(*survey.maps.values(), *safety.searches)
        return action, target


def _has_escape(maker: MapMaker, here: int) -> bool:
    """Whether a cell next to a bomb laid here still leads out of all blasts (own one included)."""
    cells = [*(bomb.cell for bomb in maker.state.bombs), here]
    safe = maker.safe_map(blast_counts(maker.rules, maker.state, cells), new_bomb=here)
    return any(safe.values[cell] < ESCAPE_LIMIT for cell in maker.moves())
