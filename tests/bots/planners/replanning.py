"""Trials for planners that replan. What they get wrong is counted, not raised, so that broken ones can be tried."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from gridjoust.bots.navigation.crossing import Problem, cross
from gridjoust.bots.navigation.dstar_lite import DStarLiteRoute, MakePlanner
from gridjoust.bots.planners.dstar_lite import DStarLite, GridDStarLite
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.games.navigation.board import MOVES
from tests.bots.planners.boards import make_search_grid, same
from tests.bots.planners.oracle import INF, Board, dijkstra_to, path_cost, random_board

N = TypeVar("N")


class EndlessWalk(Exception):  # noqa: N818 - what happened to the robot
    """It was seen more often than there are reasons for."""


@dataclass
class Findings:
    """What a trial found."""

    searches: int = 0
    wrong_costs: int = 0
    endless_walks: int = 0
    wrong_queues: int = 0
    errors: int = 0  # exceptions
    expanded: int = 0

    @property
    def is_clean(self) -> bool:
        return self.searches > 0 and not (self.wrong_costs or self.endless_walks or self.wrong_queues or self.errors)


def board_of(grid: SearchGrid) -> Board:
    """What a grid believes, as the oracle sees it."""
    return Board(
        grid.width,
        grid.height,
        tuple(grid.entry_costs),
        eight=grid.connectivity == 8,
        diagonal_cost=grid.diagonal_cost,
        cut_corners=grid.cut_corners,
    )


def cross_checked(problem: Problem, make_planner: MakePlanner, findings: Findings) -> None:
    """One crossing in unknown terrain, every replan checked."""

    board, left = None, [0.0]  # the oracle works once for each state of knowledge
    last = findings.searches + 3 * problem.width * problem.height + 1

    def check(known: SearchGrid, cell: int, cost: float) -> None:
        nonlocal board, left
        if board != (now := board_of(known)):
            board, left = now, dijkstra_to(now, problem.goal)
        findings.searches += 1
        findings.wrong_costs += not same(cost, left[cell])
        if findings.searches > last:
            raise EndlessWalk

    try:
        crossing = cross(problem, partial(DStarLiteRoute, make_planner=make_planner), check=check)
        findings.expanded += crossing.expanded
        findings.endless_walks += crossing.is_circling
    except EndlessWalk:
        findings.endless_walks += 1
    except (ArithmeticError, LookupError, TypeError, ValueError):
        findings.errors += 1


def unknown(make_planner: MakePlanner, *, connectivity: int, density: float) -> Iterator[Findings]:
    """Cells that turn out to be blocked; some goals turn out to be enclosed. Eight neighbours cut corners."""
    findings = Findings()
    for seed in range(25):
        cross_checked(corner_to_corner(seed, 14, density, connectivity=connectivity), make_planner, findings)
        yield findings


def corner_to_corner(seed: int, size: int, density: float, *, connectivity: int) -> Problem:
    """A random board to be crossed diagonally, solvable or not."""
    rng = random.Random(f"{seed}/0/terrain")
    ends = (0, size * size - 1)
    blocked = frozenset(cell for cell in range(size * size) if rng.random() < density and cell not in ends)
    return Problem(size, size, blocked, *ends, MOVES["4" if connectivity == 4 else "8-unit"])


def changing_world(make_planner: MakePlanner) -> Iterator[Findings]:
    """Tiny boards of every kind on which cells close, open and change price while the robot walks or is carried off."""
    findings = Findings()
    rng = random.Random("changing world")
    for _ in range(400):
        live_through(random_board(rng, largest=6), rng, make_planner, findings)
        yield findings


def live_through(board: Board, rng: random.Random, make_planner: MakePlanner, findings: Findings) -> None:
    """Ten turns on one board; after each the cost and the path are checked."""
    grid = make_search_grid(board)
    start, goal = rng.choice(board.cells), rng.choice(board.cells)
    script = [random_turn(board, rng) for _ in range(10)]
    try:
        planner = make_planner(grid, start, goal)
        for changes, jump in script:
            findings.expanded += planner.search().expanded
            findings.searches += 1
            findings.wrong_costs += not is_right(planner, board_of(grid), goal)
            findings.wrong_queues += not is_queue_right(planner, board)
            step = planner.next_step() if jump is None else jump
            planner.move_start(planner.start if step is None else step)
            planner.change(changes)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        findings.errors += 1


def random_turn(board: Board, rng: random.Random) -> tuple[dict[int, float], int | None]:
    """What changes, and where the robot is put (None: it takes its step)."""
    cells = rng.sample(board.cells, min(rng.choice([0, 1, 1, 3]), len(board.cells)))
    jump = rng.choice(board.cells) if rng.random() < 0.15 else None
    return {cell: rng.choice([1, 1, 2, 3, INF, INF]) for cell in cells}, jump


def values_of(planner: DStarLite[N], node: N) -> tuple[float, float, tuple[float, float] | None]:
    """g, rhs and the key under which the node is queued, as the paper calls them; no key = not in the queue."""
    queued = planner._queued.get(node)
    return planner._g[node], planner._rhs[node], None if queued is None else queued[:2]


def is_queue_right(planner: GridDStarLite, board: Board) -> bool:
    """Whether exactly the inconsistent cells are queued."""
    values = [values_of(planner, cell) for cell in board.cells]
    return all((key is None) == (g == rhs) for g, rhs, key in values)


def is_right(planner: GridDStarLite, board: Board, goal: int) -> bool:
    """Whether cost, path and step are what the oracle says."""
    expected = dijkstra_to(board, goal)[planner.start]
    path = planner.path()
    if expected == INF:
        return planner.cost == INF and path == () and planner.next_step() is None
    ends = (path[0], path[-1]) == (planner.start, goal)
    first = path[1] if len(path) > 1 else None
    return (
        ends
        and same(planner.cost, expected)
        and same(path_cost(board, path), expected)
        and planner.next_step() == first
    )


EXPANSIONS = 24_247  # of a right planner on the boards below


def expansions(make_planner: MakePlanner) -> int:
    """On 25 larger boards, where only the number of expansions is looked at."""
    problems = [corner_to_corner(seed, 48, 0.4, connectivity=8) for seed in range(25)]
    return sum(cross(problem, partial(DStarLiteRoute, make_planner=make_planner)).expanded for problem in problems)


Trial = Callable[[MakePlanner], Iterator[Findings]]  # the running findings, so that a caller may stop early

TRIALS: dict[str, Trial] = {
    "unknown four": partial(unknown, connectivity=4, density=0.3),
    "unknown eight": partial(unknown, connectivity=8, density=0.4),
    "changing world": changing_world,
}


def verdict(trial: Trial, make_planner: MakePlanner) -> Findings:
    """The findings of the whole trial."""
    return list(trial(make_planner))[-1]
