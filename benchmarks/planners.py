"""Measure what the planners cost, on generated maps, in CPU time of one thread: `python -m benchmarks.planners`.

Replanning in unknown terrain stands beside the published figures of Koenig and Likhachev (IEEE Trans. Robotics 21(3),
2005, Table I; `benchmarks.replanning` has the whole table). Compiled kernels stand beside the list code. Single queries
also stand beside plain flat-array A* and those of networkx, pathfinding, tcod, scipy and pyastar2d that are installed
(`pip install gridjoust[bench]`). Further tables are about Dijkstra maps and beams. The last table says which figures
were reached. The exit code is 1 if a plan is wrong or D* Lite falls short of its figure; times depend on the machine
and its load and do not count.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, median

from benchmarks.alternatives.from_scratch import FromScratch, random_problem
from benchmarks.alternatives.grid_beam import grid_monotone_beam
from benchmarks.contenders import Query, Solve, Timing, installed_contenders, time_in_turns
from benchmarks.dijkstra_maps import print_dijkstra_maps
from benchmarks.findings import Findings
from benchmarks.list_code import KINDS, by_list_code, kind_of_planners
from benchmarks.replanning import LEAST_RATIO, LEAST_RUNS, PUBLISHED, breadth_first
from benchmarks.report import print_table
from gridjoust.bots.navigation.crossing import Crossing, Problem, cross
from gridjoust.bots.navigation.dstar_lite import DStarLiteRoute
from gridjoust.bots.navigation.route import MakeRoute
from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.astar import grid_astar
from gridjoust.bots.planners.beam import grid_beam
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.grid_dstar_lite import make_grid_dstar_lite
from gridjoust.bots.planners.stats import Plan
from gridjoust.games.navigation.generate import maze_map, random_map, rooms_map

ROUTES: Mapping[str, MakeRoute] = {
    "D* Lite": DStarLiteRoute,
    "forward A*": FromScratch,
    "forward A*, if blocked": partial(FromScratch, is_patient=True),
    "backward A*": partial(FromScratch, is_backward=True),
}
LEAST_TIME_RATIO = 2.6  # time of forward A* divided by that of D* Lite, as published
LISTED = "ours, list code"
PLAIN, NETWORKX, PATHFINDING = "plain flat A*", "networkx astar_path", "pathfinding AStarFinder"


@dataclass(frozen=True, slots=True)
class Protocol:
    """One kind of unknown terrain, with its size, density, ends and connectivity."""

    name: str
    size: int
    density: float
    start: tuple[int, int]
    goal: tuple[int, int]
    connectivity: int
    share: float = 1.0  # share of the maps asked for
    is_published: bool = False

    def problem(self, seed: int) -> Problem:
        """Return map number `seed`."""
        return random_problem(
            seed,
            size=self.size,
            density=self.density,
            start=self.start,
            goal=self.goal,
            connectivity=self.connectivity,
        )


PROTOCOLS = (
    Protocol("129 x 129, 40 %, 8-connected (T-RO 2005)", 129, 0.4, (12, 12), (116, 116), 8, is_published=True),
    Protocol("128 x 128, 30 %, 4-connected", 128, 0.3, (0, 0), (127, 127), 4, share=0.2),
    Protocol("64 x 64, 30 %, 4-connected", 64, 0.3, (0, 0), (63, 63), 4, share=0.5),
    Protocol("32 x 32, 30 %, 4-connected", 32, 0.3, (0, 0), (31, 31), 4),
)


def print_replanning(protocol: Protocol, maps: int, findings: Findings) -> None:
    """Print one protocol; the methods take turns on each map, and every plan in the published one is checked."""
    missions: dict[str, list[Crossing]] = {name: [] for name in ROUTES}
    listed: dict[str, list[Crossing]] = {name: [] for name in ROUTES}
    checked = 0
    for seed in range(maps):
        problem = protocol.problem(seed)

        def check(known: SearchGrid, cell: int, cost: float, problem: Problem = problem) -> None:
            nonlocal checked
            checked += 1
            findings.wrong += cost != breadth_first(known, cell, {problem.goal}).cost

        for name, make_route in ROUTES.items():
            missions[name].append(cross(problem, make_route))
            if protocol.is_published and name == "D* Lite":
                cross(problem, make_route, check=check)  # separate: checking fills the caches of the machine
            with by_list_code():
                listed[name].append(cross(problem, make_route))
            findings.wrong += missions[name][-1].path != listed[name][-1].path
    title = f"Unknown terrain, {protocol.name}, {maps} maps (means; CPU ms: median)"
    title += f"; {checked:,} plans checked" if checked else ""
    heading = [
        "method",
        "expanded",
        "ratio",
        "median ratio",
        "first",
        "later",
        "replans",
        "moves",
        "CPU ms",
        "by list code",
    ]
    heading += ["published: expanded", "ratio"] if protocol.is_published else []
    lines = [_replanning_line(name, missions, listed[name], is_published=protocol.is_published) for name in ROUTES]
    print_table(title, heading, lines)
    if protocol.is_published:
        ratio = _mean_expanded(missions["forward A*"]) / _mean_expanded(missions["D* Lite"])
        findings.at_least(f"forward A* : D* Lite, expansions, {maps} maps", ratio, LEAST_RATIO, is_timed=False)
        for kind, played in zip(KINDS, (missions, listed), strict=True):
            times = [fmean([m.planning_ms for m in played[name]]) for name in ("forward A*", "D* Lite")]
            what = f"forward A* : D* Lite, CPU time, {kind}, {maps} maps"
            if kind == kind_of_planners():
                findings.at_least(what, times[0] / times[1], LEAST_TIME_RATIO)


def _replanning_line(
    name: str, missions: Mapping[str, list[Crossing]], listed: Sequence[Crossing], *, is_published: bool
) -> list[str]:
    own, lite = missions[name], missions["D* Lite"]
    expanded, first = _mean_expanded(own), fmean([mission.searches[0].expanded for mission in own])
    ratios = [mission.expanded / least.expanded for mission, least in zip(own, lite, strict=True)]
    line = [name, f"{expanded:,.0f}", f"{expanded / _mean_expanded(lite):.2f}", f"{median(ratios):.2f}"]
    line += [f"{first:,.0f}", f"{expanded - first:,.0f}", f"{fmean([m.replans for m in own]):.0f}"]
    line += [f"{fmean([m.moves for m in own]):.0f}", f"{median([m.planning_ms for m in own]):.1f}"]
    line.append(f"{median([m.planning_ms for m in listed]):.1f}")
    if not is_published:
        return line
    paper = PUBLISHED.get(name)
    return line + ([f"{paper.expansions:,}", f"{paper.ratio:g}"] if paper else ["-", "-"])


def _mean_expanded(missions: Sequence[Crossing]) -> float:
    return fmean([mission.expanded for mission in missions])


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Queries on one kind of square map."""

    name: str
    size: int
    count: int
    rounds: int
    draw: Callable[[random.Random, int], bytes]  # 1 where blocked


