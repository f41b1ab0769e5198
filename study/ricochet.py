"""Planning cost on random official ricochet positions: every planner beside a plain breadth-first search, in one run.

    python -m study.ricochet [--boards 1000] [--baseline 200] [--seed 1] [--diagonals] [--chart FILE.svg]

Every position has its own random board (one of 486, with `--diagonals` of 1536), so the time includes the board's
tables. Times are CPU ms of one thread; `first` is the time until there is a solution to bid. Every answer is judged by
the rules; an optimum that differs from that of the breadth-first search is counted as wrong, and so is a solution that
does not hold. Exit code 1 if one is wrong or a bound is missed: astar's median and 95th percentile at most 0.3 and
20 ms by the kernel, 3 and 100 ms in pure Python (JOUST_PURE=1).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from time import process_time

from gridjoust.bots.planners import kernels
from gridjoust.bots.ricochet.plans import Task
from gridjoust.bots.ricochet.solve import PLANNERS
from gridjoust.games.ricochet.optimum import Plan
from gridjoust.games.ricochet.proof import Position, judge
from gridjoust.games.ricochet.slides import Slides
from gridjoust.games.ricochet.tiles import FACES, PLAIN_FACES, arrangements, make_board
from study.chart import line_chart

MEDIAN_GOAL_MS, P95_GOAL_MS = (3.0, 100.0) if kernels.active is None else (0.3, 20.0)
BASELINE_STATES = 400_000  # breadth-first search gives a position up here, some seconds and 150 MB
TABLE_OPTIMA = (3, 4, 7)  # the rows of the report's table


@dataclass(frozen=True, slots=True)
class Run:
    """How one planner did on one position."""

    cpu_ms: float
    plan: Plan | None
    is_right: bool
    first_ms: float | None  # CPU until the first solution, None without one

    @property
    def moves(self) -> int | None:
        """Number of moves in the solution, None without one."""
        return None if self.plan is None or self.plan.moves is None else len(self.plan.moves)


def draw_positions(count: int, *, seed: int, faces: str) -> list[Position]:
    """Return random positions: a board, robots on start cells, and a target."""
    rng = random.Random(f"benchmark/{seed}")
    boards = list(arrangements(faces))
    positions: list[Position] = []
    for _ in range(count):
        board = make_board(rng.choice(boards))
        robots = tuple(rng.sample(board.start_cells(), 4))
        positions.append(Position(board, robots, rng.choice(board.targets)))
    return positions


def run_planner(name: str, position: Position, *, max_states: int | None) -> Run:
    """Make the tables of one position, solve it and judge the solution, on the clock."""
    begin_s = process_time()
    best: Plan | None = None
    first_ms: float | None = None
    for plan in PLANNERS[name](Task(Slides(position.board), position, max_states=max_states)):
        if first_ms is None and plan is not None and plan.moves is not None:
            first_ms = (process_time() - begin_s) * 1000
        best = best if plan is None or (plan.moves is None and best is not None) else plan
    cpu_ms = (process_time() - begin_s) * 1000
    is_right = best is None or best.moves is None or judge(position, best.moves).is_right
    return Run(cpu_ms, best, is_right, first_ms)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of all values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def summary_row(name: str, runs: Sequence[Run], optima: Sequence[int | None]) -> str:
    """Return a planner's line of the first table; `best` is the share of solutions as short as the known optimum."""
    times = [run.cpu_ms for run in runs]
    first = [run.first_ms for run in runs if run.first_ms is not None] or [0.0]
    solved = [(run.moves, optimum) for run, optimum in zip(runs, optima, strict=False) if run.moves is not None]
    known = [(moves, optimum) for moves, optimum in solved if optimum is not None]
    best = mean([moves == optimum for moves, optimum in known]) if known else 0.0
    over = mean([moves - optimum for moves, optimum in known]) if known else 0.0
    expanded = median([run.plan.expanded if run.plan else 0 for run in runs])
    return (
        f"{name:14}{len(runs):7}{median(times):10.2f}{percentile(times, 0.95):10.2f}{percentile(times, 0.99):10.1f}"
        f"{max(times):10.1f}{median(first):8.2f}{percentile(first, 0.95):10.2f}{expanded:10.0f}"
        f"{len(solved) / len(runs):9.1%}{best:9.1%}{over:8.2f}"
    )


def median_by_optimum(runs: Sequence[Run], optima: Sequence[int | None]) -> dict[int, float]:
    """Return the planner's median CPU ms by the optimum of the position."""
    times: dict[int, list[float]] = defaultdict(list)
    for run, optimum in zip(runs, optima, strict=False):
        if optimum is not None:
            times[optimum].append(run.cpu_ms)
    return {optimum: median(own) for optimum, own in sorted(times.items())}


