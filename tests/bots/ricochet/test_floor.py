"""The flood of one robot: it finds its own shortest path, and no solution that needs another robot."""

from __future__ import annotations

from itertools import islice

from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.ricochet import floor
from gridjoust.bots.ricochet.plans import Counter, Task
from gridjoust.games.ricochet.optimum import Plan
from gridjoust.games.ricochet.proof import Position, judge
from gridjoust.games.ricochet.slides import slides_of
from tests.games.ricochet.boards import drawn_position, length, official_positions, solve

CORNER = """
+---+---+---+---+
|R              |
+   +   +   +---+
|             rt|
+---+---+---+---+
"""
MIDDLE = """
+---+---+---+
|R          |
+   +   +   +
|     rt    |
+   +   +   +
|           |
+---+---+---+
"""
POSITIONS = list(islice(official_positions("floor"), 40))


def planned(position: Position, *, budget: Budget | None = None) -> Plan:
    task = Task(slides_of(position.board), position, budget=budget or Budget())
    (plan,) = [plan for plan in floor.plans(task) if plan is not None]
    return plan


def test_a_corner_is_reached_by_one_robot_and_a_cell_without_a_stop_by_none() -> None:
    assert list(map(str, planned(drawn_position(CORNER)).moves or ())) == ["red S", "red E"]
    assert planned(drawn_position(MIDDLE)).moves is None


def test_its_solutions_are_right_move_one_robot_and_are_never_shorter_than_the_optimum() -> None:
    found = [(position, plan.moves) for position in POSITIONS if (plan := planned(position)).moves is not None]
    assert 0 < len(found) < len(POSITIONS)
    for position, moves in found:
        assert moves is not None
        assert judge(position, moves).is_right
        assert len({move.robot for move in moves}) == 1
        assert (length(solve(position)) or 0) <= len(moves)


def test_it_stops_when_its_work_is_spent() -> None:
    budget = Budget(1)
    plan = planned(POSITIONS[0], budget=budget)
    assert (budget.spent, plan.expanded) == (1, 1)


def test_the_path_of_a_robot_is_the_shortest_by_its_stops() -> None:
    for position in POSITIONS[:10]:
        task, cost = Task(slides_of(position.board), position), Counter()
        robots = task.slides.numbers(position.robots)
        path = floor.flood(task, robots, position.finishers[0], cost)
        assert path[:1] in ((), (robots[position.finishers[0]],))
        assert len(set(path)) == len(path)
