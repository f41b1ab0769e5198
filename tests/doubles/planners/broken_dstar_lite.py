"""D* Lite with one thing wrong: the defects found in public implementations and in trials of our own.

Each double is the real module with one piece of its text replaced, so it cannot drift away from what it breaks.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from types import ModuleType

from gridjoust.bots.planners import dstar_lite
from gridjoust.bots.planners.dstar_lite import GridDStarLite


@dataclass(frozen=True)
class Defect:
    """What is wrong, how to do it, and which trial must notice what."""

    name: str
    right: str
    wrong: str
    trial: str
    finding: str = "wrong_costs"


KM_RISES = "self._km += self._estimate_from(self._last)(self._start)"
ROBOT_MOVES = "            self._start = node\n"
LAST_MOVE = "            self._last, self._start = self._start, node\n"
REPRICES = "            self._reprice(change)\n"
REFRESH_TAIL = "                self._refresh(tail)\n"
REFRESH_RAISED = f"{REFRESH_TAIL}        self._refresh(node)\n"
STOPS = "                if k1 > limit or (is_exact and k1 == bound and k2 >= cost):\n"
PRICE_FALLS = "                self._rhs[tail] = new + self._g[head]\n"
LEAVES_QUEUE = "            self._queued.pop(node, None)\n            return\n"
ESTIMATES = "lambda robot: grid.estimate_to((robot,))"
MANHATTAN = "lambda robot: lambda cell: abs(grid.xs[cell] - grid.xs[robot]) + abs(grid.ys[cell] - grid.ys[robot])"
WIPES = """\
            if change.new == INF:
                self._g[change.head] = self._rhs[change.head] = INF
                self._queued.pop(change.head, None)
"""
STOPS_CONSISTENT = "                if cost == g[start] or k1 > bound or (k1 == bound and k2 >= cost):\n"
FOUR, EIGHT, WORLD, ENDLESS = "unknown four", "unknown eight", "changing world", "endless_walks"

DEFECTS = (
    Defect("km is never increased", KM_RISES, "self._km += 0", EIGHT),
    Defect("km is never increased, four neighbours", KM_RISES, "self._km += 0", FOUR),
    Defect("km counts only the last of several moves", ROBOT_MOVES, LAST_MOVE, EIGHT),
    Defect("an obstacle is wiped and its neighbours are not updated", REPRICES, WIPES, FOUR, ENDLESS),
    Defect("an underconsistent node is not queued again", REFRESH_RAISED, REFRESH_TAIL, FOUR),
    Defect("the search stops as soon as the start is consistent", STOPS, STOPS_CONSISTENT, WORLD),
    Defect("the search stops as soon as the start has a cost", STOPS, "                if bound < INF:\n", WORLD),
    Defect("a fallen price does not reach the queue", PRICE_FALLS + REFRESH_TAIL, PRICE_FALLS, WORLD),
    Defect("fallen prices are ignored", "if new + self._g[head] < known:", "if False:", WORLD),
    Defect(
        "risen prices are ignored", "elif known < INF and known == old + self._g[head]:", "elif False:", FOUR, ENDLESS
    ),
    Defect("keys and plans stay with the first cell of the robot", ROBOT_MOVES, "            pass\n", FOUR, ENDLESS),
    Defect(
        "a node that became consistent stays in the queue", LEAVES_QUEUE, "            return\n", WORLD, "wrong_queues"
    ),
    Defect("estimates too much: Manhattan distance on eight neighbours", ESTIMATES, MANHATTAN, EIGHT),
)

UNSEEN_DEFECTS = (Defect("keys that are too low are not renewed", "if k1 < fresh:", "if False:", trial=""),)
"""Defects that give right plans at too high a price."""


ROUNDING_TRUSTED = Defect(
    "sums of any floats are taken to be exact",
    "is_exact = self._is_exact or (type(k1) is int and type(bound) is int)",
    "is_exact = True",
    trial="",
)
"""Only seen on graphs whose costs are neither whole numbers nor on a grid."""


def make_broken_module(defect: Defect) -> ModuleType:
    """The module with that defect; AssertionError if the piece to replace is not there exactly once."""
    source = inspect.getsource(dstar_lite)
    assert source.count(defect.right) == 1, f"{defect.name}: expected the piece once, got {source.count(defect.right)}"
    module = ModuleType(f"broken: {defect.name}")
    exec(compile(source.replace(defect.right, defect.wrong), module.__name__, "exec"), module.__dict__)
    return module


def make_broken(defect: Defect) -> type[GridDStarLite]:
    """The grid planner with that defect."""
    broken: type[GridDStarLite] = make_broken_module(defect).GridDStarLite
    return broken
