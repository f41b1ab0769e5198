"""Turns the path of states that a search has found into moves."""

import cython

from gridjoust.bots.ricochet._kernels.search import Pointer, _opened
from gridjoust.bots.ricochet._kernels.slides import _stop
from gridjoust.bots.ricochet._kernels.states import STATE, Key, _before, _find, _pack


def moves(capsule: object, robots: tuple, finisher: cython.int) -> list:
    """Return (robot, direction) of each move to the goal, both as numbers; directions are N, E, S, W.

    Of several moves that lead to the same state, the first by robot and direction is taken.
    """
    search = _opened(capsule)
    key: Key = search.goal & STATE
    way: list = []
    cells: list = list(robots)
    found: list = []
    while key != search.start:
        way.append(key)
        key = _before(search.known.items[_find(cython.address(search.known), key)], search.is_any)
    for wanted in reversed(way):
        robot, direction, end = _move_to(search, cells, finisher, wanted)
        cells[robot] = end
        found.append((robot, direction))
    return found


@cython.cfunc
def _move_to(search: Pointer, cells: list, finisher: cython.int, wanted: Key) -> tuple:
    """Return (robot, direction, the robot's new cell) of the first move that leads to the state `wanted`."""
    for robot in range(4):
        others: list = [cell for other, cell in enumerate(cells) if other != robot]
        for direction in range(4):
            end = _stop(cython.address(search.board), direction, cells[robot], others[0], others[1], others[2])
            after: list = cells.copy()
            after[robot] = end
            after = sorted(after) if search.is_any else [after.pop(finisher), *sorted(after)]
            if end != cells[robot] and _pack(after[0], after[1], after[2], after[3]) == wanted:
                return robot, direction, end
    raise ValueError(f"state {wanted}: expected one that a move leads to")
