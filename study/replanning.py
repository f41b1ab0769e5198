"""Replanning in unknown terrain, as published: `python -m study.replanning [--runs N] [--json]`.

Table I of Koenig and Likhachev, IEEE Trans. Robotics 21(3), 2005: a robot crosses 129 x 129 cells from (12, 12) to
(116, 116). 40 % of them are blocked, it senses its eight neighbours, takes all else for free and replans when it
sensed something new; all moves cost 1, corners may be cut. The maps are random; figures are means of a crossing.

Every map is crossed twice by every method: once on the clock, and once with a heap in place of `heapq` that counts its
percolates, exchanges of a parent with a child. Our planners leave outdated entries in the heap and skip them later;
the published ones remove them. In that second pass every plan is checked against a breadth-first search on what is
known. The exit code is 1 if a plan is wrong, or if on 60 maps or more forward A* expands less than 4.3 times as much as
D* Lite.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean, median
from time import perf_counter
from typing import Any
from unittest.mock import patch

from gridjoust.bots.navigation.crossing import Crossing, Problem, cross
from gridjoust.bots.navigation.dstar_lite import DStarLiteRoute
from gridjoust.bots.navigation.route import MakeRoute
from gridjoust.bots.planners import astar, dstar_lite, kernels
from gridjoust.bots.planners.graph import no_estimate
from gridjoust.bots.planners.stats import Clock, elapsed_ms
from gridjoust.planners import INF, Plan, PlanStats, SearchGrid
from study.alternatives.from_scratch import FromScratch, random_problem
from study.report import print_table

LEAST_RATIO = 4.3  # forward A* : D* Lite in expansions
LEAST_RUNS = 60  # for that ratio to mean something: on single maps it lies between 3.5 and 6.5
RUNS = 20


@dataclass(frozen=True, slots=True)
class Published:
    """A row of Table I of the paper."""

    planning_ms: float
    expansions: int
    percolates: int
    ratio: float  # of expansions to those of D* Lite


PUBLISHED: Mapping[str, Published] = {
    "breadth-first": Published(302.30, 845_433, 4_116_516, 296),
    "backward A*": Published(10.55, 17_096, 276_287, 5.99),
    "forward A*": Published(7.29, 8_722, 177_476, 3.05),
    "D* Lite": Published(2.82, 2_856, 32_988, 1),
}


def breadth_first(grid: SearchGrid, start: int, goals: Collection[int], *, clock: Clock = perf_counter) -> Plan[int]:
    """Find a path of the fewest steps; a goal counts when it is its turn to be expanded, as in A*."""
    begin_s = clock()
    parents = {start: start}
    queue = deque([start])
    expanded = peak = 0
    while queue:
        cell = queue.popleft()
        if cell in goals:
            path = [cell]
            while (cell := parents[cell]) != path[-1]:
                path.append(cell)
            stats = PlanStats(expanded, len(parents), peak, elapsed_ms(clock, begin_s))
            return Plan(tuple(reversed(path)), float(len(path) - 1), stats)
        expanded += 1
        for head in grid.neighbours[cell]:
            if head not in parents:
                parents[head] = cell
                queue.append(head)
        peak = max(peak, len(queue))
    return Plan((), INF, PlanStats(expanded, len(parents), peak, elapsed_ms(clock, begin_s)))


def heap_astar(grid: SearchGrid, start: int, goals: Collection[int]) -> Plan[int]:
    """Search like `grid_astar`, with a heap instead of buckets."""
    return astar.search_arcs(start, goals, arcs=grid.arcs, heuristic=grid.estimate_to(goals))


def heap_breadth_first(grid: SearchGrid, start: int, goals: Collection[int]) -> Plan[int]:
    """Search like `breadth_first`, with a heap instead of a queue, as published."""
    return astar.search_arcs(start, goals, arcs=grid.arcs, heuristic=no_estimate)


FAST: Mapping[str, MakeRoute] = {
    "breadth-first": partial(FromScratch, find=breadth_first, is_backward=True),
    "backward A*": partial(FromScratch, is_backward=True),
    "forward A*": FromScratch,
    "D* Lite": DStarLiteRoute,
}
ON_HEAPS: Mapping[str, MakeRoute] = {
    "breadth-first": partial(FromScratch, find=heap_breadth_first, is_backward=True),
    "backward A*": partial(FromScratch, find=heap_astar, is_backward=True),
    "forward A*": partial(FromScratch, find=heap_astar),
    "D* Lite": DStarLiteRoute,
}
CHECKED = ("backward A*", "forward A*", "D* Lite")


class CountingHeap:
    """A binary heap in a list that counts its percolates; otherwise as `heapq`."""

    def __init__(self) -> None:
        self.percolates = 0

    def push(self, heap: list[Any], item: Any) -> None:
        """Add an item to the heap."""
        heap.append(item)
        self._rise(heap, len(heap) - 1)

    def pop(self, heap: list[Any]) -> Any:
        """Remove and return the smallest item."""
        last = heap.pop()
        if not heap:
            return last
        smallest, heap[0] = heap[0], last
        self._sink(heap, 0)
        return smallest

    def heapify(self, heap: list[Any]) -> None:
        """Turn a list into a heap, in place."""
        for place in reversed(range(len(heap) // 2)):
            self._sink(heap, place)

    def _rise(self, heap: list[Any], place: int) -> None:
        item = heap[place]
        while place and item < heap[parent := (place - 1) // 2]:
            heap[place] = heap[parent]
            place = parent
            self.percolates += 1
        heap[place] = item

    def _sink(self, heap: list[Any], place: int) -> None:
        item, size = heap[place], len(heap)
        while (child := 2 * place + 1) < size:
            if child + 1 < size and heap[child + 1] < heap[child]:
                child += 1
            if not heap[child] < item:
                break
            heap[place] = heap[child]
            place = child
            self.percolates += 1
        heap[place] = item


@contextmanager
def counting_heap() -> Iterator[CountingHeap]:
    """Make the planners run in pure Python with a counting heap in this block; yield the heap."""
    heap = CountingHeap()
    with ExitStack() as stack:
        stack.enter_context(patch.object(kernels, "active", None))
        for module in (astar, dstar_lite):
            stack.enter_context(patch.object(module, "heappush", heap.push))
            stack.enter_context(patch.object(module, "heappop", heap.pop))
        stack.enter_context(patch.object(dstar_lite, "heapify", heap.heapify))
        yield heap


@dataclass(slots=True)
class Tally:
    """The crossings of one method so far, the percolates in each, and the plans checked."""

    missions: list[Crossing] = field(default_factory=list)
    percolates: list[int] = field(default_factory=list)
    wrong: int = 0
    checked: int = 0


def paper_problem(seed: int) -> Problem:
    """Return map number `seed` of the paper's protocol."""
    return random_problem(
        seed, size=129, density=0.4, start=(12, 12), goal=(116, 116), connectivity=8
    )  # fmt: skip


