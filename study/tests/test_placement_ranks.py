"""Proofs of how near a turn gets, the hard cases that they are kept for, and how ranks are told apart on them."""

from __future__ import annotations

import random
from functools import partial
from itertools import product

import pytest

from gridjoust import ParamValue
from gridjoust.bots.placement.beam import plan_beam
from gridjoust.bots.placement.task import Found, Standing, Task, standing_of
from gridjoust.games.placement.actions import PASS
from gridjoust.games.placement.pieces import piece_set
from gridjoust.planners import PlanStats
from study import placement_cases
from study.placement_cases import RANKS, TODAY, WIDTHS, Finding, HardCase
from study.placement_optima import crossing_layers, longest_crossing, prove
from study.placement_ranks import Results, changed_answers, choose, compare, measure
from tests.bots.placement.planning import PlanningCase, best_by_brute_force, draw_task, planning_cases
from tests.games.placement.boards import parse_piece

NOTHING = Standing(99, 0)  # worse than any plan
PLENTY = 1_000_000
EVERY_125TH = [case for finding in placement_cases.load_cases() for case in finding.cases[::125]]


def tiny_task(seed: int) -> Task:
    """One or two pieces of two to four cells on 5 x 4."""
    rng = random.Random(f"{seed}/proof")
    signs = "".join(rng.choice("..____#") for _ in range(18))
    rows = [f"S{signs[:4]}", signs[4:9], signs[9:14], f"{signs[14:]}G"]
    hand = tuple(rng.choice(piece_set(2, 4)) for _ in range(rng.randint(1, 2)))
    return draw_task(*rows, hand=hand, moves=rng.randint(2, 8))


@pytest.mark.parametrize("seed", range(40))
def test_a_proof_comes_to_what_every_order_of_every_placement_comes_to(seed: int) -> None:
    task = tiny_task(seed)
    assert prove(task, known=NOTHING, max_states=PLENTY) == best_by_brute_force(task)[:2]


@pytest.mark.parametrize("case", planning_cases("blob"), ids=lambda case: case.id)
def test_a_proof_comes_to_the_known_optima_from_one_step_more(case: PlanningCase) -> None:
    distance, steps, _ = case.best
    assert prove(case.task, known=Standing(distance, steps + 1), max_states=PLENTY) == (distance, steps)


def test_there_is_no_proof_once_too_many_boards_were_looked_at() -> None:
    task = planning_cases("islands")[0].task
    assert prove(task, known=NOTHING, max_states=100) is None
    assert prove(task, known=NOTHING, max_states=PLENTY) is not None


@pytest.mark.parametrize("seed", range(40))
def test_no_plan_is_better_than_a_walk_over_as_much_void_as_its_pieces_could_carry_it(seed: int) -> None:
    task = tiny_task(seed)
    crossed = sum(map(longest_crossing, task.position.hand))
    bound = standing_of(task.nearness(), crossing_layers(task.position, task.position.floor, crossed))
    assert bound <= best_by_brute_force(task)[:2]


def test_a_walk_over_void_goes_as_far_as_it_is_carried() -> None:
    position = draw_task("S__.__g", moves=9).position
    ends = [sum(crossing_layers(position, position.floor, crossed)).bit_count() for crossed in range(5)]
    assert ends == [1, 2, 4, 5, 7]


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        (("#",), 1),
        (("####",), 4),
        (("##", "##"), 3),
        (("###", ".#."), 3),
        (("#.#", "###"), 5),
        ((".#.", "###", ".#."), 3),
    ],
)
def test_a_shortest_walk_crosses_a_piece_by_its_longest_shortest_way(rows: tuple[str, ...], cells: int) -> None:
    assert longest_crossing(parse_piece(*rows)) == cells


@pytest.mark.parametrize("case", EVERY_125TH, ids=lambda case: f"{case.nearness} {case.seed}")
def test_cases_of_the_file_are_hard_and_their_optima_are_proven_again(case: HardCase) -> None:
    plans = placement_cases.all_plans(case.task)
    assert placement_cases.is_hard(plans)
    one_more = Standing(case.best.distance, case.best.steps + 1)
    assert prove(case.task, known=one_more, max_states=PLENTY) == case.best


