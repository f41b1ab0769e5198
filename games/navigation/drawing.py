"""Situations of navigation as drawings for those who may see everything; the way walked is a trail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.drawing import (
    SEATS,
    Beside,
    Circle,
    Drawing,
    Ink,
    Layer,
    Rect,
    Shape,
    Sign,
    figure,
    fill,
    grid,
    signs,
    trail,
)
from games.navigation.rules import Navigation
from games.navigation.state import UNSEEN, State
from games.navigation.view import cost

_GRID_CELLS = 40  # wider boards have no lines between their cells


def draw(game: Navigation, state: State, past: Sequence[State] = ()) -> Drawing:
    """The true board, shaded where no robot has seen it; goals, robots, the ways that they came."""
    board = state.board
    unseen = [
        cell
        for cell in range(board.size)
        if all(robot.memory and robot.memory[cell] == UNSEEN for robot in state.robots)
    ]
    blocked = [board.place(cell) for cell, is_blocked in enumerate(board.blocked) if is_blocked]
    lines = (grid(board.width, board.height),) if board.width <= _GRID_CELLS else ()
    return Drawing(
        title=f"navigation, step {state.step}",
        width=board.width,
        height=board.height,
        layers=(
            Layer("ground", (Rect(0, 0, board.width, board.height, Ink.FLOOR),)),
            Layer("unseen", fill(map(board.place, unseen), Ink.FOG)),
            *lines,
            Layer("blocked", fill(blocked, Ink.WALL)),
            Layer("trails", tuple(_trails(state, past))),
            Layer("robots", tuple(_robots(state))),
        ),
        seats=tuple(_seat(game, state, seat) for seat in range(len(state.robots))),
        legend=(
            Beside(fill([(0, 0)], Ink.WALL)[0], "blocked"),
            *([Beside(fill([(0, 0)], Ink.FOG)[0], "not seen yet")] if unseen else []),
            Beside(Circle(0.5, 0.5, 0.36, Ink.SEAT_0, is_hollow=True), "start"),
            Beside(signs([(0, 0)], Sign.FLAG, Ink.SEAT_0)[0], "goal"),
        ),
    )


def _trails(state: State, past: Sequence[State]) -> Iterable[Shape]:
    for seat in range(len(state.robots)):
        cells = [one.robots[seat].cell for one in (*past, state)]
        yield from trail(map(state.board.place, cells), SEATS[seat % len(SEATS)])


def _robots(state: State) -> Iterable[Shape]:
    for seat, robot in enumerate(state.robots):
        ink = SEATS[seat % len(SEATS)]
        x, y = state.board.place(robot.start)
        yield Circle(x + 0.5, y + 0.5, 0.36, ink, is_hollow=True)
        yield from signs([state.board.place(robot.goal)], Sign.FLAG, ink, size=1.1)
        yield from figure(state.board.place(robot.cell), str(seat), ink, radius=0.46)


def _seat(game: Navigation, state: State, seat: int) -> Beside:
    robot = state.robots[seat]
    shape, *_ = figure((0, 0), str(seat), SEATS[seat % len(SEATS)])
    return Beside(shape, f"seat {seat}: {robot.status.value}, cost {cost(game.rules, robot):.1f}")
