"""Which of several plans serves best: the own goal, and keeping the others from theirs. Finds no ways itself.

A plan's worth is what is left for the nearest rival to pay, times `hinder`, minus what is left for oneself, times `own`
(in steps, a Void cell counting `VOID_COST`). Floor serves everybody, so a plan that paves the rival's way loses. What
hinders is Void that no piece fits into any more: holes of one or two cells, in a row from corner to corner, bar a way
for good. Pieces left over would be discarded: they are laid, one after another, where they raise the worth most.

Such holes are hard to make with pieces of three cells and more: up to a weight of 0.5 `hinder` costs nothing and gains
nothing measurable between equal planners, above 1 it costs (`python -m benchmarks.placement aims`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bots.placement.potential import Potential, placements_left
from bots.placement.task import NEVER, VOID_COST, Figure, IsOver, Scene, toll_distance, toll_rings
from games.placement.actions import Plan
from games.placement.apply import Position, play
from games.placement.board import Board, Mask

DONE_WORTH = 1e6
CONSIDERED = 4  # plans that are completed and weighed
TRIED = 40  # placements of pieces left over that are weighed for each side, those that cover most of its way first


@dataclass(frozen=True, slots=True)
class Aims:
    """How much each tactical goal counts."""

    own: float = 1.0
    hinder: float = 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """A board after some plan, and what it is worth."""

    plan: Plan
    floor: Mask
    own: Figure
    worth: float


def choose(scene: Scene, plans: Iterable[Plan], aims: Aims, *, is_over: IsOver = NEVER) -> Outcome:
    """The plan that is worth most, once its pieces left over are laid; of equals the first."""
    best: Outcome | None = None
    for plan in list(dict.fromkeys(plans))[:CONSIDERED]:
        outcome = look_ahead(scene, plan, aims)
        if not is_over():
            outcome = lay_rest(scene, outcome, aims, is_over=is_over)
        if best is None or outcome.worth > best.worth:
            best = outcome
    if best is None:
        raise ValueError("plans: expected at least one, got none")
    return best


def look_ahead(scene: Scene, plan: Plan, aims: Aims) -> Outcome:
    """What the plan leads to."""
    played = play(scene.task.position, plan)
    own = Figure(played.cell, scene.task.goals & ~played.visited)
    return Outcome(plan, played.floor, own, worth_of(scene, played.floor, own, aims))


def worth_of(scene: Scene, floor: Mask, own: Figure, aims: Aims) -> float:
    """The worth of a board with the own figure there; a goal collected counts, the last one decides."""
    if not own.goals:
        return DONE_WORTH
    board = scene.task.position.board
    void = board.inside & ~scene.task.position.walls & ~floor
    void &= ~dead_ends(board, void, scene.min_cells)
    barred = barred_cost(board)

    def left_of(figure: Figure) -> float:
        """What the figure has to pay to its nearest goal."""
        return min(float(toll_distance(board, floor, void, figure.cell, figure.goals)), barred)

    theirs = min(map(left_of, scene.rivals), default=barred)
    collected = scene.task.goals.bit_count() - own.goals.bit_count()
    return aims.hinder * theirs - aims.own * left_of(own) + aims.own * barred * collected


def barred_cost(board: Board) -> float:
    """What is left to pay where there is no way at all, and at most: that of a way along two borders through Void."""
    return float(VOID_COST * (board.width + board.height))


def dead_ends(board: Board, void: Mask, min_cells: int) -> Mask:
    """Void in pockets of fewer than three cells (or than the smallest piece has, if that is fewer).

    A cell in a pocket of three or more has two Void neighbours, or has a neighbour that has.
    """
    if min_cells < 2:
        return 0
    north, south = void << board.stride & board.inside, void >> board.stride
    west, east = void << 1 & board.inside, void >> 1 & board.inside
    any_two = north | south | west | east
    if min_cells == 2:
        return void & ~any_two
    core = void & (north & south | west & east | (north | south) & (west | east))
    return void & ~(core | board.spread(core))


def lay_rest(scene: Scene, outcome: Outcome, aims: Aims, *, is_over: IsOver = NEVER) -> Outcome:
    """The plan with the pieces that it leaves laid at its end, each where it raises the worth most, if it does."""
    hand = set(range(len(scene.task.position.hand)))
    while (left := sorted(hand.difference(outcome.plan.pieces))) and outcome.own.goals and not is_over():
        better = [_with(scene, outcome, spare, aims) for spare in spare_placements(scene, outcome, left)]
        best = max(better, key=lambda other: other.worth, default=outcome)
        if best.worth <= outcome.worth:
            break
        outcome = best
    return outcome


def _with(scene: Scene, outcome: Outcome, spare: Potential, aims: Aims) -> Outcome:
    floor = outcome.floor | spare.mask
    plan = Plan((*outcome.plan.parts, spare.place(scene.task.position.board)))
    return Outcome(plan, floor, outcome.own, worth_of(scene, floor, outcome.own, aims))


def spare_placements(scene: Scene, outcome: Outcome, left: Sequence[int]) -> list[Potential]:
    """Legal placements of pieces left that lie on somebody's way: the own one first, then the rivals'."""
    position = scene.task.position
    placements = placements_left(position, outcome.floor, left, position.board.spread(outcome.floor))
    own = corridor(position, outcome.floor, outcome.own)
    theirs = 0
    for rival in scene.rivals:
        theirs |= corridor(position, outcome.floor, rival)
    kept: dict[Potential, None] = {}
    for way in (own, theirs):
        on_way = [spare for spare in placements if spare.mask & way]
        on_way.sort(key=lambda spare: -(spare.mask & way).bit_count())
        kept.update(dict.fromkeys(on_way[:TRIED]))
    return list(kept)


def corridor(position: Position, floor: Mask, figure: Figure) -> Mask:
    """The Void cells on any cheapest way from the figure to its nearest goal."""
    board = position.board
    void = board.inside & ~position.walls & ~floor
    rings = toll_rings(board, floor, void, figure.goals)
    here, cost = 1 << figure.cell, next((n for n, ring in enumerate(rings) if ring >> figure.cell & 1), 0)
    on_way, reached = 0, {cost: here}
    for left in range(cost, 0, -1):
        cells = reached.pop(left, 0)
        on_way |= cells
        beside = board.spread(cells)
        for toll, kind in ((1, floor), (2, void)):
            if toll <= left:
                ahead = beside & kind & rings[left - toll]
                reached[left - toll] = reached.get(left - toll, 0) | ahead
    return (on_way | reached.get(0, 0)) & void
