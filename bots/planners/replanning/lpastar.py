"""LPA*: the search that D* Lite comes from. It repairs the cheapest path between two nodes when prices change.

Koenig, Likhachev, Furcy, "Lifelong Planning A*", Artificial Intelligence 155, 2004. It is searched from the goal to the
robot here, as in D* Lite, so that the robot may move. Keys hold estimates of the distance to the robot. D* Lite keeps
keys that are too low after a move and renews those that it meets. LPA* makes the keys of the whole queue anew, which is
where "Fast Replanning for Navigation in Unknown Terrain" (2005) begins. While the robot stands still, both are one
algorithm.
"""

from __future__ import annotations

from heapq import heapify
from typing import TypeVar

from gridjoust.bots.planners.dstar_lite import DStarLite, GridDStarLite
from gridjoust.bots.planners.watched import WatchedGridDStarLite

N = TypeVar("N")


class LPAStar(DStarLite[N]):
    """One robot, one goal, one graph, as in `DStarLite`; a move of the robot makes all keys anew."""

    def _rebase(self) -> None:
        """Make the keys of all queued nodes for the robot's present node, in the order in which they were queued."""
        if self._start == self._last:
            return
        self._last = self._start
        self._estimate = estimate = self._estimate_from(self._start)
        for node, (_, nearer, serial, _) in self._queued.items():
            self._queued[node] = (nearer + estimate(node), nearer, serial, node)
        self._heap = list(self._queued.values())
        heapify(self._heap)


class GridLPAStar(LPAStar[int], GridDStarLite):
    """LPA* on flat cells."""


class WatchedGridLPAStar(LPAStar[int], WatchedGridDStarLite):
    """LPA* on flat cells that reports which nodes it repairs and which it keeps."""
