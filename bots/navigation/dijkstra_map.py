"""One Dijkstra map with the goal at its foot: roll downhill, repair the map when the terrain changes.

A step is chosen by its cost + the value it leads to: on maps with diagonals the lowest neighbour alone may be off every
shortest way.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import ClassVar

from bots.navigation.route import Route
from bots.navigation.walker import Walker
from bots.planners.dijkstra_map import DijkstraMap, Terrain, scan
from bots.planners.graph import ArcChange
from bots.planners.grid import SearchGrid
from bots.planners.stats import INF, PlanStats, elapsed_ms


class DijkstraMapRoute:
    """Values of all cells at once: dear at first, then the way from anywhere is known."""

    is_proven = True

    def __init__(self, grid: SearchGrid, goal: int, *, is_rebuilt: bool = False) -> None:
        self._grid = grid
        self._goal = goal
        self._is_rebuilt = is_rebuilt
        self._lattice = _Lattice(grid)
        self._chart: DijkstraMap | None = None
        self._here = goal

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """See `Route`. A map is good for every cell: only changes ask for work."""
        self._here = here
        if self._chart is not None and not changes:
            return None
        begin_s = perf_counter()
        terrain = self._lattice.terrain(changes)
        if self._chart is None or self._is_rebuilt:
            maximum = 2.0 * self._grid.size  # more than any way costs
            self._chart = scan(terrain, {self._goal: 0}, maximum=maximum)
        else:
            self._chart = self._chart.updated({}, terrain=terrain)
        chart = self._chart
        return PlanStats(chart.expanded, chart.generated, chart.frontier, elapsed_ms(perf_counter, begin_s))

    @property
    def cost(self) -> float:
        """See `Route`."""
        chart = self._charted()
        value = chart.values[self._here]
        return INF if value >= chart.maximum else value

    def path(self) -> Sequence[int]:
        """See `Route`."""
        if self.cost == INF:
            return ()
        path = [self._here]
        while path[-1] != self._goal:
            path.append(self._downhill(path[-1]))
        return path

    def next_step(self) -> int | None:
        """See `Route`."""
        return None if self._here == self._goal or self.cost == INF else self._downhill(self._here)

    def _downhill(self, cell: int) -> int:
        """The first with the least cost + value."""
        values = self._charted().values
        return min(self._grid.arcs[cell], key=lambda arc: arc[1] + values[arc[0]])[0]

    def _charted(self) -> DijkstraMap:
        assert self._chart is not None
        return self._chart


class _Lattice:
    """A search grid as terrain: tables are kept, and only what changed is copied anew from the grid.

    On such a grid every step can be taken back, so one table says where steps lead and where they come from.
    """

    def __init__(self, grid: SearchGrid) -> None:
        self._grid = grid
        self._links: list[tuple[int, ...]] = [()] * grid.size
        self._costs: list[tuple[float, ...]] = [()] * grid.size
        self._is_empty = True
        self._walls = frozenset[int]()

    def terrain(self, changes: Sequence[ArcChange[int]]) -> Terrain:
        """The terrain of the grid as it is now; `changes` since the last call."""
        grid, is_uniform = self._grid, self._grid.is_uniform
        cells = {change.tail for change in changes}  # arcs change in pairs: heads are tails too
        if self._is_empty:
            cells, self._is_empty = set(range(grid.size)), False
        for cell in cells:
            arcs = grid.arcs_in[cell]
            self._links[cell] = tuple([tail for tail, _ in arcs])
            if not is_uniform:
                self._costs[cell] = tuple([cost for _, cost in arcs])
        self._walls = self._walls.difference(cells).union([cell for cell in cells if grid.is_blocked(cell)])
        links = tuple(self._links)
        return Terrain(links, links, self._walls, None if is_uniform else tuple(self._costs))


class DijkstraMapBot(Walker):
    """`rebuild`: scan the whole map anew on every change instead of repairing it."""

    planner: ClassVar[str] = "dijkstra_map"

    def __init__(self, *, rebuild: bool = False) -> None:
        super().__init__()
        self._is_rebuilt = rebuild

    def make_route(self, grid: SearchGrid, start: int, goal: int) -> Route:  # noqa: ARG002 - a map has no start
        """See `Walker`."""
        return DijkstraMapRoute(grid, goal, is_rebuilt=self._is_rebuilt)
