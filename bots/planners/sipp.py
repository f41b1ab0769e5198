"""SIPP: quickest paths through time, searched over intervals in which a cell is free instead of over single ticks.

Phillips, Likhachev, "SIPP: Safe Interval Path Planning for Dynamic Environments", ICRA 2011. A state is a cell and one
of the intervals without a forbidden tick. Of two ways into the same interval the earlier can do all that the later
can, as the robot may wait there. So each interval is expanded once at most, however long a wait is, while
`grid_timed_astar` has a state for every tick. Both find paths of equal cost; among several they may choose another.

Complete and optimal if every step takes one tick and the heuristic is consistent. Among nodes of equal f the one with
the larger g is expanded first, then the one found first. To find the intervals, every tick of a cell is looked at
once; a look generates no successor.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count, groupby
from time import perf_counter

from gridjoust.bots.planners.astar import AtTick
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import Heuristic, no_estimate
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, Clock, Plan, PlanStats, elapsed_ms, no_plan

State = tuple[int, float]  # (cell, last tick of one of its intervals)
Interval = tuple[int, float]  # first and last tick; the last interval of a cell does not end


def grid_sipp(
    grid: SearchGrid,
    start: int,
    is_goal: AtTick,
    *,
    is_forbidden: AtTick,
    horizon: int,
    heuristic: Heuristic[int] = no_estimate,
    cost_limit: float = INF,
    budget: Budget = UNLIMITED,
    clock: Clock = perf_counter,
) -> Plan[int]:
    """Find the quickest path that avoids forbidden (cell, tick) pairs; `path[i]` is the cell at tick i, from tick 0.

    ValueError on a grid where a step may cost anything but 1.

    Args:
        grid: the board
        start: number of the first cell
        is_goal: returns True for a cell that ends the path; asked with the first tick at which it is reached
        is_forbidden: returns True if the cell must not be entered at the tick; asked for ticks 1 to `horizon` - 1
        horizon: first tick from which on nothing is forbidden
        heuristic: returns an estimate of the ticks from a cell to a goal, waiting included; consistent
        cost_limit: the most ticks that a path may take
        budget: successors that may still be generated; by default there is no limit
        clock: measures `planning_ms`, in s
    """
    if not grid.is_uniform:
        raise ValueError("safe intervals: expected a grid where every step costs 1")
    begin_s = clock()
    intervals = _Intervals(is_forbidden, horizon)
    first: State = (start, intervals.of_start(start))
    ticks: dict[State, int] = {first: 0}
    parents = {first: first}
    serial = count(1).__next__
    heap: list[tuple[float, int, int, State]] = [(heuristic(start), 0, 0, first)]
    stats = PlanStats(frontier=1)
    found: State | None = None
    while heap and heap[0][0] <= cost_limit:
        _, minus_tick, _, state = heappop(heap)
        tick = ticks[state]
        if tick != -minus_tick:
            continue
        if is_goal(state[0], tick):
            found = state
            break
        if stats.generated >= budget.left:
            break
        stats.expanded += 1
        for after, arrival in _successors(grid, intervals, state, tick):
            stats.generated += 1
            if arrival < ticks.get(after, INF):
                ticks[after], parents[after] = arrival, state
                heappush(heap, (arrival + heuristic(after[0]), -arrival, serial(), after))
        stats.frontier = max(stats.frontier, len(heap))
    stats.generated = budget.spend(stats.generated)
    stats.planning_ms = elapsed_ms(clock, begin_s)
    return no_plan(stats) if found is None else Plan(_path(found, ticks, parents), float(ticks[found]), stats)


def _successors(grid: SearchGrid, intervals: _Intervals, state: State, tick: int) -> Iterator[tuple[State, int]]:
    """Yield (state, first tick in it) for each interval of a neighbour that can be entered from this state."""
    cell, last = state
    for head in grid.neighbours[cell]:
        for begin, end in intervals[head]:
            arrival = max(tick + 1, begin)
            if arrival > last + 1:
                break
            if arrival <= end:
                yield (head, end), arrival


def _path(state: State, ticks: dict[State, int], parents: dict[State, State]) -> tuple[int, ...]:
    """Return the cell at every tick until the state is reached; waits are spent before a step."""
    path = [state[0]]
    while (parent := parents[state]) != state:
        path += [parent[0]] * (ticks[state] - ticks[parent])
        state = parent
    return tuple(reversed(path))


class _Intervals(dict[int, tuple[Interval, ...]]):
    """The intervals of each cell from tick 1 on, in order."""

    def __init__(self, is_forbidden: AtTick, horizon: int) -> None:
        super().__init__()
        self._is_forbidden = is_forbidden
        self._horizon = horizon

    def __missing__(self, cell: int) -> tuple[Interval, ...]:
        found = self[cell] = tuple(self._find(cell))
        return found

    def _find(self, cell: int) -> Iterator[Interval]:
        """Yield the runs of ticks in which the cell is not forbidden; from the horizon on it never is."""
        most = max(1, self._horizon)
        for is_barred, run in groupby(range(1, most), key=lambda tick: self._is_forbidden(cell, tick)):
            begin, *_, end = [*run] * 2
            if not is_barred and end < most - 1:
                yield begin, end
            elif not is_barred:
                yield begin, INF
                return
        yield most, INF

    def of_start(self, cell: int) -> float:
        """Return the last tick of the interval that holds tick 0, where the robot stands."""
        begin, end = self[cell][0]
        return end if begin <= 1 else 0
