"""Check a solution move by move under either variant of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridjoust.games.grid import Cell, Direction
from gridjoust.games.ricochet.board import COLOURS, Board, Colour, Robots, Target, slide


class Move(NamedTuple):
    """The slide of one robot in one direction."""

    robot: Colour
    direction: Direction

    def __str__(self) -> str:
        return f"{self.robot} {self.direction.name}"


@dataclass(frozen=True, slots=True)
class MoveRules:
    """The rules for moves: plain, or `printed`.

    With `printed`, the robot on the target must have turned, and no robot goes straight back at once. A robot has
    turned if it has moved along both axes; a turn at a diagonal counts. Straight back is against the heading with which
    it stopped, unless another robot has moved since. With `early_stop` (printed only), a robot may stop on its target
    before it has turned, and go on from there.
    """

    printed: bool = False
    early_stop: bool = True


PLAIN = MoveRules()


@dataclass(frozen=True, slots=True)
class Position:
    """A position to solve: a board, the robots' cells, the target."""

    board: Board
    robots: Robots
    target: Target

    @property
    def finishers(self) -> tuple[int, ...]:
        """Numbers of the robots that may finish on the target: its own, or all if any robot may."""
        return tuple(n for n in range(len(self.robots)) if self.target.colour in (None, COLOURS[n]))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The robots' cells at the end, and what is wrong with the solution ("" if it is right).

    `is_possible`: all its moves are possible, wherever they lead.
    """

    robots: Robots
    fault: str
    is_possible: bool = True

    @property
    def is_right(self) -> bool:
        """True if the solution is right."""
        return not self.fault


class _Walk:
    """The robots while the moves of one solution are made and checked."""

    def __init__(self, position: Position, rules: MoveRules) -> None:
        self.position = position
        self.rules = rules
        self.robots = list(position.robots)
        self._axes: list[set[bool]] = [set() for _ in position.robots]  # axes used by each robot; True = vertical
        self._last: tuple[Colour, Direction] | None = None  # the robot that moved last, and its heading at the stop

    def fault_of(self, move: Move) -> str:
        """Make one move; return what is wrong with it, or "" if it is allowed."""
        robot = COLOURS.index(move.robot)
        if robot >= len(self.robots):
            return f"there is no {move.robot} robot"
        others = self.robots[:robot] + self.robots[robot + 1 :]
        path = slide(self.position.board, move.robot, self.robots[robot], move.direction, others)
        if path is None:
            return "the robot cannot move that way"
        if self.rules.printed and self._last == (move.robot, move.direction.opposite):
            return "the robot goes straight back"
        self.robots[robot] = path.stop
        self._axes[robot] |= {heading.dx == 0 for heading in path.headings}
        self._last = (move.robot, path.arrival)
        is_early = not self.rules.early_stop and robot in self._on_target() and self._must_turn(robot)
        return "the robot stops on the target before it has turned" if is_early else ""

    def end_fault(self) -> str:
        """Return what the solution lacks after its last move, or "" if it is right."""
        there = self._on_target()
        if not there:
            return f"the {self.position.target.colour or 'any'} robot is not on the target at the end"
        return "the robot on the target has not turned" if self._must_turn(there[0]) else ""

    def _on_target(self) -> list[int]:
        return [robot for robot in self.position.finishers if self.robots[robot] == self.position.target.cell]

    def _must_turn(self, robot: int) -> bool:
        return self.rules.printed and len(self._axes[robot]) < 2


def ways_of(position: Position, moves: Sequence[Move]) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of each move, beginning with the robot's own, up to the first impossible move."""
    standing = dict(zip(COLOURS, position.robots, strict=False))
    for robot, direction in moves:
        here = standing.pop(robot, None)
        path = None if here is None else slide(position.board, robot, here, direction, standing.values())
        if here is None or path is None:
            return
        yield (here, *path.cells)
        standing[robot] = path.stop


def judge(position: Position, moves: Sequence[Move], rules: MoveRules = PLAIN) -> Verdict:
    """Return where the moves lead and what is wrong with them; after a wrong move, the robots are as at the start."""
    walk = _Walk(position, rules)
    for number, move in enumerate(moves, start=1):
        fault = walk.fault_of(move)
        if fault:
            return Verdict(position.robots, f"move {number}, {move}: {fault}", is_possible=False)
    return Verdict(tuple(walk.robots), walk.end_fault())
