"""Step 7 and 9: the search in passes over two frontiers, the plan that gets nearest when there is no way, and its bot.

A state is the pathability map, the pieces left and, all at once, every position in reach with the steps to it: laying a
piece costs no moves and needs no nearness, so any order of walking and laying comes to "lay all, then walk". The first
frontier, normal moves, is a flood over Floor. The second holds the states that need a placement: one for every piece,
way and corner that covers a cell beside the reach. It is pruned to the best `width` by A*'s f = steps + what is left
(Manhattan distance counts twice), and is then the first frontier of the next pass. One pass a piece and one more: a
beam search, as incomplete as any.

Pieces that the figure cannot step to at once are not tried. Nothing is lost by that: a walk uses its pieces in some
order, and laid in that order each of them is beside the reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import ClassVar, NamedTuple

from gridjoust.bots.placement.builder import Builder
from gridjoust.bots.placement.flood import Flood, make_flood
from gridjoust.bots.placement.potential import FitCache, Left, Potential, placements_left, plan_to
from gridjoust.bots.placement.task import NEVER, Found, IsOver, Scene, Standing, Task, standing_of
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.games.bitset import members
from gridjoust.games.placement.actions import Plan
from gridjoust.games.placement.board import Mask, Rings, closest, manhattan_rings, walk_layers

WIDTH = 16  # the article's, found by counting generated states against plans found
OTHERS = 8  # further plans that are handed on, besides the best with each number of pieces
FIRST_WIDTH = 2  # of the bot's search that is always finished


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A state of the first frontier, with the way it came about."""

    floor: Mask
    left: Left
    layers: list[Mask]  # cells by the steps to them, all within the moves of the turn
    standing: Standing
    laid: tuple[Potential, ...]

    @property
    def merit(self) -> tuple[int, int, int]:
        """How good a plan ends here: distance, steps, pieces."""
        return *self.standing, len(self.laid)


class Candidate(NamedTuple):
    """A state of the second frontier: where it comes from, what is laid, where it leads."""

    standing: Standing
    parent: Node
    placement: Potential


Score = Callable[[Task, Rings, Node, Sequence[Potential]], list[Standing]]


@dataclass(slots=True)
class Search:
    """What stays the same over all passes of one search."""

    task: Task
    rings: Rings
    cache: FitCache
    cost: PlanStats = field(default_factory=PlanStats)
    flood: Flood | None = None  # a kernel in place of the cache and the walks of the list code


def first_node(search: Search) -> Node:
    """The state before anything is laid."""
    position = search.task.position
    left = tuple(range(len(position.hand)))
    layers = walk_layers(position.board, position.floor, 1 << position.cell, position.moves)
    return Node(position.floor, left, layers, standing_of(search.rings, layers), ())


def expand(search: Search, node: Node, score: Score) -> list[Candidate]:
    """Every state that one more placement leads to from this one."""
    search.cost.expanded += 1
    if search.flood is not None:
        candidates: list[Candidate] = search.flood.candidates(node.floor, node.left, node, Candidate)
    else:
        placements = search.cache.look_up((node.floor, node.left), lambda: placements_in_reach(search, node))
        standings = score(search.task, search.rings, node, placements)
        candidates = [Candidate(standing, node, placed) for standing, placed in zip(standings, placements, strict=True)]
    search.cost.generated += len(candidates)
    return candidates


def placements_in_reach(search: Search, node: Node) -> list[Potential]:
    """The placements of pieces left, one of each kind, that cover a cell to which the figure could step."""
    position = search.task.position
    reached = sum(node.layers[: position.moves])  # layers share no cell
    return placements_left(position, node.floor, node.left, position.board.spread(reached))


def score_one_by_one(task: Task, rings: Rings, node: Node, placements: Sequence[Potential]) -> list[Standing]:
    """How near the figure gets with each placement: laid, then walked from where it first matters."""
    return [standing_of(rings, walk_on(task, node, placement.mask)) for placement in placements]


def walk_on(task: Task, node: Node, mask: Mask) -> list[Mask]:
    """The layers of the node with more Floor: the same up to the first that touches it, walked anew from there."""
    board, layers = task.position.board, node.layers
    beside = board.spread(mask)
    kept = next(number for number, layer in enumerate(layers) if layer & beside) + 1
    seen, fresh = layers[: kept - 1], layers[kept - 1]
    return seen + walk_layers(board, (node.floor | mask) & ~sum(seen), fresh, task.position.moves - kept + 1)


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
    """Pass after pass until no piece is left, nothing can get better, or time or budget is.

    By default it scores as the article does: every placement is laid and walked on its own, by a kernel where there is
    one. `cache` may be shared by searches of one turn, and only by those. What is found there again counts as reused,
    but not where there may be a kernel, which looks nothing up: costs are the same whichever code runs. The first
    frontiers go into `passes`.
    """
    rings = task.nearness()
    has_kernel = score is score_one_by_one
    flood = make_flood(task, rings) if has_kernel else None
    search = Search(task, rings, FitCache() if cache is None else cache, flood=flood)
    hits_before = search.cache.hits
    frontier = [first_node(search)]
    ended = list(frontier)
    if passes is not None:
        passes.append(frontier)
    is_stopped = False
    while frontier and not is_stopped and not _is_perfect(search, ended):
        second: list[Candidate] = []
        for node in frontier:
            if is_stopped := is_over() or budget.is_spent:
                break
            budget.spend()
            second += expand(search, node, score)
        search.cost.frontier = max(search.cost.frontier, len(second))
        frontier = prune(search, second, width)
        if passes is not None:
            passes.append(frontier)
        ended += [*frontier, *prune(search, sorted(second, key=itemgetter(0))[:1], 1)]
    search.cost.reused = 0 if has_kernel else search.cache.hits - hits_before
    return closest_plan(search, ended, is_stopped=is_stopped)


