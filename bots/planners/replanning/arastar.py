"""ARA*: an anytime A* that finds a path soon, and then better ones, each with a bound on what it may cost.

Likhachev, Gordon & Thrun, "ARA*: Anytime A* with Provable Bounds on Sub-Optimality", NIPS 2003. It runs weighted A* for
smaller and smaller weights and keeps what earlier runs have found: a run expands again only those nodes that have
become cheaper since their last expansion. With a consistent heuristic the path of a finished run costs at most the
run's weight times the cheapest, so after the run of weight 1 it is the cheapest. A node is expanded at most once a run:
O(runs * (V + E) log V) time, O(V) memory. Ties are broken as in A*: of equal keys the larger g, then the older entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import count, pairwise
from time import perf_counter
from typing import Generic, TypeVar

from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import ArcLookup, Heuristic, no_estimate, trace
from gridjoust.bots.planners.stats import INF, Clock, Plan, PlanStats, elapsed_ms, no_plan

N = TypeVar("N")

WEIGHTS = (3.0, 2.0, 1.5, 1.2, 1.0)


class ARAStar(Generic[N]):
    """One search from a start to a goal; each call of `search` goes on where the last one stopped.

    ValueError if the weights do not fall, or end below 1.

    >>> arcs = {0: [(1, 1), (2, 3)], 1: [(2, 1)], 2: []}
    >>> planner = ARAStar(0, 2, arcs=arcs)
    >>> planner.search().path, planner.bound
    ((0, 1, 2), 1.0)

    Args:
        start: the first node
        goal: the node to reach
        arcs: for each node, (head, cost) of each arc that leaves it, in tie-break order, such as `SearchGrid.arcs`
        heuristic: returns an estimate of the cost from a node to the goal; consistent, for the bounds to hold
        weights: of the estimate, one for each run, falling; the last at least 1
        clock: measures `planning_ms`, in s
    """

    def __init__(
        self,
        start: N,
        goal: N,
        *,
        arcs: ArcLookup[N],
        heuristic: Heuristic[N] = no_estimate,
        weights: Sequence[float] = WEIGHTS,
        clock: Clock = perf_counter,
    ) -> None:
        if not weights or weights[-1] < 1 or any(one <= other for one, other in pairwise(weights)):
            raise ValueError(f"weights: expected numbers that fall to at least 1, got {list(weights)}")
        self._goal, self._arcs, self._heuristic, self._clock = goal, arcs, heuristic, clock
        self._weights = list(weights)
        self._costs: dict[N, float] = {start: 0}
        self._parents = {start: start}
        self._serial = count().__next__
        self._open: list[tuple[float, float, int, N]] = []
        self._closed: set[N] = set()
        self._cheaper: dict[N, None] = {}  # closed nodes that became cheaper after their expansion, in order
        self._best: Plan[N] = no_plan(PlanStats())
        self.bound = INF  # the best path costs at most this times the cheapest; infinite before a run has finished
        self._push(start)

    @property
    def is_finished(self) -> bool:
        """True if all runs are done: the best path is as good as the last weight promises, or there is none."""
        return not self._weights

    def search(self, *, budget: Budget = UNLIMITED) -> Plan[N]:
        """Go on until all runs are done or the budget is spent; return the best path so far, with this call's cost."""
        begin_s, stats = self._clock(), PlanStats()
        while self._weights and self._run(budget, stats):
            weight = self._weights.pop(0)
            path = trace(self._parents.__getitem__, self._goal) if self._goal in self._costs else ()
            if not path:
                self._weights.clear()
                break
            self.bound = weight
            self._best = Plan(path, self._price(path), stats)
            if self._weights:
                self._reopen()
        stats.planning_ms = elapsed_ms(self._clock, begin_s)
        return Plan(self._best.path, self._best.cost, stats)

    def _run(self, budget: Budget, stats: PlanStats) -> bool:
        """Expand nodes until no key is below the goal's cost; return False if the budget was spent before."""
        costs, heap, closed = self._costs, self._open, self._closed
        while heap and heap[0][0] < costs.get(self._goal, INF):
            _, minus_cost, _, node = heap[0]
            if node in closed or costs[node] != -minus_cost:
                heappop(heap)  # an entry that is out of date
                continue
            if budget.is_spent:
                return False
            heappop(heap)
            closed.add(node)
            steps = self._arcs[node]
            stats.expanded += 1
            stats.generated += budget.spend(len(steps))
            for head, step in steps:
                reached = costs[node] + step
                if reached < costs.get(head, INF):
                    costs[head], self._parents[head] = reached, node
                    if head in closed:
                        self._cheaper[head] = None
                    else:
                        self._push(head)
            stats.frontier = max(stats.frontier, len(heap))
        return True

    def _push(self, node: N) -> None:
        heappush(self._open, self._entry(node))

    def _entry(self, node: N) -> tuple[float, float, int, N]:
        cost = self._costs[node]
        return (cost + self._weights[0] * self._heuristic(node), -cost, self._serial(), node)

    def _reopen(self) -> None:
        """Begin the next run: its frontier holds what the last one left, and all nodes that became cheaper."""
        left: Iterable[N] = (node for *_, node in sorted(self._open) if node not in self._closed)
        self._open = [self._entry(node) for node in dict.fromkeys([*left, *self._cheaper])]
        heapify(self._open)
        self._closed.clear()
        self._cheaper.clear()

    def _price(self, path: Sequence[N]) -> float:
        """Return the cost of the path, which is below the goal's g if one of its nodes became cheaper since."""
        return float(sum(dict(self._arcs[tail])[head] for tail, head in pairwise(path)))
