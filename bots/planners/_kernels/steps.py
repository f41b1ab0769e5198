"""Boards with 8 neighbours: the open steps of every slot as bits of a byte, and how much f grows by a step.

Directions are numbered in tie-break order, from 0 for N to 7 for NW.
"""

import array

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.string import memset


@cython.cfunc
@cython.exceptval(check=False)
def _open_steps(
    entry: cython.p_double, stride: cython.int, cuts_corners: cython.bint, slot: cython.int
) -> cython.uchar:
    """Return the bits of the steps that lead out of a slot; `entry` has the entry costs by slot."""
    if not entry[slot] < INFINITY:
        return 0
    north: cython.bint = entry[slot - stride] < INFINITY
    east: cython.bint = entry[slot + 1] < INFINITY
    south: cython.bint = entry[slot + stride] < INFINITY
    west: cython.bint = entry[slot - 1] < INFINITY
    steps: cython.int = north | east << 1 | south << 2 | west << 3
    if (cuts_corners or (north and east)) and entry[slot - stride + 1] < INFINITY:
        steps |= 16
    if (cuts_corners or (south and east)) and entry[slot + stride + 1] < INFINITY:
        steps |= 32
    if (cuts_corners or (south and west)) and entry[slot + stride - 1] < INFINITY:
        steps |= 64
    if (cuts_corners or (north and west)) and entry[slot - stride - 1] < INFINITY:
        steps |= 128
    return cython.cast(cython.uchar, steps)


@cython.cfunc
def _update_steps(
    steps: bytearray, entry: cython.p_double, stride: cython.int, cuts_corners: cython.bint, slot: cython.int
) -> cython.int:
    """Set the open steps of a slot whose entry cost has changed, and of those around it."""
    bits: cython.p_uchar = steps
    for row in range(-1, 2):
        for near in range(slot + row * stride - 1, slot + row * stride + 2):
            bits[near] = _open_steps(entry, stride, cuts_corners, near)
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _across(direction: cython.int) -> cython.int:
    """Return by how much a direction changes x."""
    if direction == 1 or direction == 4 or direction == 5:
        return 1
    return -1 if direction == 3 or direction >= 6 else 0


@cython.cfunc
@cython.exceptval(check=False)
def _down(direction: cython.int) -> cython.int:
    """Return by how much a direction changes y."""
    if direction == 2 or direction == 5 or direction == 6:
        return 1
    return -1 if direction == 0 or direction == 4 or direction == 7 else 0


@cython.cfunc
@cython.exceptval(check=False)
def _direction(across: cython.int, down: cython.int) -> cython.int:
    """Return the direction of a step, or -1 if it leads nowhere or further than one cell."""
    for direction in range(8):
        if _across(direction) == across and _down(direction) == down:
            return direction
    return -1


def pack_growths(diagonal: cython.double, least: cython.double, saving: cython.double) -> tuple:
    """Return how much f = g + h grows by a step if all entry costs are 1, as (kinds, amounts).

    `kinds` has a byte for each zone (see `_zone`) and direction, the position in `amounts`; the first amount is 0.
    """
    amounts: cython.double[10]
    count: cython.int = 1
    table: bytearray = bytearray(45 * 8)
    kinds: cython.p_uchar = table
    amounts[0] = 0
    for zone in range(45):
        longer: cython.int = zone % 5 - 2
        x: cython.int = max(longer, 0)
        y: cython.int = max(-longer, 0)
        if zone // 15 != 1 and zone // 5 % 3 != 1:  # away from the axes, where the sign of x or y may change
            x, y = x + 2, y + 2
        x, y = x * (zone // 15 - 1), y * (zone // 5 % 3 - 1)
        if _zone(x, y) != zone:  # no cell is there
            continue
        for direction in range(8):
            growth: cython.double = 1 if direction < 4 else diagonal
            growth -= _octile(x, y, least, saving)
            growth += _octile(x + _across(direction), y + _down(direction), least, saving)
            kind: cython.int = 0
            while kind < count and amounts[kind] != growth:
                kind += 1
            if kind == count:
                amounts[count] = growth
                count += 1
            kinds[8 * zone + direction] = kind
    return table, array.array("d", [amounts[kind] for kind in range(count)])


@cython.cfunc
@cython.exceptval(check=False)
def _octile(x: cython.int, y: cython.int, least: cython.double, saving: cython.double) -> cython.double:
    """Return the estimate of a cell at this distance from the goal."""
    return (abs(x) + abs(y)) * least + min(abs(x), abs(y)) * saving


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _zone(x: cython.int, y: cython.int) -> cython.int:
    """Return the zone, 0 to 44, of a cell at this distance from the goal.

    For all cells of a zone, a step in the same direction makes f grow by the same amount.
    """
    side: cython.int = (x > 0) - (x < 0) + 1
    half: cython.int = (y > 0) - (y < 0) + 1
    longer: cython.int = abs(x) - abs(y)
    return (side * 3 + half) * 5 + max(-2, min(2, longer)) + 2


LOWEST = cython.declare(cython.uchar[256])  # the number of the lowest bit of a byte
COUNTS = cython.declare(cython.uchar[256])  # how many bits of it are set
KEPT = cython.declare(cython.uchar[9 * 256])  # see `_fill_kept`


@cython.cfunc
@cython.exceptval(check=False)
def _fill_bits() -> cython.void:
    LOWEST[0] = COUNTS[0] = 0
    for byte in range(1, 256):
        COUNTS[byte] = COUNTS[byte >> 1] + (byte & 1)
        LOWEST[byte] = 0 if byte & 1 else LOWEST[byte >> 1] + 1


@cython.cfunc
@cython.exceptval(check=False)
def _fill_kept() -> cython.void:
    """Fill `KEPT`: which steps from a cell A* has to look at, as bits, by arrival * 256 + the open steps of the parent.

    `arrival` is the direction of the step from the parent, 8 at the start. The step back to the parent is left out. So
    are steps to cells that the parent can reach by a single step, since two steps never cost less than one.
    """
    memset(KEPT, 255, 9 * 256)
    for arrival in range(8):
        for further in range(8):
            across = _across(arrival) + _across(further)
            down = _down(arrival) + _down(further)
            own = _direction(across, down)
            for steps in range(256):
                if (across == 0 and down == 0) or (own >= 0 and steps >> own & 1):
                    KEPT[arrival * 256 + steps] &= ~(1 << further)


_fill_bits()
_fill_kept()
