"""What planners are asked and what they give: better and better solutions of one position. Knows no match and no clock.

A planner is a function from a `Task` to an iterator: a `Plan` whenever there is a better one, None where there is not,
so that its caller can stop it at any time.

`plans_with_helpers` is for planners that look no further than one robot: helpers are put somewhere, then one robot runs
alone to the target. Solutions in which helper and finisher alternate are not found. Under the printed rules solutions
that the judge refuses are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gridjoust.bots.planners.budget import UNLIMITED, Budget
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
    """One position to solve. `max_states` bounds the states a planner keeps; None = as many as it takes.

    `budget` bounds those it expands, and is spent by the planner.
    """

    slides: Slides
    position: Position
    rules: MoveRules = PLAIN
    max_states: int | None = None
    budget: Budget = UNLIMITED
    trail: FinisherTrail | None = None  # where somebody looks: the list code searches then

    def has_room(self, states: int) -> bool:
        """Whether a planner may keep more states than these."""
        return self.max_states is None or states < self.max_states

    def space(self) -> Space:
        """Where joint states are searched."""
        space = make_space(self.slides, self.position, self.rules)
        return space if self.trail is None else WatchedSpace(space, self.trail)


Planner = Callable[[Task], Iterator[Plan | None]]


@dataclass(slots=True)
class Counter(PlanStats):
    """Search cost so far, for planners that run many small searches."""

    def plan(self, moves: tuple[Move, ...] | None, *, is_proven: bool = False) -> Plan:
        """A plan with the cost so far."""
        return Plan(moves, is_proven, self.expanded, self.generated, self.frontier)


def moves_of_path(task: Task, robots: tuple[int, ...], robot: int, path: tuple[int, ...]) -> tuple[Move, ...]:
    """The moves of one robot along cells it stops on, the others standing still."""
    kind, blockers = task.slides.kind_of[robot], task.slides.others(robots, robot)
    moves: list[Move] = []
    for here, there in pairwise(path):
        arrivals = task.slides.arrivals(kind, here, blockers)
        direction = next(arrival.direction for arrival in arrivals if arrival.stop == there)
        moves.append(Move(COLOURS[robot], DIRECTIONS[direction]))
    return tuple(moves)


def stops_within_reach(
    slides: Slides, kind: int, cell: int, blockers: int, *, lines: Sequence[int], most: float
) -> dict[int, tuple[int, ...]]:
    """Where a robot can stop next, by every cell on which it can come to rest and be of use.

    Those are the cells of all ways of at most `most` moves to where `lines` lead (see `Slides.lines`); a way over any
    other cell is longer, whatever moves are thought possible there.
    """
    out: dict[int, tuple[int, ...]] = {}
    layer, moves = [cell], 0
    while layer:
        after: list[int] = []
        for here in layer:
            if here not in out and moves + lines[here] <= most:
                out[here] = slides.stops_from(kind, here, blockers)
                after += out[here]
        layer, moves = after, moves + 1
    return out


SETTINGS_LIMIT = (
    400  # arrangements worth trying, shared by the finishers: of one all of two helper moves, some of three
)

# (cells of all robots, the most moves that are of use) -> the finisher's stops; a longer way or none = no way of use
FindWay = Callable[[tuple[int, ...], float], tuple[int, ...]]
MakeWays = Callable[[Task, int, Counter], FindWay]  # (the task, the finisher, what counts the searches)


@dataclass(frozen=True, slots=True)
class Setting:
    """Robots' cells (in the order of COLOURS) after some moves of the helpers."""

    robots: tuple[int, ...]
    moves: tuple[Move, ...]


def settings(task: Task, finisher: int) -> Iterator[Setting]:
    """Every arrangement of the helpers, fewest helper moves first, each once; the finisher stays where it is."""
    start = task.slides.numbers(task.position.robots)
    known = {start}
    layer = [Setting(start, ())]
    yield layer[0]
    while layer:
        after: list[Setting] = []
        for before in layer:
            for move, robots in moves_from(task.slides, before.robots, standing=finisher):
                if robots not in known:
                    known.add(robots)
                    after.append(Setting(robots, (*before.moves, move)))
                    yield after[-1]
        layer = after


def plans_with_helpers(task: Task, make_ways: MakeWays, *, states_per_node: float = 1) -> Iterator[Plan | None]:
    """Shorter and shorter solutions, by the number of helper moves.

    `states_per_node`: what a node that was expanded counts against the task's `max_states`.
    """
    slides = task.slides
    best: float = INF
    cost = Counter()
    most = SETTINGS_LIMIT // len(task.position.finishers)
    for finisher in task.position.finishers:
        find_way = make_ways(task, finisher, cost)
        lines = slides.lines(slides.kind_of[finisher], slides.number(task.position.target.cell))
        for tried, setting in enumerate(settings(task, finisher)):
            shortest = len(setting.moves) + lines[setting.robots[finisher]]
            has_room = task.has_room(int(cost.expanded * states_per_node))
            if tried >= most or shortest >= best or not has_room or task.budget.is_spent:
                break
            path = find_way(setting.robots, best - 1 - len(setting.moves))
            if path and len(setting.moves) + len(path) - 1 < best:
                moves = setting.moves + moves_of_path(task, setting.robots, finisher, path)
                if judge(task.position, moves, task.rules).is_right:
                    best = len(moves)
                    yield cost.plan(moves)
            yield None
    if best == INF:
        yield cost.plan(None)
