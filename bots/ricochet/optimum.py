"""Shortest solutions for bots: by a compiled kernel for common positions, else by the code of the rules."""

from __future__ import annotations

from typing import Any

from gridjoust.bots.planners import kernels
from gridjoust.bots.ricochet.plans import Task
from gridjoust.games.grid import DIRECTIONS
from gridjoust.games.ricochet import optimum
from gridjoust.games.ricochet.board import COLOURS, Board
from gridjoust.games.ricochet.optimum import STATES_PER_STEP, Plan, Steps
from gridjoust.games.ricochet.proof import Move
from gridjoust.games.ricochet.spaces import finisher_first

_KERNELS: Any = kernels.compiled_kernels("ricochet")


def shortest_steps(task: Task) -> Steps:
    """Return a generator that searches for a shortest solution, by a kernel if it handles such a position.

    Plan, cost and pauses equal those of `gridjoust.games.ricochet.optimum.shortest_steps`.
    """
    search = None if kernels.active is None or task.trail is not None else begin_search(task)
    if search is None:
        return optimum.shortest_steps(
            task.slides,
            task.position,
            task.rules,
            max_states=task.max_states,
            max_generated=task.budget.left,
            space=task.space(),
        )
    return _steps(task, search)


def begin_search(task: Task) -> Any:
    """Return a search of the kernel for this position; None if it does not handle such a position."""
    position = task.position
    is_common = len(position.robots) == 4 and not task.rules.printed
    if _KERNELS is None or not is_common or _is_unusual(position.board):
        return None
    limits = _KERNELS.pack_limits(task.slides.steps, task.slides.width)
    if limits is None:
        return None
    numbers = task.slides.numbers(position.robots)
    robots = tuple(numbers[robot] for robot in finisher_first(position))
    target, is_any = task.slides.number(position.target.cell), position.target.colour is None
    return _KERNELS.begin(limits, task.slides.width, robots, target, is_any, task.budget.left)


def _is_unusual(board: Board) -> bool:
    """Return True if robots do more on this board than slide to the next wall or robot."""
    return bool(board.diagonals or board.openings or board.halt)


def _steps(task: Task, search: Any) -> Steps:
    *_, bound = _KERNELS.report(search)
    if bound == 0:
        return Plan((), is_proven=True, expanded=0, generated=0, frontier=1)
    while True:
        is_paused = True
        while is_paused:
            is_paused = _KERNELS.fill(search, bound, STATES_PER_STEP)
            yield bound
            states, is_found, is_open, is_cut, expanded, generated, frontier, _ = _KERNELS.report(search)
            cost = {"expanded": expanded, "generated": generated, "frontier": frontier, "bound": bound}
            if task.max_states is not None and states > task.max_states:
                return Plan(None, is_proven=False, **cost)
        if is_found:
            return Plan(moves_found(task, search), is_proven=True, **cost)
        if is_cut or not is_open:
            return Plan(None, is_proven=not is_cut, **cost)
        bound += 1


def moves_found(task: Task, search: Any) -> tuple[Move, ...]:
    """Return the moves to the target that the kernel's search has found."""
    finisher = finisher_first(task.position)[0]
    found = _KERNELS.moves(search, task.slides.numbers(task.position.robots), finisher)
    return tuple(Move(COLOURS[robot], DIRECTIONS[direction]) for robot, direction in found)
