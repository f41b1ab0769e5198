"""The blast map over time: which cells burn at which offset, and when each obstacle is gone."""

import cython
from cython.cimports.libc.stdlib import free

from gridjoust.bots.bomber._kernels.field import FREE, HP_MASK, METAL, Field, _blast, _close, _new_field, _open
from gridjoust.bots.planners._kernels.cells import _cell_of
from gridjoust.bots.planners._kernels.memory import _ints

Fuses = cython.struct(cells=cython.p_int, ends=cython.p_int, size=cython.int)  # bombs, and when they make fire


def burn(shape: tuple, blocks: bytes, bombs: list, fires: list, is_instant: cython.bint, opens: dict) -> dict:
    """Return ticks from now -> cell -> number of fires there; note in `opens` from when on each cell may be entered.

    `bombs` are (cell, ticks from now at the end of which it goes off), `fires` the cells that burn now. With
    `is_instant`, fire sets off the bombs that it reaches in the same tick.
    """
    field = _new_field()
    fuses = Fuses(cells=cython.NULL, ends=cython.NULL, size=0)
    burning: dict = {}
    offset: cython.int = 0
    left: bytearray = bytearray(blocks)
    try:
        _open(cython.address(field), shape, left, len(left))
        fuses.cells = _ints(len(bombs))
        fuses.ends = _ints(len(bombs))
        for cell, end in bombs:
            fuses.cells[fuses.size] = _cell_of(cell, field.size)
            fuses.ends[fuses.size] = end
            field.stops[fuses.cells[fuses.size]] = 1
            fuses.size += 1
        while fires or fuses.size:
            counts: dict = {}
            for cell in fires:
                counts[cell] = counts.get(cell, 0) + 1
            if fires:
                burning[offset] = counts
            offset = _light(cython.address(fuses), counts, offset)
            due: list = _due(cython.address(field), cython.address(fuses), offset, is_instant)
            fires = _fires_of(cython.address(field), due)
            _take_out(cython.address(field), cython.address(fuses), due)
            offset += 1
            for cell in due:
                opens[cell] = offset
            _burn_blocks(cython.address(field), counts, opens, offset)
        return burning
    finally:
        _close(cython.address(field))
        free(fuses.cells)
        free(fuses.ends)


@cython.cfunc
def _light(fuses: cython.pointer(Fuses), counts: dict, offset: cython.int) -> cython.int:
    """Set off the bombs in burning cells (`counts`); return the offset, moved on to the next bomb if nothing burns."""
    first: cython.int = fuses.ends[0] if fuses.size else 0
    for at in range(fuses.size):
        first = min(first, fuses.ends[at])
        if fuses.cells[at] in counts:
            fuses.ends[at] = min(fuses.ends[at], offset)
    return offset if counts else max(offset, first)


@cython.cfunc
def _due(
    field: cython.pointer(Field), fuses: cython.pointer(Fuses), offset: cython.int, is_instant: cython.bint
) -> list:
    """Return the cells of the bombs that go off at this offset, then of those that they set off at once, and so on."""
    due: list = [fuses.cells[at] for at in range(fuses.size) if fuses.ends[at] <= offset]
    if is_instant:
        for cell in due:  # the list grows while it is walked
            _blast(field, cell)
            due += [
                field.cells.items[at]
                for at in range(field.cells.size)
                if field.stops[field.cells.items[at]] and field.cells.items[at] not in due
            ]
    return due


@cython.cfunc
def _fires_of(field: cython.pointer(Field), due: list) -> list:
    """Return the cells that these bombs set on fire; a cell that several bombs burn is listed several times."""
    fires: list = []
    for cell in due:
        _blast(field, cell)
        fires += [field.cells.items[at] for at in range(field.cells.size)]
    return fires


@cython.cfunc
def _take_out(field: cython.pointer(Field), fuses: cython.pointer(Fuses), due: list) -> cython.int:
    """Remove the bombs in these cells from the fuses and from the field."""
    kept: cython.int = 0
    for at in range(fuses.size):
        if fuses.cells[at] not in due:
            fuses.cells[kept] = fuses.cells[at]
            fuses.ends[kept] = fuses.ends[at]
            kept += 1
    fuses.size = kept
    for cell in due:
        field.stops[cython.cast(cython.int, cell)] = 0
    return 0


@cython.cfunc
def _burn_blocks(field: cython.pointer(Field), counts: dict, opens: dict, offset: cython.int) -> cython.int:
    """Subtract the fires from the HP of burning blocks; note in `opens` that blocks without HP are gone at `offset`.

    Call it once the next fires are known, since a dying block still stops them.
    """
    for number, count in counts.items():
        cell = _cell_of(number, field.size)
        block: cython.int = field.blocks[cell]
        if block > METAL:
            block -= min(cython.cast(cython.int, count), block & HP_MASK)
            field.blocks[cell] = FREE if block & HP_MASK == 0 else block
            if block & HP_MASK == 0:
                opens[number] = offset
    return 0
