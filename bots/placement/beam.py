"""Steps 7 and 9 of the article: the search in passes over two frontiers, the nearest plan if no path exists; its bot.

A state is the pathability map, the pieces left, and every position in reach with the steps to it. Laying a piece costs
no moves and the figure need not be near, so every order of walking and laying has the result of "lay all, then walk".
The first frontier, normal moves, is a flood over Floor. The second holds states that need a placement: one for every
piece, orientation and corner that covers a cell beside the reach. It is pruned to the best `width` by A*'s f = steps +
distance left (Manhattan distance counts twice), and becomes the first frontier of the next pass. There is one pass for
every piece and one more. As a beam search it is incomplete.

Pieces that the figure cannot step to at once are not tried, which loses nothing: a walk uses its pieces in some order,
and laid in that order each of them is beside the reach. `gridjoust.bots.placement` names the article.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import ClassVar, NamedTuple

from gridjoust.bots.placement.builder import Builder
from gridjoust.bots.placement.flood import Flood, make_flood
from gridjoust.bots.placement.potential import FitCache, Left, Potential, placements_left, plan_to
from gridjoust.bots.placement.task import NEVER, Found, IsOver, Scene, Standing, Task, cells_of, standing_of, walkable
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.games.bitset import members
from gridjoust.games.placement.actions import Plan
from gridjoust.games.placement.board import Mask, Rings, closest, manhattan_rings, walk_layers

WIDTH = 16  # the article's width, found by counting generated states against plans found
OTHERS = 8  # further plans that are passed on, besides the best with each number of pieces
FIRST_WIDTH = 2  # the bot always finishes this search


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A state of the first frontier: the board after some pieces, how far the figure walks on it, and those pieces."""

    floor: Mask
    left: Left
    layers: list[Mask]  # cells by the steps to them, all within the moves of the turn
    standing: Standing
    laid: tuple[Potential, ...]

    @property
    def merit(self) -> tuple[int, int, int]:
        """The sort key of a plan that ends here: distance, steps, pieces; smaller is better."""
        return *self.standing, len(self.laid)


class Candidate(NamedTuple):
    """A state that `expand` found: its parent, the piece laid, and how near the goal the figure then gets."""

    standing: Standing
    parent: Node
    placement: Potential


Score = Callable[[Task, Rings, Node, Sequence[Potential]], tuple[list[Standing], int]]  # and successors generated


@dataclass(slots=True)
class Search:
    """The task, cache and counts that all passes of one search share."""

    task: Task
    rings: Rings
    cache: FitCache
    cost: PlanStats = field(default_factory=PlanStats)
    budget: Budget = UNLIMITED
    flood: Flood | None = None  # a compiled kernel; it replaces the cache and the walks in pure Python


def first_node(search: Search) -> Node:
    """Return the state before any piece is laid, as a node of the first frontier."""
    position = search.task.position
    left = tuple(range(len(position.hand)))
    layers = walk_layers(position.board, position.floor, 1 << position.cell, position.moves)
    search.cost.generated += search.budget.spend(cells_of(layers[1:]))
    return Node(position.floor, left, layers, standing_of(search.rings, layers), ())


def expand(search: Search, node: Node, score: Score) -> list[Candidate]:
    """Return every state that one more placement leads to from this one."""
    search.cost.expanded += 1
    if search.flood is not None:
        candidates: list[Candidate]
        candidates, walked = search.flood.candidates(node.floor, node.left, node, Candidate)
    else:
        placements = search.cache.look_up((node.floor, node.left), lambda: placements_in_reach(search, node))
        standings, walked = score(search.task, search.rings, node, placements)
        candidates = [Candidate(standing, node, placed) for standing, placed in zip(standings, placements, strict=True)]
    search.cost.generated += search.budget.spend(walked + len(candidates))
    return candidates


def placements_in_reach(search: Search, node: Node) -> list[Potential]:
    """Return the placements of the pieces left that cover a cell to which the figure could step; equal ones once."""
    position = search.task.position
    reached = sum(node.layers[: position.moves])  # adding is a union, as layers share no cell
    return placements_left(position, node.floor, node.left, position.board.spread(reached))


