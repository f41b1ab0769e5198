"""What counts as a solution, plain and printed."""

from __future__ import annotations

from games.grid import Cell
from games.ricochet.proof import PLAIN, MoveRules, judge
from tests.games.ricochet.boards import drawn_position, moves

PRINTED = MoveRules(printed=True)
PRINTED_STRICT = MoveRules(printed=True, early_stop=False)

IN_LINE = drawn_position("""
+---+---+---+---+
|               |
+   +   +   +   +
|               |
+   +   +   +   +
| rt     R      |
+---+---+---+---+
""")


def fault(text: str, rules: MoveRules = PLAIN) -> str:
    return judge(IN_LINE, moves(text), rules).fault


def test_stopping_on_the_target_is_enough() -> None:
    assert fault("red W") == ""


def test_the_robots_end_where_the_moves_take_them() -> None:
    assert judge(IN_LINE, moves("red N, red E")).robots[0] == Cell(3, 0)


def test_passing_over_the_target_does_not_count() -> None:
    position = drawn_position("+---+---+---+\n|R    rt    |\n+---+---+---+")
    assert judge(position, moves("red E")).fault == "the red robot is not on the target at the end"


def test_the_wrong_robot_on_the_target_does_not_count() -> None:
    position = drawn_position("+---+---+---+\n|B        rt|\n+---+---+---+")
    assert judge(position, moves("blue E")).fault == "the red robot is not on the target at the end"


def test_any_robot_may_end_on_the_vortex() -> None:
    position = drawn_position("+---+---+---+\n|B        *v|\n+---+---+---+")
    assert judge(position, moves("blue E")).is_right


def test_a_move_that_changes_nothing_is_named() -> None:
    assert fault("red S, red W") == "move 1, red S: the robot cannot move that way"


def test_a_robot_that_is_not_there_is_named() -> None:
    assert fault("silver N") == "move 1, silver N: there is no silver robot"


def test_a_wrong_solution_leaves_the_robots_where_they_were() -> None:
    assert judge(IN_LINE, moves("red N, red N")).robots == IN_LINE.robots


def test_leaving_the_target_again_loses_it() -> None:
    assert fault("red W, red E") == "the red robot is not on the target at the end"


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
    back = moves("red E, blue W, red W")
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
    assert judge(MIRROR, moves("red E"), PRINTED).is_right


def test_straight_back_is_against_the_heading_after_a_diagonal() -> None:
    assert judge(MIRROR, moves("red E, red S"), PRINTED).fault == "move 2, red S: the robot goes straight back"
    assert judge(MIRROR, moves("red E, red W"), PRINTED).fault != "move 2, red W: the robot goes straight back"


def test_the_reports_own_answer_is_right_only_in_the_plain_variant() -> None:
    """Robot in line with the target, one move away, no walls at the side: right, up, down, left."""
    answer = "red E, red N, red S, red W"
    assert fault(answer) == ""
    assert fault(answer, PRINTED) == "move 3, red S: the robot goes straight back"
