"""Decide which actions of navigation are legal."""

from __future__ import annotations

from gridjoust.games.navigation.actions import MAX_PATH, Action, Go, Path, Stay
from gridjoust.games.navigation.board import Heading
from gridjoust.games.navigation.params import Rules
from gridjoust.games.navigation.state import Robot, Seat, State, Status


def is_legal(rules: Rules, state: State, seat: Seat, action: Action) -> bool:
    """Return True for a wait, giving up, a possible step, or with `batch` a path that begins with a possible step."""
    match action:
        case Stay():
            return True
        case Go(heading):
            headings: tuple[Heading, ...] = (heading,)
        case Path(headings) if rules.batch and 1 <= len(headings) <= MAX_PATH:
            pass
        case _:
            return False
    is_known = all(heading in rules.moves.headings for heading in headings)
    return is_known and target_of(rules, state, state.robots[seat], headings[0]) is not None


def target_of(rules: Rules, state: State, robot: Robot, heading: Heading) -> int | None:
    """Return the cell after a step, or None if it is impossible now; only walking robots are obstacles."""
    target = state.board.step(rules.moves, robot.cell, heading)
    is_taken = rules.shared and any(one.cell == target and one.status is Status.WALKING for one in state.robots)
    return None if is_taken else target
