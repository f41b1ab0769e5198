"""A forward model for one seat: it acts by the rules, the others stand still, nothing new appears.

Nothing is random: ammo and treasure that would appear by chance do not appear, and with one acting seat the order of
players does not matter.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial

from gridjoust.bots.bomber.prospects import AMMO_VALUES, DISARMED_FACTOR, find_prospects, has_shelter, trap_value
from gridjoust.bots.bomber.situation import Situation
from gridjoust.bots.planners.dijkstra_map import scan_values
from gridjoust.bots.planners.grid import open_terrain
from gridjoust.games.bomber.actions import MOVES, Action
from gridjoust.games.bomber.board import OFF_BOARD
from gridjoust.games.bomber.stages import STAGES as ALL_STAGES
from gridjoust.games.bomber.stages import Tick, blast, count_near_misses, count_traps, spawn
from gridjoust.games.bomber.state import FREE, State

# all stages but the random one and two that only count
STAGES = tuple(stage for stage in ALL_STAGES if stage not in (spawn, count_traps, count_near_misses))
STEP_FACTOR = 0.93  # factor on a prospect's value for every step to it
FUSE_FACTOR = 0.995  # factor on a bomb's pay for every tick until it goes off
BOMB_SHARE = 0.5  # share of a bomb's pay for reaching its cell; the rest comes with laying it
PICKUP_SHARE = 0.18  # share of the value of an item, or of a place to wait
AMMO_SHARE = 0.2  # share of the value of ammo in hand; if it were higher, the last bomb would never be laid
HP_VALUE = 40.0
DANGER_VALUE = 0.4  # points lost by standing in a cell that will burn
LEAST_WORTH = 1e-6
UNREACHED = 1e6  # steps; no prospect can be reached


@dataclass(frozen=True, slots=True)
class Chart:
    """What a board offers, wherever the seat stands and whatever the timers are: prospects, pay of bombs, dangers."""

    reaches: tuple[float, ...]  # cell -> value of the best prospect, discounted by the steps to it
    bombing: Mapping[int, float]  # cell -> pay of a bomb there
    dangers: Collection[int]  # cells that burn or will burn


class ForwardModel:
    """Computes successors and worth of states, for one seat's decision in the situation `now`.

    Charts are cached, because few things change within a plan. `barred`, `bombless` and `contested` are passed to
    `find_prospects`.
    """

    def __init__(
        self,
        now: Situation,
        *,
        barred: Collection[int] = (),
        bombless: Collection[int] = (),
        contested: Collection[int] = (),
    ) -> None:
        self._rules, self._work = now.rules, now.work
        self._seat = now.seat
        self._find_prospects = partial(find_prospects, barred=barred, bombless=bombless, contested=contested)
        self._steps = now.rules.board.steps
        self._charts: dict[tuple[object, ...], Chart] = {}
        self._pays: dict[tuple[object, ...], tuple[tuple[int, float], ...]] = {}
        self.worth = cache(self._rate)  # in points: score and HP so far, the pay of own bombs, and the best prospect

    def play(self, state: State, action: Action) -> State:
        """Return the state one tick after this action."""
        tick = Tick(self._rules, state, {self._seat: action})
        for stage in STAGES:
            stage(tick)
        return tick.frozen()

    def actions(self, state: State) -> list[Action]:
        """Return the actions that can matter: a bomb if it pays and leaves an escape, free moves, waiting."""
        own = state.players[self._seat]
        if own.died_tick is not None:
            return []
        closed = {OFF_BOARD, *(bomb.cell for bomb in state.bombs), *(player.cell for player in state.players)}
        ways = [(move, self._steps[move][own.cell]) for move in MOVES]
        moves = [move for move, there in ways if there not in closed and state.blocks[there] == FREE]
        if own.ammo and own.cell in self.chart(state).bombing and has_shelter(self._seen(state), own.cell):
            return [Action.BOMB, *moves, Action.WAIT]
        return [*moves, Action.WAIT]

    def _seen(self, state: State) -> Situation:
        return Situation(self._rules, state, self._seat, work=self._work)

    def _rate(self, state: State) -> float:
        own = state.players[self._seat]
        chart = self.chart(state)
        won = own.score + HP_VALUE * own.hp + _ammo_value(own.ammo)
        coming = sum([value * FUSE_FACTOR ** max(0, tick - state.tick) for tick, value in self._bomb_pays(state)])
        danger = DANGER_VALUE if own.cell in chart.dangers else 0.0
        return won + coming + self._reach(chart, own.cell) - danger

    def _reach(self, chart: Chart, cell: int) -> float:
        """Return the value of the best prospect for a player in this cell, discounted by the steps to it.

        A bomb is a wall in the chart, so a player on one counts what lies beside it.
        """
        around = [self._steps[move][cell] for move in MOVES]
        beyond = max([chart.reaches[near] for near in around if near != OFF_BOARD], default=0.0)
        return max(chart.reaches[cell], beyond * STEP_FACTOR)

    def chart(self, state: State) -> Chart:
        """Return the chart of this state; states with equal things on the board share one."""
        ammo = min(state.players[self._seat].ammo, len(AMMO_VALUES) - 1)
        bombs = tuple([bomb.cell for bomb in state.bombs])
        key = (ammo, bombs, state.blocks, state.fires, state.ammo, state.treasure)
        chart = self._charts.get(key)
        if chart is None:
            chart = self._charts[key] = self._make_chart(state)
        return chart

    def _make_chart(self, state: State) -> Chart:
        rules, seen = self._rules, self._seen(state)
        found = self._find_prospects(seen)
        bomb_share = BOMB_SHARE * FUSE_FACTOR**rules.bomb_ticks
        armed_share = 1.0 if seen.own.ammo else DISARMED_FACTOR
        sources = [UNREACHED] * len(state.blocks)
        for cell, value in found.values.items():
            bombing = armed_share * found.bombing.get(cell, 0.0)
            worth = max(LEAST_WORTH, bomb_share * bombing + PICKUP_SHARE * (value - bombing))
            sources[cell] = math.log(worth) / math.log(STEP_FACTOR)  # as a number of steps
        terrain = open_terrain(rules.width, rules.height, walls=seen.standing)
        reaches = scan_values(terrain, sources, maximum=UNREACHED)
        self._work.count_tactics(reaches.stats.generated)
        return Chart(tuple([STEP_FACTOR**far for far in reaches.values]), found.bombing, seen.coming_fires)

    def _bomb_pays(self, state: State) -> tuple[tuple[int, float], ...]:
        """Return, for each of the seat's bombs, (tick of its fire, points that it pays)."""
        key = (state.bombs, state.blocks)
        pays = self._pays.get(key)
        if pays is None:
            pays = self._pays[key] = tuple(self._pay_bombs(state))
        return pays

    def _pay_bombs(self, state: State) -> Iterator[tuple[int, float]]:
        """Yield, for each of the seat's bombs, (tick of its fire, points for blocks and for rivals who are trapped).

        A block pays the bomb that goes off first.
        """
        seen = self._seen(state)
        hits = Counter[int]()
        for bomb in sorted(state.bombs, key=lambda bomb: bomb.fires_tick):
            reached = blast(bomb.cell, self._rules.rays, state.blocks, seen.bomb_cells)
            values = seen.block_values(hits)
            hits.update(reached)
            if bomb.owner == self._seat:
                paid = sum([values.get(cell, 0.0) for cell in reached])
                yield bomb.fires_tick, paid + trap_value(seen, reached)


def _ammo_value(ammo: int) -> float:
    beyond = max(0, ammo - len(AMMO_VALUES))
    return AMMO_SHARE * (sum(AMMO_VALUES[:ammo]) + beyond * AMMO_VALUES[-1])
