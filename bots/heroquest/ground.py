"""A figure's ground whose steps are counted, for tactics that flood it."""

from __future__ import annotations

from dataclasses import dataclass

from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.games.grid import Direction
from gridjoust.games.heroquest.movement import Ground


@dataclass(frozen=True, slots=True)
class CountedGround(Ground):
    """The squares that a figure may walk; each step looked up on it counts as work of the bot's tactics."""

    work: Budget = UNLIMITED

    def next_cell(self, cell: int, direction: int) -> int:
        """Return the square one step away, or -1 if that step is impossible."""
        target = Ground.next_cell(self, cell, direction)
        if target >= 0:
            self.work.count_tactics(1)
        return target

    def steps(self, cell: int) -> list[tuple[Direction, int]]:
        """Return (direction, square) of each step that is possible from this square, in the order N, E, S, W."""
        found = Ground.steps(self, cell)
        for _ in found:
            self.work.count_tactics(1)
        return found


def counted(ground: Ground, work: Budget) -> Ground:
    """Return a copy of this ground that counts every step looked up on it as work of the bot's tactics."""
    return CountedGround(ground.situation, ground.no_passing, ground.no_ending, ground.through_walls, work)
