"""Draw situations of navigation, for people who may see everything or for one seat; trails show the paths so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridjoust.games.api import Seat
from gridjoust.games.drawing import (
    PUBLIC,
    SEATS,
    Beside,
    Circle,
    Drawing,
    Ink,
    Layer,
    Shape,
    Sign,
    Standing,
    figure,
    fill,
    grid,
    ground,
    signs,
    trail,
)
from gridjoust.games.navigation.rules import Navigation
from gridjoust.games.navigation.state import SEEN_BLOCKED, UNSEEN, State, Status
from gridjoust.games.navigation.view import cost

_GRID_CELLS = 40  # wider boards have no lines between their cells


def draw(game: Navigation, state: State, past: Sequence[State] = (), *, seat: Seat | None = None) -> Drawing:
    """Draw the true board, shaded where no robot has seen it, with goals, robots and their trails.

    The drawing for a seat shows the board that it remembers and its own trail; if the map is unknown, it shows only the
    robots in range. An unknown map with several robots has nothing public but its size.
    """
    board = state.board
    if seat == PUBLIC and (game.rules.is_known or len(state.robots) == 1):
        seat = None if game.rules.is_known else 0
    whose = range(len(state.robots)) if seat is None else () if seat == PUBLIC else (seat,)
    memories = [state.robots[number].memory for number in whose]
    unseen = [cell for cell in range(board.size) if all(memory and memory[cell] == UNSEEN for memory in memories)]
    if seat is None or game.rules.is_known:
        blocked = [board.place(cell) for cell, is_blocked in enumerate(board.blocked) if is_blocked]
        shown = [*range(len(state.robots))]
    else:
        blocked = [board.place(cell) for seen in memories for cell, what in enumerate(seen) if what == SEEN_BLOCKED]
        shown = [*whose]
    lines = (grid(board.width, board.height),) if board.width <= _GRID_CELLS else ()
    return Drawing(
        title=f"navigation, step {state.step}",
        width=board.width,
        height=board.height,
        layers=(
            ground(board.width, board.height),
            Layer("unseen", fill(map(board.place, unseen), Ink.FOG)),
            *lines,
            Layer("blocked", fill(blocked, Ink.WALL)),
            Layer("trails", tuple(_trails(state, past, shown))),
            Layer("robots", (*_robots(state, shown), *_met(game, state, seat, shown))),
        ),
        seats=tuple(_standing(game, state, number) for number in range(len(state.robots))),
        legend=(
            Beside(fill([(0, 0)], Ink.WALL)[0], "blocked"),
            *([Beside(fill([(0, 0)], Ink.FOG)[0], "not seen yet")] if unseen else []),
            Beside(Circle(0.5, 0.5, 0.36, Ink.SEAT_0, is_hollow=True), "start"),
            Beside(signs([(0, 0)], Sign.FLAG, Ink.SEAT_0)[0], "goal"),
        ),
    )


def _trails(state: State, past: Sequence[State], shown: Iterable[Seat]) -> Iterable[Shape]:
    for seat in shown:
        cells = [one.robots[seat].cell for one in (*past, state)]
        yield from trail(map(state.board.place, cells), SEATS[seat % len(SEATS)])


def _robots(state: State, shown: Iterable[Seat]) -> Iterable[Shape]:
    for seat in shown:
        robot = state.robots[seat]
        ink = SEATS[seat % len(SEATS)]
        x, y = state.board.place(robot.start)
        yield Circle(x + 0.5, y + 0.5, 0.36, ink, is_hollow=True)
        yield from signs([state.board.place(robot.goal)], Sign.FLAG, ink, size=1.5)
        yield from figure(state.board.place(robot.cell), str(seat), ink, radius=0.46)


def _met(game: Navigation, state: State, seat: Seat | None, shown: Sequence[Seat]) -> Iterable[Shape]:
    """Return shapes for the other robots in range of the seat's sensor; it knows only where they are."""
    if seat in (None, PUBLIC) or game.rules.is_known or not game.rules.shared:
        return
    in_range = set(game.rules.in_range(state.board, state.robots[seat].cell))
    for number, robot in enumerate(state.robots):
        if number not in shown and robot.status is Status.WALKING and robot.cell in in_range:
            yield from figure(state.board.place(robot.cell), "", Ink.TEXT, radius=0.4)


def _standing(game: Navigation, state: State, seat: Seat) -> Standing:
    robot = state.robots[seat]
    shape, *_ = figure((0, 0), str(seat), SEATS[seat % len(SEATS)])
    return Standing(seat=seat, shape=shape, resources=(f"cost {cost(game.rules, robot):.1f}",), note=robot.status.value)