def run_method(problem: Problem, method: str, tally: Tally) -> None:
    """Cross one map by a method twice: once measuring time, once counting percolates and checking plans."""

    def check(known: SearchGrid, cell: int, cost: float) -> None:
        if method in CHECKED:
            tally.checked += 1
            tally.wrong += cost != breadth_first(known, cell, {problem.goal}).cost

    mission = cross(problem, FAST[method])
    with counting_heap() as heap:
        counted = cross(problem, ON_HEAPS[method], check=check)
    if (counted.path, counted.expanded) != (mission.path, mission.expanded):
        raise AssertionError(f"{method}: expected the counted crossing to be the timed one, got another")
    tally.missions.append(mission)
    tally.percolates.append(heap.percolates)


def measure(runs: int) -> dict[str, Tally]:
    """Run all methods on map 0, then on map 1, up to map runs - 1, so that a busy machine slows all of them."""
    tallies = {method: Tally() for method in FAST}
    for seed in range(runs):
        problem = paper_problem(seed)
        for method, tally in tallies.items():
            run_method(problem, method, tally)
    return tallies


def as_rows(tallies: Mapping[str, Tally]) -> list[dict[str, Any]]:
    """Return a row for each method: means over all maps, and the ratio of its expansions to those of D* Lite."""
    lite = fmean([mission.expanded for mission in tallies["D* Lite"].missions])
    rows = []
    for method, tally in tallies.items():
        expansions = fmean([mission.expanded for mission in tally.missions])
        rows.append(
            {
                "method": method,
                "expansions": expansions,
                "percolates": fmean(tally.percolates),
                "planning_ms": fmean([mission.planning_ms for mission in tally.missions]),
                "ratio": expansions / lite,
            }
        )
    return rows


def print_rows(rows: Sequence[Mapping[str, Any]], tallies: Mapping[str, Tally], runs: int) -> None:
    """Print the measured figures beside the published ones."""
    heading = ["method", "expansions", "percolates", "CPU ms", "ratio", "median ratio", "replans"]
    heading += ["published: expansions", "percolates", "ms", "ratio"]
    lite = [mission.expanded for mission in tallies["D* Lite"].missions]
    lines = []
    for row in rows:
        missions, paper = tallies[row["method"]].missions, PUBLISHED[row["method"]]
        ratios = [mission.expanded / least for mission, least in zip(missions, lite, strict=True)]
        line = [row["method"], f"{row['expansions']:,.0f}", f"{row['percolates']:,.0f}", f"{row['planning_ms']:.1f}"]
        line += [f"{row['ratio']:.2f}", f"{median(ratios):.2f}", f"{fmean([m.replans for m in missions]):.0f}"]
        line += [f"{paper.expansions:,}", f"{paper.percolates:,}", f"{paper.planning_ms:.2f}", f"{paper.ratio:g}"]
        lines.append(line)
    print_table(f"Unknown terrain, 129 x 129, 40 % blocked, 8-connected, {runs} maps (means)", heading, lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if a plan is wrong or the ratio of expansions is too low, else 0."""
    parser = argparse.ArgumentParser(prog="python -m study.replanning", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"maps; {RUNS} without it")
    parser.add_argument("--json", action="store_true", help="print a list of rows for machines")
    options = parser.parse_args(arguments)
    if options.runs < 1:
        parser.error(f"--runs: expected at least 1, got {options.runs}")
    tallies = measure(options.runs)
    rows = as_rows(tallies)
    checked, wrong = (sum(getattr(tally, name) for tally in tallies.values()) for name in ("checked", "wrong"))
    ratio = next(row["ratio"] for row in rows if row["method"] == "forward A*")
    if options.json:
        print(json.dumps(rows))
    else:
        print_rows(rows, tallies, options.runs)
        print(f"\nplans checked: {checked:,}, wrong: {wrong}; forward A* : D* Lite {ratio:.2f}, wanted {LEAST_RATIO}")
    return int(wrong > 0 or (ratio < LEAST_RATIO and options.runs >= LEAST_RUNS))


if __name__ == "__main__":
    sys.exit(main())
