"""The same grid queries put to other libraries, where they are installed, and to plain flat-array A*.

Grids are unit cost and 4-connected; building a library's grid or graph is not timed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from statistics import median
from time import process_time
from typing import Any, NamedTuple

INF = float("inf")


class Query(NamedTuple):
    """From cell to cell, flat."""

    start: int
    goal: int


Solve = Callable[[Query], float]  # length of the shortest path, infinite without one
MakeSolver = Callable[[int, frozenset[int]], Solve]  # (side of the board, blocked cells)


def installed_contenders(size: int, blocked: frozenset[int]) -> dict[str, Solve]:
    """Everything that can be imported here, by name."""
    solvers: dict[str, Solve] = {}
    for name, make in CONTENDERS.items():
        try:
            solvers[name] = make(size, blocked)
        except ImportError:
            continue
    return solvers


@dataclass(slots=True)
class Timing:
    """One contender: what it answered, and the mean CPU ms of a query in every round."""

    lengths: list[float] = field(default_factory=list)
    rounds_ms: list[float] = field(default_factory=list)

    @property
    def milliseconds(self) -> float:
        """Of a query, in the median round."""
        return median(self.rounds_ms)

    def times_of(self, other: Timing) -> float:
        """Return how many times as long as the other this one takes, in the median round.

        They took turns, so that both met the same load.
        """
        return median([own / its for own, its in zip(self.rounds_ms, other.rounds_ms, strict=True)])


def time_in_turns(solvers: Mapping[str, Solve], queries: Sequence[Query], *, rounds: int) -> dict[str, Timing]:
    """Every round puts all queries to one contender after the other; a round before the first is not counted."""
    timings = {name: Timing() for name in solvers}
    for number in range(rounds + 1):
        for name, solve in solvers.items():
            begin_s = process_time()
            lengths = [solve(query) for query in queries]
            milliseconds = (process_time() - begin_s) * 1000.0 / len(queries)
            timings[name].lengths = lengths
            if number:
                timings[name].rounds_ms.append(milliseconds)
    return timings


def _plain(size: int, blocked: frozenset[int]) -> Solve:
    """Search as one writes it by hand: a heap of (f, -g, cell), a padded board, neighbours by offset."""
    stride = size + 2
    closed = bytearray(b"\1") * (stride * stride)
    for cell in range(size * size):
        closed[(cell // size + 1) * stride + cell % size + 1] = cell in blocked

    def solve(query: Query) -> float:
        start = (query.start // size + 1) * stride + query.start % size + 1
        goal = (query.goal // size + 1) * stride + query.goal % size + 1
        goal_y, goal_x = divmod(goal, stride)
        done = bytearray(closed)
        best = {start: 0}
        heap = [(0, 0, start)]
        while heap:
            _, minus_cost, cell = heappop(heap)
            if cell == goal:
                return -minus_cost
            if done[cell]:
                continue
            done[cell] = 1
            reached = 1 - minus_cost
            for head in (cell - stride, cell + 1, cell + stride, cell - 1):
                if not done[head] and reached < best.get(head, INF):
                    best[head] = reached
                    y, x = divmod(head, stride)
                    heappush(heap, (reached + abs(x - goal_x) + abs(y - goal_y), -reached, head))
        return INF

    return solve


def _networkx(size: int, blocked: frozenset[int]) -> Solve:
    import networkx as nx  # type: ignore[import-untyped,import-not-found,unused-ignore]

    graph = nx.grid_2d_graph(size, size)
    graph.remove_nodes_from([(cell % size, cell // size) for cell in blocked])

    def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def solve(query: Query) -> float:
        ends = [(cell % size, cell // size) for cell in query]
        try:
            return len(nx.astar_path(graph, *ends, heuristic=distance)) - 1
        except nx.NetworkXNoPath:
            return INF

    return solve


def _pathfinding(size: int, blocked: frozenset[int]) -> Solve:
    from pathfinding.core.grid import Grid  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from pathfinding.finder.a_star import AStarFinder  # type: ignore[import-untyped,import-not-found,unused-ignore]

    grid = Grid(matrix=[[int(y * size + x not in blocked) for x in range(size)] for y in range(size)])
    finder = AStarFinder()

    def solve(query: Query) -> float:
        grid.cleanup()
        start, goal = (grid.node(cell % size, cell // size) for cell in query)
        path, _ = finder.find_path(start, goal, grid)
        return len(path) - 1 if path else INF

    return solve


def _scipy(size: int, blocked: frozenset[int]) -> Solve:
    import numpy as np
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from scipy.sparse.csgraph import dijkstra  # type: ignore[import-untyped,import-not-found,unused-ignore]

    arcs = [
        (cell, head)
        for cell in range(size * size)
        for head, is_inside in ((cell + 1, (cell + 1) % size), (cell + size, cell + size < size * size))
        if is_inside and cell not in blocked and head not in blocked
    ]
    tails, heads = np.array(arcs).T
    graph = csr_matrix((np.ones(len(arcs)), (tails, heads)), shape=(size * size, size * size))

    def solve(query: Query) -> float:
        return float(dijkstra(graph, directed=False, indices=query.start)[query.goal])

    return solve


def _walkable(size: int, blocked: frozenset[int]) -> Any:
    import numpy as np

    board = np.ones(size * size, dtype=np.float32)
    board[list(blocked)] = 0
    return board.reshape(size, size)


def _tcod(size: int, blocked: frozenset[int]) -> Solve:
    import tcod.path  # type: ignore[import-untyped,import-not-found,unused-ignore]

    finder = tcod.path.AStar(_walkable(size, blocked).astype("int8"), diagonal=0)

    def solve(query: Query) -> float:
        path = finder.get_path(*divmod(query.start, size), *divmod(query.goal, size))
        return len(path) if path or query.start == query.goal else INF

    return solve


def _pyastar2d(size: int, blocked: frozenset[int]) -> Solve:
    import numpy as np
    import pyastar2d  # type: ignore[import-untyped,import-not-found,unused-ignore]

    board = _walkable(size, blocked)
    board[board == 0] = np.inf

    def solve(query: Query) -> float:
        path = pyastar2d.astar_path(board, divmod(query.start, size), divmod(query.goal, size), allow_diagonal=False)
        return INF if path is None else len(path) - 1

    return solve


CONTENDERS: dict[str, MakeSolver] = {
    "plain flat A*": _plain,
    "networkx astar_path": _networkx,
    "pathfinding AStarFinder": _pathfinding,
    "scipy dijkstra (full)": _scipy,
    "tcod AStar": _tcod,
    "pyastar2d": _pyastar2d,
}
