"""Shortest solutions by A*, for rules that need an optimum and for bots; the search runs step by step, without a clock.

It is A* (Hart, Nilsson, Raphael 1968) with a queue of buckets, one per f = moves made + lower bound on the moves left
(`Slides.lines`). All moves cost 1 and the bound never falls by more than 1 a move, so buckets are taken in order and no
state is opened twice. A finisher is a robot that may reach the target; the others are helpers. Within a bucket,
finishers move on as long as they come nearer. Only then helpers move, which always leads to the next bucket. So no
helper moves in the last and largest bucket.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from gridjoust.games.grid import DIRECTIONS
from gridjoust.games.ricochet.board import COLOURS, slide
from gridjoust.games.ricochet.proof import PLAIN, Move, MoveRules, Position, judge
from gridjoust.games.ricochet.slides import FAR, Slides
from gridjoust.games.ricochet.spaces import Key, Space, make_space

INF = float("inf")
STATES_PER_STEP = 256  # a running search pauses each time after so many states


@dataclass(frozen=True, slots=True)
class Plan:
    """The result of a search, and its cost.

    `moves` is None if no solution was found. `is_proven` means that no solution is shorter, or without `moves` that
    there is none at all.
    """

    moves: tuple[Move, ...] | None
    is_proven: bool
    expanded: int
    generated: int  # states that moves have led to, known ones included
    frontier: int  # most states that waited to be expanded at once
    bound: int = 0  # no solution is shorter than this


Steps = Generator[int, None, Plan]  # yields the lower bound so far, returns the result


def finish_search(steps: Steps) -> Plan:
    """Run a search of `shortest_steps` to its end and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            plan: Plan = stop.value
            return plan


def is_optimum_at_least(slides: Slides, position: Position, rules: MoveRules, wanted: int) -> bool:
    """Return True if no solution is shorter than `wanted` moves; solutions of `wanted` moves are not searched for."""
    found = finish_search(shortest_steps(slides, position, rules, max_bound=wanted - 1))
    return found.moves is None or len(found.moves) >= wanted


def shortest_steps(
    slides: Slides,
    position: Position,
    rules: MoveRules = PLAIN,
    *,
    max_states: int | None = None,
    max_bound: int | None = None,
    max_generated: float = INF,
    space: Space | None = None,
) -> Steps:
    """Search for a shortest solution, as a generator that pauses after every few hundred states; it returns a `Plan`.

    It gives up if it holds more than `max_states` states, if a solution takes more than `max_bound` moves, or once
    it has generated `max_generated` states. `space` replaces the space that `make_space` chooses.
    """
    space = space or make_space(slides, position, rules)
    if space.start_bound == 0:
        return Plan((), is_proven=True, expanded=0, generated=0, frontier=1)
    if space.start_bound >= FAR:
        return Plan(None, is_proven=True, expanded=0, generated=0, frontier=1, bound=FAR)
    search = _Buckets(space, max_generated)
    while max_bound is None or search.bound <= max_bound:
        for _ in search.fill():
            yield search.bound
            if max_states is not None and len(search.parents) > max_states:
                return search.plan(None, is_proven=False)
        if search.goal is not None:
            path = path_to(search.goal, search.parents)
            return search.plan(moves_along(slides, position, rules, space, path), is_proven=True)
        if search.is_cut or not search.is_open:
            return search.plan(None, is_proven=not search.is_cut)
        search.bound += 1
    return search.plan(None, is_proven=False)


