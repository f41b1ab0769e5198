"""Ways over a board where Void has its price, and pieces fitted along them as the figure goes down. Looks no further.

A Floor cell costs 1, a Void cell `VOID_COST`, its share of a piece included. The way is the cheapest by a Dijkstra map
or by D* Lite; in front of the Void the piece is laid that covers most of the way ahead. Where none fits, the cell is
taken for a wall and the way is found again, by an update of the map or a repair of the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from bots.placement.frontiers import NEVER, IsOver
from bots.placement.potential import Potential, potential_placements
from bots.placement.shapes import pre_rotate, unlike
from bots.placement.task import VOID_COST, Found, SearchCost, Task
from bots.planners.dijkstra_map import DijkstraMap, scan
from bots.planners.dstar_lite import GridDStarLite
from bots.planners.grid import SearchGrid
from games.placement.actions import Plan, Walk
from games.placement.board import Board, Mask, bits, closest, path_back, walk_layers

MAX_DETOURS = 8  # cells that may turn out not to be covered, before the best attempt stands
INF = float("inf")


class Slope(Protocol):
    """A way to the goals that can be asked to avoid a cell."""

    def way(self, cell: int) -> list[int]:
        """The cells after this one on the way; empty if there is none."""

    def avoid(self, cell: int) -> None:
        """Take the cell for a wall from now on."""

    def cost(self) -> SearchCost:
        """What the search has cost so far."""


def flat(board: Board, mask: Mask) -> list[int]:
    """Cells of a set as the planners number them: without the extra column."""
    return [y * board.width + x for x, y in board.cells(mask)]


def entry_costs(task: Task) -> list[float]:
    """What each cell costs to enter, row by row; what no piece will ever cover is a wall."""
    board = task.position.board
    costs: list[float] = [INF] * (board.width * board.height)
    for cell in flat(board, task.buildable):
        costs[cell] = VOID_COST
    for cell in flat(board, task.position.floor):
        costs[cell] = 1
    return costs


class MapSlope:
    """A Dijkstra map of the goals, rolled downhill."""

    def __init__(self, task: Task) -> None:
        board = task.position.board
        self._board = board
        self._grid = SearchGrid(board.width, board.height, costs=entry_costs(task))
        goals = dict.fromkeys(flat(board, task.goals), 0.0)
        self._map: DijkstraMap = scan(self._grid.terrain(), goals, maximum=float(VOID_COST * self._grid.size))
        self._cost = SearchCost(self._map.generated, self._map.expanded, self._map.frontier)

    def way(self, cell: int) -> list[int]:
        """Down the map, always to the neighbour through which the goal is cheapest; first of N E S W among equals."""
        x, y = self._board.cell(cell)
        values = self._map.values
        here = y * self._board.width + x
        way: list[int] = []
        while values[here] > 0:
            ahead, _ = min(self._grid.arcs[here], key=lambda arc: values[arc[0]] + arc[1], default=(here, 0))
            if values[ahead] >= values[here]:
                return []
            here = ahead
            way.append(here // self._board.width * self._board.stride + here % self._board.width)
        return way

    def avoid(self, cell: int) -> None:
        """Update the map for one more wall."""
        x, y = self._board.cell(cell)
        self._grid.change({y * self._board.width + x: INF})
        self._map = self._map.updated({}, terrain=self._grid.terrain())
        self._cost.generated += self._map.generated
        self._cost.expanded += self._map.expanded

    def cost(self) -> SearchCost:
        """Cells of the maps."""
        return self._cost


class RepairedSlope:
    """D* Lite to one goal, kept from turn to turn and repaired as the board changes."""

    def __init__(self, task: Task, goal: int) -> None:
        board = task.position.board
        self._board = board
        self._grid = SearchGrid(board.width, board.height, costs=entry_costs(task))
        self._planner = GridDStarLite(self._grid, self._flat(task.position.cell), self._flat(goal))
        self._cost = SearchCost()

    def _flat(self, cell: int) -> int:
        x, y = self._board.cell(cell)
        return y * self._board.width + x

    def repair(self, task: Task) -> None:
        """The board as it is now: only cells whose price has changed are looked at."""
        self._planner.change(dict(enumerate(entry_costs(task))))
        self._cost = SearchCost()

    def price(self, cell: int) -> float:
        """The cost of the way from a cell; infinite without one."""
        self._planner.move_start(self._flat(cell))
        stats = self._planner.search()
        self._cost.expanded += stats.expanded
        self._cost.generated += stats.generated
        self._cost.frontier = max(self._cost.frontier, stats.frontier)
        return self._planner.cost

    def way(self, cell: int) -> list[int]:
        """D* Lite's path."""
        if self.price(cell) == INF:
            return []
        cells = self._planner.path()[1:]
        return [other // self._board.width * self._board.stride + other % self._board.width for other in cells]

    def avoid(self, cell: int) -> None:
        """One cell gets an infinite price."""
        self._planner.change({self._flat(cell): INF})

    def cost(self) -> SearchCost:
        """Cells that were expanded again since the last `repair`."""
        return self._cost


def plan_map(task: Task, *, is_over: IsOver = NEVER) -> Found:
    """Down the Dijkstra map of the goals."""
    return plan_down(task, MapSlope(task), is_over=is_over)


def plan_dstar(task: Task, *, is_over: IsOver = NEVER) -> Found:
    """Down a D* Lite path made for this task alone, to the goal with the cheapest way."""
    slopes = [RepairedSlope(task, goal) for goal in bits(task.goals)]
    cheapest = min(slopes, key=lambda slope: slope.price(task.position.cell))
    return plan_down(task, cheapest, is_over=is_over)


def plan_down(task: Task, slope: Slope, *, is_over: IsOver = NEVER) -> Found:
    """Go down the slope and lay pieces where it leads over Void; the best of several attempts."""
    found = _attempt(task, ())
    for _ in range(MAX_DETOURS):
        laid, stuck = lay_along(task, slope.way(task.position.cell))
        attempt = _attempt(task, laid)
        found = min(found, attempt, key=lambda plan: plan.key)
        if stuck is None or is_over():
            break
        slope.avoid(stuck)
    return replace(found, cost=slope.cost())


def lay_along(task: Task, way: Sequence[int]) -> tuple[list[Potential], int | None]:
    """The pieces for as much of the way as the moves last, and the first cell that none of those left covers."""
    position = task.position
    floor = position.floor
    laid: list[Potential] = []
    ways = pre_rotate(position.hand, reflect=position.reflect)
    for number, cell in enumerate(way[: position.moves]):
        if floor >> cell & 1:
            continue
        used = {placement.turned.piece for placement in laid}
        left = [piece for piece in range(len(position.hand)) if piece not in used]
        if not left:
            break
        kinds = unlike(position.hand, left, reflect=position.reflect)
        void = position.board.inside & ~position.walls & ~floor
        choice = potential_placements(
            position.board, void, 1 << cell, [lying for piece in kinds for lying in ways[piece]]
        )
        if not choice:
            return laid, cell
        ahead = way[number:]
        laid.append(max(choice, key=lambda placement: _use(placement.mask, floor, ahead)))
        floor |= laid[-1].mask
    return laid, None


def _use(mask: Mask, floor: Mask, ahead: Iterable[int]) -> tuple[int, int]:
    """(cells of the way that can then be walked, minus the cells of the piece): the smallest of the best is laid."""
    walked = 0
    for cell in ahead:
        if not (floor | mask) >> cell & 1:
            break
        walked += 1
    return walked, -mask.bit_count()


def _attempt(task: Task, laid: Sequence[Potential]) -> Found:
    position = task.position
    floor = position.floor
    for placement in laid:
        floor |= placement.mask
    layers = walk_layers(position.board, floor, 1 << position.cell, position.moves)
    distance, steps, ends = closest(task.nearness(), layers)
    walk = path_back(position.board, layers, next(bits(ends)))
    parts = tuple(placement.place(position.board) for placement in laid)
    plan = Plan((*parts, Walk(walk)) if walk else parts)
    return Found(plan, distance, steps, len(laid), SearchCost())
