"""D* Lite: keeps the cheapest path from a moving robot to a fixed goal while prices change.

Koenig and Likhachev, "Fast Replanning for Navigation in Unknown Terrain", IEEE Trans. Robotics 21(3), 2005: the
second version with its optimisations (Fig. 9). It searches from the goal to the robot and keeps, for every node it has
touched, g (the cost to the goal, as last expanded) and rhs (the least cost of a step + g over its successors). A node
with g != rhs is in the queue under [min(g, rhs) + h(robot, node) + km; min(g, rhs)]. km makes up for the robot's moves,
so that keys already in the queue stay lower bounds; a key that is too low is renewed when it is popped. Keys of nodes
that did not change are renewed only then, not at once: the expansions are the same. The goal's rhs is never recomputed:
with positive costs no successor undercuts or equals its 0.

Complete and optimal on finite graphs with positive costs, if h(a, b) never exceeds the cheapest cost from a to b,
h(a, a) = 0 and h(a, c) <= h(a, b) + cost(b, c) for all nodes. A search expands no node more than twice; at worst it
costs as much as A* from scratch, O((V + E) log V), and more than that in practice when prices change near the goal.
If there is no path, the cost is infinite, the next step None and the path empty.

With whole numbers, and on grids, sums are exact and the search stops where Fig. 9 stops. With other floats equal keys
may differ in their last digits, so the search goes on until keys exceed every rounding error: a few more expansions,
but no wrong plan.

New prices are taken in by the next search, since that generates successors too. A search whose budget is spent knows no
path yet; the next one continues where it stopped, even if prices have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import count
from time import perf_counter
from typing import Generic, Protocol, TypeVar

from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import (
    ArcChange,
    ArcLookup,
    Cost,
    FunctionArcs,
    FunctionArcsIn,
    Neighbours,
    unit_cost,
)
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, Clock, Plan, PlanStats, elapsed_ms

N = TypeVar("N")
N_contra = TypeVar("N_contra", contravariant=True)

PairHeuristic = Callable[[N, N], float]
Entry = tuple[float, float, int, N]  # k1, k2, serial number, node

_ABOVE = 1 + 1e-12  # rounding errors on long paths stay below this


class _Table(Protocol[N_contra]):
    """Node -> cost, infinite until set: a list on grids, a dict elsewhere."""

    def __getitem__(self, node: N_contra, /) -> float: ...
    def __setitem__(self, node: N_contra, cost: float, /) -> None: ...


class _Costs(dict[N, float]):
    def __missing__(self, node: N) -> float:
        return INF


class DStarLite(Generic[N]):
    """One robot, one goal, one graph: report events (`update`, `move_start`), `search`, then follow `next_step`.

    The graph's functions must return the new prices before `update` is called.
    """

    _is_exact = False  # True if sums of costs are known to carry no rounding error

    def __init__(
        self,
        start: N,
        goal: N,
        *,
        neighbours: Neighbours[N],
        predecessors: Neighbours[N] | None = None,
        cost: Cost[N] = unit_cost,
        heuristic: PairHeuristic[N] = lambda tail, head: 0,  # noqa: ARG005 - no estimate
        clock: Clock = perf_counter,
    ) -> None:
        """Set up the planner.

        Args:
            start: node of the robot
            goal: node to reach
            neighbours: returns the nodes one step away, in tie-break order
            predecessors: returns the nodes from which a step leads to a node; by default `neighbours`, for graphs in
                which every arc has one back, perhaps at another price
            cost: returns the cost of a step from one node to the next, above 0
            heuristic: returns an estimate of the cost between two nodes
            clock: measures `planning_ms`, in s
        """
        self._arcs: ArcLookup[N] = FunctionArcs(neighbours, cost)
        self._arcs_in: ArcLookup[N] = FunctionArcsIn(predecessors or neighbours, cost)
        self._g: _Table[N] = _Costs()
        self._rhs: _Table[N] = _Costs()
        self._estimate_from: Callable[[N], Callable[[N], float]] = lambda robot: partial(heuristic, robot)
        self._clock = clock
        self._begin(start, goal)

    def _begin(self, start: N, goal: N) -> None:
        self._start = self._last = start
        self._goal = goal
        self._estimate = self._estimate_from(start)
        self._km: float = 0
        self._serial = count().__next__
        self._heap: list[Entry[N]] = []
        self._queued: dict[N, Entry[N]] = {}  # the valid entry of each node; its other entries in the heap are outdated
        self._expanded = self._generated = self._peak = 0
        self._news: list[ArcChange[N]] = []  # for the next search to take in
        self._searched = self._is_mending = False
        self.is_stopped = False  # the budget was spent before the search ended
        self._rhs[goal] = 0
        self._refresh(goal)

    @property
    def start(self) -> N:
        """The node where the robot is."""
        return self._start

    def move_start(self, node: N) -> None:
        """Move the robot to `node`; a step to `next_step` needs no new search."""
        if node != self._start:
            self._searched = self._searched and node == self.next_step()
            self._start = node

    def update(self, changes: Iterable[ArcChange[N]]) -> None:
        """Take in new prices of directed arcs, in any order, such as `SearchGrid.change` returns."""
        self._news += changes
        self._searched = self._searched and not self._news

    def _rebase(self) -> None:
        """Add the robot's estimated move since the last call to km, so that old keys in the queue stay lower bounds.

        Call it before any key is made.
        """
        if self._start != self._last:
            self._km += self._estimate_from(self._last)(self._start)
            self._last = self._start
            self._estimate = self._estimate_from(self._start)
        if len(self._heap) > 1000 + 4 * len(self._queued):  # most entries are outdated
            self._heap = list(self._queued.values())
            heapify(self._heap)

    def _reprice(self, change: ArcChange[N]) -> None:
        tail, head, old, new = change
        known = self._rhs[tail]
        if new < old:
            if new + self._g[head] < known:
                self._rhs[tail] = new + self._g[head]
                self._refresh(tail)
        elif known < INF and known == old + self._g[head]:
            self._rhs[tail] = self._look_ahead(tail)
            self._refresh(tail)

    def search(self, *, budget: Budget = UNLIMITED) -> PlanStats:
        """Repair the plan after changes and return the cost of the search; without a change it costs nothing."""
        begin_s = self._clock()
        self._expanded = self._generated = 0
        if not self._searched or self.is_stopped:
            most = budget.left
            self._rebase()
            self._take_news(most)
            self._peak = len(self._queued)
            self.is_stopped = bool(self._news) or not self._settle(most)
            self._searched = True
        else:
            self._peak = len(self._queued)
        return self._spent(self._expanded, budget.spend(self._generated), self._peak, begin_s)

    def _take_news(self, most: int) -> None:
        """Take in the new prices in order, until `most` successors are generated."""
        taken = 0
        for change in self._news:
            if self._generated >= most:
                break
            self._reprice(change)
            taken += 1
        del self._news[:taken]

    def _spent(self, expanded: int, generated: int, peak: int, begin_s: float) -> PlanStats:
        """Return these counts as the cost of a search; searches after the first complete one count as repair."""
        cost = PlanStats(expanded, generated, peak, elapsed_ms(self._clock, begin_s), expanded * self._is_mending)
        self._is_mending = self._is_mending or not self.is_stopped
        return cost

    def _settle(self, most: int) -> bool:  # noqa: PLR0915 - the hot loop, kept in one function for speed
        """Expand until the robot's cost is known and no key in the queue could lower it (ComputeShortestPath).

        Return False if `most` successors were generated before that.
        """
        heap, queued, g, rhs, arcs_in = self._heap, self._queued, self._g, self._rhs, self._arcs_in
        start, km, estimate, serial = self._start, self._km, self._estimate, self._serial
        while heap:
            k1, k2, _, node = entry = heap[0]
            if queued.get(node) is not entry:
                heappop(heap)
                continue
            cost = rhs[start]
            if cost < INF and cost <= g[start]:
                bound = cost + km
                is_exact = self._is_exact or (type(k1) is int and type(bound) is int)
                limit = bound if is_exact else bound * _ABOVE
                if k1 > limit or (is_exact and k1 == bound and k2 >= cost):
                    break
            if self._generated >= most:
                return False
            heappop(heap)
            known, ahead = g[node], rhs[node]
            nearer = known if known < ahead else ahead
            fresh = nearer + estimate(node) + km
            if k1 < fresh:
                entry = queued[node] = (fresh, nearer, serial(), node)
                heappush(heap, entry)
                continue
            del queued[node]
            self._expanded += 1
            if known < ahead:
                self._raise(node)
                continue
            g[node] = ahead
            steps = arcs_in[node]
            self._generated += len(steps)
            for tail, step in steps:
                through = step + ahead
                if through < rhs[tail]:
                    rhs[tail] = through
                    own = g[tail]
                    if through < own:
                        entry = queued[tail] = (through + estimate(tail) + km, through, serial(), tail)
                        heappush(heap, entry)
                    elif through == own:
                        queued.pop(tail, None)
            if len(queued) > self._peak:
                self._peak = len(queued)
        return True

    def _raise(self, node: N) -> None:
        """Set g of a node with g < rhs (underconsistent) to infinite; recompute rhs of the nodes that relied on it."""
        g, rhs = self._g, self._rhs
        known = g[node]
        g[node] = INF
        steps = self._arcs_in[node]
        self._generated += len(steps)
        for tail, step in steps:
            if rhs[tail] == step + known:
                rhs[tail] = self._look_ahead(tail)
                self._refresh(tail)
        self._refresh(node)
        if len(self._queued) > self._peak:
            self._peak = len(self._queued)

    def _look_ahead(self, node: N) -> float:
        """Return the least cost of a step + g over all successors of a node: its rhs."""
        g, steps = self._g, self._arcs[node]
        self._generated += len(steps)
        return min([step + g[head] for head, step in steps], default=INF)

    def _refresh(self, node: N) -> None:
        """Queue the node under a fresh key if g and rhs differ, else remove it from the queue (UpdateVertex)."""
        known, ahead = self._g[node], self._rhs[node]
        if known == ahead:
            self._queued.pop(node, None)
            return
        nearer = known if known < ahead else ahead
        entry = self._queued[node] = (nearer + self._estimate(node) + self._km, nearer, self._serial(), node)
        heappush(self._heap, entry)

    @property
    def cost(self) -> float:
        """Cost of the cheapest path from the robot to the goal; infinite if there is none, or none is known yet."""
        self._require_search()
        return INF if self.is_stopped else float(self._rhs[self._start])

    def next_step(self) -> N | None:
        """Return the node to go to now; None at the goal or if there is no path."""
        if self.cost == INF or self._start == self._goal:
            return None
        return self._best_successor(self._start)

    def path(self) -> tuple[N, ...]:
        """Return the nodes from the robot to the goal, both included; empty if there is no path, or none is known yet.

        Raise ValueError if a cost is not above 0.
        """
        node, left = self._start, self.cost
        if left == INF:
            return ()
        nodes = [node]
        while node != self._goal:
            node = self._best_successor(node)
            if not self._g[node] < left:
                raise ValueError(f"costs: expected all above 0, got an arc to {node!r} that brings the goal no nearer")
            left = self._g[node]
            nodes.append(node)
        return tuple(nodes)

    def plan(self, *, budget: Budget = UNLIMITED) -> Plan[N]:
        """Search, then return the whole path; on long paths `search` and `next_step` are cheaper."""
        begin_s = self._clock()
        stats = self.search(budget=budget)
        path = self.path()
        return Plan(path, self.cost, replace(stats, planning_ms=elapsed_ms(self._clock, begin_s)))

    def _best_successor(self, node: N) -> N:
        """Return the first successor with the least cost + g."""
        g = self._g
        choice, least = node, INF
        for head, step in self._arcs[node]:
            through = step + g[head]
            if through < least:
                choice, least = head, through
        return choice

    def _require_search(self) -> None:
        if not self._searched:
            raise RuntimeError("plan is out of date: call search after a change of prices or a move off the path")


class GridDStarLite(DStarLite[int]):
    """D* Lite on flat cells; a blocked `start` or `goal` has no path, unless they are the same cell."""

    _is_exact = True

    def __init__(self, grid: SearchGrid, start: int, goal: int, *, clock: Clock = perf_counter) -> None:
        self._grid = grid
        self._arcs = grid.arcs
        self._arcs_in = grid.arcs_in
        self._g = [INF] * grid.size
        self._rhs = [INF] * grid.size
        self._estimate_from = lambda robot: grid.estimate_to((robot,))
        self._clock = clock
        self._begin(start, goal)

    def change(self, costs: Mapping[int, float]) -> None:
        """Set entry costs of cells (infinite = blocked) on a grid that no other planner shares."""
        self.update(self._grid.change(costs))
