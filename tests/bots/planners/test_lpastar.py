"""LPA*: right after every change as D* Lite is, and the same search while the robot stands still."""

from __future__ import annotations

import random

import pytest

from gridjoust.bots.planners.dstar_lite import GridDStarLite
from gridjoust.bots.planners.replanning.lpastar import GridLPAStar
from tests.bots.planners.boards import make_search_grid
from tests.bots.planners.oracle import random_board
from tests.bots.planners.replanning import EXPANSIONS, TRIALS, Findings, expansions, live_through, random_turn, verdict


@pytest.mark.gate
@pytest.mark.parametrize("trial", TRIALS)
def test_every_replan_equals_a_search_from_scratch(trial: str) -> None:
    findings = verdict(TRIALS[trial], GridLPAStar)
    assert findings.is_clean, findings


def test_costs_and_paths_are_right_after_every_change_and_move() -> None:
    findings, rng = Findings(), random.Random("lifelong planning")
    for _ in range(40):
        live_through(random_board(rng, largest=5), rng, GridLPAStar, findings)
    assert findings.is_clean, findings


class Unmoved(GridLPAStar):
    """Keeps the keys of the robot's last cell."""

    def _rebase(self) -> None:
        return


@pytest.mark.gate
def test_keys_that_a_move_leaves_as_they_were_are_noticed() -> None:
    assert verdict(TRIALS["changing world"], Unmoved).wrong_costs > 0


@pytest.mark.gate
def test_a_moving_robot_takes_no_more_expansions_than_with_d_star_lite() -> None:
    assert expansions(GridLPAStar) <= EXPANSIONS


def test_while_the_robot_stands_still_it_expands_what_d_star_lite_expands() -> None:
    rng = random.Random("a robot that stands still")
    for _ in range(20):
        board = random_board(rng, largest=7)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        both = [make(make_search_grid(board), start, goal) for make in (GridLPAStar, GridDStarLite)]
        for _ in range(5):
            changes, _ = random_turn(board, rng)
            assert len({(planner.search().expanded, planner.cost) for planner in both}) == 1
            for planner in both:
                planner.change(changes)
