"""What planners are asked and what they give: better and better solutions of one position. Knows no match and no clock.

A planner is a function from a `Task` to an iterator: a `Plan` whenever there is a better one, None where there is not,
so that its caller can stop it at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from bots.planners.stats import SearchCost
from games.grid import DIRECTIONS
from games.ricochet.board import COLOURS
from games.ricochet.optimum import Plan
from games.ricochet.proof import PLAIN, Move, MoveRules, Position, judge
from games.ricochet.slides import Slides


@dataclass(frozen=True, slots=True)
class Task:
    """One position to solve. `max_states` bounds the states a planner keeps; None = as many as it takes."""

    slides: Slides
    position: Position
    rules: MoveRules = PLAIN
    max_states: int | None = None

    def has_room(self, states: int) -> bool:
        """Whether a planner may keep more states than these."""
        return self.max_states is None or states < self.max_states

    def is_solved_by(self, moves: tuple[Move, ...]) -> bool:
        """Whether the moves hold under the task's rules."""
        return judge(self.position, moves, self.rules).is_right


Planner = Callable[[Task], Iterator[Plan | None]]


@dataclass(slots=True)
class Counter(SearchCost):
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