def _scattered(rng: random.Random, size: int) -> bytes:
    return random_map(rng, width=size, height=size, density=0.2).blocked


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
)


def print_queries(queries_of: QuerySet, findings: Findings) -> None:
    """Print the times of all methods on the same queries, in turns."""
    size, rng = queries_of.size, random.Random(f"queries {queries_of.name}")
    board = queries_of.draw(rng, size)
    blocked = frozenset(cell for cell, is_blocked in enumerate(board) if is_blocked)
    free = [cell for cell in range(size * size) if cell not in blocked]
    queries = [Query(rng.choice(free), rng.choice(free)) for _ in range(queries_of.count)]
    solvers = {"ours": _ours(size, blocked), LISTED: _ours_listed(size, blocked)} | installed_contenders(size, blocked)
    timings = time_in_turns(solvers, queries, rounds=queries_of.rounds)
    grid = SearchGrid(size, size, blocked=blocked)
    right = [breadth_first(grid, query.start, {query.goal}).cost for query in queries]
    ours = timings["ours"]
    lines = []
    for name, timing in timings.items():
        wrong = sum(length != expected for length, expected in zip(timing.lengths, right, strict=True))
        findings.wrong += wrong if name in ("ours", LISTED) else 0
        lines.append([name, f"{timing.milliseconds:.3f}", f"{timing.times_of(ours):.2f}", str(wrong)])
    heading = ["A* of", "CPU ms a query", "times ours", "wrong"]
    print_table(f"Single queries, {queries_of.name}, 4-connected, {len(queries)} queries", heading, lines)
    _judge_queries(queries_of, timings, findings)


