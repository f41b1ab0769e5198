"""Ricochet for learning, mode `solve`: a solution is chosen move by move, and what a seat sees as arrays.

An index of 0 to 19 moves a robot (`robot * 4 + direction`, in the order red, green, blue, yellow, silver and N, E, S,
W); 20 passes. The solution is handed in as soon as it solves the position, or at its 99th move. The mask marks the
moves that the rules allow, and the arrays show the robots after the moves chosen so far.

| array | type and shape | holds |
|---|---|---|
| `board` | `uint8 (17, height, width)` | 1 in the cells of each plane, in the order of `PLANES` |
| `numbers` | `float32 (2)` | share of the positions played; moves chosen so far / 99 |

A target plane belongs to the robot that must stop there; a target for any robot is on all of these planes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridjoust.games.api import Json, Seat
from gridjoust.games.choices import Choice
from gridjoust.games.grid import DIRECTIONS
from gridjoust.games.ricochet.actions import Action, Pass, Solve
from gridjoust.games.ricochet.board import ANY, COLOURS
from gridjoust.games.ricochet.params import MAX_MOVES
from gridjoust.games.ricochet.proof import Move, judge
from gridjoust.games.ricochet.rules import Ricochet
from gridjoust.games.ricochet.state import State

MOVES = tuple(Move(robot, direction) for robot, direction in product(COLOURS, DIRECTIONS))
PLANES = (
    *(f"wall {direction.name}" for direction in DIRECTIONS),
    "blocked",
    "diagonal /",  # the value is 1 for a red one, 2 for green …
    "diagonal \\",
    *(f"{colour} robot" for colour in COLOURS),
    *(f"target of the {colour} robot" for colour in COLOURS),
)
_SIDES = tuple(direction.name for direction in DIRECTIONS)
_NAMES = tuple(map(str, COLOURS))
_BLOCKED, _DIAGONALS, _ROBOTS, _TARGETS = 4, 5, 7, 12


def action_count(game: Ricochet) -> int:  # noqa: ARG001 - for all games
    """Return the number of indexes: every move of five robots, and pass."""
    return len(MOVES) + 1


def choices(game: Ricochet, state: State, seat: Seat, draft: Solve | None) -> dict[int, Choice[Action]]:
    """Return index -> choice for each move that may come next, and for pass."""
    if seat not in game.seats_to_act(state):
        return {}
    position, rules = state.position, game.rules.moves
    found: dict[int, Choice[Action]] = {}
    for index, move in enumerate(MOVES[: 4 * len(state.robots)]):
        moves = (*(draft.moves if draft else ()), move)
        verdict = judge(position, moves, rules)
        if verdict.is_possible:
            found[index] = Choice(Solve(moves), is_whole=verdict.is_right or len(moves) == MAX_MOVES)
    return {**found, len(MOVES): Choice(Pass())}


def drafted(game: Ricochet, state: State, seat: Seat, draft: Solve) -> dict[str, Json]:
    """Return what the seat sees, with the robots after the moves so far and their number as `drafted`."""
    robots = judge(state.position, draft.moves, game.rules.moves).robots
    return game.observation(replace(state, robots=robots), seat) | {"drafted": len(draft.moves)}


def shapes(game: Ricochet) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """Return the type and shape of every array by name; the size is that of the board in play."""
    board = game.initial_state(0).board
    return {"board": (np.uint8, (len(PLANES), board.height, board.width)), "numbers": (np.float32, (2,))}


def arrays(game: Ricochet, briefing: Mapping[str, Json], view: Mapping[str, Json]) -> dict[str, NDArray[Any]]:
    """Return the observation of a seat as arrays."""
    width, height = briefing["size"]
    board = np.zeros((len(PLANES), height, width), np.uint8)
    _draw_walls(board, briefing)
    for x, y in briefing["blocked"]:
        board[_BLOCKED, y, x] = 1
    for diagonal in briefing["diagonals"]:
        x, y = diagonal["cell"]
        board[_DIAGONALS + (diagonal["shape"] != "/"), y, x] = 1 + _NAMES.index(diagonal["colour"])
    for colour, (x, y) in view["robots"].items():
        board[_ROBOTS + _NAMES.index(colour), y, x] = 1
    x, y = view["target"]["cell"]
    for number, colour in enumerate(_NAMES):
        board[_TARGETS + number, y, x] = view["target"]["colour"] in (colour, ANY)
    numbers = [(view["round"] - 1) / int(game.params["positions"]), view.get("drafted", 0) / MAX_MOVES]
    return {"board": board, "numbers": np.array(numbers, np.float32)}


def _draw_walls(board: NDArray[np.uint8], briefing: Mapping[str, Json]) -> None:
    """Draw the closed sides of every cell: the border except for its openings, and the walls."""
    board[0, 0], board[1, :, -1], board[2, -1], board[3, :, 0] = 1, 1, 1, 1
    for value, edges in ((0, briefing["openings"]), (1, briefing["walls"])):
        for x, y, side in edges:
            board[_SIDES.index(side), y, x] = value
