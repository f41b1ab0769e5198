"""One seat's situation: obstacles, coming fires, and the pay of a bomb in each cell.

The values are those of the Gambit bot (CoderOne tournament, December 2020).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gridjoust.bots.bomber import maps
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.games.bomber.board import make_rays
from gridjoust.games.bomber.params import Rules
from gridjoust.games.bomber.stages import blast
from gridjoust.games.bomber.state import FREE, HP_MASK, METAL, ORE, Player, Seat, State

SOFT_VALUE = 2.0
ORE_VALUES = (11.0, 3.0, 0.5)  # by fires that the block takes beyond the next one; fires on their way are not counted
FAR_FACTOR = 0.95  # factor for a block with one cell between it and the bomb
CLOSING_SOON = 24  # ticks
LAST_CELLS = 9  # open cells that are left when the board counts as closed
FEW_BLOCKS = 6  # with fewer blocks than this only adjacent blocks count


@dataclass(frozen=True)
class Situation:
    """A state as one seat believes it to be, and what follows from it; each value is computed once.

    `windows`: cell of a bomb of uncertain timer -> first and last tick at whose end it may make fire. `work` counts
    what floods of the board generate.
    """

    rules: Rules
    state: State
    seat: Seat
    windows: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    work: Budget = field(default=UNLIMITED, compare=False)

    @property
    def own(self) -> Player:
        """The seat's player."""
        return self.state.players[self.seat]

    @property
    def here(self) -> int:
        """The seat's own cell."""
        return self.own.cell

    @cached_property
    def rivals(self) -> list[tuple[Seat, Player]]:
        """Living opponents, with their seats."""
        return [(seat, self.state.players[seat]) for seat in self.state.living() if seat != self.seat]

    @cached_property
    def bomb_cells(self) -> list[int]:
        """Cells of the bombs, in the order in which they were laid."""
        return [bomb.cell for bomb in self.state.bombs]

    @cached_property
    def blocks(self) -> frozenset[int]:
        """Cells of blocks of any kind."""
        return frozenset([cell for cell, block in enumerate(self.state.blocks) if block != FREE])

    @cached_property
    def standing(self) -> frozenset[int]:
        """Cells that the seat cannot enter now: blocks, bombs, and all other players, living or dead."""
        figures = [player.cell for other, player in enumerate(self.state.players) if other != self.seat]
        return self.blocks.union(self.bomb_cells, figures)

    @cached_property
    def breakable(self) -> list[int]:
        """Cells of soft and ore blocks."""
        return [cell for cell, block in enumerate(self.state.blocks) if block > METAL]

    @cached_property
    def refuge(self) -> int | None:
        """The free cell that closes last; None on a board that stays open."""
        if not self.rules.close_from:
            return None
        ticks = self.rules.closing_ticks
        return max(
            (c for c, block in enumerate(self.state.blocks) if block == FREE), key=ticks.__getitem__, default=None
        )

    @property
    def closing_in(self) -> int:
        """Ticks until little more than the cell that closes last is left."""
        assert self.refuge is not None
        last = self.rules.closing_ticks[self.refuge] - LAST_CELLS * self.rules.close_every
        return last - self.state.tick

    @property
    def is_closing(self) -> bool:
        """True if the board has almost closed (within CLOSING_SOON ticks)."""
        return self.refuge is not None and self.closing_in <= CLOSING_SOON

    @cached_property
    def keeper(self) -> Seat | None:
        """The seat in the cell that closes last, when the rest is about to close: it wins if no rival drives it out."""
        if not self.is_closing:
            return None
        return next((seat for seat in self.state.living() if self.state.players[seat].cell == self.refuge), None)

    @cached_property
    def is_ahead(self) -> bool:
        """True if the seat has more HP than any rival, so that it can trade hits."""
        return all(self.own.hp > rival.hp for _, rival in self.rivals)

    @cached_property
    def closings(self) -> dict[int, int]:
        """Cell -> ticks until it closes, for open cells that close soon; the last one of the board is left out."""
        if not self.rules.close_from:
            return {}
        ticks, tick = self.rules.closing_ticks, self.state.tick
        soon = {
            cell: at - tick for cell, at in enumerate(ticks) if 0 <= at - tick <= CLOSING_SOON and cell != self.refuge
        }
        return {cell: offset for cell, offset in soon.items() if self.state.blocks[cell] != METAL}

    @cached_property
    def coming_fires(self) -> dict[int, int]:
        """Cell -> number of fires that burn there now or that bombs on the board will make there.

        A ray of fire ends at the first obstacle, whose cell is included.
        """
        fires = self.blast_counts(self.bomb_cells)
        for fire in self.state.fires:
            fires[fire.cell] = fires.get(fire.cell, 0) + 1
        return fires

    def blast_counts(self, bomb_cells: Iterable[int]) -> dict[int, int]:
        """Return cell -> number of fires that bombs in these cells would make; all bombs on the board stop fire."""
        cells = list(bomb_cells)
        if (fast := maps.active()) is not None:
            found: dict[int, int] = fast.blast_counts(
                maps.shape_of(self.rules), self.state.blocks, self.bomb_cells, cells
            )
            return found
        standing = {*self.bomb_cells, *cells}
        counts: dict[int, int] = {}
        for cell in cells:
            for reached in blast(cell, self.rules.rays, self.state.blocks, standing):
                counts[reached] = counts.get(reached, 0) + 1
        return counts

    def block_values(self, blasts: Mapping[int, int], *, pays_doomed_ore: bool = False) -> dict[int, float]:
        """Return the value of a further fire on each breakable block; soft blocks already in a blast are left out.

        Ore that the known blasts will have destroyed is worth nothing or, with `pays_doomed_ore` (as in the original
        bot), the most.
        """
        values: dict[int, float] = {}
        for cell in self.breakable:
            coming = blasts.get(cell, 0)
            if self.state.blocks[cell] < ORE:
                if not coming:
                    values[cell] = SOFT_VALUE
                continue
            fires_left = (self.state.blocks[cell] & HP_MASK) - coming
            if fires_left > 0 or pays_doomed_ore:
                values[cell] = ORE_VALUES[min(max(fires_left, 1), len(ORE_VALUES)) - 1]
        return values

    def bomb_rewards(self, values: Mapping[int, float], *, blasts: Collection[int]) -> dict[int, float]:
        """Return free cell -> reward of a bomb there: the values of the first block on each ray, up to two cells away.

        A soft block that is already in a blast does not hide the block behind it.
        """
        rays = make_rays((self.rules.width, self.rules.height), min(2, self.rules.blast_radius))
        blocks = self.state.blocks
        sees_far = len(self.breakable) >= FEW_BLOCKS
        rewards: dict[int, float] = {}
        for cell, value in values.items():
            for ray in rays[cell]:
                for reached, worth in zip(ray, (value, value * FAR_FACTOR), strict=False):
                    if blocks[reached] == FREE:
                        rewards[reached] = rewards.get(reached, 0.0) + worth
                    elif not METAL < blocks[reached] < ORE or reached not in blasts:
                        break
                    if not sees_far:
                        break
        return rewards


def middle_cells(rules: Rules) -> list[int]:
    """Return the middle of the board: columns 3 to 7 and rows 4 to 6 of 12 × 10, in proportion on other boards."""
    columns = range(rules.width * 3 // 12, max(rules.width * 8 // 12, rules.width * 3 // 12 + 1))
    rows = range(rules.height * 4 // 10, max(rules.height * 7 // 10, rules.height * 4 // 10 + 1))
    return [y * rules.width + x for y in rows for x in columns]
