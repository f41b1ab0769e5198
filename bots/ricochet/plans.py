"""The interface of ricochet planners: they yield better and better solutions of one position.

A planner is a function from a `Task` to an iterator: it yields a `Plan` whenever there is a better one, else None, so
that its caller can stop it at any time. A generator may return the best plan with the cost of the whole search.

`plans_with_helpers` is for planners that search one robot's path: helpers are moved first, then one robot runs alone to
the target. Solutions in which helper and finisher alternate are not found. Under the printed rules solutions that the
judge refuses are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

from gridjoust.bots.planners.budget import UNLIMITED, Budget, OutOfWork
from gridjoust.bots.planners.stats import INF, PlanStats
from gridjoust.bots.ricochet.trail import FinisherTrail, WatchedSpace
from gridjoust.games.grid import DIRECTIONS
from gridjoust.games.ricochet.board import COLOURS
from gridjoust.games.ricochet.optimum import Plan, moves_from
from gridjoust.games.ricochet.proof import PLAIN, Move, MoveRules, Position, judge
from gridjoust.games.ricochet.slides import Slides
from gridjoust.games.ricochet.spaces import Space, make_space


@dataclass(frozen=True, slots=True)
class Task:
    """One position to solve. `max_states` limits the states that a planner keeps; None = no limit.

    `budget` limits the successors that it generates, tactics included; the planner spends it.
    """

    slides: Slides
    position: Position
    rules: MoveRules = PLAIN
    max_states: int | None = None
    budget: Budget = UNLIMITED
    trail: FinisherTrail | None = None  # for spectators; the search then runs in pure Python

    def has_room(self, states: int) -> bool:
        """Return True if a planner that keeps this many states may keep more."""
        return self.max_states is None or states < self.max_states

    def space(self) -> Space:
        """Return the space of joint states (cells of all robots) to search."""
        space = make_space(self.slides, self.position, self.rules)
        return space if self.trail is None else WatchedSpace(space, self.trail)


Plans = Generator[Plan | None, None, Plan | None]
Planner = Callable[[Task], Iterator[Plan | None]]


@dataclass(slots=True)
class Counter(PlanStats):
    """Search cost so far, for planners that run many small searches."""

    def plan(self, moves: tuple[Move, ...] | None, *, is_proven: bool = False) -> Plan:
        """Return a plan of these moves (None: no solution found) with the search cost so far."""
        return Plan(moves, is_proven, self.expanded, self.generated, self.frontier)


def moves_of_path(task: Task, robots: tuple[int, ...], robot: int, path: tuple[int, ...]) -> tuple[Move, ...]:
    """Return the moves that lead one robot along a path of stops while the others stand still."""
    kind, blockers = task.slides.kind_of[robot], task.slides.others(robots, robot)
    moves: list[Move] = []
    for here, there in pairwise(path):
        arrivals = task.slides.arrivals(kind, here, blockers)
        direction = next(arrival.direction for arrival in arrivals if arrival.stop == there)
        moves.append(Move(COLOURS[robot], DIRECTIONS[direction]))
    return tuple(moves)


def stops_within_reach(
    slides: Slides,
    kind: int,
    cell: int,
    blockers: int,
    *,
    lines: Sequence[int],
    most: float,
    budget: Budget = UNLIMITED,
) -> dict[int, tuple[int, ...]]:
    """Return cell -> next stops of a robot, for each cell on which a useful path can stop; they count as tactics.

    These are the cells of all paths of at most `most` moves to the target of `lines` (see `Slides.lines`). A path over
    any other cell is longer, even with the best moves imaginable there.
    """
    out: dict[int, tuple[int, ...]] = {}
    layer, moves = [cell], 0
    while layer:
        after: list[int] = []
        for here in layer:
            if here not in out and moves + lines[here] <= most:
                out[here] = slides.stops_from(kind, here, blockers)
                budget.count_tactics(len(out[here]))
                after += out[here]
        layer, moves = after, moves + 1
    return out


SETTINGS_LIMIT = 400  # arrangements to try, shared by the finishers: for one all of two helper moves, some of three

# (cells of all robots, the most useful moves) -> the finisher's stops; a longer path or none = no useful path
FindWay = Callable[[tuple[int, ...], float], tuple[int, ...]]
MakeWays = Callable[[Task, int, Counter], FindWay]  # (task, finisher, counter of the searches' cost)


@dataclass(frozen=True, slots=True)
class Setting:
    """Robots' cells (in the order of COLOURS) after some moves of the helpers."""

    robots: tuple[int, ...]
    moves: tuple[Move, ...]


def settings(task: Task, finisher: int) -> Iterator[Setting]:
    """Yield every arrangement of the helpers once, fewest helper moves first; the finisher stays where it is."""
    start = task.slides.numbers(task.position.robots)
    known = {start}
    layer = [Setting(start, ())]
    yield layer[0]
    while layer:
        after: list[Setting] = []
        for before in layer:
            for move, robots in moves_from(task.slides, before.robots, standing=finisher):
                task.budget.count_tactics(1)
                if robots not in known:
                    known.add(robots)
                    after.append(Setting(robots, (*before.moves, move)))
                    yield after[-1]
        layer = after


def plans_with_helpers(task: Task, make_ways: MakeWays, *, states_per_node: float = 1) -> Plans:
    """Yield shorter and shorter solutions, and None while searching: first without helper moves, then with more.

    `states_per_node`: how much an expanded node counts against the task's `max_states`.
    """
    cost = Counter()
    best: Plan | None = None
    with suppress(OutOfWork):
        for plan in _shorter_plans(task, make_ways, cost, states_per_node):
            best = plan or best
            yield plan
    if best is None:
        yield cost.plan(None)
    return cost.plan(None if best is None else best.moves)


def _shorter_plans(task: Task, make_ways: MakeWays, cost: Counter, states_per_node: float) -> Iterator[Plan | None]:
    """Yield the solutions of `plans_with_helpers`, and None while searching."""
    slides, fewest = task.slides, INF
    most = SETTINGS_LIMIT // len(task.position.finishers)
    for finisher in task.position.finishers:
        find_way = make_ways(task, finisher, cost)
        lines = slides.lines(slides.kind_of[finisher], slides.number(task.position.target.cell))
        for tried, setting in enumerate(settings(task, finisher)):
            shortest = len(setting.moves) + lines[setting.robots[finisher]]
            has_room = task.has_room(int(cost.expanded * states_per_node))
            if tried >= most or shortest >= fewest or not has_room or task.budget.is_spent:
                break
            path = find_way(setting.robots, fewest - 1 - len(setting.moves))
            if path and len(setting.moves) + len(path) - 1 < fewest:
                moves = setting.moves + moves_of_path(task, setting.robots, finisher, path)
                if judge(task.position, moves, task.rules).is_right:
                    fewest = len(moves)
                    yield cost.plan(moves)
            yield None
