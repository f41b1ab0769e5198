"""Resample what one seat of navigation cannot see; everything that the seat sees stays."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from gridjoust.games.chance import SEED_LIMIT
from gridjoust.games.navigation.board import Board
from gridjoust.games.navigation.params import Rules
from gridjoust.games.navigation.search import is_reachable
from gridjoust.games.navigation.state import UNSEEN, Robot, Seat, State, Status

MAX_DRAWS = 20


def redeal(rules: Rules, state: State, seat: Seat, rng: random.Random) -> State:
    """Resample the future changes of cells and, on an unknown map, all that the seat's sensor does not cover.

    If every match starts with a path to the goal, the drawn board also has one from the robot's cell.
    """
    fresh = replace(state, seed=rng.randrange(SEED_LIMIT))
    if rules.is_known:
        return fresh
    robot = state.robots[seat]
    sensed = frozenset(rules.in_range(state.board, robot.cell))
    board = _board_with_ways(rules, state, [robot], sensed, robot.memory, rng)
    others = [
        other if n == seat else _drawn_robot(rules, board, other, sensed, rng) for n, other in enumerate(state.robots)
    ]
    return replace(fresh, initial=board, board=board, robots=tuple(others))


def redeal_unknown(rules: Rules, state: State, rng: random.Random) -> State:
    """Resample the future changes of cells and, on an unknown map, the cells that no robot has seen."""
    if len(state.robots) == 1:
        return redeal(rules, state, 0, rng)
    fresh = replace(state, seed=rng.randrange(SEED_LIMIT))
    if rules.is_known:
        return fresh
    sensed = frozenset(cell for robot in state.robots for cell in rules.in_range(state.board, robot.cell))
    known = [any(robot.memory[cell] != UNSEEN for robot in state.robots) for cell in range(state.board.size)]
    memory = bytes(
        blocked + 1 if is_known else UNSEEN for blocked, is_known in zip(state.board.blocked, known, strict=True)
    )
    board = _board_with_ways(rules, state, state.robots, sensed, memory, rng)
    return replace(fresh, initial=board, board=board)


def _board_with_ways(
    rules: Rules, state: State, robots: Sequence[Robot], sensed: frozenset[int], memory: bytes, rng: random.Random
) -> Board:
    """Draw a board that fits `sensed` cells and `memory`.

    If every match starts with a path and no cells flip, draw until each of these robots has a path. After too many
    draws, return the old board.
    """
    for _ in range(MAX_DRAWS):
        board = _drawn_board(rules, state, sensed, memory, rng)
        ways = (is_reachable(board, rules.moves, robot.cell, robot.goal) for robot in robots)
        if rules.changes or not rules.promises_way or all(ways):
            return board
    return state.board


def _drawn_board(rules: Rules, state: State, sensed: frozenset[int], memory: bytes, rng: random.Random) -> Board:
    """Return a random board that fits what is sensed and remembered.

    Sensed cells, starts and goals stay. Cells seen earlier are as in memory, some of them flipped. Others are shuffled.
    """
    board = state.board
    kept = sensed | {end for robot in state.robots for end in (robot.start, robot.goal)}
    hidden = [cell for cell in range(board.size) if cell not in kept]
    unseen = [cell for cell in hidden if memory[cell] == UNSEEN]
    drawn = bytearray(board.blocked)
    shuffled = [board.blocked[cell] for cell in unseen]
    rng.shuffle(shuffled)
    for cell, blocked in zip(unseen, shuffled, strict=True):
        drawn[cell] = blocked
    chance = min(0.5, rules.changes * (state.step // rules.change_every) / board.size)
    for cell in hidden:
        if memory[cell] != UNSEEN:
            drawn[cell] = (memory[cell] - 1) ^ (rng.random() < chance)
    return Board(board.width, board.height, bytes(drawn))


def _drawn_robot(rules: Rules, board: Board, robot: Robot, sensed: frozenset[int], rng: random.Random) -> Robot:
    """Return another seat's robot: in its cell if in sight, otherwise on a random free cell out of sight.

    Its memory holds only what its sensor covers. A robot that does not walk any more is returned unchanged.
    """
    if robot.status is not Status.WALKING:
        return robot
    if not (rules.shared and robot.cell in sensed):
        free = [cell for cell in range(board.size) if not board.blocked[cell] and cell not in sensed]
        places = [cell for cell in free if cell != robot.goal] or [robot.cell]
        robot = robot._replace(cell=rng.choice(places))
    memory = bytearray(board.size)
    for cell in rules.in_range(board, robot.cell):
        memory[cell] = board.blocked[cell] + 1
    return robot._replace(memory=bytes(memory), news=(), plan=())
