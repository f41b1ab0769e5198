"""Jump point search: A* on grids with 8 neighbours and equal entry costs that passes cells where no path has to turn.

Harabor, Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", AAAI 2011. A step from a cell is pruned if the
cell before it leads to the same place at no greater cost; of equal paths the one with its diagonal steps first remains.
What is pruned follows from the open steps of the cell before, so one rule serves boards on which corners may be cut
and others. A jump goes straight on to the goal or to a cell with a turn: a step that is kept because of a wall beside
the cell before (a forced neighbour). A diagonal jump also ends if a straight jump from its cell reaches such an end.
Paths are optimal, and nothing is computed before the search. Among nodes of equal f = g + h the one that was found last
is expanded first.

`expanded` counts ends of jumps, `generated` every cell that a jump enters. The walls beside such a cell are looked at
and not counted.
"""

from __future__ import annotations

from heapq import heappop, heappush
from time import perf_counter
from typing import Final

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.grid import DIAGONAL, STRAIGHT, SearchGrid
from gridjoust.bots.planners.stats import INF, Clock, Plan, PlanStats, elapsed_ms, no_plan

N, E, S, W, NE, SE, SW, NW = (1 << direction for direction in range(8))
# by arrival, the direction of the step to a cell: the steps from it that are never left out
ONWARD: Final = (N, E, S, W, N | E | NE, E | S | SE, S | W | SW, N | W | NW)
# by arrival: a step that the cell before may lack, the steps that are kept then, and the same for the other side
TURNS: Final = (
    (NW, W | NW, NE, E | NE),
    (NE, N | NE, SE, S | SE),
    (SE, E | SE, SW, W | SW),
    (SW, S | SW, NW, N | NW),
    (N, NW, E, SE),
    (E, NE, S, SW),
    (S, SE, W, NW),
    (W, SW, N, NE),
)
SIDES: Final = ((0, 1), (1, 2), (2, 3), (3, 0))  # from NE to NW: the two straight directions of a diagonal one


def grid_jps(
    grid: SearchGrid,
    start: int,
    goal: int,
    *,
    budget: Budget = UNLIMITED,
    clock: Clock = perf_counter,
) -> Plan[int]:
    """Find the cheapest path over cells to the goal by jump point search (Harabor, Grastien, AAAI 2011).

    The plan's `stats.expanded` counts the ends of jumps, `stats.generated` all cells that jumps enter. ValueError if
    the grid has 4 neighbours or cells of unlike cost.

    Args:
        grid: the board; only diagonal steps may have another cost than 1
        start: number of the first cell
        goal: number of the last cell
        budget: successors that may still be generated; by default there is no limit
        clock: measures `planning_ms`, in s
    """
    if grid.connectivity != 8 or not grid.has_equal_costs:
        raise ValueError("jump point search: expected a grid with 8 neighbours where every free cell costs 1")
    begin_s = clock()
    if kernels.active is None:
        plan = JumpSearch(grid, goal).run(start, budget.left)
    else:
        path, cost, expanded, generated, peak = kernels.active.jps(grid.packed(), start, goal, budget.left)
        plan = Plan(path, cost, PlanStats(expanded, generated, peak))
    plan.stats.generated = budget.spend(plan.stats.generated)
    plan.stats.planning_ms = elapsed_ms(clock, begin_s)
    return plan


class JumpSearch:
    """One search to a goal in pure Python; `closed`: cells that it has expanded; `costs`: those that it has reached."""

    def __init__(self, grid: SearchGrid, goal: int) -> None:
        self.closed: dict[int, None] = {}  # in the order of expansion
        self.costs: dict[int, float] = {}
        self._grid = grid
        self._goal = goal
        self._steps = _Steps(grid)
        self._offsets = [down * grid.width + across for across, down in STRAIGHT + DIAGONAL]
        self._arrivals: dict[int, tuple[int, int]] = {}  # (direction of the last jump, the cell where it began)
        self._generated = 0

    def run(self, start: int, most: int) -> Plan[int]:
        """Search from this cell until `most` successors are generated."""
        estimate, price = self._grid.estimate_to((self._goal,)), self._grid.diagonal_cost
        closed, costs = self.closed, self.costs
        costs[start] = 0
        heap = [(estimate(start), 0, start)]
        peak, serial = 1, 0
        while heap:
            total, _, cell = heappop(heap)
            if cell in closed:
                continue
            if cell == self._goal or self._generated >= most:
                stats = PlanStats(len(closed), self._generated, peak)
                return Plan(self._path(start), total, stats) if cell == self._goal else no_plan(stats)
            closed[cell] = None
            for direction in self._kept(cell):
                end = self._jump(cell, direction)
                if end >= 0:
                    count = (end - cell) // self._offsets[direction]
                    reached = costs[cell] + count * (1 if direction < 4 else price)
                    if reached < costs.get(end, INF):
                        serial -= 1
                        costs[end] = reached
                        self._arrivals[end] = direction, cell
                        heappush(heap, (reached + estimate(end), serial, end))
            peak = max(peak, len(heap))
        return no_plan(PlanStats(len(closed), self._generated, peak))

    def _kept(self, cell: int) -> list[int]:
        """Return the directions of the steps from a cell that jump point search does not prune."""
        kept = self._steps[cell]
        if cell in self._arrivals:
            arrival, _ = self._arrivals[cell]
            kept &= ONWARD[arrival] | _turns(arrival, self._steps[cell - self._offsets[arrival]], kept)
        return [direction for direction in range(8) if kept >> direction & 1]

    def _jump(self, cell: int, direction: int) -> int:
        """Return where the jump from a cell ends, or -1 if it meets a wall first."""
        steps = self._steps
        here = steps[cell]
        while here >> direction & 1:
            cell = self._enter(cell, direction)
            there = steps[cell]
            if cell == self._goal or _turns(direction, here, there):
                return cell
            if direction >= 4 and any(self._jump(cell, side) >= 0 for side in SIDES[direction - 4]):
                return cell
            here = there
        return -1

    def _enter(self, cell: int, direction: int) -> int:
        """Return the next cell in a direction, and count it."""
        self._generated += 1
        return cell + self._offsets[direction]

    def _path(self, start: int) -> tuple[int, ...]:
        """Return all cells from the start to the goal."""
        cell, path = self._goal, [self._goal]
        while cell != start:
            direction, begin = self._arrivals[cell]
            offset = self._offsets[direction]
            path.extend(range(cell - offset, begin - offset, -offset))
            cell = begin
        return tuple(path[::-1])


class _Steps(dict[int, int]):
    """The open steps of each cell as bits, N E S W NE SE SW NW from the lowest, computed when they are first read."""

    def __init__(self, grid: SearchGrid) -> None:
        super().__init__()
        self._grid = grid

    def __missing__(self, cell: int) -> int:
        xs, ys = self._grid.xs, self._grid.ys
        near = {(xs[head] - xs[cell], ys[head] - ys[cell]) for head in self._grid.neighbours[cell]}
        steps = self[cell] = sum(1 << at for at, step in enumerate(STRAIGHT + DIAGONAL) if step in near)
        return steps


def _turns(arrival: int, before: int, here: int) -> int:
    """Return the open steps of this cell (`here`) that are not pruned because walls block steps of the cell before.

    `before` are the open steps of that cell; steps are bits.
    """
    lacking, turns, other, other_turns = TURNS[arrival]
    return here & ((0 if before & lacking else turns) | (0 if before & other else other_turns))
