"""How a position looks to a search: states as keys, a lower bound, and two kinds of successors. Searches nothing.

`lead(key)` moves the robots that may finish; `follow(key)` moves the others, which leaves the bound as it is.
Robots that slide alike and do not have to finish are interchangeable, so keys hold them sorted. Here are the spaces of
the official game, made fast; `wide_spaces` has the rest.
"""

from __future__ import annotations

from typing import Any, Protocol

from games.ricochet.board import COLOURS
from games.ricochet.proof import Position
from games.ricochet.slides import Slides

Key = Any  # hashable; each space has its own, made and read by itself only


class Space(Protocol):
    """One position with its rules, ready to be searched."""

    start: Any
    start_bound: int

    def lead(self, key: Key) -> tuple[int, list[tuple[Key, int]]]:
        """The state's own bound, and the states after one move of a robot that may finish, each with its bound.

        A bound of 0 = the target is reached.
        """

    def follow(self, key: Key) -> list[Key]:
        """States after one move of any other robot."""

    def cells(self, key: Key) -> tuple[int, ...]:
        """Where the robots stand, as `place` gives it."""

    def place(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """The cells of robots in the order of COLOURS, in the space's own order: equal iff interchangeable."""


def finisher_first(position: Position) -> tuple[int, ...]:
    """Robot numbers, the one that must finish first."""
    first = None if position.target.colour is None else COLOURS.index(position.target.colour)
    return tuple(sorted(range(len(position.robots)), key=lambda robot: robot != first))


class CommonSpace:
    """The common case, made fast: plain rules, robots that slide alike, one that must finish, three helpers.

    Keys are ints: the finisher's cell in the lowest ten bits, then the helpers' cells in rising order.
    """

    def __init__(self, slides: Slides, position: Position) -> None:
        self._slides = slides
        self._order = self._slots(slides, position)
        self._kinds = tuple(slides.kind_of[robot] for robot in self._order)
        self._bit = slides.bit
        self._cross = [slides.cross[kind] for kind in self._kinds]
        self._stops = [slides.stops[kind] for kind in self._kinds]
        self._lines = slides.lines(self._kinds[0], slides.number(position.target.cell))
        first, low, middle, high = self.place(slides.numbers(position.robots))
        self.start = first | low << 10 | middle << 20 | high << 30
        self.start_bound = self._lines[first]

    def _slots(self, slides: Slides, position: Position) -> tuple[int, ...]:  # noqa: ARG002 - other boards need it
        return finisher_first(position)

    def lead(self, key: int) -> tuple[int, list[tuple[int, int]]]:
        """The finisher's moves."""
        first = key & 1023
        bit, lines = self._bit, self._lines
        pattern = self._cross[0][first] & (bit[key >> 10 & 1023] | bit[key >> 20 & 1023] | bit[key >> 30])
        stops = self._stops[0][first].get(pattern)
        if stops is None:
            stops = self._slides.work_out(self._kinds[0], first, pattern)
        rest = key ^ first
        return lines[first], [(rest | stop, lines[stop]) for stop in stops]

    def follow(self, key: int) -> list[int]:
        """The helpers' moves."""
        bit, cross, stops = self._bit, self._cross[1], self._stops[1]
        first, low, middle, high = key & 1023, key >> 10 & 1023, key >> 20 & 1023, key >> 30
        taken = bit[first] | bit[low] | bit[middle] | bit[high]
        states: list[int] = []
        for helper, small, large in ((low, middle, high), (middle, low, high), (high, low, middle)):
            pattern = cross[helper] & (taken ^ bit[helper])
            ends = stops[helper].get(pattern)
            if ends is None:
                ends = self._slides.work_out(self._kinds[1], helper, pattern)
            as_low = first | small << 20 | large << 30
            as_middle = first | small << 10 | large << 30
            as_high = first | small << 10 | large << 20
            for end in ends:
                if end < small:
                    states.append(as_low | end << 10)
                elif end < large:
                    states.append(as_middle | end << 20)
                else:
                    states.append(as_high | end << 30)
        return states

    def cells(self, key: int) -> tuple[int, ...]:
        """Finisher first, helpers in rising order."""
        return key & 1023, key >> 10 & 1023, key >> 20 & 1023, key >> 30

    def place(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Finisher first, helpers in rising order."""
        first, *helpers = self._order
        return (numbers[first], *sorted(numbers[robot] for robot in helpers))


class MixedSpace(CommonSpace):
    """As `CommonSpace` on boards with diagonals, where helpers may differ: two of one kind take the last two slots."""

    def _slots(self, slides: Slides, position: Position) -> tuple[int, ...]:
        first, *helpers = finisher_first(position)
        kinds = [slides.kind_of[robot] for robot in helpers]
        odd = next((robot for robot, kind in zip(helpers, kinds, strict=True) if kinds.count(kind) == 1), helpers[0])
        pair = [robot for robot in helpers if robot != odd]
        self._has_pair = slides.kind_of[pair[0]] == slides.kind_of[pair[1]]
        return (first, odd, *pair)

    def follow(self, key: int) -> list[int]:
        """The helpers' moves."""
        bit = self._bit
        first, odd, middle, high = key & 1023, key >> 10 & 1023, key >> 20 & 1023, key >> 30
        taken = bit[first] | bit[odd] | bit[middle] | bit[high]
        rest = key ^ odd << 10
        states = [rest | end << 10 for end in self._ends(1, odd, taken ^ bit[odd])]
        rest = first | odd << 10
        if not self._has_pair:
            states += [rest | end << 20 | high << 30 for end in self._ends(2, middle, taken ^ bit[middle])]
            states += [rest | middle << 20 | end << 30 for end in self._ends(3, high, taken ^ bit[high])]
            return states
        for helper, other in ((middle, high), (high, middle)):
            for end in self._ends(2, helper, taken ^ bit[helper]):
                states.append(rest | (end << 20 | other << 30 if end < other else other << 20 | end << 30))
        return states

    def place(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Finisher, odd helper, the pair (in rising order if it is one)."""
        first, odd, *pair = (numbers[robot] for robot in self._order)
        return (first, odd, *(sorted(pair) if self._has_pair else pair))

    def _ends(self, slot: int, cell: int, blockers: int) -> tuple[int, ...]:
        pattern = self._cross[slot][cell] & blockers
        ends = self._stops[slot][cell].get(pattern)
        return self._slides.work_out(self._kinds[slot], cell, pattern) if ends is None else ends
