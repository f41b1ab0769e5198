"""Straight lines between square centres as steps, rays as steps, and the part of a square that a line cuts off.

Everything but the rays is computed in whole numbers. A step goes through one edge, as (side, offset), or exactly
through a corner, as (side across, side down, offset across, offset down). Sides are bits; offsets are differences of
square numbers `y * width + x`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import cos, gcd, inf, pi, sin

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8

Step = tuple[int, int] | tuple[int, int, int, int]
Steps = tuple[Step, ...]


@lru_cache(maxsize=8192)
def line_steps(width: int, dx: int, dy: int) -> Steps:
    """Return the steps from a centre to the centre (dx, dy) squares away.

    With i vertical and j horizontal edges crossed, comparing (2i + 1)|dy| with (2j + 1)|dx| shows which edge comes
    next; if they are equal, a corner does.
    """
    across, down = abs(dx), abs(dy)
    straight_x, straight_y, corner = _steps(width, dx, dy)
    steps: list[Step] = []
    i = j = 0
    while i < across or j < down:
        order = (2 * i + 1) * down - (2 * j + 1) * across
        steps.append(straight_x if order < 0 else straight_y if order > 0 else corner)
        i += order <= 0
        j += order >= 0
    return tuple(steps)


def line_between(width: int, start: int, end: int) -> Steps:
    """Return the steps between the centres of two numbered squares."""
    return line_steps(width, end % width - start % width, end // width - start // width)


@lru_cache(maxsize=64)
def ray_steps(width: int, height: int, rays: int) -> tuple[Steps, ...]:
    """Return rays from a centre at equal angles, the first to the east; each is long enough to leave any such board."""
    return tuple(_ray(width, width + height, 2 * pi * number / rays) for number in range(rays))


def _ray(width: int, length: int, angle: float) -> Steps:
    """Return the steps of a ray at this angle, nearest first; crossings closer than rounding errors are a corner."""
    dx, dy = (0.0 if abs(part) < 1e-12 else part for part in (cos(angle), sin(angle)))
    next_x, next_y = (0.5 / abs(part) if part else inf for part in (dx, dy))
    straight_x, straight_y, corner = _steps(width, 1 if dx > 0 else -1, 1 if dy > 0 else -1)
    steps: list[Step] = []
    for _ in range(length):
        is_corner = abs(next_x - next_y) < 1e-9
        is_across = is_corner or next_x < next_y
        steps.append(corner if is_corner else straight_x if is_across else straight_y)
        next_y += 1 / abs(dy) if is_corner or not is_across else 0
        next_x += 1 / abs(dx) if is_across else 0
    return tuple(steps)


def _steps(width: int, dx: int, dy: int) -> tuple[Step, Step, Step]:
    """Return the three kinds of step in the direction of (dx, dy): sideways, up or down, and through a corner."""
    side_x, offset_x = (EAST, 1) if dx > 0 else (WEST, -1)
    side_y, offset_y = (SOUTH, width) if dy > 0 else (NORTH, -width)
    return (side_x, offset_x), (side_y, offset_y), (side_x, side_y, offset_x, offset_y)


def squares_passed(sides: Sequence[int], solid: Sequence[int], start: int, steps: Steps) -> Iterator[int]:
    """Yield the squares that the line enters until a wall stops it; it enters a solid square but does not leave it.

    A line passes a corner if one of the two paths round it has no wall and no solid square.
    """
    square = start
    for step in steps:
        if solid[square] and square != start:
            return
        if len(step) == 2:
            if not sides[square] & step[0]:
                return
            square += step[1]
        else:
            if not _is_corner_open(sides, solid, square, step):
                return
            square += step[2] + step[3]
        yield square


def is_clear(sides: Sequence[int], solid: Sequence[int], start: int, steps: Steps) -> bool:
    """Return True if the whole line is free of walls and, except for its two ends, of solid squares."""
    square, left = start, len(steps)
    for step in steps:
        if len(step) == 2:
            if not sides[square] & step[0]:
                return False
            square += step[1]
        else:
            if not _is_corner_open(sides, solid, square, step):
                return False
            square += step[2] + step[3]
        left -= 1
        if left and solid[square]:
            return False
    return True


def _is_corner_open(sides: Sequence[int], solid: Sequence[int], square: int, step: tuple[int, int, int, int]) -> bool:
    side_x, side_y, offset_x, offset_y = step
    open_sides = sides[square]
    if open_sides & side_x and sides[square + offset_x] & side_y and not solid[square + offset_x]:
        return True
    return bool(open_sides & side_y and sides[square + offset_y] & side_x and not solid[square + offset_y])


def is_entered(dx: int, dy: int, i: int, j: int) -> bool:
    """Return True if a line to (dx, dy) enters the square at (i, j) and does not only touch its corner (`exact`)."""
    return 2 * abs(i * dy - j * dx) < abs(dx) + abs(dy)


def is_mostly_cut(dx: int, dy: int, i: int, j: int) -> bool:
    """Return True if the smaller part that a line to (dx, dy) cuts off the square at (i, j) is over 1/32 (`area`)."""
    longer, shorter = _sorted_sides(dx, dy)
    distance = 2 * abs(i * dy - j * dx)
    if distance >= longer + shorter:
        return False
    if distance >= longer - shorter:
        return 4 * (longer + shorter - distance) ** 2 > longer * shorter
    return 15 * longer > 16 * distance


def is_inscribed_circle_cut(dx: int, dy: int, i: int, j: int) -> bool:
    """Return True if a line to (dx, dy) crosses the circle inscribed in the square at (i, j) (`inscribed`)."""
    return 4 * (i * dy - j * dx) ** 2 < dx * dx + dy * dy


def is_on_slope_list(dx: int, dy: int, i: int, j: int) -> bool:
    """Return what `is_mostly_cut` returns, from a list for the slope of the line in lowest terms (`slopes`)."""
    longer, shorter = _sorted_sides(dx, dy)
    along, aside = (abs(i), abs(j)) if abs(dx) >= abs(dy) else (abs(j), abs(i))
    common = gcd(longer, shorter)
    period, rise = longer // common, shorter // common
    return aside - along // period * rise in slope_list(period, rise)[along % period]


@lru_cache(maxsize=1024)
def slope_list(period: int, rise: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each column of a line of slope rise / period, the rows in which a figure obstructs it."""
    spread = range(-2, rise + 3)
    return tuple(tuple(j for j in spread if is_mostly_cut(period, rise, i, j)) for i in range(period))


def _sorted_sides(dx: int, dy: int) -> tuple[int, int]:
    across, down = abs(dx), abs(dy)
    return (across, down) if across >= down else (down, across)


def flood(sides: Sequence[int], solid: Sequence[int], start: int, directions: tuple[tuple[int, int], ...]) -> list[int]:
    """Return the squares reached from `start` by steps in these (side, offset) directions; `start` comes first.

    Solid squares are reached but not left. One direction across and one down give every square that a line into that
    quarter can enter, because a staircase of steps passes wherever a line passes.
    """
    reached = [start]
    known = {start}
    for square in reached:  # the list grows while the loop runs
        if solid[square] and square != start:
            continue
        for side, offset in directions:
            if sides[square] & side and square + offset not in known:
                known.add(square + offset)
                reached.append(square + offset)
    return reached


QUARTERS: tuple[tuple[int, int], ...] = ((EAST, SOUTH), (EAST, NORTH), (WEST, SOUTH), (WEST, NORTH))


def directions_of(width: int, sides: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Return (side, what a step over it adds to a square number) for each of these sides."""
    offsets = {NORTH: -width, EAST: 1, SOUTH: width, WEST: -1}
    return tuple((side, offsets[side]) for side in sides)
