"""Planning methods that were not chosen, beside those that were: `python -m study.unchosen`.

Monotone beams beside plain ones: queries solved, and length over the optimum. Dijkstra maps computed by numpy, a whole
frontier at a time, beside the planner's: CPU time of one thread. Exits with 1 if the two methods find different maps.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from statistics import fmean, median
from time import process_time

import numpy as np

from gridjoust.bots.planners import kernels
from gridjoust.planners import Plan, SearchGrid, grid_astar, grid_beam, open_terrain, scan
from study.alternatives.dijkstra_numpy import scan_board
from study.alternatives.grid_beam import grid_monotone_beam
from study.report import print_table

WIDTHS = (1, 2, 4, 8, 16, 32)
BOARDS = ((12, 10, 200), (64, 64, 20), (512, 512, 1))  # width, height, calls that are timed together
REPEATS = 9


def print_beams() -> None:
    """Print how often beams find a path, and how long it is."""
    lines = []
    for size, density in ((32, 0.2), (32, 0.35), (64, 0.2)):
        rng = random.Random(f"beams {size} {density}")
        grid = SearchGrid(size, size, blocked=[cell for cell in range(size * size) if rng.random() < density])
        queries = solvable(grid, rng, 16)
        for kind, search in (("plain", _plain_beam), ("monotone", grid_monotone_beam)):
            line = [f"random {size} x {size}, {density:.0%}", kind]
            for width in WIDTHS:
                plans = [(search(grid, start, {goal}, width=width), optimum) for start, goal, optimum in queries]
                over = [plan.cost / optimum for plan, optimum in plans if plan.found]
                line.append(f"{len(over)} / {fmean(over):.3f}" if over else "0 / -")
            lines.append(line)
    heading = ["map", "kind", *(f"width {width}" for width in WIDTHS)]
    print_table("Beams: solved of 16 queries / mean length over optimum", heading, lines)


def _plain_beam(grid: SearchGrid, start: int, goals: Collection[int], *, width: int) -> Plan[int]:
    return grid_beam(grid, start, goals, width=width).plan


def solvable(grid: SearchGrid, rng: random.Random, count: int) -> list[tuple[int, int, float]]:
    """Draw queries with a path of at least five steps: start, goal and the length of the shortest path."""
    found: list[tuple[int, int, float]] = []
    while len(found) < count:
        start, goal = rng.randrange(grid.size), rng.randrange(grid.size)
        plan = grid_astar(grid, start, {goal})
        if plan.found and plan.cost >= 5:
            found.append((start, goal, plan.cost))
    return found


def print_dijkstra_maps() -> int:
    """Print what a map costs with one goal in a corner; return how many maps differ."""
    lines, wrong = [], 0
    for width, height, calls in BOARDS:
        for density in (0.0, 0.2):
            rng = random.Random(f"board {density}")
            walls = [cell for cell in range(1, width * height) if rng.random() < density]
            terrain, limit = open_terrain(width, height, walls=walls), float(width * height)
            blocked = np.zeros(width * height, dtype=bool)
            blocked[walls] = True
            ours = partial(scan, terrain, {0: 0}, maximum=limit)
            numpys = partial(scan_board, blocked.reshape(height, width), {0: 0}, maximum=limit)
            wrong += ours().values != tuple(numpys().ravel().tolist())
            times_us = (median_us(call, calls=calls) for call in (ours, numpys))
            lines.append([f"{width} x {height}, random {density:.0%}", *(f"{time_us:,.1f}" for time_us in times_us)])
    heading = ["map", "as installed", "numpy frontier"]
    print_table("Dijkstra maps, one goal in a corner, 4-connected (CPU us, median)", heading, lines)
    return wrong


def median_us(call: Callable[[], object], *, calls: int) -> float:
    """Measure the CPU microseconds of one call: the median of some repeats."""
    times = []
    for _ in range(REPEATS):
        begin_s = process_time()
        for _ in range(calls):
            call()
        times.append((process_time() - begin_s) * 1e6 / calls)
    return median(times)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 if the two methods find different Dijkstra maps, else 0."""
    argparse.ArgumentParser(prog="python -m study.unchosen", description=__doc__).parse_args(arguments)
    print(f"planners: {kernels.describe_kernels()}")
    print_beams()
    wrong = print_dijkstra_maps()
    print(f"\nmaps that differ: {wrong}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
