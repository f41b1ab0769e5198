"""Chooses among several plans: a plan should lead to the bot's own goals and keep rivals from theirs.

What a player has left to pay is the price of the cheapest tour of its missing goals: 1 for a Floor cell, `VOID_COST`
for a Void cell. The worth of a plan is `hinder` times what the best-placed rival has left to pay, minus `own` times
what the bot itself has left. Everybody may walk on Floor, so a plan that lays Floor on the rival's path loses worth.
Barriers across that path hinder, and so does Void into which no piece fits any more. Unused pieces would be discarded,
so they are laid, one after another, as Floor or as a barrier, where they raise the worth most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, permutations

from gridjoust.bots.placement.potential import Potential, placements_left, plan_to
from gridjoust.bots.placement.task import (
    NEVER,
    VOID_COST,
    Figure,
    IsOver,
    Scene,
    Task,
    cells_of,
    toll_distance,
    toll_distances,
    toll_rings,
)
from gridjoust.bots.planners.budget import Budget, OutOfWork
from gridjoust.games.bitset import members
from gridjoust.games.placement.actions import Place, Plan
from gridjoust.games.placement.apply import Position, play
from gridjoust.games.placement.board import Board, Mask, closest, walk_layers

DONE_WORTH = 1e6
TRIED = 16  # unused-piece placements to try for each side, those that cover most of its path first
BARRIER_PRICE = 4.0  # least gain of a barrier: there are few
KEPT = 2  # of these, the best by the path to the nearest goal are weighed by the round of all goals


@dataclass(frozen=True, slots=True)
class Aims:
    """The weights of a bot's two aims: a path to its own goals (`own`), and hindering rivals on theirs (`hinder`)."""

    own: float = 1.0
    hinder: float = 1.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A plan, the board and the bot's own figure after it, and what the plan is worth."""

    plan: Plan
    floor: Mask
    walls: Mask
    own: Figure
    worth: float


@dataclass(frozen=True, slots=True)
class Spare:
    """A placement of an unused piece: as Floor, or as a barrier."""

    placement: Potential
    barrier: bool

    def place(self, board: Board) -> Place:
        """Return this placement as the part of a plan that lays the piece."""
        return self.placement.place(board)._replace(barrier=self.barrier)


class Choice:
    """Finds the most valuable plan of one turn, with its unused pieces laid; ties go to the plan weighed first."""

    def __init__(self, scene: Scene, aims: Aims, *, is_over: IsOver = NEVER) -> None:
        self._scene = scene
        self._aims = aims
        self._is_over = is_over
        self._weighed: set[Plan] = set()
        self._best: Outcome | None = None

    def weigh(self, plans: Iterable[Plan]) -> Outcome:
        """Return the best of these plans, of those weighed before, and of `walk_and_bar`, which needs no search.

        The first plan of all is weighed even if the time is over. Raise OutOfWork if the work does not suffice for
        that, ValueError if there has been no plan yet.
        """
        try:
            self._weigh(plans)
        except OutOfWork:
            if self._best is None:
                raise
        if self._best is None:
            raise ValueError("plans: expected at least one, got none")
        return self._best

    def _weigh(self, plans: Iterable[Plan]) -> None:
        is_first = self._best is None
        for plan in plans:
            if plan in self._weighed:
                continue
            if self._best is not None and self._is_over():
                break
            self._weighed.add(plan)
            self._keep(self._carried_out(plan))
        if is_first and self._best is not None and not self._is_over():
            self._keep(walk_and_bar(self._scene, self._aims))

    def _carried_out(self, plan: Plan) -> Outcome:
        outcome = look_ahead(self._scene, plan, self._aims)
        return outcome if self._is_over() else lay_rest(self._scene, outcome, self._aims, is_over=self._is_over)

    def _keep(self, outcome: Outcome | None) -> None:
        if outcome is not None and (self._best is None or outcome.worth > self._best.worth):
            self._best = outcome


