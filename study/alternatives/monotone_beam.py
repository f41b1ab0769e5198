"""A beam whose plans never get worse as it gets wider; like any beam, it may miss a path that exists.

Lemons, Linares López, Holte, Ruml, "Beam Search: Faster and Monotonic", ICAPS 2022. The places of a beam are numbered.
Place i is filled after the nodes at places 0 to i were expanded, with the best child of theirs that is left and that no
place up to i has entered as cheaply before. So what happens at places 0 to i does not depend on any later place: a
wider beam does all that a narrower one does, and more. The price is a heap operation per place, and a beam that may
enter a node once per place.
"""

from __future__ import annotations

from collections.abc import Container
from heapq import heappop, heappush
from time import perf_counter
from typing import TypeVar

from gridjoust.bots.planners.beam import Candidate, Link, Rank, Sweep
from gridjoust.bots.planners.graph import Cost, FunctionArcs, Neighbours, unit_cost
from gridjoust.bots.planners.stats import Clock, elapsed_ms
from gridjoust.planners import INF, Plan

N = TypeVar("N")

Entered = dict[N, list[tuple[int, float]]]  # node -> (place, cost) of each time it was entered


def monotone_beam(
    start: N,
    goals: Container[N],
    *,
    neighbours: Neighbours[N],
    cost: Cost[N] = unit_cost,
    rank: Rank[N],
    width: int,
    max_depth: float = INF,
    clock: Clock = perf_counter,
) -> Plan[N]:
    """Search like `beam`, but so that a larger `width` never loses a plan and never gives one that costs more."""
    begin_s = clock()
    sweep = Sweep(FunctionArcs(neighbours, cost), rank, goals, max_depth)
    run_monotone_beam(sweep, start, width)
    return sweep.plan(elapsed_ms(clock, begin_s))


def run_monotone_beam(sweep: Sweep[N], start: N, width: int) -> None:
    """Search layer after layer until nothing cheaper than the best goal is left."""
    if width < 1:
        raise ValueError(f"width: expected at least 1, got {width}")
    entered: Entered[N] = {start: [(0, 0)]}
    root = Link(start, 0, None)
    places: list[Link[N] | None] = [root]
    if start in sweep.goals:
        sweep.offer(root)
    depth = 0
    # Stopping drops only nodes that cannot improve the plan; dropping such nodes one by one would free places for
    # others and break the promise.
    while depth < sweep.max_depth and any(link is not None and link.cost < sweep.bound for link in places):
        places = _next_places(sweep, places, width, entered)
        depth += 1


def _next_places(
    sweep: Sweep[N], places: list[Link[N] | None], width: int, entered: Entered[N]
) -> list[Link[N] | None]:
    heap: list[Candidate[N]] = []
    filled: list[Link[N] | None] = []
    for place in range(width):
        link = places[place] if place < len(places) else None
        if link is not None:
            _push_children(sweep, link, heap)
        elif not heap and place >= len(places):
            break
        filled.append(_take(heap, place, entered))
    sweep.is_cut |= bool(heap)
    return filled


def _push_children(sweep: Sweep[N], link: Link[N], heap: list[Candidate[N]]) -> None:
    sweep.expanded += 1
    for head, step in sweep.arcs[link.node]:
        child = Link(head, link.cost + step, link)
        sweep.generated += 1
        if head in sweep.goals:
            sweep.offer(child)
        else:
            heappush(heap, (sweep.rank(head, child.cost), sweep.serial(), child))
    sweep.frontier = max(sweep.frontier, len(heap))


def _take(heap: list[Candidate[N]], place: int, entered: Entered[N]) -> Link[N] | None:
    """Take the best child that no place up to this one has entered as cheaply, and drop the worse ones before it.

    Every later place would refuse them as well.
    """
    while heap:
        link = heappop(heap)[2]
        before = entered.setdefault(link.node, [])
        if not any(other <= place and cost <= link.cost for other, cost in before):
            before.append((place, link.cost))
            return link
    return None
