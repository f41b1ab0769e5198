"""What counts as a solution, plain and printed."""

from __future__ import annotations

import pytest

from games.grid import Cell
from games.ricochet.actions import parse_moves
from games.ricochet.proof import PLAIN, MoveRules, judge
from tests.games.ricochet.boards import IN_LINE, drawn_position

PRINTED = MoveRules(printed=True)
PRINTED_STRICT = MoveRules(printed=True, early_stop=False)

POSITION = drawn_position(IN_LINE)
NOT_THERE = "the red robot is not on the target at the end"


def fault(text: str, rules: MoveRules = PLAIN) -> str:
    return judge(POSITION, parse_moves(text), rules).fault


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("red W", ""),  # stopping on the target is enough
        ("red W, red E", NOT_THERE),
        ("red S, red W", "move 1, red S: the robot cannot move that way"),
        ("silver N", "move 1, silver N: there is no silver robot"),
    ],
)
def test_a_plain_solution_stops_on_the_target_by_moves_that_can_be_made(text: str, expected: str) -> None:
    assert fault(text) == expected


@pytest.mark.parametrize(
    ("row", "move", "expected"),
    [
        ("R    rt    ", "red E", NOT_THERE),  # passing over does not count
        ("B        rt", "blue E", NOT_THERE),
        ("B        *v", "blue E", ""),
    ],
)
def test_the_wanted_robot_must_stop_on_the_target_or_any_on_the_vortex(row: str, move: str, expected: str) -> None:
    position = drawn_position(f"+---+---+---+\n|{row}|\n+---+---+---+")
    assert judge(position, parse_moves(move)).fault == expected


def test_robots_end_where_right_moves_take_them_and_stay_where_they_were_after_a_wrong_one() -> None:
    assert judge(POSITION, parse_moves("red N, red E")).robots[0] == Cell(3, 0)
    assert judge(POSITION, parse_moves("red N, red N")).robots == POSITION.robots


def test_printed_robots_must_turn() -> None:
    assert fault("red W", PRINTED) == "the robot on the target has not turned"
    assert fault("red N, red W, red S", PRINTED) == ""


def test_printed_robots_do_not_go_straight_back() -> None:
    assert fault("red E, red W", PRINTED) == "move 2, red W: the robot goes straight back"
    assert fault("red E, red W") == ""


def test_printed_robots_may_go_back_after_another_has_moved() -> None:
    position = drawn_position("""
+---+---+---+---+
|            B  |
+   +   +   +   +
| rt R          |
+---+---+---+---+
""")
    back = parse_moves("red E, blue W, red W")
    assert judge(position, back, PRINTED).fault == "the robot on the target has not turned"


def test_printed_early_stop_says_whether_a_robot_may_rest_on_the_target_before_it_has_turned() -> None:
    around = "red W, red N, red E, red S, red W"
    assert fault(around, PRINTED) == ""
    assert fault(around, PRINTED_STRICT) == "move 1, red W: the robot stops on the target before it has turned"


MIRROR = drawn_position("""
+---+---+---+
|         rt|
+   +   +   +
|           |
+   +   +   +
|R        b/|
+---+---+---+
""")


def test_a_diagonal_turns_a_robot_in_the_sense_of_the_printed_rules() -> None:
    assert judge(MIRROR, parse_moves("red E"), PRINTED).is_right


def test_straight_back_is_against_the_heading_after_a_diagonal() -> None:
    assert judge(MIRROR, parse_moves("red E, red S"), PRINTED).fault == "move 2, red S: the robot goes straight back"
    assert judge(MIRROR, parse_moves("red E, red W"), PRINTED).fault != "move 2, red W: the robot goes straight back"


def test_the_reports_own_answer_is_right_only_in_the_plain_variant() -> None:
    answer = "red E, red N, red S, red W"
    assert fault(answer) == ""
    assert fault(answer, PRINTED) == "move 3, red S: the robot goes straight back"