def _judge_queries(queries_of: QuerySet, timings: Mapping[str, Timing], findings: Findings) -> None:
    """Check ratios of CPU times, other to own; only installed packages can be compared."""
    least = {PLAIN: 1.0, NETWORKX: 1.0 if queries_of.size < 64 else 2.0, PATHFINDING: 2.0}
    if kernels.active is not None:
        least |= {"tcod AStar": 2.0, "pyastar2d": 1.0}
    for name, limit in least.items():
        if name in timings:
            ratio = timings[name].times_of(timings["ours"])
            findings.at_least(f"{name} : ours, CPU time, {queries_of.name}", ratio, limit)


def _ours(size: int, blocked: frozenset[int]) -> Solve:
    grid = SearchGrid(size, size, blocked=blocked)

    def solve(query: Query) -> float:
        return grid_astar(grid, query.start, {query.goal}).cost

    return solve


def _ours_listed(size: int, blocked: frozenset[int]) -> Solve:
    solve = _ours(size, blocked)

    def solve_listed(query: Query) -> float:
        with by_list_code():
            return solve(query)

    return solve_listed


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


def print_beams() -> None:
    """Print how often beams find a path, and how long it is."""
    widths = (1, 2, 4, 8, 16, 32)
    lines = []
    for size, density in ((32, 0.2), (32, 0.35), (64, 0.2)):
        rng = random.Random(f"beams {size} {density}")
        grid = SearchGrid(size, size, blocked=[cell for cell in range(size * size) if rng.random() < density])
        queries = _solvable(grid, rng, 16)
        for kind, search in (("plain", _plain_beam), ("monotone", grid_monotone_beam)):
            line = [f"random {size} x {size}, {density:.0%}", kind]
            for width in widths:
                plans = [(search(grid, q.start, {q.goal}, width=width), optimum) for q, optimum in queries]
                over = [plan.cost / optimum for plan, optimum in plans if plan.found]
                line.append(f"{len(over)} / {fmean(over):.3f}" if over else "0 / -")
            lines.append(line)
    heading = ["map", "kind", *(f"width {width}" for width in widths)]
    print_table("Beams: solved of 16 queries / mean length over optimum", heading, lines)


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
    """Return queries with a path of at least five steps, and its length."""
    found: list[tuple[Query, float]] = []
    while len(found) < count:
        query = Query(rng.randrange(grid.size), rng.randrange(grid.size))
        plan = grid_astar(grid, query.start, {query.goal})
        if plan.found and plan.cost >= 5:
            found.append((query, plan.cost))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 0 if nothing is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planners", description=__doc__)
    parser.add_argument("--maps", type=int, default=LEAST_RUNS, help="maps of the first protocol; others take a share")
    options = parser.parse_args(arguments)
    findings = Findings()
    print(f"planners: {kernels.describe_kernels()}")
    print_dijkstra_maps(findings)
    for queries_of in QUERY_SETS:
        print_queries(queries_of, findings)
    for protocol in PROTOCOLS:
        print_replanning(protocol, max(2, round(options.maps * protocol.share)), findings)
    print_first_plan()
    print_beams()
    print_beam_times(findings)
    lines = [[v.what, v.wanted, v.got, "reached" if v.is_reached else "MISSED"] for v in findings.verdicts]
    print_table("Figures to be reached", ["figure", "wanted", "got", ""], lines)
    print(f"\nwrong plans: {findings.wrong}")
    falls_short = any(not (v.is_timed or v.is_reached) for v in findings.verdicts)
    return int(findings.wrong > 0 or (falls_short and options.maps >= LEAST_RUNS))


if __name__ == "__main__":
    sys.exit(main())