def score_one_by_one(
    task: Task, rings: Rings, node: Node, placements: Sequence[Potential]
) -> tuple[list[Standing], int]:
    """Return (how near the goal the figure gets with each placement, cells walked to), by one walk each to the goal."""
    standings, cells = [], 0
    for placement in placements:
        kept = layers_kept(task, node, placement.mask)
        walked = walk_on(task, node, placement.mask, kept, until=rings[0])
        cells += cells_of(walked)
        standings.append(standing_of(rings, kept + walked))
    return standings, cells


def layers_kept(task: Task, node: Node, mask: Mask) -> list[Mask]:
    """Return the node's layers (cells by steps) up to the first with a cell beside `mask`.

    They stay the same if `mask` becomes Floor.
    """
    beside = task.position.board.spread(mask)
    return node.layers[: next(number for number, layer in enumerate(node.layers) if layer & beside) + 1]


def walk_on(task: Task, node: Node, mask: Mask, kept: list[Mask], *, until: Mask = 0) -> list[Mask]:
    """Return the layers that follow the kept ones if `mask` is Floor too, up to the first that meets `until`."""
    board, seen, fresh = task.position.board, sum(kept), kept[-1]
    left = (node.floor | mask) & ~seen
    layers: list[Mask] = []
    for _ in range(0 if seen & until else task.position.moves - len(kept) + 1):
        fresh = board.spread(fresh) & left
        if not fresh:
            break
        left ^= fresh
        layers.append(fresh)
        if fresh & until:
            break
    return layers


def plan_beam(
    task: Task,
    *,
    width: int = WIDTH,
    score: Score = score_one_by_one,
    is_over: IsOver = NEVER,
    cache: FitCache | None = None,
    budget: Budget = UNLIMITED,
    passes: list[list[Node]] | None = None,
) -> Found:
    """Return the best plan of a beam search in passes, each of which lays one more piece.

    It ends when no piece is left, no plan can be better, or time or budget is used up. If the budget runs short,
    fewer of the last states are kept.

    By default it scores as the article does: every placement is laid and walked on its own, by a compiled kernel if
    there is one. Only searches of one turn may share a `cache`. Hits in it count as reused, except with this score: its
    kernel looks nothing up, and costs must not depend on which code runs. The first frontier of each pass is appended
    to `passes`.
    """
    rings = task.nearness()
    has_kernel = score is score_one_by_one
    flood = make_flood(task, rings) if has_kernel else None
    search = Search(task, rings, FitCache() if cache is None else cache, budget=budget, flood=flood)
    expanding = budget.keeping(2 * walkable(task.position))  # the best two states are then walked from
    hits_before = search.cache.hits
    frontier = [first_node(search)]
    ended = list(frontier)
    if passes is not None:
        passes.append(frontier)
    is_stopped = False
    while frontier and not is_stopped and not _is_perfect(search, ended):
        second: list[Candidate] = []
        for node in frontier:
            if is_stopped := is_over() or expanding.is_spent:
                break
            second += expand(search, node, score)
        search.cost.frontier = max(search.cost.frontier, len(second))
        frontier = prune(search, second, width)
        if passes is not None:
            passes.append(frontier)
        ended += [*frontier, *prune(search, sorted(second, key=itemgetter(0))[:1], 1)]
    search.cost.reused = 0 if has_kernel else search.cache.hits - hits_before
    return closest_plan(search, ended, is_stopped=is_stopped)


def prune(search: Search, second: Iterable[Candidate], width: int) -> list[Node]:
    """Return the best `width` of these states as nodes, without duplicates; ties keep their order.

    If the budget is spent before, fewer are returned.
    """
    kept: dict[tuple[Mask, Left], Node] = {}
    weight = search.task.weight
    for candidate in sorted(second, key=lambda state: state.standing.rank(weight)):
        parent, placement = candidate.parent, candidate.placement
        floor = parent.floor | placement.mask
        left = tuple(piece for piece in parent.left if piece != placement.turned.piece)
        if search.budget.is_spent:
            break
        if (floor, left) not in kept:
            layers = walk(search, floor)
            kept[floor, left] = Node(floor, left, layers, candidate.standing, (*parent.laid, placement))
            if len(kept) == width:
                break
    return list(kept.values())


