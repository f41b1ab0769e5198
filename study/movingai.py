"""Check planners on every query of a folder of MovingAI files: `python -m study.movingai [--maps FOLDER] [--every N]`.

A* with eight neighbours is compared with the length printed in the `.scen`, within 0.005 (old files print six
significant digits), and A* with four neighbours with a breadth-first search; both must find that there is no path if
there is none. D* Lite, whose first search costs much more on large maps, takes every tenth of these queries. The whole
collection takes hours, so `--every N` takes every N-th query and `--largest N` leaves out maps of more cells. Without a
folder: the three small maps of the tests. The exit code is 1 if a length is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time
from unittest.mock import patch

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.grid import SQRT2
from gridjoust.games.navigation.board import Board
from gridjoust.games.navigation.movingai import check_fits, load_map, load_scen
from gridjoust.planners import INF, SearchGrid, grid_astar, make_grid_dstar_lite
from study.report import print_table

DEFAULT_MAPS = Path(__file__).parents[1] / "tests" / "data" / "maps"
TOLERANCE = 0.005
LISTED_SHARE = 60  # one query in so many is put to the list code too
REPAIRED_SHARE = 10  # D* Lite takes one query of so many


@dataclass(slots=True)
class Tally:
    """What the queries of one `.scen` file gave."""

    name: str
    queries: int = 0
    unreachable: int = 0
    wrong_octile: int = 0
    wrong_four: int = 0
    repaired: int = 0
    wrong_repaired: int = 0
    octile_s: float = 0.0
    four_s: float = 0.0

    @property
    def wrong(self) -> int:
        """Number of lengths that are wrong."""
        return self.wrong_octile + self.wrong_four + self.wrong_repaired


class StepCounter:
    """Lengths of shortest paths with four neighbours, by a breadth-first search of its own.

    It shares no code with the planners that it checks.
    """

    def __init__(self, board: Board) -> None:
        self._width = board.width
        self._stride = board.width + 2
        blocked, rim = board.blocked, b"\1" * self._stride
        rows = (blocked[top : top + board.width] for top in range(0, len(blocked), board.width))
        self._closed = rim + b"".join(b"\1" + row + b"\1" for row in rows) + rim

    def between(self, start: int, goal: int) -> float:
        """Return the steps on a shortest path between two free cells; infinite without a path."""
        closed, stride = bytearray(self._closed), self._stride
        begin, end = self._rimmed(start), self._rimmed(goal)
        closed[begin] = 1
        layer, steps = [begin], 0
        while layer and not closed[end]:
            fresh = []
            for cell in layer:
                for near in (cell - stride, cell + 1, cell + stride, cell - 1):
                    if not closed[near]:
                        closed[near] = 1
                        fresh.append(near)
            layer, steps = fresh, steps + 1
        return steps if closed[end] else INF

    def _rimmed(self, cell: int) -> int:
        return (cell // self._width + 1) * self._stride + cell % self._width + 1


def map_of(scen: Path) -> Path:
    """Return the map that a `.scen` file belongs to: `x.map` for `x.map.scen` and for `x-random-1.scen`."""
    name = scen.name.removesuffix(".scen").removesuffix("-random-1").removesuffix(".map")
    return scen.with_name(f"{name}.map")


def run_listed(scen: Path, *, every: int) -> Tally:
    """Answer the queries of one file by the pure Python code, like `run_file`."""
    with patch.object(kernels, "active", None):
        return run_file(scen, every=every)


def run_file(scen: Path, *, every: int) -> Tally:
    """Answer all queries of one file, or one in `every`; return what they gave."""
    board = load_map(map_of(scen))
    blocked = [cell for cell, is_blocked in enumerate(board.blocked) if is_blocked]
    four = SearchGrid(board.width, board.height, blocked=blocked)
    eight = SearchGrid(board.width, board.height, blocked=blocked, connectivity=8, diagonal_cost=SQRT2)
    counter, tally = StepCounter(board), Tally(scen.name)
    for number, row in enumerate(load_scen(scen)[::every]):
        check_fits(row, board)
        start, goal = eight.index(*row.start), eight.index(*row.goal)
        length = row.length if row.is_reachable else INF
        begin_s = process_time()
        octile = grid_astar(eight, start, {goal}).cost
        middle_s = process_time()
        steps = grid_astar(four, start, {goal}).cost
        tally.octile_s += middle_s - begin_s
        tally.four_s += process_time() - middle_s
        tally.queries += 1
        tally.unreachable += length == INF
        tally.wrong_octile += _is_wrong(octile, length)
        tally.wrong_four += steps != counter.between(start, goal)
        if number % REPAIRED_SHARE == 0:
            planner = make_grid_dstar_lite(eight, start, goal)
            planner.search()
            tally.repaired += 1
            tally.wrong_repaired += _is_wrong(planner.cost, length)
    return tally


def _is_wrong(cost: float, length: float) -> bool:
    return cost != length and not abs(cost - length) <= TOLERANCE


def print_tallies(tallies: Sequence[Tally]) -> None:
    """Print a line for each file."""
    heading = ["queries of", "asked", "unreachable", "wrong, octile", "wrong, four", "D* Lite asked", "wrong"]
    heading += ["octile A*, CPU ms", "four, CPU ms"]
    lines = []
    for tally in tallies:
        counts = [tally.queries, tally.unreachable, tally.wrong_octile, tally.wrong_four]
        counts += [tally.repaired, tally.wrong_repaired]
        times = [f"{seconds * 1000 / max(tally.queries, 1):.2f}" for seconds in (tally.octile_s, tally.four_s)]
        lines.append([tally.name, *map(str, counts), *times])
    print_table("MovingAI queries (CPU ms: means of a query, the making of the grid's arcs included)", heading, lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 if a length is wrong, else 0."""
    parser = argparse.ArgumentParser(prog="python -m study.movingai", description=__doc__)
    parser.add_argument("--maps", type=Path, default=DEFAULT_MAPS, help="folder of .map and .scen files")
    parser.add_argument("--every", type=int, default=1, help="ask only every N-th query of a file")
    parser.add_argument("--largest", type=int, default=sys.maxsize, help="leave out maps of more cells")
    parser.add_argument("--jobs", type=int, default=1, help="files at once, each in a process")
    options = parser.parse_args(arguments)
    scens = [scen for scen in sorted(options.maps.glob("*.scen")) if map_of(scen).is_file()]
    scens = [scen for scen in scens if len(load_map(map_of(scen)).blocked) <= options.largest]
    if not scens:
        print(f"no .scen with its .map in {options.maps}: nothing to compare with")
        return 0
    with ProcessPoolExecutor(options.jobs) as pool:
        tallies = list(pool.map(partial(run_file, every=options.every), scens))
        print(f"planners: {kernels.describe_kernels()}")
        print_tallies(tallies)
        if kernels.active is not None:
            listed = list(pool.map(partial(run_listed, every=options.every * LISTED_SHARE), scens))
            print_tallies(listed)
            tallies += listed
    wrong, queries = (sum(getattr(tally, name) for tally in tallies) for name in ("wrong", "queries"))
    print(f"\nqueries: {queries:,} in {len(tallies)} files, wrong lengths: {wrong}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
