"""Where helpers can be put before one robot runs alone to the target. Searches no way for that robot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bots.ricochet.plans import Task
from games.grid import DIRECTIONS
from games.ricochet.board import COLOURS
from games.ricochet.proof import Move

SETTINGS_LIMIT = 400  # arrangements worth trying per finisher: all of one and two helper moves, and some of three


@dataclass(frozen=True, slots=True)
class Setting:
    """Robots' cells (in the order of COLOURS) after some moves of the helpers."""

    robots: tuple[int, ...]
    moves: tuple[Move, ...]


def finishers(task: Task) -> tuple[int, ...]:
    """The robots that may end on the target."""
    target = task.position.target
    count = len(task.position.robots)
    return tuple(range(count)) if target.colour is None else (COLOURS.index(target.colour),)


def settings(task: Task, finisher: int) -> Iterator[Setting]:
    """Every arrangement of the helpers, fewest helper moves first, each once; the finisher stays where it is."""
    slides = task.slides
    start = slides.numbers(task.position.robots)
    known = {start}
    layer = [Setting(start, ())]
    while layer:
        yield from layer
        after: list[Setting] = []
        for before in layer:
            for setting in _after_one_move(task, before, finisher):
                if setting.robots not in known:
                    known.add(setting.robots)
                    after.append(setting)
        layer = after


def _after_one_move(task: Task, before: Setting, finisher: int) -> Iterator[Setting]:
    slides, robots = task.slides, before.robots
    for robot, cell in enumerate(robots):
        if robot == finisher:
            continue
        blockers = blockers_of(task, robots, robot)
        for arrival in slides.arrivals(slides.kind_of[robot], cell, blockers):
            after = (*robots[:robot], arrival.stop, *robots[robot + 1 :])
            yield Setting(after, (*before.moves, Move(COLOURS[robot], DIRECTIONS[arrival.direction])))


def blockers_of(task: Task, robots: tuple[int, ...], robot: int) -> int:
    """The set of all other robots."""
    blockers = 0
    for other, cell in enumerate(robots):
        if other != robot:
            blockers |= task.slides.bit[cell]
    return blockers
