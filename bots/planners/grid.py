"""A grid prepared for search: flat cells, priced arcs, exact sums.

Cell (x, y) is the number `y * width + x`. Entering a cell costs its entry cost, times `diagonal_cost` on a diagonal;
a blocked cell has an infinite entry cost and no arcs in or out. A diagonal needs both cells beside it free unless
`cut_corners`. Arcs are made on demand and kept until a cell near them changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.graph import ArcChange, Links, Terrain
from gridjoust.bots.planners.stats import INF

T = TypeVar("T")

# N E S W: the order is the tie-break rule of gridjoust.bots.planners.graph; `_kernels` repeats it (grid.py, steps.py)
STRAIGHT = ((0, -1), (1, 0), (0, 1), (-1, 0))
DIAGONAL = ((1, -1), (1, 1), (-1, 1), (-1, -1))  # NE SE SW NW
_SCALE = 2**30


def exact(cost: float) -> float:
    """Round a cost to a multiple of 2**-30; sums of these below 8 million are exact.

    Otherwise equal paths of octile steps could differ in their last digit: ties would depend on rounding, and D* Lite,
    which stops on a comparison of sums, might stop a step too early. Whole numbers are exact already.
    """
    return cost if isinstance(cost, int) or cost == INF else round(cost * _SCALE) / _SCALE


SQRT2 = exact(2**0.5)  # error: 4e-10


class Lazy(dict[int, T]):
    """A table that makes a missing entry when it is first read."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, cell: int) -> T:
        value = self[cell] = self._make(cell)
        return value


