"""What counts as a solution, plain and printed."""

from __future__ import annotations

import pytest

from gridjoust.games.grid import Cell
from gridjoust.games.ricochet.actions import parse_moves
from gridjoust.games.ricochet.proof import PLAIN, MoveRules, Position, judge
from tests.games.ricochet.boards import IN_LINE, drawn_position

PRINTED = MoveRules(printed=True)
STRICT = MoveRules(printed=True, early_stop=False)

OPEN = drawn_position(IN_LINE)
PASSED, BLUE, ANY = (
    drawn_position(f"+---+---+---+\n|{row}|\n+---+---+---+") for row in ("R    rt    ", "B        rt", "B        *v")
)
BESIDE = drawn_position("""
+---+---+---+---+
|            B  |
+   +   +   +   +
| rt R          |
+---+---+---+---+
""")
MIRROR = drawn_position("""
+---+---+---+
|         rt|
+   +   +   +
|           |
+   +   +   +
|R        b/|
+---+---+---+
""")
NOT_THERE = "the red robot is not on the target at the end"
NOT_TURNED = "the robot on the target has not turned"
AROUND, OUT_AND_IN = "red W, red N, red E, red S, red W", "red E, red N, red S, red W"
SOLUTIONS: dict[str, tuple[Position, MoveRules, str, str]] = {  # the moves, what is wrong with them
    "stopping on the target is enough": (OPEN, PLAIN, "red W", ""),
    "at the end": (OPEN, PLAIN, "red W, red E", NOT_THERE),
    "by moves that can be made": (OPEN, PLAIN, "red S, red W", "move 1, red S: the robot cannot move that way"),
    "of robots that are there": (OPEN, PLAIN, "silver N", "move 1, silver N: there is no silver robot"),
    "passing over does not count": (PASSED, PLAIN, "red E", NOT_THERE),
    "nor does another robot": (BLUE, PLAIN, "blue E", NOT_THERE),
    "but on the vortex": (ANY, PLAIN, "blue E", ""),
    "plain robots may go straight back": (OPEN, PLAIN, OUT_AND_IN, ""),
    "printed robots do not": (OPEN, PRINTED, OUT_AND_IN, "move 3, red S: the robot goes straight back"),
    "not at once": (OPEN, PRINTED, "red E, red W", "move 2, red W: the robot goes straight back"),
    "but after another has moved": (BESIDE, PRINTED, "red E, blue W, red W", NOT_TURNED),
    "printed robots must turn": (OPEN, PRINTED, "red W", NOT_TURNED),
    "anywhere on their way": (OPEN, PRINTED, "red N, red W, red S", ""),
    "they may rest on the target before": (OPEN, PRINTED, AROUND, ""),
    "unless early stops are ruled out": (
        OPEN, STRICT, AROUND, "move 1, red W: the robot stops on the target before it has turned",
    ),
    "a diagonal turns them": (MIRROR, PRINTED, "red E", ""),
    "straight back is against the heading after it": (
        MIRROR, PRINTED, "red E, red S", "move 2, red S: the robot goes straight back",
    ),
    "not against the one before": (MIRROR, PRINTED, "red E, red W", NOT_THERE),
}  # fmt: skip


@pytest.mark.parametrize(("position", "rules", "moves", "fault"), SOLUTIONS.values(), ids=SOLUTIONS)
def test_a_solution(position: Position, rules: MoveRules, moves: str, fault: str) -> None:
    assert judge(position, parse_moves(moves), rules).fault == fault


def test_robots_end_where_right_moves_take_them_and_stay_where_they_were_after_a_wrong_one() -> None:
    assert judge(OPEN, parse_moves("red N, red E")).robots[0] == Cell(3, 0)
    assert judge(OPEN, parse_moves("red N, red N")).robots == OPEN.robots
