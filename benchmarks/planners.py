"""Measure what the planners cost, on generated maps, in CPU time of one thread: `python -m benchmarks.planners`.

Compiled kernels stand beside the list code: Dijkstra maps, single queries, the first plan of D* Lite, beams. Jump point
search stands beside A*. Single queries also stand beside plain flat-array A* and whatever of networkx, pathfinding,
tcod, scipy and pyastar2d (`pip install gridjoust[bench]`), cstar-pathfinding and w9-pathfinding is installed; with 8
neighbours only beside those that know the same rule for corners. The last table says which figures were reached. Exits
with 1 if a plan is wrong; times depend on the machine and its load and do not count.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from statistics import fmean, median

from benchmarks.contenders import (
    CUTTING,
    FOUR,
    KING,
    OCTILE,
    Moves,
    Path,
    Query,
    Solve,
    Timing,
    contenders,
    time_in_turns,
)
from benchmarks.dijkstra_maps import print_dijkstra_maps
from benchmarks.findings import Findings
from benchmarks.list_code import KINDS, by_list_code
from benchmarks.report import print_table
from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.astar import grid_astar
from gridjoust.bots.planners.beam import grid_beam
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.grid_dstar_lite import make_grid_dstar_lite
from gridjoust.bots.planners.jps import grid_jps
from gridjoust.bots.planners.stats import INF, Plan
from gridjoust.games.navigation.generate import maze_map, random_map, rooms_map

LISTED = "ours, list code"
PLAIN, NETWORKX, PATHFINDING = "plain flat A*", "networkx astar_path", "pathfinding AStarFinder"
FASTEST_OTHER = 1.43  # times ours, with 8 neighbours: ours takes at most 0.7 times as long


@dataclass(frozen=True, slots=True)
class QuerySet:
    """A set of queries on one kind of square map."""

    name: str
    size: int
    count: int
    rounds: int
    draw: Callable[[random.Random, int], bytes]  # 1 where blocked
    moves: Moves = FOUR

    @property
    def title(self) -> str:
        """Map and moves in words."""
        return f"{self.name}, {self.moves.name}"


def _scattered(rng: random.Random, size: int) -> bytes:
    return random_map(rng, width=size, height=size, density=0.2).blocked


def _dense(rng: random.Random, size: int) -> bytes:
    return random_map(rng, width=size, height=size, density=0.25).blocked


def _rooms(rng: random.Random, size: int) -> bytes:
    return rooms_map(rng, width=size, height=size, room=16).blocked


def _maze(rng: random.Random, size: int) -> bytes:
    return maze_map(rng, width=size, height=size, corridor=4).blocked


QUERY_SETS = (
    QuerySet("32 x 32, random 20 %", 32, 16, 15, _scattered),
    QuerySet("64 x 64, random 20 %", 64, 16, 9, _scattered),
    QuerySet("256 x 256, random 20 %", 256, 24, 5, _scattered),
    QuerySet("256 x 256, rooms", 256, 12, 3, _rooms),
    QuerySet("256 x 256, maze", 256, 12, 3, _maze),
    *[
        QuerySet(f"{size} x {size}, random 25 %", size, 24, rounds, _dense, moves)
        for moves in (OCTILE, CUTTING, KING)
        for size, rounds in ((32, 25), (64, 25), (256, 9))
    ],
)


def print_queries(queries_of: QuerySet, findings: Findings) -> None:
    """Print the times of all methods on the same queries; in each round every method answers all of them."""
    size, moves = queries_of.size, queries_of.moves
    grid, queries = _drawn(queries_of)
    others, missing = contenders(size, frozenset(filter(grid.is_blocked, range(grid.size))), moves)
    timings = time_in_turns(
        {"ours": _ours(grid), LISTED: _ours_listed(grid)} | others, queries, rounds=queries_of.rounds
    )
    right = [cost_between(grid, query.start, query.goal) for query in queries]
    lines, wrong = [], {}
    for name, timing in timings.items():
        costs = [moves.cost(_placed(path, size)) for path in timing.paths]
        wrong[name] = sum(cost != best and not abs(cost - best) < 1e-6 for cost, best in zip(costs, right, strict=True))
        lines.append([name, f"{timing.milliseconds:.3f}", f"{timing.times_of(timings['ours']):.2f}", str(wrong[name])])
    findings.wrong += wrong["ours"] + wrong[LISTED]
    heading = ["A* of", "CPU ms a query", "times ours", "wrong"]
    print_table(f"Single queries, {queries_of.title}, {len(queries)} queries", heading, lines)
    if missing:
        print(f"not installed: {', '.join(missing)}")
    _judge_queries(queries_of, {name: timing for name, timing in timings.items() if not wrong[name]}, findings)


def _drawn(queries_of: QuerySet) -> tuple[SearchGrid, list[Query]]:
    """Return the board and the queries of a set; they are the same in every run."""
    size, rng = queries_of.size, random.Random(f"queries {queries_of.name}")
    board = queries_of.draw(rng, size)
    blocked = frozenset(cell for cell, is_blocked in enumerate(board) if is_blocked)
    free = [cell for cell in range(size * size) if cell not in blocked]
    queries = [Query(rng.choice(free), rng.choice(free)) for _ in range(queries_of.count)]
    return queries_of.moves.grid(size, blocked), queries


def _placed(path: Path, size: int) -> Path:
    """Return a path as pairs (row, column); its cells may be numbers or pairs."""
    return [divmod(cell, size) if isinstance(cell, int) else cell for cell in path]


def cost_between(grid: SearchGrid, start: int, goal: int) -> float:
    """Return the cost of a cheapest path by Dijkstra's search, INF if there is none."""
    costs: dict[int, float] = {}
    heap: list[tuple[float, int]] = [(0, start)]
    while heap and goal not in costs:
        so_far, cell = heappop(heap)
        if cell not in costs:
            costs[cell] = so_far
            for head, step in grid.arcs[cell]:
                heappush(heap, (so_far + step, head))
    return costs.get(goal, INF)


