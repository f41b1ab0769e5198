"""Beam search: keeps the best `width` nodes of every depth and drops the rest; **incomplete and not optimal.**

Lowerre, "The HARPY Speech Recognition System", 1976. It may miss a path that exists, even with an admissible estimate
as rank, and a wider beam may do worse. A beam at least as wide as every layer misses nothing: it is breadth-first
search, corrected where a later path is cheaper. It makes at most width * depth expansions of degree d and sorts each
layer once: O(width * depth * d * log(width * d)) time, and memory for every node that was kept.

It always ends: on finite graphs because a node is entered again only if strictly cheaper, elsewhere by `max_depth`.
After a goal is found the search goes on with the nodes that are cheaper still (costs are never negative), and the
cheapest goal found wins. Ties are broken as in `gridjoust.bots.planners.graph`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from time import perf_counter
from typing import Generic, NamedTuple, TypeVar

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import UNLIMITED, Budget, OutOfWork
from gridjoust.bots.planners.graph import ArcLookup, Cost, FunctionArcs, Neighbours, unit_cost
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, Clock, Plan, PlanStats, elapsed_ms

N = TypeVar("N")

Rank = Callable[[N, float], float]  # (node, cost so far) -> smaller is better
IsOver = Callable[[], bool]
NEVER: IsOver = bool  # bool() is False: a deadline that never comes


@dataclass(frozen=True, slots=True, eq=False)
class Link(Generic[N]):
    """A node in a beam, its cost, and the `Link` of the node before it on the path."""

    node: N
    cost: float
    before: Link[N] | None

    def path(self) -> tuple[N, ...]:
        """Return the nodes from the start to this one."""
        nodes = []
        link: Link[N] | None = self
        while link is not None:
            nodes.append(link.node)
            link = link.before
        return tuple(reversed(nodes))


Candidate = tuple[float, int, Link[N]]  # rank, serial number, link: sorts by the tie-break rule


@dataclass(slots=True)
class Sweep(Generic[N]):
    """One run of a beam: its options, its counts and its result; the functions below advance it."""

    arcs: ArcLookup[N]
    rank: Rank[N]
    goals: Container[N]
    max_depth: float = INF
    is_over: IsOver = NEVER
    budget: Budget = UNLIMITED
    bound: float = INF  # only goals cheaper than this count; falls as goals are found
    expanded: int = 0
    generated: int = 0
    frontier: int = 1
    is_cut: bool = False  # nodes were dropped for lack of width: a wider beam may find more
    is_stopped: bool = False  # the deadline came or the budget was spent
    best: Link[N] | None = None
    ends: list[Link[N]] = field(default_factory=list)  # nodes without successors
    serial: Callable[[], int] = field(default_factory=lambda: count().__next__)
    layers: list[list[N]] | None = None  # the nodes kept at every depth, if a list is passed

    def offer(self, link: Link[N]) -> None:
        """Keep this goal as the best if it is cheaper than the best so far."""
        if link.cost < self.bound:
            self.best, self.bound = link, link.cost

    def plan(self, milliseconds: float) -> Plan[N]:
        """Return the best path found so far as a plan, empty if there is none; `milliseconds` is the time it took."""
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
    """Search for a path to one of `goals` of at most `max_depth` arcs; it may miss one that exists.

    Args:
        start: the first node
        goals: tested with `in`
        neighbours: returns the nodes one step away, in tie-break order
        cost: returns the cost of a step from one node to the next
        rank: returns a number for a node and its cost so far; smaller is better
        width: number of nodes kept at every depth
        max_depth: the most arcs of a path
        budget: successors that may still be generated; by default there is no limit
        layers: a list to which the nodes kept at every depth are appended
        clock: measures `planning_ms`, in s
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
    """Yield strictly cheaper and cheaper plans from beams of `width`, twice that, and so on.

    The best plan so far prunes the next beams. The search ends if `is_over` returns True, if `budget` is spent, above
    `max_width`, or if a beam dropped no node: the last plan is then optimal among paths of at most `max_depth` arcs.
    Stats sum up all beams so far.

    Args:
        start: the first node
        goals: tested with `in`
        neighbours: returns the nodes one step away, in tie-break order
        cost: returns the cost of a step from one node to the next
        rank: returns a number for a node and its cost so far; smaller is better
        is_over: returns True when the search must end; called every few expansions
        budget: successors that may still be generated; by default there is no limit
        width: width of the first beam
        max_width: width of the last beam at most
        max_depth: the most arcs of a path
        clock: measures `planning_ms`, in s
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
    """The result of a beam on a grid; if `is_cut`, a wider one may find more; if `is_stopped`, the budget ran out."""

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
    """Search for a path over cells to one of `goals`, ranked by cost so far + estimate; it may miss one that exists.

    The estimates are those of `grid_astar`. Cells of one depth may differ in cost.

    Args:
        grid: the board
        start: number of the first cell
        goals: numbers of the goal cells
        width: number of cells kept at every depth
        max_depth: the most steps of a path
        budget: successors that may still be generated; by default there is no limit
        clock: measures `planning_ms`, in s
    """
    begin_s = clock()
    if kernels.active is not None:
        _check_width(width)
        path, cost, counts, is_cut, is_stopped = kernels.active.beam(
            grid.packed(), start, tuple(goals), width, max_depth, budget.left
        )
        found = GridBeam(Plan(path, cost, PlanStats(*counts)), is_cut, is_stopped)
        found.plan.stats.generated = budget.spend(found.plan.stats.generated)
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
    """Advance the beam layer by layer until no node cheaper than the best goal is left.

    A node that was kept is entered again only if strictly cheaper; a node that was dropped may be entered again.
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
    """Return node -> candidate for the next layer, each node once; goals are offered to the sweep and not expanded."""
    arcs, rank, goals, serial, budget = sweep.arcs, sweep.rank, sweep.goals, sweep.serial, sweep.budget
    fresh: dict[N, Candidate[N]] = {}
    try:
        for link in layer:
            if link.cost >= sweep.bound:
                continue
            if budget.is_spent or (sweep.expanded & 15 == 0 and sweep.is_over()):
                sweep.is_stopped = True
                break
            sweep.expanded += 1
            steps = arcs[link.node]
            sweep.generated += budget.spend(len(steps))
            if not steps:
                sweep.ends.append(link)
            for head, step in steps:
                reached = link.cost + step
                if reached >= known.get(head, INF) or reached >= sweep.bound:
                    continue
                if head in fresh and reached >= fresh[head][2].cost:
                    continue
                if head in goals:
                    sweep.offer(Link(head, reached, link))
                    continue
                fresh[head] = (rank(head, reached), serial(), Link(head, reached, link))
    except OutOfWork:  # raised by arcs or a rank that count their own tactics
        sweep.is_stopped = True
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
    """Search to a fixed depth without a goal: return the path to the best-ranked node at `depth` or without successors.

    It serves forward models: nodes are states that contain their time, so only equal states of one layer count as
    visited. If the deadline comes or the budget is spent early, the best node of the last complete layer counts too. If
    a list is passed as `layers`, the nodes kept at every depth are appended to it.
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
