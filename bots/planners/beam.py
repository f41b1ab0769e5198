"""Beam search: keeps the best `width` nodes of every depth and forgets the rest. **Incomplete and not optimal.**

Lowerre, "The HARPY Speech Recognition System", 1976. It may miss a path that exists, even with an admissible estimate
as rank, and a wider beam may do worse. A beam at least as wide as every layer misses nothing: breadth-first search,
corrected where a later path is cheaper. At most width * depth expansions of degree d, each layer sorted once:
O(width * depth * d * log(width * d)) time; memory for every node that is not entered again.

It always ends: on finite graphs because a node is entered again only if strictly cheaper, elsewhere by `max_depth`.
After a goal is found the search goes on with the nodes that are cheaper still (costs are never negative), and the
cheapest goal seen wins. Ties as in `gridjoust.bots.planners.graph`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from time import perf_counter
from typing import Generic, NamedTuple, TypeVar

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import ArcLookup, Cost, FunctionArcs, Neighbours, unit_cost
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, Clock, Plan, PlanStats, elapsed_ms

N = TypeVar("N")

Rank = Callable[[N, float], float]  # (node, cost so far) -> smaller is better
IsOver = Callable[[], bool]
NEVER: IsOver = bool  # bool() is False: a deadline that does not come


@dataclass(frozen=True, slots=True, eq=False)
class Link(Generic[N]):
    """A node in a beam and how it was reached."""

    node: N
    cost: float
    before: Link[N] | None

    def path(self) -> tuple[N, ...]:
        """From the start to this node."""
        nodes = []
        link: Link[N] | None = self
        while link is not None:
            nodes.append(link.node)
            link = link.before
        return tuple(reversed(nodes))


Candidate = tuple[float, int, Link[N]]  # rank, serial number, link: sorts by the tie-break rule


@dataclass(slots=True)
class Sweep(Generic[N]):
    """One run of a beam: what is asked, what was counted, what was found. The functions below run it."""

    arcs: ArcLookup[N]
    rank: Rank[N]
    goals: Container[N]
    max_depth: float = INF
    is_over: IsOver = NEVER
    budget: Budget = UNLIMITED
    bound: float = INF  # only goals cheaper than this count; falls as goals are found
    expanded: int = 0
    generated: int = 1
    frontier: int = 1
    is_cut: bool = False  # something was dropped for lack of width: a wider beam may find more
    is_stopped: bool = False  # the deadline came, or the budget was spent
    best: Link[N] | None = None
    ends: list[Link[N]] = field(default_factory=list)  # nodes without successors
    serial: Callable[[], int] = field(default_factory=lambda: count().__next__)
    layers: list[list[N]] | None = None  # the survivors of every depth, where a list is given to keep them

    def offer(self, link: Link[N]) -> None:
        """A goal was reached."""
        if link.cost < self.bound:
            self.best, self.bound = link, link.cost

    def plan(self, milliseconds: float) -> Plan[N]:
        """What came out."""
        stats = PlanStats(self.expanded, self.generated, self.frontier, milliseconds)
        return Plan((), INF, stats) if self.best is None else Plan(self.best.path(), float(self.best.cost), stats)


def beam(
    start: N,
    goals: Container[N],
    *,
    neighbours: Neighbours[N],
    cost: Cost[N] = unit_cost,
    rank: Rank[N],
    width: int,
    max_depth: float = INF,
    budget: Budget = UNLIMITED,
    layers: list[list[N]] | None = None,
    clock: Clock = perf_counter,
) -> Plan[N]:
    """A path to one of `goals` of at most `max_depth` arcs, or none although there may be one.

    Survivors of every depth go into `layers`, where a list is given.
    """
    begin_s = clock()
    sweep = Sweep(FunctionArcs(neighbours, cost), rank, goals, max_depth, budget=budget, layers=layers)
    run_beam(sweep, start, width)
    return sweep.plan(elapsed_ms(clock, begin_s))


def anytime_beam(
    start: N,
    goals: Container[N],
    *,
    neighbours: Neighbours[N],
    cost: Cost[N] = unit_cost,
    rank: Rank[N],
    is_over: IsOver = NEVER,
    budget: Budget = UNLIMITED,
    width: int = 1,
    max_width: float = INF,
    max_depth: float = INF,
    clock: Clock = perf_counter,
) -> Iterator[Plan[N]]:
    """Strictly cheaper and cheaper plans: beams of `width`, twice that, and so on, pruned by the best plan so far.

    Ends when `is_over` says so (asked every few expansions), when `budget` is spent, above `max_width`, or when a beam
    dropped nothing: the last plan is then optimal among paths of at most `max_depth` arcs. Stats count from the first
    beam on.
    """
    begin_s = clock()
    arcs = FunctionArcs(neighbours, cost)
    bound, spent = INF, PlanStats()
    while width <= max_width and not is_over():
        sweep = Sweep(arcs, rank, goals, max_depth, is_over, budget, bound)
        run_beam(sweep, start, width)
        plan = sweep.plan(0.0)
        spent += plan.stats
        if plan.found:
            bound = plan.cost
            yield replace(plan, stats=replace(spent, planning_ms=elapsed_ms(clock, begin_s)))
        if not sweep.is_cut or sweep.is_stopped:
            return
        width *= 2


class GridBeam(NamedTuple):
    """What a beam on a grid found. `is_cut`: a wider one may find more; `is_stopped`: the budget was spent before."""

    plan: Plan[int]
    is_cut: bool
    is_stopped: bool


def grid_beam(
    grid: SearchGrid,
    start: int,
    goals: Collection[int],
    *,
    width: int,
    max_depth: float = INF,
    budget: Budget = UNLIMITED,
    clock: Clock = perf_counter,
) -> GridBeam:
    """A path over cells to one of `goals`, or none although there may be one; ranks by cost so far + estimate.

    Estimates as `gridjoust.bots.planners.astar.grid_astar` does. Beams of equal depth hold cells of unequal cost.
    """
    begin_s = clock()
    if kernels.active is not None:
        _check_width(width)
        path, cost, counts, is_cut, is_stopped = kernels.active.beam(
            grid.packed(), start, tuple(goals), width, max_depth, budget.left
        )
        found = GridBeam(Plan(path, cost, PlanStats(*counts)), is_cut, is_stopped)
        budget.spend(found.plan.stats.expanded)
    else:
        estimate = grid.estimate_to(goals)
        sweep = Sweep(grid.arcs, lambda cell, so_far: so_far + estimate(cell), goals, max_depth, budget=budget)
        run_beam(sweep, start, width)
        found = GridBeam(sweep.plan(0.0), sweep.is_cut, sweep.is_stopped)
    found.plan.stats.planning_ms = elapsed_ms(clock, begin_s)
    return found


def _check_width(width: int) -> None:
    if width < 1:
        raise ValueError(f"width: expected at least 1, got {width}")


def run_beam(sweep: Sweep[N], start: N, width: int) -> None:
    """Layer after layer until nothing cheaper than the best goal is left.

    A node that was in a beam is entered again only if strictly cheaper; one that was dropped gets another chance.
    """
    _check_width(width)
    known: dict[N, float] = {start: 0}
    layer = [Link(start, 0, None)]
    if start in sweep.goals:
        sweep.offer(layer.pop())
    depth = 0
    while layer and depth < sweep.max_depth and not sweep.is_stopped:
        candidates = sorted(_expand(sweep, layer, known).values())
        sweep.is_cut |= len(candidates) > width
        layer = [link for _, _, link in candidates[:width]]
        known.update((link.node, link.cost) for link in layer)
        if sweep.layers is not None:
            sweep.layers.append([link.node for link in layer])
        depth += 1


def _expand(sweep: Sweep[N], layer: list[Link[N]], known: Mapping[N, float]) -> dict[N, Candidate[N]]:
    """The next layer's candidates, each node once; goals are offered and not followed."""
    arcs, rank, goals, serial = sweep.arcs, sweep.rank, sweep.goals, sweep.serial
    before, most = sweep.expanded, sweep.expanded + sweep.budget.left
    fresh: dict[N, Candidate[N]] = {}
    for link in layer:
        if link.cost >= sweep.bound:
            continue
        if sweep.expanded >= most or (sweep.expanded & 15 == 0 and sweep.is_over()):
            sweep.is_stopped = True
            break
        sweep.expanded += 1
        steps = arcs[link.node]
        if not steps:
            sweep.ends.append(link)
        for head, step in steps:
            reached = link.cost + step
            if reached >= known.get(head, INF) or reached >= sweep.bound:
                continue
            if head in fresh and reached >= fresh[head][2].cost:
                continue
            sweep.generated += 1
            if head in goals:
                sweep.offer(Link(head, reached, link))
                continue
            fresh[head] = (rank(head, reached), serial(), Link(head, reached, link))
    sweep.budget.spend(sweep.expanded - before)
    sweep.frontier = max(sweep.frontier, len(fresh))
    return fresh


