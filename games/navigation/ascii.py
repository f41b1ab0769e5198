"""Draw situations of navigation as text, with everything that is hidden from the seats; `maps` parses map texts."""

from __future__ import annotations

from gridjoust.games.grid import Cell, format_cells
from gridjoust.games.navigation.maps import GOAL_SIGNS, START_SIGNS
from gridjoust.games.navigation.params import Rules
from gridjoust.games.navigation.state import State
from gridjoust.games.navigation.view import cost


def render(rules: Rules, state: State) -> str:
    """Draw the true board with robots on top of their goals, and a line per robot."""
    board = state.board
    signs = {Cell(*board.place(cell)): "@" for cell, blocked in enumerate(board.blocked) if blocked}
    for kinds, name in ((GOAL_SIGNS, "goal"), (START_SIGNS, "cell")):
        for robot, sign in reversed(list(zip(state.robots, kinds, strict=False))):
            signs[Cell(*board.place(getattr(robot, name)))] = sign
    lines = [
        f"seat {seat}: {robot.status.value} at {board.place(robot.cell)}, cost {cost(rules, robot):g}"
        for seat, robot in enumerate(state.robots)
    ]
    return "\n".join([f"step {state.step}", format_cells(board.width, board.height, signs), *lines])