def _judge_queries(queries_of: QuerySet, timings: Mapping[str, Timing], findings: Findings) -> None:
    """Check that other packages take the wanted multiple of our CPU time; `timings` has those with right answers."""
    least: dict[str, float] = {}
    if queries_of.moves == FOUR:
        least = {PLAIN: 1.0, NETWORKX: 1.0 if queries_of.size < 64 else 2.0, PATHFINDING: 2.0}
    if queries_of.moves == FOUR and kernels.active is not None:
        least |= {"tcod AStar": 2.0, "pyastar2d": 1.0}
    elif kernels.active is not None:
        others = timings.keys() - {"ours", LISTED}
        fastest = min(others, key=lambda name: timings[name].milliseconds, default=None)
        least = {} if fastest is None else {fastest: FASTEST_OTHER}
    for name, limit in least.items():
        if name in timings:
            ratio = timings[name].times_of(timings["ours"])
            findings.at_least(f"{name} : ours, CPU time, {queries_of.title}", ratio, limit)


def _ours(grid: SearchGrid) -> Solve:
    def solve(query: Query) -> Path:
        return list(grid_astar(grid, query.start, {query.goal}).path)

    return solve


def _ours_listed(grid: SearchGrid) -> Solve:
    solve = _ours(grid)

    def solve_listed(query: Query) -> Path:
        with by_list_code():
            return solve(query)

    return solve_listed


JUMP_SETS = [
    QuerySet(f"{size} x {size}, {name}", size, 24, rounds, draw, moves)
    for moves in (OCTILE, CUTTING)
    for size, name, rounds, draw in (
        (32, "random 25 %", 25, _dense),
        (64, "random 25 %", 25, _dense),
        (256, "random 25 %", 9, _dense),
        (256, "rooms", 9, _rooms),
        (256, "maze", 9, _maze),
    )
]


