"""Computes when each cell of a board burns, and when each obstacle is gone.

Offsets count ticks from the one to be played: at offset k a player moves first and then takes damage from fires of
offset k. The schedule follows the rules exactly for the bombs that are known: chains, blocks that fall and open a path,
fires that shield each other. Bombs of uncertain timers (`Situation.windows`) burn all through their windows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from gridjoust.bots.bomber import maps
from gridjoust.bots.bomber.situation import Situation
from gridjoust.games.bomber.params import Rules
from gridjoust.games.bomber.stages import blast, light_chain
from gridjoust.games.bomber.state import FREE, HP_MASK, METAL, Bomb

NEVER = math.inf
CRUSHED = 10_000  # being crushed counts as this many fires; later is better
LATER_TICKS = 40  # delay that would make up for one fire: longer than any look-ahead
R = TypeVar("R", int, float)
_Dated = tuple[int, int]  # (cell of a bomb, offset at whose end it makes fire)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Which cells burn at which offset, and when each obstacle is gone."""

    burning: Mapping[int, Mapping[int, float]]  # offset -> cell -> number of fires
    opens: Mapping[int, float]  # cell of a block or bomb -> first offset at which it may be entered (NEVER)
    last_burning: Mapping[int, int]  # cell -> last offset at which it burns; other cells never burn

    @property
    def last_offset(self) -> int:
        """The last offset at which anything burns; -1 if nothing does."""
        return max(self.burning, default=-1)


def blast_schedule(now: Situation, extra: Iterable[Bomb] = ()) -> Schedule:
    """Compute which cells burn when, by all bombs on the board and `extra` ones, laid in this tick after all others."""
    state = now.state
    bombs = [(bomb.cell, max(0, bomb.fires_tick - state.tick)) for bomb in (*state.bombs, *extra)]
    opens: dict[int, float] = dict.fromkeys([*now.blocks, *(cell for cell, _ in bombs)], NEVER)
    fires = [fire.cell for fire in state.fires]
    if (fast := maps.active()) is not None:
        is_instant = now.rules.chain == "instant"
        burning: dict[int, Mapping[int, float]] = fast.burn(
            maps.shape_of(now.rules), state.blocks, bombs, fires, is_instant, opens
        )
    else:
        burning = dict(_burn(now.rules, bytearray(state.blocks), bombs, fires, opens))
    for cell, (first, last) in now.windows.items():
        reached = blast(cell, now.rules.rays, state.blocks, now.bomb_cells)
        for offset in range(first - state.tick + 1, last - state.tick + 2):
            burning[offset] = {**dict.fromkeys(reached, 1), **burning.get(offset, {})}
    for cell, offset in now.closings.items():
        burning[offset] = {**burning.get(offset, {}), cell: CRUSHED - offset / LATER_TICKS}
    return Schedule(burning, opens, {cell: offset for offset in sorted(burning) for cell in burning[offset]})


def _burn(
    rules: Rules, blocks: bytearray, bombs: list[_Dated], fires: list[int], opens: dict[int, float]
) -> Iterator[tuple[int, dict[int, int]]]:
    """Yield (offset, cell -> number of fires) in order; note in `opens` the offset from which each obstacle is gone."""
    rays = rules.rays
    offset = 0
    while fires or bombs:
        counts = Counter(fires)
        if fires:
            yield offset, counts
            bombs = [(cell, min(fires_at, offset) if cell in counts else fires_at) for cell, fires_at in bombs]
        else:
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
    """Subtract HP from burning blocks; called after the new fires are known, since a dying block stops them."""
    for cell, count in counts.items():
        if blocks[cell] > METAL:
            blocks[cell] -= min(count, blocks[cell] & HP_MASK)
            if not blocks[cell] & HP_MASK:
                blocks[cell] = FREE
                opens[cell] = next_offset


def merged(first: Schedule, second: Schedule) -> Schedule:
    """Merge two schedules: a cell burns if it burns in either, and opens when it has opened in both."""
    offsets = first.burning.keys() | second.burning.keys()
    burning = {at: _maxima(first.burning.get(at, {}), second.burning.get(at, {})) for at in offsets}
    return Schedule(burning, _maxima(first.opens, second.opens), _maxima(first.last_burning, second.last_burning))


def _maxima(first: Mapping[int, R], second: Mapping[int, R]) -> dict[int, R]:
    return {**first, **{cell: max(value, first.get(cell, value)) for cell, value in second.items()}}
