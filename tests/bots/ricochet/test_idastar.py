"""IDA*: optima of an independent breadth-first search under all rules, and a table that saves work."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.ricochet import bfs, idastar
from gridjoust.bots.ricochet.plans import Planner, Task
from gridjoust.games.ricochet.optimum import Plan
from gridjoust.games.ricochet.proof import PLAIN, MoveRules, Position, judge
from gridjoust.games.ricochet.slides import slides_of
from tests.games.ricochet.boards import brute_force_optimum, drawn_position, length, official_positions, random_position
from tests.tiers import gate_but

RULES = {
    "plain": PLAIN,
    "printed": MoveRules(printed=True),
    "printed, no early stop": MoveRules(printed=True, early_stop=False),
}


def last_plan(planner: Planner, position: Position, rules: MoveRules = PLAIN, **limits: object) -> Plan:
    *_, last = [plan for plan in planner(Task(slides_of(position.board), position, rules, **limits)) if plan]  # type: ignore[arg-type]
    return last


@pytest.mark.parametrize("name", gate_but(RULES, ("plain",)))
def test_solutions_are_as_short_as_those_of_a_plain_search_over_histories(name: str) -> None:
    rng, rules, solved = random.Random("deepening"), RULES[name], 0
    for _ in range(16):
        position = random_position(rng, extras=rng.random() < 0.3)
        plan = last_plan(idastar.plans, position, rules, max_states=3000)
        optimum = brute_force_optimum(position, rules, depth=4)
        if plan.moves is not None:
            assert judge(position, plan.moves, rules).is_right
            assert (plan.is_proven, len(plan.moves)) == (True, optimum or len(plan.moves))
        solved += optimum is not None
        assert optimum is None or length(plan) == optimum
    assert solved > 5


@pytest.mark.gate
def test_solutions_on_official_boards_are_as_short_as_those_of_breadth_first_search() -> None:
    for position in islice(official_positions("deepening"), 12):
        shortest = last_plan(bfs.plans, position, max_states=200_000)
        if shortest.moves is not None:
            assert length(last_plan(idastar.plans, position)) == length(shortest)


def test_it_proves_that_there_is_no_solution_where_states_run_out() -> None:
    walled_in = drawn_position("+---+---+---+\n| rt|R      |\n+---+---+---+")
    plan = last_plan(idastar.plans, walled_in)
    assert (plan.moves, plan.is_proven) == (None, True)


def test_too_few_states_or_too_little_work_prove_nothing() -> None:
    hard = next(each for each in official_positions("deepening") if (length(last_plan(idastar.plans, each)) or 0) > 4)
    for limits in ({"max_states": 3}, {"budget": Budget(20)}):
        plan = last_plan(idastar.plans, hard, **limits)
        assert (plan.moves, plan.is_proven) == (None, False)
        assert plan.generated <= 60