def walk(search: Search, floor: Mask) -> list[Mask]:
    """Return the sets of cells first reached in 0, 1, 2 … steps; these cells count as successors."""
    position, flood = search.task.position, search.flood
    layers = (
        walk_layers(position.board, floor, 1 << position.cell, position.moves) if flood is None else flood.walk(floor)
    )
    search.cost.generated += search.budget.spend(cells_of(layers[1:]))
    return layers


def _is_perfect(search: Search, ended: Sequence[Node]) -> bool:
    """Return True if a plan reaches a goal in as few steps as its Manhattan distance, so that none can be better."""
    position = search.task.position
    rings = manhattan_rings(position.board, search.task.goals)
    fewest = next(n for n, ring in enumerate(rings) if ring >> position.cell & 1)
    return any(node.standing == (0, fewest) for node in ended)


def closest_plan(search: Search, ended: Sequence[Node], *, is_stopped: bool) -> Found:
    """Return the plan to the state nearest to the goal over all passes, with the plans to some other states.

    Step 9 of the article. The other plans begin with the best one for each other number of pieces, since one that lays
    fewer may serve other aims.
    """
    best, *rest = sorted(ended, key=attrgetter("merit"))
    frugal: dict[int, Node] = {}
    for node in rest:
        if len(node.laid) != len(best.laid):
            frugal.setdefault(len(node.laid), node)
    others = tuple(plan_of(search, node) for node in dict.fromkeys([*frugal.values(), *rest[:OTHERS]]))
    return Found(plan_of(search, best), *best.merit, search.cost, is_stopped, others)


def plan_of(search: Search, node: Node) -> Plan:
    """Return the plan of a state: lay its pieces in order, then walk to its cell nearest to a goal."""
    _, _, ends = closest(search.rings, node.layers)
    return plan_to(search.task.position.board, node.laid, node.layers, members(ends)[0])


def reached_by(task: Task, passes: Iterable[Iterable[Node]]) -> dict[tuple[int, int], float]:
    """Return cell -> the fewest pieces with which a kept state reaches it; `passes` are in order of pieces."""
    board, found = task.position.board, dict[tuple[int, int], float]()
    for pieces, frontier in enumerate(passes):
        for reached in {mask for node in frontier for mask in node.layers}:
            found |= {cell: pieces for cell in board.cells(reached) if cell not in found}
    return found


class BeamBuilder(Builder):
    """Searches with a width of 2, then with `width`; all searches of a turn share the placements that they find.

    For each goal by itself it searches with a width of 2: under the default rules (one piece) 16 plays the same
    matches.
    """

    planner: ClassVar[str] = "beam"

    beam: Callable[..., Found] = staticmethod(plan_beam)

    def __init__(self, *, width: int = WIDTH, own: float = 1.0, hinder: float = 1.0) -> None:
        if width < 1:
            raise ValueError(f"width: expected at least 1, got {width}")
        super().__init__(own=own, hinder=hinder)
        self._width = width
        self._cache = FitCache()  # of the turn

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - the same for all seats
        """Yield the plans of a narrow and a wide beam."""
        self._cache = FitCache()
        if self._width > FIRST_WIDTH:
            yield self.search(scene.task, FIRST_WIDTH, NEVER)
        yield self.search(scene.task, self._width, is_over)

    def plan_to_goal(self, task: Task, seat: int, is_over: IsOver) -> Found:  # noqa: ARG002 - the same for all seats
        """Return the plan that a narrow beam finds towards the task's goals."""
        width = min(FIRST_WIDTH, self._width)
        return self.beam(task, width=width, is_over=is_over, cache=self._cache, budget=self.work)

    def search(self, task: Task, width: int, is_over: IsOver) -> Found:
        """Return the plan that one beam finds; show the beam to spectators."""
        passes: list[list[Node]] | None = None if self.lens is None else []
        found = self.beam(task, width=width, is_over=is_over, cache=self._cache, budget=self.work, passes=passes)
        if passes is not None:
            self.show("pieces", heat=reached_by(task, passes))
        return found