def prune(search: Search, second: Iterable[Candidate], width: int) -> list[Node]:
    """The best `width` states of the second frontier, each once; equal ranks in the order in which they came."""
    kept: dict[tuple[Mask, Left], Node] = {}
    weight = search.task.weight
    for candidate in sorted(second, key=lambda state: state.standing.rank(weight)):
        parent, placement = candidate.parent, candidate.placement
        floor = parent.floor | placement.mask
        left = tuple(piece for piece in parent.left if piece != placement.turned.piece)
        if (floor, left) not in kept:
            layers = walk_on(search.task, parent, placement.mask) if search.flood is None else search.flood.walk(floor)
            kept[floor, left] = Node(floor, left, layers, candidate.standing, (*parent.laid, placement))
            if len(kept) == width:
                break
    return list(kept.values())


def _is_perfect(search: Search, ended: Sequence[Node]) -> bool:
    """Whether a plan reaches the goal with as few steps as there are between the two cells."""
    position = search.task.position
    rings = manhattan_rings(position.board, search.task.goals)
    fewest = next(n for n, ring in enumerate(rings) if ring >> position.cell & 1)
    return any(node.standing == (0, fewest) for node in ended)


def closest_plan(search: Search, ended: Sequence[Node], *, is_stopped: bool) -> Found:
    """Step 9: of all states of all passes the one nearest to the goal, as a plan; some of the others beside it.

    First of the others are the best with each other number of pieces: they leave more in the hand for other aims.
    """
    best, *rest = sorted(ended, key=attrgetter("merit"))
    frugal: dict[int, Node] = {}
    for node in rest:
        if len(node.laid) != len(best.laid):
            frugal.setdefault(len(node.laid), node)
    others = tuple(plan_of(search, node) for node in dict.fromkeys([*frugal.values(), *rest[:OTHERS]]))
    return Found(plan_of(search, best), *best.merit, search.cost, is_stopped, others)


def plan_of(search: Search, node: Node) -> Plan:
    """Lay the pieces in order, then walk to the nearest cell."""
    _, _, ends = closest(search.rings, node.layers)
    return plan_to(search.task.position.board, node.laid, node.layers, members(ends)[0])


def reached_by(task: Task, passes: Iterable[Iterable[Node]]) -> dict[tuple[int, int], float]:
    """Cell -> the fewest pieces with which a state that survived reaches it; `passes` by pieces."""
    board, found = task.position.board, dict[tuple[int, int], float]()
    for pieces, frontier in enumerate(passes):
        for reached in {mask for node in frontier for mask in node.layers}:
            found |= {cell: pieces for cell in board.cells(reached) if cell not in found}
    return found


class BeamBuilder(Builder):
    """Searches with a width of 2, then with `width`; fit data of the first search serves all others of the turn.

    Towards each goal alone it searches with a width of 2: by the default rules (one piece) 16 plays the same matches.
    """

    planner: ClassVar[str] = "beam"

    beam: Callable[..., Found] = staticmethod(plan_beam)

    def __init__(self, *, width: int = WIDTH, own: float = 1.0, hinder: float = 1.0) -> None:
        if width < 1:
            raise ValueError(f"width: expected at least 1, got {width}")
        super().__init__(own=own, hinder=hinder)
        self._width = width
        self._cache = FitCache()  # of the turn

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - all seats alike
        """Two beams."""
        self._cache = FitCache()
        if self._width > FIRST_WIDTH:
            yield self.search(scene.task, FIRST_WIDTH, NEVER)
        yield self.search(scene.task, self._width, is_over)

    def plan_to_goal(self, task: Task, seat: int, is_over: IsOver) -> Found:  # noqa: ARG002 - all seats alike
        """A narrow beam."""
        width = min(FIRST_WIDTH, self._width)
        return self.beam(task, width=width, is_over=is_over, cache=self._cache, budget=self.work)

    def search(self, task: Task, width: int, is_over: IsOver) -> Found:
        """One beam, shown where somebody looks."""
        passes: list[list[Node]] | None = None if self.lens is None else []
        found = self.beam(task, width=width, is_over=is_over, cache=self._cache, budget=self.work, passes=passes)
        if passes is not None:
            self.show("pieces", heat=reached_by(task, passes))
        return found
