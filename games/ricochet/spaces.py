"""Positions in the form that a search needs: states as keys, a lower bound on the moves left, and successors.

`lead(key)` moves the robots that may finish; `follow(key)` moves the others, which leaves the bound unchanged. A slot
is the place of one robot's cell in a key. Robots that slide alike and do not have to finish are interchangeable, so
keys hold them sorted. The fast spaces for the official game come first; then those for any finisher, five robots or
the printed rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Protocol

from gridjoust.games.bitset import mask_of
from gridjoust.games.ricochet.board import COLOURS
from gridjoust.games.ricochet.proof import PLAIN, MoveRules, Position
from gridjoust.games.ricochet.slides import BOTH_AXES, FAR, Slides

Key = Any  # hashable; each space makes and reads its own kind


class Space(Protocol):
    """The search space of one position under its rules."""

    start: Any
    start_bound: int

    def lead(self, key: Key) -> tuple[int, list[tuple[Key, int]]]:
        """Return the state's lower bound, and (state, its bound) after each move of a robot that may finish.

        A bound is the fewest moves that may be left; 0 = the target is reached.
        """

    def follow(self, key: Key) -> list[Key]:
        """Return the keys of the states after each move of a robot that may not finish on the target."""

    def cells(self, key: Key) -> tuple[int, ...]:
        """Return the robots' cells in the order of `place`."""

    def place(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Reorder cells from the order of COLOURS to the order of this space.

        Two positions give the same result if and only if they differ only by interchangeable robots.
        """


def finisher_first(position: Position) -> tuple[int, ...]:
    """Return the robot numbers, beginning with the robot that must finish, if there is a single one."""
    first = None if position.target.colour is None else COLOURS.index(position.target.colour)
    return tuple(sorted(range(len(position.robots)), key=lambda robot: robot != first))


class CommonSpace:
    """A fast search space for the common case: plain rules, four robots that slide alike, one of which must finish.

    Keys are integers: the finisher's cell in the lowest ten bits, then the helpers' cells in ascending order.
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

    def _slots(self, slides: Slides, position: Position) -> tuple[int, ...]:  # noqa: ARG002 - needed for other boards
        return finisher_first(position)

    def lead(self, key: int) -> tuple[int, list[tuple[int, int]]]:
        """Return the state's lower bound on the moves left, and (state, its bound) after each move of the finisher."""
        first = key & 1023
        bit, lines = self._bit, self._lines
        pattern = self._cross[0][first] & (bit[key >> 10 & 1023] | bit[key >> 20 & 1023] | bit[key >> 30])
        stops = self._stops[0][first].get(pattern)
        if stops is None:
            stops = self._slides.work_out(self._kinds[0], first, pattern)
        rest = key ^ first
        return lines[first], [(rest | stop, lines[stop]) for stop in stops]

    def follow(self, key: int) -> list[int]:
        """Return the keys of the states after each move of a helper, a robot that cannot finish."""
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
        """Return the cell of the robot that must finish, then those of the helpers in ascending order."""
        return key & 1023, key >> 10 & 1023, key >> 20 & 1023, key >> 30

    def place(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Return the cell of the robot that must finish, then those of the helpers in ascending order."""
        first, *helpers = self._order
        return (numbers[first], *sorted(numbers[robot] for robot in helpers))


class MixedSpace(CommonSpace):
    """A `CommonSpace` for boards with diagonals: helpers may slide differently; two that slide alike come last."""

    def _slots(self, slides: Slides, position: Position) -> tuple[int, ...]:
        first, *helpers = finisher_first(position)
        kinds = [slides.kind_of[robot] for robot in helpers]
        odd = next((robot for robot, kind in zip(helpers, kinds, strict=True) if kinds.count(kind) == 1), helpers[0])
        pair = [robot for robot in helpers if robot != odd]
        self._has_pair = slides.kind_of[pair[0]] == slides.kind_of[pair[1]]
        return (first, odd, *pair)

    def follow(self, key: int) -> list[int]:
        """Return the keys of the states after each move of a helper, a robot that cannot finish."""
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
        """Return the cells of the finisher, the helper that slides unlike the others, and the other two.

        Those two are in ascending order if they slide alike.
        """
        first, odd, *pair = (numbers[robot] for robot in self._order)
        return (first, odd, *(sorted(pair) if self._has_pair else pair))

    def _ends(self, slot: int, cell: int, blockers: int) -> tuple[int, ...]:
        pattern = self._cross[slot][cell] & blockers
        ends = self._stops[slot][cell].get(pattern)
        return self._slides.work_out(self._kinds[slot], cell, pattern) if ends is None else ends


def make_space(slides: Slides, position: Position, rules: MoveRules = PLAIN) -> Space:
    """Return the fastest search space that fits the position and its rules."""
    if rules.printed:
        return PrintedSpace(slides, position, rules)
    if len(position.robots) != 4 or position.target.colour is None:
        return GeneralSpace(slides, position)
    return MixedSpace(slides, position) if slides.board.diagonals else CommonSpace(slides, position)


class _GroupedSpace:
    """Base class of search spaces whose keys list interchangeable robots next to each other, sorted by cell."""

    def __init__(self, slides: Slides, position: Position) -> None:
        order = finisher_first(position)
        leads = 0 if position.target.colour is None else 1
        helpers = sorted(order[leads:], key=lambda robot: slides.kind_of[robot])
        self._slides = slides
        self._target = slides.number(position.target.cell)
        self._robots = (*order[:leads], *helpers)
        self._kinds = tuple(slides.kind_of[robot] for robot in self._robots)
        self._leaders = range(leads or len(order))
        self._followers = range(leads, len(order)) if leads else range(0)
        self._lines = [slides.lines(kind, self._target) for kind in self._kinds]
        cuts = [slot for slot in range(leads + 1, len(order)) if self._kinds[slot] != self._kinds[slot - 1]]
        self._runs = [(begin, end) for begin, end in pairwise([leads, *cuts, len(order)]) if end - begin > 1]

    def place(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Reorder cells from the order of COLOURS to that of a key, sorted among interchangeable robots."""
        return self._normal(tuple(numbers[robot] for robot in self._robots))

    def _normal(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        """Return the cells of a key, sorted within each group of interchangeable robots."""
        for begin, end in self._runs:
            cells = (*cells[:begin], *sorted(cells[begin:end]), *cells[end:])
        return cells


class GeneralSpace(_GroupedSpace):
    """A search space for the plain rules, any board and any number of robots; all may finish if the target allows it.

    Keys are tuples of cells.
    """

    def __init__(self, slides: Slides, position: Position) -> None:
        super().__init__(slides, position)
        self.start = self.place(slides.numbers(position.robots))
        self.start_bound = self._bound(self.start)

    def lead(self, key: tuple[int, ...]) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
        """Return the state's lower bound, and (state, its bound) after each move of a robot that may finish."""
        states = self._moved(key, self._leaders)
        if len(self._leaders) == 1:
            lines = self._lines[0]
            return lines[key[0]], [(state, lines[state[0]]) for state in states]
        return self._bound(key), [(state, self._bound(state)) for state in states]

    def follow(self, key: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the keys of the states after each move of a robot that may not finish on the target."""
        return self._moved(key, self._followers)

    def cells(self, key: tuple[int, ...]) -> tuple[int, ...]:
        """Return the robots' cells, in the order of `place`."""
        return key

    def _moved(self, key: tuple[int, ...], slots: Sequence[int]) -> list[tuple[int, ...]]:
        taken = mask_of(key)
        states: list[tuple[int, ...]] = []
        for slot in slots:
            cell = key[slot]
            ends = self._slides.stops_from(self._kinds[slot], cell, taken ^ 1 << cell)
            states += [self._normal((*key[:slot], end, *key[slot + 1 :])) for end in ends]
        return states

    def _bound(self, key: tuple[int, ...]) -> int:
        return min(self._lines[slot][key[slot]] for slot in self._leaders)


class PrintedSpace(_GroupedSpace):
    """A search space for the printed rules, on any board.

    Keys are (cells, axes used by each robot that may finish, the last mover's slot and heading or -1). Helpers are
    interchangeable only if the rules need not remember which of them moved.
    """

    def __init__(self, slides: Slides, position: Position, rules: MoveRules) -> None:
        super().__init__(slides, position)
        self._early_stop = rules.early_stop
        self._turns_in_flight = bool(slides.board.diagonals)
        self._helpers_alike = len(self._leaders) == 1 and not self._turns_in_flight
        cells = self.place(slides.numbers(position.robots))
        self.start = (cells, (0,) * len(self._leaders), -1)
        self.start_bound = self._bound(cells, self.start[1])

    def lead(self, key: Key) -> tuple[int, list[tuple[Key, int]]]:
        """Return the state's lower bound, and (state, its bound) after each move of a robot that may finish."""
        states: list[tuple[Key, int]] = []
        cells, axes, _ = key
        for slot, end, heading, used in self._moves(key, self._leaders):
            after = (*axes[:slot], axes[slot] | used, *axes[slot + 1 :])
            if end == self._target and after[slot] != BOTH_AXES and not self._early_stop:
                continue
            moved = (*cells[:slot], end, *cells[slot + 1 :])
            states.append(((moved, after, self._memory(slot, heading, axes)), self._bound(moved, after)))
        return self._bound(cells, axes), states

    def follow(self, key: Key) -> list[Key]:
        """Return the keys of the states after each move of a robot that may not finish on the target."""
        cells, axes, _ = key
        return [
            (self._normal((*cells[:slot], end, *cells[slot + 1 :])), axes, self._memory(slot, heading, axes))
            for slot, end, heading, _ in self._moves(key, self._followers)
        ]

    def cells(self, key: Key) -> tuple[int, ...]:
        """Return the robots' cells, in the order of `place`."""
        found: tuple[int, ...] = key[0]
        return found

    def _normal(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        return super()._normal(cells) if self._helpers_alike else cells

    def _moves(self, key: Key, slots: Sequence[int]) -> list[tuple[int, int, int, int]]:
        """Return (slot of the robot, stop, heading, axes used) for each move that does not go straight back."""
        cells, _, last = key
        taken = mask_of(cells)
        moves: list[tuple[int, int, int, int]] = []
        for slot in slots:
            arrivals = self._slides.arrivals(self._kinds[slot], cells[slot], taken ^ 1 << cells[slot])
            banned = (last & 3) ^ 2 if last >> 2 == slot else -1
            moves += [(slot, a.stop, a.heading, a.axes) for a in arrivals if a.direction != banned]
        return moves

    def _memory(self, slot: int, heading: int, axes: tuple[int, ...]) -> int:
        """Return what a key keeps of the last move, so that it is not taken straight back: slot and heading, or -1.

        On a board without diagonals, moving out and back ends where one move back would have ended. So only a robot
        that may finish, and had not turned before the move (`axes`), could gain an axis by it.
        """
        matters = self._turns_in_flight or (slot < len(axes) and axes[slot] != BOTH_AXES)
        return slot << 2 | heading if matters else -1

    def _bound(self, cells: tuple[int, ...], axes: tuple[int, ...]) -> int:
        return min(self._slot_bound(slot, cells[slot], axes[slot]) for slot in self._leaders)

    def _slot_bound(self, slot: int, cell: int, axes: int) -> int:
        """Return a lower bound on the moves of the robot in this slot to the target; it must move along both axes."""
        fewest = self._lines[slot][cell]
        if axes == BOTH_AXES or fewest >= FAR:
            return fewest
        if cell == self._target:
            return 2
        return max(fewest, 1 if self._turns_in_flight or axes else 2)
