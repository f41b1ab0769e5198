"""Where and when it burns, tick by tick, and whether there is a way through. Chooses no goals.

Offsets count ticks from the one to be played: at offset k a player moves first and then takes damage from what burns at
k. The schedule follows the rules exactly for the bombs that are known: chains, blocks that fall and open the way, fires
that shield each other. Bombs of uncertain timers (see the tracker's windows) burn all through their windows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from games.bomber.params import Rules
from games.bomber.stages import blast, light_chain
from games.bomber.state import FREE, HP_MASK, METAL, Bomb, Seat, State

NEVER = math.inf
_Dated = tuple[int, int]  # cell of a bomb, offset at whose end it makes fire


@dataclass(frozen=True, slots=True)
class Schedule:
    """What burns when, and when what stands in the way is gone."""

    burning: Mapping[int, Mapping[int, int]]  # offset -> cell -> number of fires
    opens: Mapping[int, float]  # cell of a block or bomb -> first offset at which it may be entered (NEVER)
    last_burning: Mapping[int, int]  # cell -> last offset at which it burns; other cells never do

    @property
    def last_offset(self) -> int:
        """The last offset at which anything burns; -1 if nothing ever does."""
        return max(self.burning, default=-1)


def blast_schedule(
    rules: Rules, state: State, *, extra: Iterable[Bomb] = (), windows: Mapping[int, tuple[int, int]] | None = None
) -> Schedule:
    """The schedule of all bombs on the board and of `extra` ones, laid in this tick after all others."""
    now = state.tick
    bombs = [(bomb.cell, max(0, bomb.fires_tick - now)) for bomb in (*state.bombs, *extra)]
    opens: dict[int, float] = {cell: NEVER for cell, block in enumerate(state.blocks) if block != FREE}
    opens.update((cell, NEVER) for cell, _ in bombs)
    burning = dict(_burn(rules, bytearray(state.blocks), bombs, [fire.cell for fire in state.fires], opens))
    if windows:
        _smear(rules, state, windows, burning)
    last = {cell: offset for offset in sorted(burning) for cell in burning[offset]}
    return Schedule(burning, opens, last)


def _burn(
    rules: Rules, blocks: bytearray, bombs: list[_Dated], fires: list[int], opens: dict[int, float]
) -> Iterator[tuple[int, dict[int, int]]]:
    """Yield (offset, fires per cell) in order and note in `opens` what goes when."""
    rays = rules.rays
    offset = 0
    while fires or bombs:
        if fires:
            counts: dict[int, int] = {}
            for cell in fires:
                counts[cell] = counts.get(cell, 0) + 1
            yield offset, counts
            bombs = [(cell, min(fires_at, offset) if cell in counts else fires_at) for cell, fires_at in bombs]
        else:
            counts = {}
            offset = max(offset, min(fires_at for _, fires_at in bombs))
        standing = {cell for cell, _ in bombs}
        due = [cell for cell, fires_at in bombs if fires_at <= offset]
        if due and rules.chain == "instant":
            light_chain(due, rays, blocks, standing)
        fires = [reached for cell in due for reached in blast(cell, rays, blocks, standing)]
        bombs = [bomb for bomb in bombs if bomb[0] not in due]
        offset += 1
        opens.update((cell, offset) for cell in due)
        _burn_blocks(blocks, counts, opens, offset)


def _burn_blocks(blocks: bytearray, counts: Mapping[int, int], opens: dict[int, float], next_offset: int) -> None:
    """Blocks lose HP; done after the new fires are known, since a dying block stops them."""
    for cell, count in counts.items():
        if blocks[cell] > METAL:
            blocks[cell] -= min(count, blocks[cell] & HP_MASK)
            if not blocks[cell] & HP_MASK:
                blocks[cell] = FREE
                opens[cell] = next_offset


def _smear(
    rules: Rules, state: State, windows: Mapping[int, tuple[int, int]], burning: dict[int, dict[int, int]]
) -> None:
    """Let bombs of uncertain timers burn at every offset at which they may."""
    bomb_cells = {bomb.cell for bomb in state.bombs}
    for cell, (first, last) in windows.items():
        for offset in range(first - state.tick + 1, last - state.tick + 2):
            counts = burning.setdefault(offset, {})
            for reached in blast(cell, rules.rays, state.blocks, bomb_cells):
                counts.setdefault(reached, 1)


def merged(*schedules: Schedule) -> Schedule:
    """What burns in any of the schedules; a cell opens when it has opened in all."""
    burning: dict[int, dict[int, int]] = {}
    opens: dict[int, float] = {}
    last: dict[int, int] = {}
    for schedule in schedules:
        for offset, counts in schedule.burning.items():
            known = burning.setdefault(offset, {})
            for cell, count in counts.items():
                known[cell] = max(count, known.get(cell, 0))
        for cell, opening in schedule.opens.items():
            opens[cell] = max(opening, opens.get(cell, 0))
        for cell, offset in schedule.last_burning.items():
            last[cell] = max(offset, last.get(cell, -1))
    return Schedule(burning, opens, last)


@dataclass
class LookAhead:
    """Ways through a schedule for one seat. `rivals`: cell -> offset from which a rival may stand in it (bodies: 0).

    A way that keeps clear of `rivals` cannot be cut off by anybody's feet.
    """

    rules: Rules
    schedule: Schedule
    rivals: Mapping[int, float] = field(default_factory=dict)
    expanded: int = 0
    generated: int = 0
    frontier: int = 0  # peak

    @cached_property
    def _neighbours(self) -> tuple[tuple[int, ...], ...]:
        return self.rules.board.neighbours

    def is_open(self, cell: int, offset: int) -> bool:
        """Whether the cell may be entered at that offset."""
        return self.schedule.opens.get(cell, 0) <= offset < self.rivals.get(cell, NEVER)

    def moves(self, cell: int, offset: int = 0) -> list[int]:
        """The cell itself and the neighbours that may be entered."""
        return [cell, *(other for other in self._neighbours[cell] if self.is_open(other, offset))]

    def survives(self, cell: int, offset: int = 0) -> bool:
        """Whether who is in `cell` after its move at `offset` can go through all the rest without any damage."""
        burning, last = self.schedule.burning, self.schedule.last_burning
        layer: Collection[int] = () if cell in burning.get(offset, ()) else (cell,)
        while layer:
            self.expanded += len(layer)
            self.frontier = max(self.frontier, len(layer))
            if any(last.get(reached, -1) <= offset for reached in layer):
                return True
            offset += 1
            fire = burning.get(offset, ())
            layer = {n for reached in layer for n in self.moves(reached, offset) if n not in fire}
            self.generated += len(layer)
        return False

    def least_damage(self, cell: int, offset: int = 0) -> int:
        """The least number of fires on any way from `cell` (entered at `offset`) to the end of the schedule."""
        burning = self.schedule.burning
        damage = {cell: burning.get(offset, {}).get(cell, 0)}
        while offset < self.schedule.last_offset:
            offset += 1
            fire = burning.get(offset, {})
            reached: dict[int, int] = {}
            for here, taken in damage.items():
                for there in self.moves(here, offset):
                    total = taken + fire.get(there, 0)
                    if total < reached.get(there, total + 1):
                        reached[there] = total
            self.expanded += len(damage)
            self.generated += len(reached)
            self.frontier = max(self.frontier, len(reached))
            damage = reached
        return min(damage.values())


def still_rivals(state: State, seat: Seat) -> dict[int, float]:
    """Every other figure, living or dead, stays where it is."""
    return {player.cell: 0 for other, player in enumerate(state.players) if other != seat}


def roaming_rivals(rules: Rules, state: State, seat: Seat, *, reach: int) -> dict[int, float]:
    """Offsets from which living rivals may be in a cell, as far as `reach` ticks take them; bodies stay."""
    neighbours = rules.board.neighbours
    blocked = {bomb.cell for bomb in state.bombs} | {cell for cell, block in enumerate(state.blocks) if block != FREE}
    arrivals = still_rivals(state, seat)
    frontier = [p.cell for n, p in enumerate(state.players) if n != seat and p.died_tick is None]
    for offset in range(reach):
        frontier = [n for cell in frontier for n in neighbours[cell] if n not in blocked and n not in arrivals]
        frontier = list(dict.fromkeys(frontier))
        arrivals.update((cell, offset) for cell in frontier)
    return arrivals
