"""How bots bid, pass, prove and solve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bots.api import Deadline, Observation
from bots.match import observe, play_match
from bots.ricochet.astar import AStar
from bots.ricochet.beam import Beam
from bots.ricochet.bidder import Bidder
from bots.ricochet.plans import Task
from games.api import Turn
from games.ricochet import Ricochet
from games.ricochet.actions import Solve, parse_action
from games.ricochet.optimum import Plan
from games.ricochet.state import State
from games.ricochet.view import parse_position
from tests.bots.seats import seated
from tests.games.ricochet.boards import length, solve

BIDDING = Ricochet({"tiles": "1A 3B 4A 2A"}, seats=2)
SOLO = Ricochet({"tiles": "1A 3B 4A 2A", "mode": "solve", "optima": "4"}, seats=1)


def seen(game: Ricochet, state: State, seat: int = 0) -> Observation:
    return observe(game, state, seat)


def answers(bot: Bidder, observation: Observation, limit_ms: float | None = None) -> list[str]:
    found = bot.improve(observation, Deadline(limit_ms, lambda: 0.0))
    return [answer for answer in found if answer is not None]


class Scripted(Bidder):
    """Finds what it is told, in this order."""

    def __init__(self, *solutions: str) -> None:
        super().__init__()
        self._script = [parse_action(text) for text in solutions]

    def find_plans(self, task: Task) -> Iterator[Plan | None]:
        for action in self._script:
            assert isinstance(action, Solve)
            yield None
            yield Plan(action.moves, is_proven=False, expanded=1, generated=1, frontier=1)


START = BIDDING.initial_state(7)
LONG, SHORT = "solve red N, red S, red N", "solve red N, red S"


def test_bids_every_better_plan_and_then_passes() -> None:
    bot = seated(Scripted(LONG, SHORT), BIDDING, START)
    assert answers(bot, seen(BIDDING, START)) == ["bid 3", "bid 2", "pass"]


def test_never_bids_what_it_has_bid_already() -> None:
    bot = seated(Scripted(LONG, SHORT), BIDDING, START)
    state = BIDDING.apply(START, Turn({0: parse_action("bid 3")}, 5))
    assert answers(bot, seen(BIDDING, state)) == ["bid 2", "pass"]


def test_proves_with_the_best_plan_of_the_bidding() -> None:
    bot = seated(Scripted(LONG, SHORT), BIDDING, START)
    answers(bot, seen(BIDDING, START))
    state = BIDDING.apply(START, Turn({0: parse_action("bid 2")}, 5))
    state = BIDDING.apply(state, Turn({}, 1005))
    assert answers(bot, seen(BIDDING, state)) == [SHORT]


def test_passes_a_proof_for_which_it_has_no_plan() -> None:
    state = BIDDING.apply(BIDDING.apply(START, Turn({0: parse_action("bid 2")}, 5)), Turn({}, 1005))
    assert answers(seated(Scripted(), BIDDING, START), seen(BIDDING, state)) == ["pass"]


def test_forgets_its_plan_when_the_position_changes() -> None:
    bot = seated(Scripted(SHORT), BIDDING, START)
    answers(bot, seen(BIDDING, START))
    other = replace(BIDDING.apply(BIDDING.apply(START, Turn({0: parse_action("bid 2")}, 5)), Turn({}, 1005)))
    moved = replace(other, robots=tuple(reversed(other.robots)))
    assert answers(bot, seen(BIDDING, moved)) == ["pass"]


def test_a_second_question_about_the_same_position_goes_on_where_the_first_stopped() -> None:
    bot = seated(Scripted(LONG, SHORT), BIDDING, START)
    first = bot.improve(seen(BIDDING, START), Deadline(None, lambda: 0.0))
    assert next(answer for answer in first if answer is not None) == "bid 3"
    state = BIDDING.apply(START, Turn({0: parse_action("bid 3")}, 5))
    assert answers(bot, seen(BIDDING, state)) == ["bid 2", "pass"]


def test_lets_its_caller_look_up_between_plans() -> None:
    bot = seated(Scripted(LONG), BIDDING, START)
    assert list(bot.improve(seen(BIDDING, START), Deadline(None, lambda: 0.0))) == [None, "bid 3", "pass"]


def test_an_expired_deadline_ends_the_bidding_at_once() -> None:
    bot = seated(Scripted(LONG), BIDDING, START)
    assert answers(bot, seen(BIDDING, START), limit_ms=0) == ["pass"]


def test_act_bids_rather_than_passes() -> None:
    assert seated(Scripted(LONG, SHORT), BIDDING, START).act(seen(BIDDING, START)) == "bid 2"
    assert seated(Scripted(), BIDDING, START).act(seen(BIDDING, START)) == "pass"


def test_solo_positions_are_answered_better_and_better() -> None:
    state = SOLO.initial_state(7)
    bot = seated(Scripted(LONG, SHORT), SOLO, state)
    assert answers(bot, seen(SOLO, state)) == ["pass", LONG, SHORT]


def test_astar_solves_solo_positions_best_and_reports_its_search() -> None:
    state = SOLO.initial_state(7)
    bot = seated(AStar(), SOLO, state)
    state = SOLO.apply(state, Turn({0: parse_action(bot.act(seen(SOLO, state)))}, 1))
    assert SOLO.returns(state) == (1.0,)
    assert bot.stats is not None
    assert (bot.stats.plan_cost, bool(bot.stats.expanded), bool(bot.stats.frontier)) == (4, True, True)


def test_astar_bids_the_optimum() -> None:
    expected = [f"bid {length(solve(START.position))}", "pass"]
    assert answers(seated(AStar(), BIDDING, START), seen(BIDDING, START)) == expected


def test_little_skill_overlooks_what_more_skill_finds() -> None:
    hard = next(state for state in map(BIDDING.initial_state, range(50)) if solve(state.position).expanded > 2000)
    assert answers(seated(AStar(skill=1), BIDDING, hard), seen(BIDDING, hard)) == ["pass"]
    assert answers(seated(AStar(skill=9), BIDDING, hard), seen(BIDDING, hard))[0].startswith("bid")


@pytest.mark.parametrize("options", [{"skill": 0}, {"skill": 11}])
def test_skills_that_do_not_exist_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="skill: expected 1 to 10"):
        AStar(**options)


def test_a_beam_without_width_is_refused() -> None:
    with pytest.raises(ValueError, match="width: expected at least 1"):
        Beam(width=0)


@pytest.mark.parametrize("params", [{}, {"silver": True, "diagonals": True, "openings": True}])
def test_bots_read_the_position_from_the_view(params: dict[str, Any]) -> None:
    game = Ricochet(params, seats=2)
    for seed in range(5):
        state = game.initial_state(seed)
        assert parse_position(game.observation(state, 0), state.board) == state.position


def test_a_match_of_four_optimal_bots_gives_every_chip_to_somebody() -> None:
    game = Ricochet({"max_rounds": 4}, seats=4)
    state = play_match(game, [AStar(skill=7) for _ in range(4)], seed=11).state
    assert sum(state.chips) == 4
    assert all(player.failed == 0 for player in state.players)
