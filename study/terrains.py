"""Replanning in four kinds of unknown terrain: `python -m study.terrains [--maps N]`.

On every map D* Lite runs, then planners that start anew, each by compiled kernels and in pure Python. The first kind is
that of Koenig and Likhachev (IEEE Trans. Robotics 21(3), 2005, Table I), shown beside their figures, of which
`study.replanning` has the whole table. Times are CPU time of one thread. The exit code is 1 if a plan is wrong or, on
60 maps or more of that kind, if forward A* expands less than 4.3 times as much as D* Lite.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, median
from unittest.mock import patch

from gridjoust.bots.navigation.crossing import Crossing, Problem, cross
from gridjoust.bots.navigation.dstar_lite import DStarLiteRoute
from gridjoust.bots.navigation.route import MakeRoute
from gridjoust.bots.planners import kernels
from gridjoust.planners import SearchGrid
from study.alternatives.from_scratch import FromScratch, random_problem
from study.replanning import LEAST_RATIO, LEAST_RUNS, PUBLISHED, breadth_first
from study.report import print_table

ROUTES: Mapping[str, MakeRoute] = {
    "D* Lite": DStarLiteRoute,
    "forward A*": FromScratch,
    "forward A*, if blocked": partial(FromScratch, is_patient=True),
    "backward A*": partial(FromScratch, is_backward=True),
}
LEAST_TIME_RATIO = 2.6  # of forward A* to D* Lite, as published
COLUMNS = (
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
)


@dataclass(frozen=True, slots=True)
class Terrain:
    """One kind of unknown terrain."""

    name: str
    size: int
    density: float
    start: tuple[int, int]
    goal: tuple[int, int]
    connectivity: int
    share: float = 1.0  # of the maps asked for
    is_published: bool = False

    def problem(self, seed: int) -> Problem:
        """Draw map number `seed`."""
        return random_problem(
            seed,
            size=self.size,
            density=self.density,
            start=self.start,
            goal=self.goal,
            connectivity=self.connectivity,
        )


TERRAINS = (
    Terrain("129 x 129, 40 %, 8-connected (T-RO 2005)", 129, 0.4, (12, 12), (116, 116), 8, is_published=True),
    Terrain("128 x 128, 30 %, 4-connected", 128, 0.3, (0, 0), (127, 127), 4, share=0.2),
    Terrain("64 x 64, 30 %, 4-connected", 64, 0.3, (0, 0), (63, 63), 4, share=0.5),
    Terrain("32 x 32, 30 %, 4-connected", 32, 0.3, (0, 0), (31, 31), 4),
)


@dataclass(slots=True)
class Crossings:
    """All crossings of one kind of terrain, by method, and the plans that were checked.

    `installed`: by compiled kernels if they are built; `listed`: in pure Python.
    """

    installed: dict[str, list[Crossing]]
    listed: dict[str, list[Crossing]]
    checked: int = 0
    wrong: int = 0

    def ratio(self) -> float:
        """Return the mean expansions of forward A* divided by those of D* Lite."""
        return mean_expanded(self.installed["forward A*"]) / mean_expanded(self.installed["D* Lite"])

    def time_ratio(self) -> float:
        """Return the mean CPU time of forward A* divided by that of D* Lite."""
        forward, lite = (fmean([m.planning_ms for m in self.installed[name]]) for name in ("forward A*", "D* Lite"))
        return forward / lite


def cross_all(terrain: Terrain, maps: int) -> Crossings:
    """Cross every map by every route, by compiled kernels and in pure Python, and count paths that differ.

    In the published terrain, the cost of every plan of D* Lite is compared with that of a breadth-first search.
    """
    found = Crossings({name: [] for name in ROUTES}, {name: [] for name in ROUTES})
    for seed in range(maps):
        problem = terrain.problem(seed)

        def check(known: SearchGrid, cell: int, cost: float, problem: Problem = problem) -> None:
            found.checked += 1
            found.wrong += cost != breadth_first(known, cell, {problem.goal}).cost

        for name, make_route in ROUTES.items():
            found.installed[name].append(cross(problem, make_route))
            if terrain.is_published and name == "D* Lite":
                cross(problem, make_route, check=check)  # by itself: checking fills the caches of the machine
            with patch.object(kernels, "active", None):
                found.listed[name].append(cross(problem, make_route))
            found.wrong += found.installed[name][-1].path != found.listed[name][-1].path
    return found


def print_crossings(terrain: Terrain, found: Crossings) -> None:
    """Print a row for each method."""
    maps = len(found.installed["D* Lite"])
    title = f"Unknown terrain, {terrain.name}, {maps} maps (means; CPU ms: median)"
    title += f"; {found.checked:,} plans checked" if found.checked else ""
    published = ("published: expanded", "ratio") if terrain.is_published else ()
    lines = [line_of(name, found, is_published=terrain.is_published) for name in ROUTES]
    print_table(title, (*COLUMNS, *published), lines)


def line_of(name: str, found: Crossings, *, is_published: bool) -> list[str]:
    """Return the row of one method."""
    own, lite = found.installed[name], found.installed["D* Lite"]
    expanded, first = mean_expanded(own), fmean([mission.searches[0].expanded for mission in own])
    ratios = [mission.expanded / least.expanded for mission, least in zip(own, lite, strict=True)]
    line = [name, f"{expanded:,.0f}", f"{expanded / mean_expanded(lite):.2f}", f"{median(ratios):.2f}"]
    line += [f"{first:,.0f}", f"{expanded - first:,.0f}", f"{fmean([m.replans for m in own]):.0f}"]
    line += [f"{fmean([m.moves for m in own]):.0f}", f"{median([m.planning_ms for m in own]):.1f}"]
    line.append(f"{median([m.planning_ms for m in found.listed[name]]):.1f}")
    if not is_published:
        return line
    paper = PUBLISHED.get(name)
    return line + ([f"{paper.expansions:,}", f"{paper.ratio:g}"] if paper else ["-", "-"])


def mean_expanded(missions: Sequence[Crossing]) -> float:
    """Return the mean number of expansions of a crossing."""
    return fmean([mission.expanded for mission in missions])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 if a plan is wrong or a ratio of expansions too low, else 0."""
    parser = argparse.ArgumentParser(prog="python -m study.terrains", description=__doc__)
    parser.add_argument("--maps", type=int, default=LEAST_RUNS, help="maps of the first terrain; others take a share")
    options = parser.parse_args(arguments)
    if options.maps < 1:
        parser.error(f"--maps: expected at least 1, got {options.maps}")
    print(f"planners: {kernels.describe_kernels()}")
    wrong, is_short = 0, False
    for terrain in TERRAINS:
        found = cross_all(terrain, max(2, round(options.maps * terrain.share)))
        print_crossings(terrain, found)
        wrong += found.wrong
        if terrain.is_published:
            print(f"\nforward A* : D* Lite, expansions: {found.ratio():.2f}, wanted {LEAST_RATIO}")
            print(f"forward A* : D* Lite, CPU time: {found.time_ratio():.2f}, wanted {LEAST_TIME_RATIO}")
            is_short = found.ratio() < LEAST_RATIO and options.maps >= LEAST_RUNS
    print(f"\nwrong plans: {wrong}")
    return int(wrong > 0 or is_short)


if __name__ == "__main__":
    sys.exit(main())