def walk_and_bar(scene: Scene, aims: Aims) -> Outcome | None:
    """Return the walk over Floor that ends nearest to the goal, with the barrier that hinders most, or None."""
    position = scene.task.position
    if position.barriers is None or not aims.hinder:
        return None
    layers = walk_layers(position.board, position.floor, 1 << position.cell, position.moves)
    scene.task.work.count_tactics(cells_of(layers[1:]))
    _, _, ends = closest(scene.task.nearness(), layers)
    walked = look_ahead(scene, plan_to(position.board, (), layers, members(ends)[0]), aims)
    spares = promising(scene, walked, range(len(position.hand)), aims)
    barred = [_with(scene, walked, spare, aims) for spare in spares if spare.barrier]
    return max(barred, key=lambda outcome: outcome.worth, default=None)


def look_ahead(scene: Scene, plan: Plan, aims: Aims) -> Outcome:
    """Return the board that the plan leads to, and its worth."""
    played = play(scene.task.position, plan)
    scene.task.work.count_tactics(1)
    own = Figure(played.cell, scene.task.goals & ~played.visited)
    return Outcome(plan, played.floor, played.walls, own, worth_of(scene, played.floor, played.walls, own, aims))


def worth_of(scene: Scene, floor: Mask, walls: Mask, own: Figure, aims: Aims) -> float:
    """Return the worth of a board if the bot's figure on it is `own`; reaching the last goal beats everything."""
    if not own.goals:
        return DONE_WORTH
    board = scene.task.position.board
    void = open_void(scene, floor, walls)
    theirs, work = barred_cost(board), scene.task.work
    if aims.hinder:
        theirs = min((round_cost(board, floor, void, rival, work) for rival in scene.rivals), default=theirs)
    return aims.hinder * theirs - aims.own * round_cost(board, floor, void, own, work)


def open_void(scene: Scene, floor: Mask, walls: Mask) -> Mask:
    """Return the Void that pieces may still cover."""
    void = scene.task.position.board.inside & ~walls & ~floor
    return void & ~dead_ends(scene.task.position.board, void, scene.min_cells)


def round_cost(board: Board, floor: Mask, void: Mask, figure: Figure, work: Budget) -> float:
    """Return the price of the figure's cheapest tour of its goals; a part without a path costs `barred_cost`."""
    most = barred_cost(board)
    goals = members(figure.goals)
    if len(goals) < 2:
        return min(float(toll_distance(board, floor, void, figure.cell, figure.goals, work)), most)
    stops = (figure.cell, *goals)
    costs = {goal: toll_distances(board, floor, void, goal, stops, work) for goal in goals}
    return min(
        sum(min(float(costs[after][before]), most) for before, after in pairwise((figure.cell, *order)))
        for order in permutations(goals)
    )


def barred_cost(board: Board) -> float:
    """Return the price at which a path counts as blocked: that of as many Void cells as two borders have."""
    return float(VOID_COST * (board.width + board.height))