class SearchGrid:
    """A board whose entry costs may change; several planners may share one.

    `neighbours[cell]`, `arcs[cell]` and `arcs_in[cell]` are the tables of the hot loops: heads, (head, cost) and (tail,
    cost), all in tie-break order.
    """

    def __init__(
        self,
        width: int,
        height: int,
        *,
        blocked: Iterable[int] = (),
        costs: Sequence[float] | None = None,
        connectivity: int = 4,
        diagonal_cost: float = SQRT2,
        cut_corners: bool = False,
        least_cost: float = 1,
    ) -> None:
        """Set up the board; ValueError says what does not fit.

        Args:
            width: number of columns
            height: number of rows
            blocked: numbers of cells that cannot be entered
            costs: cost of entering each cell; by default 1
            connectivity: 4, or 8 with diagonal steps
            diagonal_cost: a diagonal step costs this times the entry cost; 1 to 2
            cut_corners: allow diagonal steps past a blocked corner
            least_cost: no cell may ever cost less, as the heuristics rely on it
        """
        _check_shape(width, height, connectivity, diagonal_cost)
        self.width = width
        self.height = height
        self.connectivity = connectivity
        self.diagonal_cost = exact(diagonal_cost)
        self.cut_corners = cut_corners
        self.least_cost = exact(least_cost)
        self.entry_costs: list[float] = [1] * (width * height) if costs is None else [exact(cost) for cost in costs]
        for cell in blocked:
            self.entry_costs[cell] = INF
        if len(self.entry_costs) != width * height:
            raise ValueError(f"costs: expected {width * height}, one for each cell, got {len(self.entry_costs)}")
        self._check_costs(self.entry_costs)
        self._dear = sum(cost not in (1, INF) for cost in self.entry_costs)
        self._moves = STRAIGHT if connectivity == 4 else STRAIGHT + DIAGONAL
        self.xs = [cell % width for cell in range(width * height)]
        self.ys = [cell // width for cell in range(width * height)]
        self.neighbours: Lazy[tuple[int, ...]] = Lazy(self._make_neighbours)
        self.arcs: Lazy[tuple[tuple[int, float], ...]] = Lazy(self._make_arcs)
        self.arcs_in: Lazy[tuple[tuple[int, float], ...]] = Lazy(self._make_arcs_in)
        self._rows: _Rows | None = None  # made by the first call of `terrain`
        self._packed: Any = None  # made by the first call of `packed`

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.width * self.height

    @property
    def has_equal_costs(self) -> bool:
        """True if it costs 1 to enter any free cell; diagonal steps may cost more."""
        return self._dear == 0

    @property
    def is_uniform(self) -> bool:
        """True if every arc costs 1."""
        return self.has_equal_costs and (self.connectivity == 4 or self.diagonal_cost == 1)

    def index(self, x: int, y: int) -> int:
        """Return the flat number of a cell; ValueError outside the board."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise ValueError(f"cell: expected one on a {self.width} x {self.height} board, got ({x}, {y})")
        return y * self.width + x

    def place(self, cell: int) -> tuple[int, int]:
        """Return (x, y) of a flat number."""
        return self.xs[cell], self.ys[cell]

    def is_blocked(self, cell: int) -> bool:
        """Return True if the cell cannot be entered or left."""
        return self.entry_costs[cell] == INF

    def terrain(self) -> Terrain:
        """Return the board as it is now, for Dijkstra maps; only cells changed since the last call are read again.

        Every step leads both ways, so one table serves as `out` and `into`.
        """
        if self._rows is None:
            self._rows = _Rows(self)
        return self._rows.terrain()

    def packed(self) -> Any:
        """Return the board in the form that the kernels read; it is kept up to date."""
        if self._packed is None:
            least, diagonal = self.least_cost, self.diagonal_cost
            saving = exact(diagonal * least) - 2 * least
            self._packed = kernels.active.pack_board(
                self.width, self.height, self.connectivity == 8, self.cut_corners, diagonal, least, saving,
                self.entry_costs,
            )  # fmt: skip
        return self._packed

    def change(self, costs: Mapping[int, float]) -> list[ArcChange[int]]:
        """Set entry costs (infinite = blocked) and return the arcs whose price changed, for D* Lite's `update`."""
        wanted = {cell: exact(cost) for cell, cost in costs.items()}
        self._check_costs(wanted.values())
        fresh = [(cell, cost) for cell, cost in wanted.items() if cost != self.entry_costs[cell]]
        if kernels.active is not None:
            changed: list[ArcChange[int]] = (
                kernels.active.change_costs(self.packed(), fresh, ArcChange) if fresh else []
            )
            for cell, cost in fresh:
                self._set(cell, cost)
            return changed
        self._packed = None
        changes: dict[tuple[int, int], tuple[float, float]] = {}
        for cell, cost in fresh:
            self._change_one(cell, cost, changes)
        return [ArcChange(*arc, *prices) for arc, prices in changes.items() if prices[0] != prices[1]]

    def _change_one(self, cell: int, cost: float, changes: dict[tuple[int, int], tuple[float, float]]) -> None:
        before = self._arcs_through(cell)
        self._set(cell, cost)
        after = self._arcs_through(cell)
        for arc in before | after:
            known = changes[arc][0] if arc in changes else before.get(arc, INF)
            changes[arc] = known, after.get(arc, INF)

    def _set(self, cell: int, cost: float) -> None:
        """Set a cell's entry cost and drop the table entries that were made from the old one."""
        self._dear += (cost not in (1, INF)) - (self.entry_costs[cell] not in (1, INF))
        self.entry_costs[cell] = cost
        if self._rows is None and not (self.neighbours or self.arcs or self.arcs_in):
            return
        touched = (cell, *self._around(cell))
        if self._rows is not None:
            self._rows.stale.update(touched)
        for near in touched:
            self.neighbours.pop(near, None)
            self.arcs.pop(near, None)
            self.arcs_in.pop(near, None)

    def _arcs_through(self, cell: int) -> dict[tuple[int, int], float]:
        """Return (tail, head) -> price of arcs that depend on this cell: its own, and diagonals past its corners."""
        arcs = {(cell, head): price for head, price in self.arcs[cell]}
        for tail, price in self.arcs_in[cell]:
            arcs[tail, cell] = price
        if self.connectivity == 8 and not self.cut_corners:
            straight = self._straight(cell)
            for tail in straight:
                across = self.xs[tail] != self.xs[cell]
                for head, price in self.arcs[tail]:
                    if head in straight and (self.xs[head] != self.xs[cell]) != across:
                        arcs[tail, head] = price
        return arcs

    def estimate_to(self, goals: Collection[int]) -> Callable[[int], float]:
        """Return a consistent estimate of the cost from a cell to the nearest goal; symmetric, as D* Lite needs it."""
        if len(goals) == 1:
            (goal,) = goals
            return self._estimate_to_one(goal)
        estimates = [self._estimate_to_one(goal) for goal in goals]
        return lambda cell: min([estimate(cell) for estimate in estimates], default=0)

    def _estimate_to_one(self, goal: int) -> Callable[[int], float]:
        """Return the Manhattan, Chebyshev or octile distance, whichever is exact on an empty board."""
        xs, ys, least = self.xs, self.ys, self.least_cost
        goal_x, goal_y = xs[goal], ys[goal]
        if self.connectivity == 4:
            return lambda cell: (abs(xs[cell] - goal_x) + abs(ys[cell] - goal_y)) * least
        saving = exact(self.diagonal_cost * least) - 2 * least  # what a diagonal saves against two straight steps; <= 0

        def octile(cell: int) -> float:
            across, down = abs(xs[cell] - goal_x), abs(ys[cell] - goal_y)
            return (across + down) * least + (across if across < down else down) * saving

        return octile

    def _straight(self, cell: int) -> list[int]:
        """Return the free cells N, E, S and W of a free cell, in that order."""
        costs, width, x = self.entry_costs, self.width, self.xs[cell]
        near: list[int] = []
        if costs[cell] == INF:
            return near
        if cell >= width and costs[cell - width] < INF:
            near.append(cell - width)
        if x + 1 < width and costs[cell + 1] < INF:
            near.append(cell + 1)
        if cell + width < len(costs) and costs[cell + width] < INF:
            near.append(cell + width)
        if x and costs[cell - 1] < INF:
            near.append(cell - 1)
        return near

    def _slanted(self, cell: int, straight: list[int]) -> list[int]:
        """Return the free cells one allowed diagonal away; `straight` are the free cells N, E, S and W of the cell."""
        costs, width, x = self.entry_costs, self.width, self.xs[cell]
        if self.connectivity == 4 or costs[cell] == INF:
            return []
        near = []
        for across, down in DIAGONAL:
            head = cell + down * width + across
            if not (0 <= x + across < width and 0 <= head < len(costs) and costs[head] < INF):
                continue
            if self.cut_corners or (cell + across in straight and cell + down * width in straight):
                near.append(head)
        return near

    def _make_neighbours(self, cell: int) -> tuple[int, ...]:
        straight = self._straight(cell)
        return (*straight, *self._slanted(cell, straight))

    def _make_arcs(self, cell: int) -> tuple[tuple[int, float], ...]:
        costs, diagonal, straight = self.entry_costs, self.diagonal_cost, self._straight(cell)
        slanted = [(head, exact(costs[head] * diagonal)) for head in self._slanted(cell, straight)]
        return (*[(head, costs[head]) for head in straight], *slanted)

    def _make_arcs_in(self, cell: int) -> tuple[tuple[int, float], ...]:
        cost, straight = self.entry_costs[cell], self._straight(cell)
        slanted = self._slanted(cell, straight)
        slanted_cost = exact(cost * self.diagonal_cost) if slanted else INF
        return (*[(tail, cost) for tail in straight], *[(tail, slanted_cost) for tail in slanted])

    def _around(self, cell: int) -> list[int]:
        """Return every cell whose arcs depend on this one, blocked or not."""
        x, y, width = self.xs[cell], self.ys[cell], self.width
        spots = [(x + across, y + down) for across, down in self._moves]
        return [down * width + across for across, down in spots if 0 <= across < width and 0 <= down < self.height]

    def _check_costs(self, costs: Collection[float]) -> None:
        for cost in costs:
            if not cost >= self.least_cost > 0:
                raise ValueError(f"entry cost: expected at least least_cost = {self.least_cost:g} > 0, got {cost!r}")


def _check_shape(width: int, height: int, connectivity: int, diagonal_cost: float) -> None:
    if width < 1 or height < 1:
        raise ValueError(f"board: expected at least 1 x 1, got {width} x {height}")
    if connectivity not in (4, 8):
        raise ValueError(f"connectivity: expected 4 or 8, got {connectivity}")
    if not 1 <= diagonal_cost <= 2:
        raise ValueError(f"diagonal_cost: expected 1 to 2, got {diagonal_cost:g}")


class _Rows:
    """Makes the tables of a `Terrain` from a grid's arcs and keeps them from call to call."""

    def __init__(self, grid: SearchGrid) -> None:
        self.stale = set(range(grid.size))  # cells to read again
        self._grid = grid
        self._tails: list[tuple[int, ...]] = [()] * grid.size
        self._costs: list[tuple[float, ...]] = [()] * grid.size
        self._walls = frozenset[int]()

    def terrain(self) -> Terrain:
        grid = self._grid
        for cell in self.stale:
            arcs = grid.arcs_in[cell]
            self._tails[cell] = tuple([tail for tail, _ in arcs])
            self._costs[cell] = tuple([cost for _, cost in arcs])
        self._walls = self._walls.difference(self.stale).union([cell for cell in self.stale if grid.is_blocked(cell)])
        self.stale.clear()
        links = tuple(self._tails)
        return Terrain(links, links, self._walls, None if grid.is_uniform else tuple(self._costs))


def open_terrain(width: int, height: int, *, walls: Iterable[int] = ()) -> Terrain:
    """Make a board with 4 neighbours and steps of cost 1 without a `SearchGrid`, for maps made anew every turn.

    >>> open_terrain(3, 2, walls=[1]).neighbours(4)
    [5, 3]

    Args:
        width: of the board, in cells
        height: of the board, in cells
        walls: numbers of the blocked cells, `y * width + x`
    """
    links = _lattice(width, height)
    return Terrain(links, links, frozenset(walls))


@lru_cache(maxsize=64)
def _lattice(width: int, height: int) -> Links:
    return tuple(
        tuple((y + dy) * width + x + dx for dx, dy in STRAIGHT if 0 <= x + dx < width and 0 <= y + dy < height)
        for y in range(height)
        for x in range(width)
    )
