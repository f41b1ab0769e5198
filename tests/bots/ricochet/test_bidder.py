"""How bots bid, pass, prove and solve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from gridjoust.bots.api import Bot, Deadline
from gridjoust.bots.match import observe, play_match
from gridjoust.bots.ricochet.astar import AStar
from gridjoust.bots.ricochet.beam import Beam
from gridjoust.bots.ricochet.bfs import BreadthFirst
from gridjoust.bots.ricochet.bidder import Bidder
from gridjoust.bots.ricochet.dijkstra_map import DijkstraRoller
from gridjoust.bots.ricochet.dstar_lite import DStarBidder
from gridjoust.bots.ricochet.plans import Task
from gridjoust.games.api import Turn
from gridjoust.games.ricochet import Ricochet
from gridjoust.games.ricochet.actions import Solve, parse_action
from gridjoust.games.ricochet.optimum import Plan
from gridjoust.games.ricochet.state import State
from gridjoust.games.ricochet.view import parse_position
from gridjoust.simulation import play
from tests.bots.seats import seated
from tests.games.ricochet.boards import length, solve

ROW = """
+---+---+---+---+
|R    rt    |   |
+---+---+---+---+
|G  |B  |Y  |   |
+---+---+---+---+
"""
BIDDING = Ricochet({"tiles": "1A 3B 4A 2A"}, seats=2)
SOLO = Ricochet({"tiles": "1A 3B 4A 2A", "mode": "solve", "optima": "4"}, seats=1)
START = BIDDING.initial_state(7)
POSITION = SOLO.initial_state(7)


def after(text: str, *, is_proof: bool = False) -> State:
    """Seat 0 has bid; the sand has run out too."""
    state = BIDDING.apply(START, Turn({0: parse_action(text)}, 5))
    return BIDDING.apply(state, Turn({}, 1005)) if is_proof else state


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


def improve(bot: Bidder, state: State, *, limit_ms: float | None = None) -> Iterator[str | None]:
    game = SOLO if state is POSITION else BIDDING
    return bot.improve(observe(game, state, 0), Deadline(limit_ms, lambda: 0.0))


def answers(bot: Bidder, state: State) -> list[str]:
    return [answer for answer in improve(bot, state) if answer is not None]


LONG, SHORT = "solve red N, red S, red N", "solve red N, red S"
BOTH = (LONG, SHORT)
PROOF = after("bid 2", is_proof=True)
MOVED = replace(PROOF, robots=tuple(reversed(PROOF.robots)))
QUESTIONS: dict[str, tuple[tuple[str, ...], list[tuple[State, list[str]]]]] = {  # what it finds, asks and answers
    "bids every better plan and then passes": (BOTH, [(START, ["bid 3", "bid 2", "pass"])]),
    "never bids what it has bid already": (BOTH, [(after("bid 3"), ["bid 2", "pass"])]),
    "proves with the best plan of the bidding": (BOTH, [(START, ["bid 3", "bid 2", "pass"]), (PROOF, [SHORT])]),
    "passes a proof for which it has no plan": ((), [(PROOF, ["pass"])]),
    "forgets its plan when the position changes": ((SHORT,), [(START, ["bid 2", "pass"]), (MOVED, ["pass"])]),
    "answers solo positions better and better": (BOTH, [(POSITION, ["pass", LONG, SHORT])]),
}


@pytest.mark.parametrize(("script", "questions"), QUESTIONS.values(), ids=QUESTIONS)
def test_a_bidder(script: tuple[str, ...], questions: list[tuple[State, list[str]]]) -> None:
    bot = seated(Scripted(*script), SOLO if questions[0][0] is POSITION else BIDDING, questions[0][0])
    assert [answers(bot, state) for state, _ in questions] == [expected for _, expected in questions]


def test_a_second_question_about_the_same_position_goes_on_where_the_first_stopped() -> None:
    bot = seated(Scripted(*BOTH), BIDDING, START)
    assert next(answer for answer in improve(bot, START) if answer is not None) == "bid 3"
    assert answers(bot, after("bid 3")) == ["bid 2", "pass"]


def test_lets_its_caller_look_up_between_plans_and_ends_at_once_when_the_time_is_up() -> None:
    for limit_ms, said in ((None, [None, "bid 3", "pass"]), (0, ["pass"])):
        assert list(improve(seated(Scripted(LONG), BIDDING, START), START, limit_ms=limit_ms)) == said


def test_act_bids_rather_than_passes() -> None:
    for script, answer in ((BOTH, "bid 2"), ((), "pass")):
        assert seated(Scripted(*script), BIDDING, START).act(observe(BIDDING, START, 0)) == answer


def test_astar_solves_solo_positions_best_and_reports_its_search() -> None:
    bot = seated(AStar(), SOLO, POSITION)
    state = SOLO.apply(POSITION, Turn({0: parse_action(bot.act(observe(SOLO, POSITION, 0)))}, 1))
    assert SOLO.returns(state) == (1.0,)
    assert bot.stats is not None
    assert (bot.stats.plan_cost, bool(bot.stats.expanded), bool(bot.stats.frontier)) == (4, True, True)


def test_astar_bids_the_optimum_unless_it_has_too_little_skill() -> None:
    assert answers(seated(AStar(), BIDDING, START), START) == [f"bid {length(solve(START.position))}", "pass"]
    hard = next(state for state in map(BIDDING.initial_state, range(50)) if solve(state.position).expanded > 2000)
    assert answers(seated(AStar(skill=1), BIDDING, hard), hard) == ["pass"]
    assert answers(seated(AStar(skill=9), BIDDING, hard), hard)[0].startswith("bid")


@pytest.mark.parametrize(
    ("bot", "options", "message"),
    [
        (AStar, {"skill": 0}, "skill: expected 1 to 10"),
        (AStar, {"skill": 11}, "skill: expected 1 to 10"),
        (Beam, {"width": 0}, "width: expected at least 1"),
    ],
)
def test_options_that_mean_nothing_are_refused(bot: type[Bot], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bot(**options)


@pytest.mark.parametrize("params", [{}, {"silver": True, "diagonals": True, "openings": True}])
def test_bots_read_the_position_from_the_view(params: dict[str, Any]) -> None:
    game = Ricochet(params, seats=2)
    for state in map(game.initial_state, range(5)):
        assert parse_position(game.observation(state, 0), state.board) == state.position


@pytest.mark.parametrize("planner", [AStar, Beam, BreadthFirst, DijkstraRoller, DStarBidder])
def test_robots_may_stop_when_they_reach_their_target(planner: type[Bidder]) -> None:
    for pass_goal, answer in ((True, "pass"), (False, "bid 1")):
        game = Ricochet({"map": ROW, "min_optimum": 1, "pass_goal": pass_goal}, seats=2)
        state = game.initial_state(1)
        assert seated(planner(), game, state).act(observe(game, state, 0)) == answer


def test_a_match_of_four_optimal_bots_gives_every_chip_to_somebody() -> None:
    game = Ricochet({"max_rounds": 4}, seats=4)
    state = play_match(game, [AStar(skill=7) for _ in range(4)], seed=11).state
    assert (sum(state.chips), [player.failed for player in state.players]) == (4, [0] * 4)


@pytest.mark.gate
def test_a_beam_that_drops_states_shows_solutions_that_take_no_move_straight_back() -> None:
    """In this match its states lead by a yellow move east and straight back west, which the printed rules forbid."""
    bots, params = ["ricochet/beam", "random"], {"variant": "printed"}
    played = play("ricochet", bots, seed=2, params=params, match_id="straight")
    assert played.termination == "completed"
