"""Which actions of navigation are legal. Changes nothing."""

from __future__ import annotations

from gridjoust.games.navigation.actions import MAX_PATH, Action, Go, Path, Stay
from gridjoust.games.navigation.board import Heading
from gridjoust.games.navigation.params import Rules
from gridjoust.games.navigation.state import Robot, Seat, State, Status


def is_legal(rules: Rules, state: State, seat: Seat, action: Action) -> bool:
    """Of the seat whose turn it is: steps that are possible now, paths that start with one if there is `batch`."""
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
    """The cell that a step leads to, None if it is impossible now; robots that are done have left the board."""
    target = state.board.step(rules.moves, robot.cell, heading)
    is_taken = rules.shared and any(one.cell == target and one.status is Status.WALKING for one in state.robots)
    return None if is_taken else target
