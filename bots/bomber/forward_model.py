"""A forward model for one seat's plans: where it is at each tick, what it has laid, picked up and lost.

The other players stand still and nothing new appears. When each cell burns or opens follows from the fire schedule, by
the rules: one schedule for each set of bombs that a plan lays. A bomb of a plan counts as lying there from the first
tick on, though it is laid later.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from gridjoust.bots.bomber import maps
from gridjoust.bots.bomber.prospects import AMMO_VALUES, CONTESTED_FACTOR, REFUGE_TICKS, has_shelter
from gridjoust.bots.bomber.safety import LookAhead
from gridjoust.bots.bomber.schedule import blast_schedule
from gridjoust.bots.bomber.target_bot import Decision
from gridjoust.games.bomber.stages import blast
from gridjoust.games.bomber.state import Bomb

DISCOUNT = 0.95  # factor on what is won, for every tick until then
HP_VALUE = 40.0  # of the seat's own, and of a rival's that holds the last cell
DEATH_VALUE = 1000.0
DANGER_VALUE = 0.4  # points lost by standing in a cell that will burn
AMMO_SHARE = 0.3  # share of the value of ammo that laying it costs; if it were 1, the last bomb would never be laid
SIEGE_AMMO = 10.0  # value of ammo while a rival holds the last cell
HOPE_SHARE = 0.5  # share of the value of what lies beyond the plan
REFUGE_VALUE = 40.0  # value of the cell that closes last, when all others are about to close
REFUGE_FACTOR = 0.97  # factor for every tick before that
HELD_SHARE = 0.1  # share of that value for each tick in this cell
DETOUR_STEPS = 6  # added to twice the distance to the last cell where no path leads there yet


@dataclass(frozen=True, slots=True)
class Line:
    """A plan, simulated up to one tick; two are equal if they have led to the same cell, bombs and items taken."""

    cell: int
    ticks: int = 0  # played so far
    laid: tuple[tuple[int, int], ...] = ()  # (cell, tick of the plan) of each bomb
    taken: frozenset[int] = frozenset()  # cells of ammo and treasure
    ammo: int = field(default=0, compare=False)
    hp: int = field(default=1, compare=False)
    worth: float = field(default=0.0, compare=False)  # points won and lost so far


class ForwardModel:
    """Computes successors and worth of lines for one decision; the first step is one that the decision allows."""

    def __init__(self, decision: Decision) -> None:
        now = decision.now
        self.start = Line(now.here, ammo=now.own.ammo, hp=now.own.hp)
        self._decision, self._now = decision, now
        self._looks: dict[tuple[tuple[int, int], ...], LookAhead] = {(): decision.safety.plain}
        self._shelters: dict[int, bool] = {}
        self._best_hopes: dict[tuple[int, frozenset[int], tuple[int, ...]], float] = {}
        self._siege = None if now.keeper in (None, now.seat) else now.refuge
        self._blocks = now.block_values(now.coming_fires)
        rewards = now.bomb_rewards(self._blocks, blasts=now.coming_fires)
        self._traps = {cell: pay - rewards.get(cell, 0.0) for cell, pay in decision.prospects.bombing.items()}
        self._ammo = {token.cell for token in now.state.ammo}
        self._hopes = [(cell, worth) for cell, worth in decision.prospects.values.items() if cell != now.refuge]

    def successors(self, line: Line) -> list[Line]:
        """Return the lines one tick longer: a bomb if it pays and has an escape, waiting, and free moves."""
        if line.hp <= 0:
            return []
        cells = self._look(line).moves(line.cell, line.ticks) if line.ticks else self._decision.allowed
        bombs = [self._bombed(line)] if self._may_bomb(line) else []
        return [*bombs, *(self._moved(line, cell) for cell in cells)]

    def worth(self, line: Line) -> float:
        """Return the points that the line has won, plus those that the seat can expect after it."""
        if line.hp <= 0:
            return line.worth
        is_burning = self._look(line).schedule.last_burning.get(line.cell, -1) >= line.ticks
        return line.worth + self._refuge_hope(line) + HOPE_SHARE * self._hope(line) - DANGER_VALUE * is_burning

    def _look(self, line: Line) -> LookAhead:
        """Return the look-ahead through all known fires and those of the bombs that the line has laid."""
        look = self._looks.get(line.laid)
        if look is None:
            now, plain = self._now, self._decision.safety.plain
            last = now.state.tick + now.rules.bomb_ticks - 1
            bombs = [Bomb(cell, now.seat, last + tick) for cell, tick in line.laid]
            look = self._looks[line.laid] = LookAhead(plain.board, blast_schedule(now, bombs), plain.rivals)
        return look

    def _may_bomb(self, line: Line) -> bool:
        if not line.ticks:
            return self._decision.bombs_here
        cell = line.cell
        if not line.ammo or cell not in self._traps or not self._look(line).is_open(cell, line.ticks):
            return False
        if cell not in self._shelters:
            self._shelters[cell] = has_shelter(self._now, cell)
        return self._shelters[cell]

    def _bombed(self, line: Line) -> Line:
        cost = AMMO_SHARE * self._ammo_value(line.ammo - 1)
        won = self._pay(line) * DISCOUNT**line.ticks - cost
        laid = (*line.laid, (line.cell, line.ticks))
        return self._moved(replace(line, laid=laid, ammo=line.ammo - 1, worth=line.worth + won), line.cell)

    def _moved(self, line: Line, cell: int) -> Line:
        """Return the line after a tick that ends in this cell, with the damage taken and the item picked up there."""
        ammo, taken, worth = line.ammo, line.taken, line.worth
        hp = line.hp - int(self._look(line).schedule.burning.get(line.ticks, {}).get(cell, 0))
        worth -= HP_VALUE * (line.hp - hp) if hp > 0 else DEATH_VALUE - line.ticks
        if cell in self._decision.lying and cell not in taken:
            value = self._ammo_value(ammo) if cell in self._ammo else self._now.rules.treasure_points
            worth += value * DISCOUNT**line.ticks * (CONTESTED_FACTOR if cell in self._decision.contested else 1)
            ammo, taken = ammo + (cell in self._ammo), taken | {cell}
        if cell == self._now.refuge:
            worth += HELD_SHARE * self._refuge_value(line.ticks)
        return Line(cell, line.ticks + 1, line.laid, taken, ammo, hp, worth)

    def _pay(self, line: Line) -> float:
        """Return the points expected of a bomb laid now: for rivals, and for blocks that no earlier bomb reaches."""
        reached = set(self._blast(line.cell))
        if self._siege in reached:
            return HP_VALUE
        paid = reached.difference(*(self._blast(cell) for cell, _ in line.laid))
        return self._traps[line.cell] + sum([self._blocks.get(cell, 0.0) for cell in sorted(paid)])

    def _blast(self, cell: int) -> list[int]:
        now = self._now
        return blast(cell, now.rules.rays, now.state.blocks, now.bomb_cells)

    def _ammo_value(self, held: int) -> float:
        """Return the value of one more ammo."""
        return SIEGE_AMMO if self._siege is not None else AMMO_VALUES[min(held, len(AMMO_VALUES) - 1)]

    def _hope(self, line: Line) -> float:
        """Return the value of the best prospect that the line leaves, discounted by its distance on an empty board."""
        key = (line.cell, line.taken, tuple([cell for cell, _ in line.laid]))
        best = self._best_hopes.get(key)
        if best is None:
            far, done = self._now.rules.board.distance, line.taken.union(key[2])
            left = [worth * DISCOUNT ** far(line.cell, cell) for cell, worth in self._hopes if cell not in done]
            best = self._best_hopes[key] = max(left, default=0.0)
        return best * DISCOUNT**line.ticks

    def _refuge_value(self, ticks: int) -> float:
        return REFUGE_VALUE * REFUGE_FACTOR ** max(0, self._now.closing_in - ticks - REFUGE_TICKS)

    def _refuge_hope(self, line: Line) -> float:
        """Return the value of the cell that closes last, discounted by the steps to it; 0 if the board stays open."""
        refuge = self._now.refuge
        if refuge is None:
            return 0.0
        detour = DETOUR_STEPS + 2 * self._now.rules.board.distance(line.cell, refuge)
        return self._refuge_value(line.ticks) * DISCOUNT ** self._steps_to_refuge.get(line.cell, detour)

    @cached_property
    def _steps_to_refuge(self) -> dict[int, int]:
        """Cell -> steps to the cell that closes last, around blocks and bombs."""
        now = self._now
        assert now.refuge is not None
        walls = now.blocks.union(now.bomb_cells) - {now.refuge}
        return dict(maps.flood(now.rules, now.refuge, walls, now.work))
