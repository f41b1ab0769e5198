"""Floods the board: steps to each cell, whether a path leads out of the fire, bombs that trap a victim."""

import cython

from gridjoust.bots.bomber._kernels.field import Field, _blast, _close, _new_field, _open, _stop_at
from gridjoust.bots.planners._kernels.cells import _cell_of


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _next_to(field: cython.pointer(Field), cell: cython.int, way: cython.int) -> cython.int:
    """Return the neighbour of a cell in direction `way` (0 to 3: N, S, W, E), or -1 off the board."""
    if way == 0:
        return cell - field.width if cell >= field.width else -1
    if way == 1:
        return cell + field.width if cell + field.width < field.size else -1
    if way == 2:
        return cell - 1 if cell % field.width else -1
    return cell + 1 if (cell + 1) % field.width else -1


def flood(shape: tuple, start: object, walls: object, most: cython.longlong) -> tuple:
    """Return ([(cell, steps to it)] for every cell that can be reached around the walls, successors generated, True).

    The last is False if `most` successors were generated before the end.
    """
    field = _new_field()
    found: list = []
    generated: cython.longlong = 0
    head: cython.int = 0
    steps: cython.int = 0
    try:
        _start(cython.address(field), shape, start, walls)
        while head < field.cells.size:
            for _ in range(field.cells.size - head):
                if generated >= most:
                    return found, generated, False
                found.append((field.cells.items[head], steps))
                generated += _step_from(cython.address(field), field.cells.items[head])
                head += 1
            steps += 1
        return found, generated, True
    finally:
        _close(cython.address(field))


def leads_out(shape: tuple, start: object, walls: object, dangers: object, most: cython.longlong) -> tuple:
    """Return (True if a path around the walls leads to a cell outside the dangers, successors generated, True).

    The last is False if `most` successors were generated before the end.
    """
    field = _new_field()
    head: cython.int = 0
    generated: cython.longlong = 0
    try:
        _start(cython.address(field), shape, start, walls)
        while head < field.cells.size:
            if field.cells.items[head] not in dangers:
                return True, generated, True
            if generated >= most:
                return False, generated, False
            generated += _step_from(cython.address(field), field.cells.items[head])
            head += 1
        return False, generated, True
    finally:
        _close(cython.address(field))


@cython.cfunc
@cython.exceptval(-1)
def _start(field: cython.pointer(Field), shape: tuple, start: object, walls: object) -> cython.int:
    """Set up the field for a flood around the walls from one cell; call `_close` afterwards."""
    _open(field, shape, cython.NULL, shape[0] * shape[1])
    for wall in walls:
        field.marks[_cell_of(wall, field.size)] = 1 | 4
    field.cells.items[0] = _cell_of(start, field.size)
    field.cells.size = 1
    field.marks[field.cells.items[0]] |= 1
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _step_from(field: cython.pointer(Field), cell: cython.int) -> cython.int:
    """Append the open cells beside a cell to `field.cells`, each once; return how many neighbours are no walls."""
    beside: cython.int = 0
    for way in range(4):
        near = _next_to(field, cell, way)
        beside += near >= 0 and not field.marks[near] & 4
        if near >= 0 and not field.marks[near] & 1:
            field.marks[near] |= 1
            field.cells.items[field.cells.size] = near
            field.cells.size += 1
    return beside


def pressures(
    shape: tuple, blocks: bytes, walls: object, bombs: list, doomed: object, victim: object, most: cython.longlong
) -> tuple:
    """Return ([(cell from which a bomb hits the victim, number of safe cells in its reach)], successors, True).

    `walls` are the cells that no player can enter, `bombs` those of bombs already laid. `doomed` cells are about to
    close and so are not safe. The last value is False if `most` successors were generated before the end.
    """
    field = _new_field()
    found: list = []
    generated: cython.longlong = 0
    try:
        _open(cython.address(field), shape, blocks, len(blocks))
        cell = _cell_of(victim, field.size)
        _stop_at(cython.address(field), walls)
        _blast(cython.address(field), cell)
        spots: list = [field.cells.items[at] for at in range(field.cells.size)]
        for spot in spots:
            if spot not in walls:
                ways_out = _ways_out(
                    cython.address(field), walls, bombs, doomed, cell, spot, most, cython.address(generated)
                )
                if ways_out < 0:
                    return found, generated, False
                found.append((spot, ways_out))
        return found, generated, True
    finally:
        _close(cython.address(field))


@cython.cfunc
@cython.exceptval(-2)
def _ways_out(
    field: cython.pointer(Field),
    walls: object,
    bombs: list,
    doomed: object,
    victim: cython.int,
    spot: cython.int,
    most: cython.longlong,
    generated: cython.pointer(cython.longlong),
) -> cython.int:
    """Return how many safe cells the victim can still reach if a bomb is laid in `spot`.

    A cell is safe if neither that bomb nor one of `bombs` burns it and it is not `doomed`. The successors are added
    to `generated`; -1 if that reaches `most` before the end.
    """
    found: cython.int = 0
    for cell in range(field.size):
        field.stops[cell] = field.marks[cell] = 0
    _stop_at(field, bombs)
    field.stops[spot] = 1
    for bomb in bombs:
        _burn(field, _cell_of(bomb, field.size))
    _burn(field, spot)
    for cell in doomed:
        field.marks[_cell_of(cell, field.size)] |= 2
    for wall in walls:
        field.marks[_cell_of(wall, field.size)] |= 1 | 4
    field.marks[spot] |= 1 | 4
    field.marks[victim] |= 1
    field.cells.items[0] = victim
    field.cells.size = 1
    head: cython.int = 0
    while head < field.cells.size:
        if generated[0] >= most:
            return -1
        cell = field.cells.items[head]
        head += 1
        found += not field.marks[cell] & 2
        generated[0] += _step_from(field, cell)
    return found


@cython.cfunc
@cython.exceptval(check=False)
def _burn(field: cython.pointer(Field), cell: cython.int) -> cython.void:
    """Mark the cells that a bomb in this cell burns."""
    _blast(field, cell)
    for at in range(field.cells.size):
        field.marks[field.cells.items[at]] |= 2