def dead_ends(board: Board, void: Mask, min_cells: int) -> Mask:
    """Return the Void in pockets of fewer than three cells (or than the smallest piece has, if that is fewer).

    A cell in a pocket of three or more has two Void neighbours, or has a neighbour that has two.
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
    """Return the outcome with unused pieces laid after the plan, one by one, each where it raises the worth most.

    It stops if no further piece raises the worth, no goal is left, or time or work is spent.
    """
    hand = set(range(len(scene.task.position.hand)))
    while (left := sorted(hand.difference(outcome.plan.pieces))) and outcome.own.goals and not is_over():
        try:
            better = [_with(scene, outcome, spare, aims) for spare in promising(scene, outcome, left, aims)]
        except OutOfWork:
            break
        best = max(better, key=lambda other: other.worth, default=outcome)
        if best.worth <= outcome.worth:
            break
        outcome = best
    return outcome


def _with(scene: Scene, outcome: Outcome, spare: Spare, aims: Aims) -> Outcome:
    floor, walls = _after(outcome, spare)
    plan = Plan((*outcome.plan.parts, spare.place(scene.task.position.board)))
    worth = worth_of(scene, floor, walls, outcome.own, aims) - BARRIER_PRICE * plan.barriers
    return Outcome(plan, floor, walls, outcome.own, worth)


def _after(outcome: Outcome, spare: Spare) -> tuple[Mask, Mask]:
    mask = spare.placement.mask
    return (outcome.floor, outcome.walls | mask) if spare.barrier else (outcome.floor | mask, outcome.walls)


def promising(scene: Scene, outcome: Outcome, left: Sequence[int], aims: Aims) -> list[Spare]:
    """Return the few most promising placements of unused pieces, as Floor and as barriers.

    They are compared by the price of the paths to the nearest goals, for the bot's own figure and for the rivals'.
    """
    board = scene.task.position.board

    def gain(spare: Spare) -> float:
        floor, walls = _after(outcome, spare)
        void = open_void(scene, floor, walls)
        own, *theirs = (
            toll_distance(board, floor, void, figure.cell, figure.goals, scene.task.work)
            for figure in (outcome.own, *scene.rivals)
        )
        return aims.hinder * min(theirs, default=0) - aims.own * own

    spares = sorted(spare_placements(scene, outcome, left), key=gain, reverse=True)
    floors = (spare for spare in spares if not spare.barrier)
    barriers = (spare for spare in spares if spare.barrier and is_fair(scene.task.position, outcome, spare))
    return [*islice(floors, KEPT), *islice(barriers, KEPT)]


def spare_placements(scene: Scene, outcome: Outcome, left: Sequence[int]) -> Iterator[Spare]:
    """Yield placements of unused pieces: as Floor on the bot's cheapest path, as barriers on the rivals'.

    If the rules have no barriers, they are Floor on the rivals' path, as this may leave holes that no piece fits into.
    """
    position = scene.task.position
    board = position.board
    theirs = 0
    for rival in scene.rivals:
        theirs |= corridor(scene.task, outcome.floor, outcome.walls, rival)
    ways = [(corridor(scene.task, outcome.floor, outcome.walls, outcome.own), False)]
    ways.append((theirs, position.barriers is not None))
    placements = placements_left(position, outcome.floor, left, board.spread(outcome.floor), outcome.walls)
    scene.task.work.count_tactics(len(placements))
    for way, barrier in ways:
        on_way = [Spare(placed, barrier) for placed in placements if placed.mask & way]
        on_way.sort(key=lambda spare: -(spare.placement.mask & way).bit_count())
        yield from on_way[:TRIED]


def is_fair(position: Position, outcome: Outcome, spare: Spare) -> bool:
    """Return True if the rules allow a barrier there once the plan is carried out."""
    rules, mask = position.barriers, spare.placement.mask
    if rules is None or rules.left <= outcome.plan.barriers or any(mask & goals for _, goals in rules.figures):
        return False
    return rules.leaves_ways(position.board, outcome.floor, outcome.walls | mask)


def corridor(task: Task, floor: Mask, walls: Mask, figure: Figure) -> Mask:
    """Return the set of Void cells that lie on any cheapest path from the figure to its nearest goal."""
    board = task.position.board
    void = board.inside & ~walls & ~floor
    rings = toll_rings(board, floor, void, figure.goals, task.work)
    here, cost = 1 << figure.cell, next((n for n, ring in enumerate(rings) if ring >> figure.cell & 1), 0)
    on_way, reached = 0, {cost: here}
    for left in range(cost, 0, -1):
        cells = reached.pop(left, 0)
        on_way |= cells
        beside = board.spread(cells)
        for toll, kind in ((1, floor), (VOID_COST, void)):
            if toll <= left:
                ahead = beside & kind & rings[left - toll]
                task.work.count_tactics(ahead.bit_count())
                reached[left - toll] = reached.get(left - toll, 0) | ahead
    return (on_way | reached.get(0, 0)) & void
