"""Bomber's A* with SIPP in place of a search over ticks: it does not beat the floor, and is no built-in bot."""

from __future__ import annotations

from typing import ClassVar

from gridjoust.bots.bomber.astar import AStarBomber, TimedSearch
from gridjoust.planners import grid_sipp


class SippBomber(AStarBomber):
    """Plans over intervals without fire, so that waiting for a fire to pass is one state, however long it takes."""

    planner: ClassVar[str] = "sipp"
    find_path: ClassVar[TimedSearch] = staticmethod(grid_sipp)
