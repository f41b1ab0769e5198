"""The task of a turn, the result of a search, and measures of a cell's distance to the goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.games.bitset import mask_of, members
from gridjoust.games.placement.actions import Plan
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import Board, Mask, Rings, closest, manhattan_rings

MANHATTAN_WEIGHT = 2  # steps that a cell of this distance counts in a frontier: detours, and a share of a piece
VOID_COST = 3  # steps that a Void cell counts on a path: itself, and its share of a piece
FAR = 10**6

IsOver = Callable[[], bool]
NEVER: IsOver = bool  # bool() is False: a deadline that never comes


@dataclass(frozen=True, slots=True)
class Task:
    """One turn to plan: get as near to `goals` as possible, then with few steps, then with few pieces.

    `rings`: sets of the cells at distance 0, 1, 2 … from a goal; by default by Manhattan distance. `dead`: Void cells
    that no piece will ever cover. `work` counts what tactics generate.
    """

    position: Position
    goals: Mask
    rings: Rings = ()
    dead: Mask = 0
    work: Budget = field(default=UNLIMITED, compare=False)

    def nearness(self) -> Rings:
        """Return the sets of cells at distance 0, 1, 2 … from the nearest goal, as the search measures it."""
        return self.rings or manhattan_rings(self.position.board, self.goals)

    @property
    def weight(self) -> int:
        """Weight of the distance left, compared with steps, in a frontier's ranks; see `study.placement_ranks`."""
        return 1 if self.rings else MANHATTAN_WEIGHT

    @property
    def buildable(self) -> Mask:
        """Void cells that may still become Floor."""
        return self.position.void & ~self.dead


def aimed_at(task: Task, goals: Mask) -> Task:
    """Return the task with other goals; its distances are prices of walking and building (see `toll_rings`)."""
    position = task.position
    rings = toll_rings(position.board, position.floor, task.buildable, goals, task.work)
    return replace(task, goals=goals, rings=rings)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure on the board: its cell, and the bit set of the goals that it still misses."""

    cell: int
    goals: Mask


@dataclass(frozen=True, slots=True)
class Scene:
    """A bot's question: the turn to plan, and the rivals."""

    task: Task
    rivals: tuple[Figure, ...]
    min_cells: int  # of the smallest piece in the match


class Standing(NamedTuple):
    """The least distance to a goal that a figure can reach, and the steps to get there; smaller is better."""

    distance: int  # left to the goal
    steps: int

    def rank(self, weight: int = 1) -> tuple[int, int]:
        """Return the sort key of a frontier: A*'s f = steps + `weight` × distance left, then the distance left."""
        return weight * self.distance + self.steps, self.distance


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search: the plan found that ends nearest to a goal, and what the search cost.

    `is_stopped`: time or budget ran out before the search ended.
    """

    plan: Plan
    distance: int
    steps: int
    pieces: int
    cost: PlanStats = field(compare=False)
    is_stopped: bool = False
    others: tuple[Plan, ...] = ()  # further plans worth comparing, best first

    @property
    def key(self) -> tuple[int, int, int]:
        """Sort key (distance left, steps, pieces); smaller is better."""
        return self.distance, self.steps, self.pieces


@lru_cache(maxsize=64)
def distance_table(rings: Rings) -> dict[int, int]:
    """Return cell -> its distance to the nearest goal, from the sets of cells at each distance."""
    return {cell: number for number, ring in enumerate(rings) for cell in members(ring)}


def toll_rings(board: Board, floor: Mask, void: Mask, goals: Mask, work: Budget) -> Rings:
    """Return, for each price 0, 1, 2 …, the set of cells whose cheapest path to the nearest goal costs so much.

    A Floor cell on it costs 1, a Void cell `VOID_COST`. `void` are the Void cells that may become Floor; cells in
    neither set are never crossed and are in no result.
    """
    return tuple(_toll_layers(board, floor, void, goals, work))


def toll_distance(board: Board, floor: Mask, void: Mask, start: int, goals: Mask, work: Budget) -> int:
    """Return the price of a path from a cell to the nearest goal as in `toll_rings`; `FAR` if there is no path."""
    target = 1 << start
    layers = _toll_layers(board, floor, void, goals, work)
    return next((cost for cost, ring in enumerate(layers) if ring & target), FAR)


def toll_distances(
    board: Board, floor: Mask, void: Mask, goal: int, cells: Sequence[int], work: Budget
) -> dict[int, int]:
    """Return cell -> price of its cheapest path to the goal, for each of the cells; `FAR` if there is none."""
    costs = dict.fromkeys(cells, FAR)
    left = mask_of(cells)
    for cost, ring in enumerate(_toll_layers(board, floor, void | left, 1 << goal, work)):
        if met := ring & left:
            costs.update(dict.fromkeys(members(met), cost))
            left ^= met
            if not left:
                break
    return costs


def _toll_layers(board: Board, floor: Mask, void: Mask, goals: Mask, work: Budget) -> Iterator[Mask]:
    """Yield the sets of cells whose path to a goal costs 0, 1, 2 …: Dijkstra's algorithm on sets of cells.

    The cost of a cell is paid by cells that step into it: 1 if it is Floor, else `VOID_COST`.
    """
    unseen = floor | void | goals
    waiting = {0: goals}
    cost = 0
    while waiting:
        layer = waiting.pop(cost, 0) & unseen
        unseen &= ~layer
        yield layer
        for cells, toll in ((layer & floor, 1), (layer & ~floor, VOID_COST)):
            near = board.spread(cells) & unseen
            if near:
                work.count_tactics(near.bit_count())
                waiting[cost + toll] = waiting.get(cost + toll, 0) | near
        cost += 1


def cells_of(layers: Iterable[Mask]) -> int:
    """Return the number of cells in these layers: the successors of the flood that has made them."""
    return sum([layer.bit_count() for layer in layers])


def walkable(position: Position) -> int:
    """Return the most cells that a walk of one turn can reach, which bounds what its flood generates."""
    return min(2 * position.moves * (position.moves + 1), position.board.inside.bit_count())


def standing_of(rings: Rings, layers: Sequence[Mask]) -> Standing:
    """Return how near to a goal the layers (cells by steps) come, and in how many steps."""
    distance, steps, _ = closest(rings, layers)
    return Standing(distance, steps)
