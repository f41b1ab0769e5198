"""Judges a solution move by move under either variant. Finds none itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.grid import Direction
from games.ricochet.board import COLOURS, Board, Colour, Robots, Slide, Target, slide


class Move(NamedTuple):
    """One robot sliding in one direction."""

    robot: Colour
    direction: Direction

    def __str__(self) -> str:
        return f"{self.robot} {self.direction.name}"


@dataclass(frozen=True, slots=True)
class MoveRules:
    """`printed`: the robot on the target must have turned, and no robot goes straight back at once.

    A robot has turned when it has moved along both axes, a diagonal's turn included. Straight back is against the
    heading with which it came to rest, unless another robot has moved since. `early_stop` (printed only): whether a
    robot may rest on its target before it has turned, and go on from there.
    """

    printed: bool = False
    early_stop: bool = True


PLAIN = MoveRules()


@dataclass(frozen=True, slots=True)
class Position:
    """What is to be solved: a board, where the robots stand, the target."""

    board: Board
    robots: Robots
    target: Target

    def may_finish(self, robot: Colour) -> bool:
        """Whether this robot counts on the target."""
        return self.target.colour is None or self.target.colour is robot


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where the robots end, and what is wrong with the solution ("" if it is right)."""

    robots: Robots
    fault: str

    @property
    def is_right(self) -> bool:
        """Whether the solution holds."""
        return not self.fault


class _Walk:
    """The robots on their way through one solution."""

    def __init__(self, position: Position, rules: MoveRules) -> None:
        self.position = position
        self.rules = rules
        self.robots = list(position.robots)
        self._axes: list[set[bool]] = [set() for _ in position.robots]  # is_vertical of headings so far
        self._last: tuple[Colour, Direction] | None = None  # who moved last, and the heading it ended with

    def has_turned(self, robot: int) -> bool:
        return len(self._axes[robot]) == 2

    def fault_of(self, move: Move) -> str:
        """Make one move; what is wrong with it, or ""."""
        robot = COLOURS.index(move.robot)
        if robot >= len(self.robots):
            return f"there is no {move.robot} robot"
        cell = self.robots[robot]
        others = [other for number, other in enumerate(self.robots) if number != robot]
        path = slide(self.position.board, move.robot, cell, move.direction, others)
        if path is None:
            return "the robot cannot move that way"
        if self.rules.printed and self._last == (move.robot, move.direction.opposite):
            return "the robot goes straight back"
        self._make(robot, path)
        return self._early_stop_fault(robot)

    def _make(self, robot: int, path: Slide) -> None:
        self.robots[robot] = path.stop
        self._axes[robot] |= {heading.dx == 0 for heading in path.headings}
        self._last = (COLOURS[robot], path.arrival)

    def _early_stop_fault(self, robot: int) -> str:
        if not self.rules.printed or self.rules.early_stop or self.has_turned(robot):
            return ""
        on_target = self.robots[robot] == self.position.target.cell
        return "the robot stops on the target before it has turned" if on_target and self._counts(robot) else ""

    def end_fault(self) -> str:
        """What is missing at the end, or ""."""
        there = [n for n, cell in enumerate(self.robots) if cell == self.position.target.cell and self._counts(n)]
        if not there:
            return f"the {self.position.target.colour or 'any'} robot is not on the target at the end"
        if self.rules.printed and not self.has_turned(there[0]):
            return "the robot on the target has not turned"
        return ""

    def _counts(self, robot: int) -> bool:
        return self.position.may_finish(COLOURS[robot])


def judge(position: Position, moves: Sequence[Move], rules: MoveRules = PLAIN) -> Verdict:
    """Whether the moves bring the right robot to rest on the target; the fault names the first wrong move."""
    walk = _Walk(position, rules)
    for number, move in enumerate(moves, start=1):
        fault = walk.fault_of(move)
        if fault:
            return Verdict(position.robots, f"move {number}, {move}: {fault}")
    return Verdict(tuple(walk.robots), walk.end_fault())