def print_jumps(findings: Findings) -> None:
    """Print what jump point search costs beside A*, and check that both find paths of the same cost."""
    lines = []
    for queries_of in JUMP_SETS:
        grid, queries = _drawn(queries_of)
        plans = {
            "A*": [grid_astar(grid, query.start, {query.goal}) for query in queries],
            "jumps": [grid_jps(grid, query.start, query.goal) for query in queries],
        }
        findings.wrong += sum(one.cost != other.cost for one, other in zip(*plans.values(), strict=True))
        timings = time_in_turns({"A*": _ours(grid), "jumps": _jumps(grid)}, queries, rounds=queries_of.rounds)
        ratio = timings["A*"].times_of(timings["jumps"])
        expanded = [f"{fmean([plan.stats.expanded for plan in found]):,.0f}" for found in plans.values()]
        generated = [f"{fmean([plan.stats.generated for plan in found]):,.0f}" for found in plans.values()]
        times = [f"{timing.milliseconds:.3f}" for timing in timings.values()]
        lines.append([queries_of.title, *expanded, *generated, *times, f"{ratio:.2f}"])
        if kernels.active is not None and queries_of.draw is not _dense:
            findings.at_least(f"A* : jump point search, CPU time, {queries_of.title}", ratio, 2.0)
    heading = ["map", *(f"{name} {count}" for count in ("expanded", "generated", "CPU ms") for name in ("A*", "jumps"))]
    print_table("Jump point search beside A*, means of 24 queries", [*heading, "A* : jumps, CPU time"], lines)


def _jumps(grid: SearchGrid) -> Solve:
    def solve(query: Query) -> Path:
        return list(grid_jps(grid, query.start, query.goal).path)

    return solve


def print_first_plan() -> None:
    """Print the most expensive search of D* Lite: the first, on an empty map."""
    size = 128
    grid = SearchGrid(size, size)
    make_grid_dstar_lite(grid, 0, size * size - 1).search()  # makes the arcs
    costs = [make_grid_dstar_lite(grid, 0, size * size - 1).search() for _ in range(5)]
    middle_ms = median([stats.planning_ms for stats in costs])
    print(
        f"\nFirst plan of D* Lite, empty {size} x {size}: {costs[0].expanded:,} expansions, {middle_ms:.1f} ms (median)"
    )


def print_beam_times(findings: Findings) -> None:
    """Print the time of a beam of 16 by the kernel and by the list code, and check that both find the same."""
    lines = []
    for size in (32, 64, 256):
        rng = random.Random(f"beam times {size}")
        grid = SearchGrid(size, size, blocked=[cell for cell in range(size * size) if rng.random() < 0.2])
        queries = [query for query, _ in _solvable(grid, rng, 16)]
        found = [[_plain_beam(grid, query.start, {query.goal}, width=16) for query in queries] for _ in range(3)]
        with by_list_code():
            listed = [[_plain_beam(grid, query.start, {query.goal}, width=16) for query in queries] for _ in range(3)]
        for plan, other in zip(found[0], listed[0], strict=True):
            findings.wrong += (plan.path, plan.stats.expanded) != (other.path, other.stats.expanded)
        times = (median(plan.stats.planning_ms for plan in runs[-1]) for runs in (found, listed))
        expanded = median(plan.stats.expanded for plan in found[0])
        lines.append([f"random {size} x {size}, 20%", f"{expanded:.0f}", *(f"{time_ms:.3f} ms" for time_ms in times)])
    print_table("Beam of 16: medians of 16 queries", ["map", "expanded", *KINDS], lines)


def _plain_beam(grid: SearchGrid, start: int, goals: Collection[int], *, width: int) -> Plan[int]:
    return grid_beam(grid, start, goals, width=width).plan


def _solvable(grid: SearchGrid, rng: random.Random, count: int) -> list[tuple[Query, float]]:
    """Return `count` random queries whose shortest path has at least five steps, each with the cost of that path."""
    found: list[tuple[Query, float]] = []
    while len(found) < count:
        query = Query(rng.randrange(grid.size), rng.randrange(grid.size))
        plan = grid_astar(grid, query.start, {query.goal})
        if plan.found and plan.cost >= 5:
            found.append((query, plan.cost))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 if a plan is wrong, else 0."""
    argparse.ArgumentParser(prog="python -m benchmarks.planners", description=__doc__).parse_args(arguments)
    findings = Findings()
    print(f"planners: {kernels.describe_kernels()}")
    print_dijkstra_maps(findings)
    for queries_of in QUERY_SETS:
        print_queries(queries_of, findings)
    print_jumps(findings)
    print_first_plan()
    print_beam_times(findings)
    lines = [[v.what, v.wanted, v.got, "reached" if v.is_reached else "MISSED"] for v in findings.verdicts]
    print_table("Figures to be reached", ["figure", "wanted", "got", ""], lines)
    print(f"\nwrong plans: {findings.wrong}")
    return int(findings.wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
