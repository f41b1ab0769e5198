"""Step 10 of the article, the quantum map: walks with all placements of a state at once, and chooses one at the end.

Every cell has the set of placements that would make it passable, as bits of one number: all of them on Floor, none in a
wall, some in the Void. A walk carries the set of placements for which it exists: a step takes the AND of that set and
the cell's, and a walk with an empty set ends. The article prunes the placements to 32, the bits of a machine word, and
walks once. Here a set has no such limit (`limit` cuts it to the best few again), and every state of every pass gets its
own quantum map, so that several pieces chain. One walk gives every placement's exact distance and steps: the search is
that of `beam.plan_beam`, state by state, for a fraction of the price. `gridjoust.bots.placement` names the article.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from gridjoust.bots.placement.beam import BeamBuilder, Node, Score, plan_beam
from gridjoust.bots.placement.potential import FitCache, Potential, potential_map
from gridjoust.bots.placement.task import NEVER, Found, IsOver, Standing, Task, distance_table
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.games.bitset import mask_of, members
from gridjoust.games.placement.board import Board, Mask, Rings

WIDTH = 32
ARTICLE_LIMIT = 32  # placements that the article's quantum map holds

Arrivals = list[tuple[int, int]]  # (steps, set of placements that first allow it then), by rising steps


def plan_quantum(
    task: Task,
    *,
    width: int = WIDTH,
    limit: int | None = None,
    is_over: IsOver = NEVER,
    cache: FitCache | None = None,
    budget: Budget = UNLIMITED,
    passes: list[list[Node]] | None = None,
) -> Found:
    """Return the plan that `plan_beam` finds with quantum maps: all placements of a state are walked at once.

    With `limit` only that many placements of a state, the most promising, are walked.
    """
    score: Score = score_at_once if limit is None else partial(score_best_at_once, limit=limit)
    return plan_beam(task, width=width, score=score, is_over=is_over, cache=cache, budget=budget, passes=passes)


def score_at_once(task: Task, rings: Rings, node: Node, placements: Sequence[Potential]) -> tuple[list[Standing], int]:
    """Return (how near the goal the figure gets with each placement, cells walked to), by one walk for all of them."""
    if not placements:
        return [], 0
    board = task.position.board
    everything = (1 << len(placements)) - 1
    distances = distance_table(rings)
    by_distance: dict[int, Arrivals] = {node.standing.distance: [(node.standing.steps, everything)]}
    walked = walk_quantum(board, node, potential_map(placements, board.stride), task.position.moves)
    for steps, cell, chosen in walked:
        by_distance.setdefault(distances.get(cell, len(rings)), []).append((steps, chosen))
    return _standings(by_distance, everything, len(placements)), len(walked)


def walk_quantum(board: Board, node: Node, sets: Mapping[int, int], moves: int) -> list[tuple[int, int, int]]:
    """Return (steps, cell, bit set of the placements with which the cell is first reached in them), by rising steps.

    `sets`: Void cell -> bit set of the placements that cover it. Cells reached as soon without a placement are left
    out: the walk starts in the Void beside each layer of the node.
    """
    stride, floor = board.stride, node.floor
    arrived: dict[int, int] = {}
    found: list[tuple[int, int, int]] = []
    fresh: dict[int, int] = {}
    without = 0  # cells reached by now without any placement
    void = mask_of(sets)
    for steps in range(moves + 1):
        onward: dict[int, int] = {}
        if steps < len(node.layers):
            without |= node.layers[steps]
            for cell in members(board.spread(node.layers[steps]) & void):
                onward[cell] = sets[cell]
        for cell, offered in fresh.items():
            known = arrived.get(cell, 0)
            chosen = offered & ~known
            if not chosen or without >> cell & 1:
                continue
            arrived[cell] = known | chosen
            found.append((steps, cell, chosen))
            for ahead in (cell - stride, cell + 1, cell + stride, cell - 1):
                allowed = chosen if ahead >= 0 and floor >> ahead & 1 else chosen & sets.get(ahead, 0)
                if allowed:
                    onward[ahead] = onward.get(ahead, 0) | allowed
        fresh = onward
    return found


def _standings(by_distance: Mapping[int, Arrivals], everything: int, count: int) -> list[Standing]:
    """Return each placement's least distance to a goal, and the fewest steps to get there.

    `by_distance`: distance -> arrivals. `everything`: bit set of all `count` placements.
    """
    standings: list[Standing] = [Standing(0, 0)] * count
    left = everything
    for distance in sorted(by_distance):
        for steps, chosen in sorted(by_distance[distance]):
            standing = Standing(distance, steps)
            for number in members(chosen & left):
                standings[number] = standing
            left &= ~chosen
        if not left:
            break
    return standings


def score_best_at_once(
    task: Task, rings: Rings, node: Node, placements: Sequence[Potential], *, limit: int
) -> tuple[list[Standing], int]:
    """Score like `score_at_once` the `limit` most promising placements; the others count as not moving the figure.

    The promise of a placement is the f of its best cell: the fewest steps to reach it, plus the distance from there.
    """
    if len(placements) <= limit:
        return score_at_once(task, rings, node, placements)
    promises = [promise(task.position.board, rings, node, placement.mask) for placement in placements]
    chosen = sorted(sorted(range(len(placements)), key=promises.__getitem__)[:limit])
    standings = [Standing(len(rings), 0)] * len(placements)
    best, walked = score_at_once(task, rings, node, [placements[n] for n in chosen])
    for number, standing in zip(chosen, best, strict=True):
        standings[number] = standing
    return standings, walked


def promise(board: Board, rings: Rings, node: Node, mask: Mask) -> tuple[int, int]:
    """Return a sort key for laying this piece, without a walk: steps to it plus distance from it, then the distance.

    The distance is that of the piece's cell nearest to a goal.
    """
    beside = board.spread(mask)
    steps = next(number for number, layer in enumerate(node.layers) if layer & beside) + 1
    distance = next((number for number, ring in enumerate(rings) if ring & mask), len(rings))
    return Standing(distance, steps).rank()


class QuantumBuilder(BeamBuilder):
    """Searches with a width of 2, then with `width`; `limit` 32 is the article's map, 0 holds all placements."""

    def __init__(self, *, width: int = WIDTH, limit: int = 0, own: float = 1.0, hinder: float = 1.0) -> None:
        super().__init__(width=width, own=own, hinder=hinder)
        if limit < 0:
            raise ValueError(f"limit: expected at least 0, got {limit}")
        self.beam = partial(plan_quantum, limit=limit or None)