def print_by_optimum(runs_of: dict[str, list[Run]], optima: Sequence[int | None]) -> None:
    """Print every planner's median time by optimum: the data of the chart."""
    print(f"\nmedian CPU ms by optimum\n{'optimum':14}{'positions':>10}" + "".join(f"{name:>14}" for name in runs_of))
    medians = [median_by_optimum(runs, optima) for runs in runs_of.values()]
    for optimum, positions in sorted(Counter(optimum for optimum in optima if optimum is not None).items()):
        cells = [f"{own[optimum]:14.2f}" if optimum in own else f"{'-':>14}" for own in medians]
        print(f"{optimum:<14}{positions:>10}" + "".join(cells))


def draw_by_optimum(runs_of: dict[str, list[Run]], optima: Sequence[int | None]) -> str:
    """Return an SVG chart of every planner's median time by optimum."""
    series = {name: list(median_by_optimum(runs, optima).items()) for name, runs in runs_of.items() if runs}
    title = "Ricochet: planning time by the length of the shortest solution"
    return line_chart(title, x_name="moves of the shortest solution", y_name="median CPU ms", series=series)


def print_table(runs_of: dict[str, list[Run]], optima: Sequence[int | None]) -> None:
    """Print the report's table: the first position of each optimum in it."""
    print(f"\n{'algorithm':14}{'optimum':>8}{'moves':>8}{'expanded':>10}{'frontier':>10}{'CPU ms':>10}")
    for wanted in TABLE_OPTIMA:
        index = next((n for n, optimum in enumerate(optima) if optimum == wanted), None)
        for name, runs in runs_of.items():
            if index is None or index >= len(runs):
                continue
            run = runs[index]
            found = run.plan or Plan(None, is_proven=False, expanded=0, generated=0, frontier=0)
            print(
                f"{name:14}{wanted:>8}{run.moves or '-':>8}{found.expanded:>10}{found.frontier:>10}{run.cpu_ms:>10.2f}"
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all planners and print the tables; return 1 if an answer is wrong or A* is too slow, else 0."""
    parser = argparse.ArgumentParser(prog="python -m study.ricochet", description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=1000, help="positions for astar")
    parser.add_argument("--baseline", type=int, default=200, help="of these also solved by every other planner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--diagonals", action="store_true", help="draw the D faces too")
    parser.add_argument("--chart", type=Path, help="draw the time by optimum into this SVG file")
    options = parser.parse_args(arguments)
    positions = draw_positions(options.boards, seed=options.seed, faces=FACES if options.diagonals else PLAIN_FACES)
    others = [name for name in PLANNERS if name != "astar"]
    runs_of: dict[str, list[Run]] = {name: [] for name in PLANNERS}
    for index, position in enumerate(positions):  # planners take turns, so that a busy machine is fair to all
        runs_of["astar"].append(run_planner("astar", position, max_states=None))
        if index < options.baseline:
            for name in others:
                runs_of[name].append(run_planner(name, position, max_states=BASELINE_STATES))
    if options.chart is not None:
        options.chart.write_text(draw_by_optimum(runs_of, [run.moves for run in runs_of["astar"]]), encoding="utf-8")
    return report(runs_of)


def report(runs_of: dict[str, list[Run]]) -> int:
    """Print the tables; return 1 if an answer is wrong or A* is too slow, else 0."""
    optima = [run.moves for run in runs_of["astar"]]
    head = ("positions", "median ms", "p95", "p99", "max", "first", "its p95", "expanded", "solved", "best", "over")
    widths = (7, 10, 10, 10, 10, 8, 10, 10, 9, 9, 8)
    print(f"{'planner':14}" + "".join(f"{text[:width]:>{width}}" for text, width in zip(head, widths, strict=True)))
    for name, runs in runs_of.items():
        if runs:
            print(summary_row(name, runs, optima))
    print_by_optimum(runs_of, optima)
    print_table(runs_of, optima)
    solved = [optimum for optimum in optima if optimum is not None]
    print(f"\nmean optimum {mean(solved):.2f} of {len(solved)} positions")
    wrong = sum(not run.is_right for runs in runs_of.values() for run in runs)
    wrong += sum(b.moves not in (None, a.moves) for a, b in zip(runs_of["astar"], runs_of["bfs"], strict=False))
    times = [run.cpu_ms for run in runs_of["astar"]]
    kept = median(times) <= MEDIAN_GOAL_MS and percentile(times, 0.95) <= P95_GOAL_MS
    print(f"wrong answers: {wrong}; astar's median <= {MEDIAN_GOAL_MS} ms and p95 <= {P95_GOAL_MS} ms: {kept}")
    return 0 if kept and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
