"""The same grid queries put to other libraries, if they are installed, and to plain flat-array A*.

Entering a cell costs 1, or what a diagonal step costs. Building a library's grid or graph is not timed; the timed part
ends with the path as a list. `cstar-pathfinding` and `w9-pathfinding` are in no extra of ours: the first has wheels for
some versions of Python only, the second installs a package `tests` beside its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from gridjoust.bots.planners.grid import SQRT2, SearchGrid

INF = float("inf")


class Query(NamedTuple):
    """The start and the goal of a path, as numbers of cells (row by row)."""

    start: int
    goal: int


class Moves(NamedTuple):
    """The steps that are allowed; with a `diagonal_cost` of 0 only straight ones."""

    name: str
    diagonal_cost: float = 0
    cut_corners: bool = False

    def grid(self, size: int, blocked: frozenset[int]) -> SearchGrid:
        """Return a square board on which these steps are allowed."""
        connectivity, cost = (8, self.diagonal_cost) if self.diagonal_cost else (4, 1)
        return SearchGrid(
            size, size, blocked=blocked, connectivity=connectivity, diagonal_cost=cost, cut_corners=self.cut_corners
        )

    def cost(self, path: Path) -> float:
        """Return what a path costs, infinite if it is empty."""
        if not path:
            return INF
        slanted: int = sum(one[0] != other[0] and one[1] != other[1] for one, other in pairwise(path))
        return len(path) - 1 - slanted + slanted * self.diagonal_cost


FOUR = Moves("4-connected")
OCTILE = Moves("8-connected, no corners cut", SQRT2)
CUTTING = Moves("8-connected, corners cut", SQRT2, cut_corners=True)
KING = Moves("8-connected at cost 1, corners cut", 1, cut_corners=True)

Path = Sequence[Any]  # x and y of every cell, or y and x; empty without a path
Solve = Callable[[Query], Path]
# makes a solver for a board from its side and its blocked cells; None if it does not know these moves
MakeSolver = Callable[[int, frozenset[int], Moves], Solve | None]


def contenders(size: int, blocked: frozenset[int], moves: Moves) -> tuple[dict[str, Solve], list[str]]:
    """Return the libraries that can search with these moves, by name, and the names of those not installed."""
    solvers: dict[str, Solve] = {}
    missing = []
    for name, make in CONTENDERS.items():
        try:
            solver = make(size, blocked, moves)
        except ImportError:
            missing.append(name)
            continue
        if solver is not None:
            solvers[name] = solver
    return solvers, missing


@dataclass(slots=True)
class Timing:
    """One contender: the paths that it found, and the mean CPU ms of a query in every round."""

    paths: list[Path] = field(default_factory=list)
    rounds_ms: list[float] = field(default_factory=list)

    @property
    def milliseconds(self) -> float:
        """CPU ms of a query in the median round."""
        return median(self.rounds_ms)

    def times_of(self, other: Timing) -> float:
        """Return the ratio of this CPU time to that of `other`, in the median round.

        In each round both were measured one after the other, under the same load.
        """
        return median([own / its for own, its in zip(self.rounds_ms, other.rounds_ms, strict=True)])


def time_in_turns(solvers: Mapping[str, Solve], queries: Sequence[Query], *, rounds: int) -> dict[str, Timing]:
    """Time all queries with one contender after the other, in several rounds; a first round is not counted."""
    timings = {name: Timing() for name in solvers}
    for number in range(rounds + 1):
        for name, solve in solvers.items():
            begin_s = process_time()
            paths = [solve(query) for query in queries]
            milliseconds = (process_time() - begin_s) * 1000.0 / len(queries)
            timings[name].paths = paths
            if number:
                timings[name].rounds_ms.append(milliseconds)
    return timings


def _plain(size: int, blocked: frozenset[int], moves: Moves) -> Solve | None:
    """Return plain A* as most people write it: a heap of (f, -g, cell), a padded board, neighbours by offset."""
    if moves != FOUR:
        return None
    stride = size + 2
    closed = bytearray(b"\1") * (stride * stride)
    for cell in range(size * size):
        closed[(cell // size + 1) * stride + cell % size + 1] = cell in blocked

    def solve(query: Query) -> Path:
        start = (query.start // size + 1) * stride + query.start % size + 1
        goal = (query.goal // size + 1) * stride + query.goal % size + 1
        goal_y, goal_x = divmod(goal, stride)
        done = bytearray(closed)
        best, parents = {start: 0}, {start: start}
        heap = [(0, 0, start)]
        while heap:
            _, minus_cost, cell = heappop(heap)
            if cell == goal:
                return _traced(parents, goal, stride)
            if done[cell]:
                continue
            done[cell] = 1
            reached = 1 - minus_cost
            for head in (cell - stride, cell + 1, cell + stride, cell - 1):
                if not done[head] and reached < best.get(head, INF):
                    best[head] = reached
                    parents[head] = cell
                    y, x = divmod(head, stride)
                    heappush(heap, (reached + abs(x - goal_x) + abs(y - goal_y), -reached, head))
        return []

    return solve


def _traced(parents: Mapping[int, int], cell: int, stride: int) -> Path:
    path = [divmod(cell, stride)]
    while parents[cell] != cell:
        cell = parents[cell]
        path.append(divmod(cell, stride))
    return path[::-1]


def _networkx(size: int, blocked: frozenset[int], moves: Moves) -> Solve | None:
    import networkx as nx  # type: ignore[import-untyped,import-not-found,unused-ignore]

    if moves != FOUR:
        return None
    graph = nx.grid_2d_graph(size, size)
    graph.remove_nodes_from([(cell % size, cell // size) for cell in blocked])

    def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def solve(query: Query) -> Path:
        ends = [(cell % size, cell // size) for cell in query]
        try:
            path: list[tuple[int, int]] = nx.astar_path(graph, *ends, heuristic=distance)
        except nx.NetworkXNoPath:
            return []
        return path

    return solve


def _pathfinding(size: int, blocked: frozenset[int], moves: Moves) -> Solve | None:
    from pathfinding.core.grid import Grid  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from pathfinding.finder.a_star import AStarFinder  # type: ignore[import-untyped,import-not-found,unused-ignore]

    if moves != FOUR:
        return None
    grid = Grid(matrix=[[int(y * size + x not in blocked) for x in range(size)] for y in range(size)])
    finder = AStarFinder()

    def solve(query: Query) -> Path:
        grid.cleanup()
        start, goal = (grid.node(cell % size, cell // size) for cell in query)
        path, _ = finder.find_path(start, goal, grid)
        return [(node.x, node.y) for node in path]

    return solve


def _scipy(size: int, blocked: frozenset[int], moves: Moves) -> Solve | None:
    import numpy as np
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from scipy.sparse.csgraph import dijkstra  # type: ignore[import-untyped,import-not-found,unused-ignore]

    if moves != FOUR:
        return None
    arcs = [
        (cell, head)
        for cell in range(size * size)
        for head, is_inside in ((cell + 1, (cell + 1) % size), (cell + size, cell + size < size * size))
        if is_inside and cell not in blocked and head not in blocked
    ]
    tails, heads = np.array(arcs).T
    graph = csr_matrix((np.ones(len(arcs)), (tails, heads)), shape=(size * size, size * size))

    def solve(query: Query) -> Path:
        _, before = dijkstra(graph, directed=False, indices=query.start, return_predecessors=True)
        cell = query.goal
        path = [divmod(cell, size)]
        while cell != query.start:
            cell = int(before[cell])
            if cell < 0:
                return []
            path.append(divmod(cell, size))
        return path[::-1]

    return solve


def _walkable(size: int, blocked: frozenset[int]) -> Any:
    import numpy as np

    board = np.ones(size * size, dtype=np.float32)
    board[list(blocked)] = 0
    return board.reshape(size, size)


def _tcod(size: int, blocked: frozenset[int], moves: Moves) -> Solve | None:
    import tcod.path  # type: ignore[import-untyped,import-not-found,unused-ignore]

    if moves == OCTILE:  # it always cuts corners
        return None
    finder = tcod.path.AStar(_walkable(size, blocked).astype("int8"), diagonal=moves.diagonal_cost)

    def solve(query: Query) -> Path:
        start = divmod(query.start, size)
        path: list[tuple[int, int]] = finder.get_path(*start, *divmod(query.goal, size))
        return [start, *path] if path or query.start == query.goal else []

    return solve


def _pyastar2d(size: int, blocked: frozenset[int], moves: Moves) -> Solve | None:
    import numpy as np
    import pyastar2d  # type: ignore[import-untyped,import-not-found,unused-ignore]

    if moves not in (FOUR, KING):  # its diagonal steps cost as much as straight ones
        return None
    board = _walkable(size, blocked)
    board[board == 0] = np.inf

    def solve(query: Query) -> Path:
        ends = (divmod(cell, size) for cell in query)
        path = pyastar2d.astar_path(board, *ends, allow_diagonal=moves == KING)
        found: list[list[int]] = [] if path is None else path.tolist()
        return found

    return solve


def _cstar(size: int, blocked: frozenset[int], moves: Moves) -> Solve | None:
    from cstar.pathfinding import run_astar_2D  # type: ignore[import-untyped,import-not-found,unused-ignore]

    if moves not in (CUTTING, KING):
        return None
    board = _walkable(size, blocked).astype(bool)

    def solve(query: Query) -> Path:
        ends = (*divmod(query.start, size), *divmod(query.goal, size))
        path: list[list[int]] = run_astar_2D(board, *ends, use_uniform_step_cost=moves == KING)[0].tolist()
        return path

    return solve


def _w9(size: int, blocked: frozenset[int], moves: Moves) -> Solve:
    from w9_pathfinding.envs import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
        DiagonalMovement,
        Grid,
    )
    from w9_pathfinding.pf import AStar  # type: ignore[import-untyped,import-not-found,unused-ignore]

    slanted = DiagonalMovement.always if moves.cut_corners else DiagonalMovement.only_when_no_obstacle
    grid = Grid(
        [[-1 if y * size + x in blocked else 1 for x in range(size)] for y in range(size)],
        diagonal_movement=slanted if moves.diagonal_cost else DiagonalMovement.never,
        diagonal_movement_cost_multiplier=moves.diagonal_cost or 1,
    )
    finder = AStar(grid)

    def solve(query: Query) -> Path:
        start, goal = ((cell % size, cell // size) for cell in query)
        path: list[tuple[int, int]] = finder.find_path(start, goal)
        return path

    return solve


CONTENDERS: dict[str, MakeSolver] = {
    "plain flat A*": _plain,
    "networkx astar_path": _networkx,
    "pathfinding AStarFinder": _pathfinding,
    "scipy dijkstra (full)": _scipy,
    "tcod AStar": _tcod,
    "pyastar2d": _pyastar2d,
    "cstar run_astar_2D": _cstar,
    "w9-pathfinding AStar": _w9,
}