class _Buckets:
    """A running search: its open states by f = moves made + lower bound, and the parent of each known state."""

    def __init__(self, space: Space, max_generated: float) -> None:
        self.bound = space.start_bound
        self.parents: dict[Key, Key] = {}
        self.goal: Key | None = None
        self.is_open = True  # some states are left to expand
        self.is_cut = False  # the limit of generated states was reached
        self._max_generated = max_generated
        self._space = space
        self._done: list[Key] = []  # the previous bucket, whose helpers have not moved yet
        self._here: list[Key] = []  # the present bucket
        self._later: dict[int, list[tuple[Key, Key]]] = {self.bound: [(space.start, space.start)]}
        self._expanded = self._generated = self._frontier = 0

    def fill(self) -> Iterator[None]:
        """Expand every state of f = `bound`; stop at the first goal. Yield whenever the search may pause."""
        self._done, self._here = self._here, []
        waiting = len(self._done) + sum(map(len, self._later.values()))
        self._frontier = max(self._frontier, waiting)
        next_pause = len(self.parents) + STATES_PER_STEP
        for parent, states in self._arrivals():
            self._admit(parent, states)
            if self.goal is not None or self.is_cut:
                break
            if len(self.parents) >= next_pause:
                next_pause = len(self.parents) + STATES_PER_STEP
                yield
        self._frontier = max(self._frontier, len(self._here) + sum(map(len, self._later.values())))
        self.is_open = bool(self._here or self._later)
        yield

    def _arrivals(self) -> Iterator[tuple[Key, list[Key]]]:
        for state, parent in self._later.pop(self.bound, ()):
            yield parent, [state]
        follow = self._space.follow
        for state in self._done:
            if self._generated >= self._max_generated:
                self.is_cut = True
                return
            states = follow(state)
            self._generated += len(states)
            yield state, states

    def _admit(self, parent: Key, states: list[Key]) -> None:
        """Expand the new ones of these states, and the states of equal f after further moves of robots that may finish.

        States of higher f after such moves are queued. It sets `goal` at the first goal, and `is_cut` at the limit of
        generated states.
        """
        parents, here, lead = self.parents, self._here, self._space.lead
        for state in states:
            if state in parents:
                continue
            parents[state] = parent
            running = [state]
            while running:
                if self._generated >= self._max_generated:
                    self.is_cut = True
                    return
                runner = running.pop()
                here.append(runner)
                self._expanded += 1
                own_bound, children = lead(runner)
                self._generated += len(children)
                for child, bound in children:
                    if child in parents:
                        continue
                    if bound < own_bound:
                        parents[child] = runner
                        running.append(child)
                        if bound == 0:
                            self.goal = child
                            return
                    else:
                        self._later.setdefault(self.bound + 1 + bound - own_bound, []).append((child, runner))

    def plan(self, moves: tuple[Move, ...] | None, *, is_proven: bool) -> Plan:
        """Return the result of the search: these moves, and how many states it has cost."""
        return Plan(moves, is_proven, self._expanded, self._generated, self._frontier, self.bound)


def path_to(goal: Key, parents: Mapping[Key, Key]) -> list[Key]:
    """Return the states from the start, which is its own parent, to the goal."""
    path = [goal]
    while (parent := parents[path[-1]]) != path[-1]:
        path.append(parent)
    return path[::-1]


def moves_along(
    slides: Slides, position: Position, rules: MoveRules, space: Space, path: list[Key]
) -> tuple[Move, ...]:
    """Return a right solution whose moves lead along this path of states.

    Keys do not tell interchangeable robots apart, so several moves may fit one step, and not all of them lead to a
    right solution. A search that drops states may also keep a move and its reversal, though one move would do.
    """
    states = [space.cells(key) for key in path]

    def extend(robots: tuple[int, ...], moves: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
        if len(moves) == len(states) - 1:
            yield moves
            return
        for move, after in moves_from(slides, robots):
            if space.place(after) == states[len(moves) + 1]:
                yield from extend(after, (*moves, move))

    found = extend(slides.numbers(position.robots), ())
    ways = (way for moves in found for way in (moves, _without_returns(position, moves)))
    return next(moves for moves in ways if judge(position, moves, rules).is_right)


def _without_returns(position: Position, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return the moves without each one that the next takes straight back, and without those that move no robot."""
    while True:
        kept: list[Move] = []
        robots = list(position.robots)
        for move, following in zip_longest(moves, moves[1:]):
            if following is not None and following == Move(move.robot, move.direction.opposite):
                continue
            number = COLOURS.index(move.robot)
            others = robots[:number] + robots[number + 1 :]
            way = slide(position.board, move.robot, robots[number], move.direction, others)
            if way is not None:
                robots[number] = way.stop
                kept.append(move)
        if len(kept) == len(moves):
            return moves
        moves = tuple(kept)


def moves_from(
    slides: Slides, robots: tuple[int, ...], *, standing: int | None = None
) -> Iterator[tuple[Move, tuple[int, ...]]]:
    """Yield (move, the robots' cells after it) for every robot but number `standing`.

    Robots come in the order of COLOURS, the moves of each in the order N, E, S, W.
    """
    for robot, cell in enumerate(robots):
        if robot == standing:
            continue
        for arrival in slides.arrivals(slides.kind_of[robot], cell, slides.others(robots, robot)):
            after = (*robots[:robot], arrival.stop, *robots[robot + 1 :])
            yield Move(COLOURS[robot], DIRECTIONS[arrival.direction]), after