def test_the_file_holds_what_finding_cases_holds() -> None:
    finding = placement_cases.find_cases("manhattan", 2)
    kept = placement_cases.load_cases()[0]
    assert finding.cases == kept.cases[:2]
    assert placement_cases.parse_cases(placement_cases.format_cases([finding])) == [finding]
    assert [len(each.cases) for each in placement_cases.load_cases()] == list(placement_cases.CASES.values())


def test_a_hard_turn_without_a_proof_is_counted_and_a_turn_that_is_not_hard_is_no_case() -> None:
    finding = Finding("manhattan")
    finding.add(60007, max_states=1)
    assert (finding.cases, finding.unproven, finding.drawn) == ([], [60007], 1)
    finding.add(placement_cases.FIRST_SEED, max_states=1)
    assert (finding.cases, finding.unproven, finding.drawn) == ([], [60007], 2)


@pytest.mark.parametrize("case", EVERY_125TH, ids=lambda case: f"{case.nearness} {case.seed}")
def test_the_beam_weighs_manhattan_distance_twice_and_tolls_as_they_are(case: HardCase) -> None:
    name = TODAY if case.nearness == "toll" else "steps + 2 distance"
    plain = plan_beam(case.task, width=16)
    assert placement_cases.plan_by(RANKS[name], partial(plan_beam, case.task, width=16)) == plain


def found(distance: int, steps: int) -> Found:
    return Found(PASS, distance, steps, 3, PlanStats(expanded=10 * steps, generated=100))


def results(best: Standing, *ends: Standing) -> Results:
    return Results([HardCase("manhattan", 0, best)] * len(ends), [found(*end) for end in ends])


def test_the_rank_that_is_optimal_most_often_at_the_beams_width_is_chosen_then_at_the_others() -> None:
    right, wrong = Standing(0, 5), Standing(0, 6)
    measured = {key: results(right, wrong, wrong) for key in product(WIDTHS, RANKS)}
    assert choose(measured) == TODAY
    measured[2, "steps + 2 distance"] = results(right, right, wrong)
    assert choose(measured) == "steps + 2 distance"
    measured[32, "steps + 3 distance"] = results(right, right, wrong)
    assert choose(measured) == "steps + 3 distance"
    measured[16, "steps + 4 distance"] = results(right, right, wrong)
    assert choose(measured) == "steps + 4 distance"


def test_every_rank_is_measured_at_every_width() -> None:
    case = EVERY_125TH[0]
    measured = measure([case])
    assert set(measured) == set(product(WIDTHS, RANKS))
    assert measured[16, "steps + 2 distance"].plans == [plan_beam(case.task, width=16)]


def test_a_row_counts_solved_and_optimal_cases_and_means_what_is_missed() -> None:
    can, cannot = Standing(0, 5), Standing(2, 9)
    cases = [HardCase("manhattan", seed, best) for seed, best in enumerate([can, can, can, cannot, cannot])]
    plans = [found(0, 5), found(0, 8), found(1, 4), found(2, 9), found(5, 1)]
    assert Results(cases, plans).row() == ["2 of 3", "2 of 5", "1.50", "1.50", "54.0", "100"]
    assert Results(cases[3:], plans[3:]).row()[:4] == ["0 of 0", "1 of 2", "–", "1.50"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([True] * 8, [False] * 8, (8, 0, 0.0078125)),
        ([True, False, True, False], [True, False, False, True], (1, 1, 1.0)),
    ],
)
def test_two_ranks_are_told_apart_by_the_cases_in_which_one_is_right(
    one: list[bool], other: list[bool], expected: tuple[int, int, float]
) -> None:
    assert compare(one, other) == expected


def test_answers_in_matches_are_counted_where_a_rank_changes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RANKS, "farthest first", lambda at: (-at.distance, 0))
    params: dict[str, ParamValue] = {"width": 13, "height": 13, "hand": 3, "moves": 12, "max_game_rounds": 1}
    changed = changed_answers(params, 1)
    assert changed[""] == 2
    assert changed[TODAY] == 0
    assert changed["farthest first"] > 0