def beam_lookahead(
    start: N,
    *,
    neighbours: Neighbours[N],
    cost: Cost[N] = unit_cost,
    rank: Rank[N],
    width: int,
    depth: int,
    is_over: IsOver = NEVER,
    budget: Budget = UNLIMITED,
    layers: list[list[N]] | None = None,
    clock: Clock = perf_counter,
) -> Plan[N]:
    """No goal, only a horizon: the path to the best-ranked leaf, a node at `depth` or one without successors.

    For forward models: nodes are states that know their own time, so only the same state in the same layer counts as
    visited. If the deadline comes first, or the budget is spent, the best node of the last complete layer counts too.
    Survivors of every depth go into `layers`, where a list is given.
    """
    begin_s = clock()
    sweep = Sweep(FunctionArcs(neighbours, cost), rank, frozenset[N](), depth, is_over, budget)
    layer = [Link(start, 0, None)]
    for _ in range(depth):
        fresh = sorted(_expand(sweep, layer, {}).values())
        if sweep.is_stopped or not fresh:
            break
        layer = [link for _, _, link in fresh[:width]]
        if layers is not None:
            layers.append([link.node for link in layer])
    sweep.best = min(sweep.ends + layer, key=lambda link: rank(link.node, link.cost))
    return sweep.plan(elapsed_ms(clock, begin_s))
