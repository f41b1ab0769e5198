"""MPAA*: repeated A* that learns from each search, and ends where it meets a path that it knows already.

Hernández, Asín, Baier, "Reusing Previously Found A* Paths for Fast Goal-Directed Navigation in Dynamic Terrain", AAAI
2015. Each search is A* from the robot. When it has found the cost of a path, every node that it expanded gets as its
estimate what was left of this cost, which is at least what it was (Adaptive A*). A search also ends at a node from
which a path found earlier still costs what its estimate says. Dearer arcs leave estimates too low at worst. A cheaper
one may leave some too high: they are lowered from there, node by node, as in Dijkstra's algorithm.

Complete and optimal on finite graphs with positive costs if the heuristic is consistent; all estimates then stay so. A
search expands a node at most once. Its first search is that of A*; later ones expand less where they learnt. If there
is no path, all nodes in reach get an infinite estimate, so that the next search ends at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import count, pairwise
from time import perf_counter
from typing import Generic, TypeVar

from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import ArcChange, ArcLookup, Heuristic, no_estimate, trace
from gridjoust.bots.planners.stats import INF, Clock, Plan, PlanStats, elapsed_ms, no_plan

N = TypeVar("N")


class MPAAStar(Generic[N]):
    """Cheapest paths to one goal from wherever the robot is, while prices change.

    >>> arcs = {0: [(1, 1), (2, 3)], 1: [(2, 1)], 2: []}
    >>> planner = MPAAStar(2, arcs=arcs, arcs_in={0: [], 1: [(0, 1)], 2: [(0, 3), (1, 1)]})
    >>> planner.search(0).path
    (0, 1, 2)

    Args:
        goal: the node to reach
        arcs: for each node, (head, cost) of each arc that leaves it, in tie-break order, such as `SearchGrid.arcs`
        arcs_in: for each node, (tail, cost) of each arc that enters it, such as `SearchGrid.arcs_in`
        heuristic: returns an estimate of the cost from a node to the goal; consistent
        clock: measures `planning_ms`, in s
    """

    def __init__(
        self,
        goal: N,
        *,
        arcs: ArcLookup[N],
        arcs_in: ArcLookup[N],
        heuristic: Heuristic[N] = no_estimate,
        clock: Clock = perf_counter,
    ) -> None:
        self._goal, self._arcs, self._arcs_in, self._clock = goal, arcs, arcs_in, clock
        self._estimates = _Estimates(heuristic)
        self._next: dict[N, tuple[N, float]] = {}  # node of a known path -> the node after it, and the price of the arc
        self._news: list[ArcChange[N]] = []  # arcs that became cheaper, for the next search to take in
        self._lowered: list[tuple[float, int, N]] = []  # nodes whose predecessors may have too high an estimate
        self._serial = count().__next__
        self.closed: list[N] = []  # nodes expanded by the last search, in order
        self.reached: list[N] = []  # nodes that it reached

    def update(self, changes: Iterable[ArcChange[N]]) -> None:
        """Take in new prices of directed arcs, in any order, such as `SearchGrid.change` returns."""
        for change in changes:
            if change.tail in self._next and self._next[change.tail][0] == change.head:
                del self._next[change.tail]
            if change.new < change.old:
                self._news.append(change)

    def search(self, start: N, *, budget: Budget = UNLIMITED) -> Plan[N]:
        """Return the cheapest path from this node to the goal; without one, also if the budget was spent before."""
        begin_s, stats = self._clock(), PlanStats()
        self.closed, self.reached = [], []
        self._lower(budget, stats)
        path = () if self._lowered else self._search(start, budget, stats)
        stats.planning_ms = elapsed_ms(self._clock, begin_s)
        return Plan(path, float(self._estimates[start]), stats) if path else no_plan(stats)

    def _lower(self, budget: Budget, stats: PlanStats) -> None:
        """Lower estimates that cheaper arcs have made too high, until all are consistent or the budget is spent."""
        estimates, queue = self._estimates, self._lowered
        for tail, head, _, price in self._news:
            self._lower_one(tail, price + estimates[head])
        self._news.clear()
        while queue and not budget.is_spent:
            estimate, _, node = heappop(queue)
            if estimate > estimates[node]:
                continue  # an entry that is out of date
            steps = self._arcs_in[node]
            stats.expanded += 1
            stats.generated += budget.spend(len(steps))
            for tail, price in steps:
                self._lower_one(tail, price + estimate)
            stats.frontier = max(stats.frontier, len(queue))

    def _lower_one(self, node: N, most: float) -> None:
        if self._estimates[node] > most:
            self._estimates[node] = most
            heappush(self._lowered, (most, self._serial(), node))

    def _search(self, start: N, budget: Budget, stats: PlanStats) -> tuple[N, ...]:
        """Run A* from the start to a node that leads on to the goal; learn from what it expands, return the path."""
        estimates, serial = self._estimates, self._serial
        costs: dict[N, float] = {start: 0}
        parents = {start: start}
        heap: list[tuple[float, float, int, N]] = []
        if estimates[start] < INF:
            heappush(heap, (estimates[start], 0, serial(), start))
        meeting: N | None = None
        while heap:
            _, minus_cost, _, node = heappop(heap)
            if costs[node] != -minus_cost:
                continue
            if self._leads_on(node):
                meeting = node
                break
            if budget.is_spent:
                return ()
            self.closed.append(node)
            steps = self._arcs[node]
            stats.expanded += 1
            stats.generated += budget.spend(len(steps))
            for head, step in steps:
                reached = costs[node] + step
                if reached < costs.get(head, INF):
                    costs[head], parents[head] = reached, node
                    total = reached + estimates[head]
                    if total < INF:
                        heappush(heap, (total, -reached, serial(), head))
            stats.frontier = max(stats.frontier, len(heap))
        self.reached = list(costs)
        total = INF if meeting is None else costs[meeting] + estimates[meeting]
        estimates.update((node, total - costs[node]) for node in self.closed)
        return () if meeting is None else self._keep(trace(parents.__getitem__, meeting), costs)

    def _leads_on(self, node: N) -> bool:
        """Return True if a known path leads from this node to the goal at the cost of its estimate."""
        estimates, ways = self._estimates, self._next
        while node in ways:
            head, price = ways[node]
            if estimates[node] != price + estimates[head]:
                return False
            node = head
        return node == self._goal

    def _keep(self, path: tuple[N, ...], costs: dict[N, float]) -> tuple[N, ...]:
        """Note a path to a node that leads on to the goal; return the whole path to the goal."""
        for tail, head in pairwise(path):
            self._next[tail] = (head, costs[head] - costs[tail])
        return (*path, *self._rest(path[-1]))

    def _rest(self, node: N) -> Iterator[N]:
        while node != self._goal:
            node, _ = self._next[node]
            yield node


class _Estimates(dict[N, float]):
    """The estimates of all nodes, at first those of the heuristic."""

    def __init__(self, heuristic: Heuristic[N]) -> None:
        super().__init__()
        self._heuristic = heuristic

    def __missing__(self, node: N) -> float:
        estimate = self[node] = self._heuristic(node)
        return estimate
