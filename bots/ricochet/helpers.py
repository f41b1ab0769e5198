"""Helpers are put somewhere, then one robot runs alone to the target: the plans of bots that look no further.

Solutions in which helper and finisher alternate are not found. Under the printed rules solutions that the judge refuses
are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bots.planners.stats import INF
from bots.ricochet.plans import Counter, Task, moves_of_path
from games.ricochet.optimum import Plan, moves_from
from games.ricochet.proof import Move

SETTINGS_LIMIT = 400  # arrangements worth trying per finisher: all of one and two helper moves, and some of three

FindWay = Callable[[tuple[int, ...]], tuple[int, ...]]  # cells of all robots -> the finisher's stops; empty = no way
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
    while layer:
        yield from layer
        after: list[Setting] = []
        for before in layer:
            for move, robots in moves_from(task.slides, before.robots, standing=finisher):
                if robots not in known:
                    known.add(robots)
                    after.append(Setting(robots, (*before.moves, move)))
        layer = after


def plans_with_helpers(task: Task, make_ways: MakeWays, *, states_per_node: float = 1) -> Iterator[Plan | None]:
    """Shorter and shorter solutions, by the number of helper moves.

    `states_per_node`: what a node that was expanded counts against the task's `max_states`.
    """
    slides = task.slides
    best: float = INF
    cost = Counter()
    for finisher in task.position.finishers:
        find_way = make_ways(task, finisher, cost)
        lines = slides.lines(slides.kind_of[finisher], slides.number(task.position.target.cell))
        for tried, setting in enumerate(settings(task, finisher)):
            shortest = len(setting.moves) + lines[setting.robots[finisher]]
            has_room = task.has_room(int(cost.expanded * states_per_node))
            if tried >= SETTINGS_LIMIT or shortest >= best or not has_room:
                break
            path = find_way(setting.robots)
            if path and len(setting.moves) + len(path) - 1 < best:
                moves = setting.moves + moves_of_path(task, setting.robots, finisher, path)
                if task.is_solved_by(moves):
                    best = len(moves)
                    yield cost.plan(moves)
            yield None
    if best == INF:
        yield cost.plan(None)
