"""Rounds: bids, the sand glass, proofs, chips, the end. The clock is the stamps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.api import IllegalAction, Turn
from games.ricochet import Ricochet
from games.ricochet.actions import Action, Bid, Pass, Solve
from games.ricochet.bidding import max_turns
from games.ricochet.optimum import find_shortest
from games.ricochet.params import make_rules
from games.ricochet.proof import judge
from games.ricochet.slides import slides_of
from games.ricochet.state import Phase, State
from tests.games.ricochet.boards import moves

PARAMS = {"sand_s": 1.0, "think_s": 30.0, "proof_ms": 2000}
GAME = Ricochet(PARAMS, seats=3)
START = GAME.initial_state(7)


def after(state: State, *turns: tuple[int, int, Action] | int, game: Ricochet = GAME) -> State:
    """Answers as (stamp, seat, action), timers as their stamp alone."""
    for turn in turns:
        if isinstance(turn, int):
            state = game.apply(state, Turn({}, turn))
        else:
            stamp, seat, action = turn
            state = game.apply(state, Turn({seat: action}, stamp))
    return state


def solution(state: State) -> Solve:
    found = find_shortest(slides_of(state.board), state.position).moves
    assert found
    return Solve(found)


def best(state: State) -> Bid:
    return Bid(len(solution(state).moves))


WRONG = Solve(moves("red N"))


def test_thinking_time_runs_from_the_deal() -> None:
    assert (START.phase, GAME.wake_at(START)) == (Phase.BIDDING, 30_000)


def test_the_first_bid_starts_the_sand_glass() -> None:
    assert GAME.wake_at(after(START, (400, 1, Bid(9)))) == 1400


def test_a_second_bid_does_not_restart_the_sand_glass() -> None:
    assert GAME.wake_at(after(START, (400, 1, Bid(9)), (900, 0, Bid(7)))) == 1400


def test_sand_that_starts_just_before_the_thinking_time_ends_runs_its_full_second() -> None:
    assert GAME.wake_at(after(START, (29_999, 1, Bid(9)))) == 30_999


def test_a_round_without_a_bid_is_void_and_its_target_stays_in_the_pool() -> None:
    state = after(START, 30_000)
    assert (state.round, state.phase, state.wake_ms, len(state.pool)) == (2, Phase.BIDDING, 60_000, 17)


def test_a_seat_may_bid_higher_than_its_rivals() -> None:
    assert GAME.is_legal(after(START, (400, 1, Bid(5))), 0, Bid(9))


def test_a_seat_may_only_lower_its_own_bid() -> None:
    state = after(START, (400, 1, Bid(5)))
    assert [GAME.is_legal(state, 1, Bid(amount)) for amount in (6, 5, 4)] == [False, False, True]


def test_bids_are_told_as_they_are_called() -> None:
    view = GAME.public_view(after(START, (400, 1, Bid(5)), (500, 2, Bid(9))))
    assert (view["bids"], view["clock_ms"], view["wake_ms"]) == ([None, 5, 9], 500, 1400)


def test_a_question_stays_open_while_others_bid() -> None:
    state = after(START, (400, 1, Bid(5)))
    assert GAME.ask_key(START, 0) == GAME.ask_key(state, 0)


def test_a_new_phase_asks_anew() -> None:
    state = after(START, (400, 1, Bid(5)), 1400)
    assert GAME.ask_key(START, 1) != GAME.ask_key(state, 1)


def test_after_the_sand_the_lowest_bidder_must_prove() -> None:
    state = after(START, (400, 1, Bid(9)), (500, 0, Bid(8)), 1400)
    assert (state.phase, GAME.seats_to_act(state), state.wake_ms) == (Phase.PROOF, (0,), 3400)


def test_of_equal_bids_the_one_with_fewer_chips_goes_first() -> None:
    richer = replace(START, chips=(2, 1, 0))
    state = after(richer, (400, 0, Bid(8)), (500, 1, Bid(8)), 1400)
    assert state.provers == (1, 0)


def test_of_equal_bids_and_chips_the_earlier_goes_first() -> None:
    state = after(START, (400, 2, Bid(9)), (500, 1, Bid(8)), (500, 2, Bid(8)), (600, 0, Bid(8)), 1400)
    assert state.provers == (1, 2, 0)


def test_a_right_proof_wins_the_chip_and_the_target() -> None:
    state = after(START, (400, 1, best(START)), 1400, (1500, 1, solution(START)))
    assert (state.chips, START.target in state.pool, len(state.pool)) == ((0, 1, 0), False, 16)


def test_after_a_proof_the_robots_stay_where_it_took_them() -> None:
    state = after(START, (400, 1, best(START)), 1400, (1500, 1, solution(START)))
    assert state.robots == judge(START.position, solution(START).moves).robots
    assert (state.round, state.phase, state.wake_ms) == (2, Phase.BIDDING, 31_500)


def test_a_proof_may_be_shorter_than_the_bid() -> None:
    state = after(START, (400, 1, Bid(99)), 1400, (1500, 1, solution(START)))
    assert state.chips == (0, 1, 0)


def test_a_proof_longer_than_the_bid_fails() -> None:
    state = after(START, (400, 1, Bid(1)), (500, 2, best(START)), 1400, (1500, 1, solution(START)))
    assert (state.provers, state.chips) == ((2,), (0, 0, 0))
    assert state.proof is not None
    assert state.proof.fault.endswith("moves where 1 were bid")


def test_after_a_failed_proof_the_robots_go_back_and_the_next_bidder_has_its_own_time() -> None:
    state = after(START, (400, 1, Bid(3)), (500, 2, Bid(9)), 1400, (1500, 1, WRONG))
    assert (state.robots, state.provers, state.wake_ms) == (START.robots, (2,), 3500)


def test_a_late_proof_fails() -> None:
    state = after(START, (400, 1, Bid(9)), (500, 2, Bid(99)), 1400, 3400, (3500, 2, solution(START)))
    assert state.chips == (0, 0, 1)


def test_when_nobody_proves_the_chip_returns_to_the_pool() -> None:
    state = after(START, (400, 1, Bid(9)), 1400, (1500, 1, WRONG))
    assert (state.round, len(state.pool), state.chips) == (2, 17, (0, 0, 0))


def test_a_seat_that_has_passed_bids_no_more_but_its_bid_stands() -> None:
    state = after(START, (400, 1, Bid(9)), (500, 1, Pass()))
    assert GAME.seats_to_act(state) == (0, 2)
    assert after(state, 1400).provers == (1,)


def test_when_all_have_passed_nobody_waits_for_the_sand() -> None:
    state = after(START, (400, 1, Bid(9)), (500, 1, Pass()), (600, 0, Pass()), (700, 2, Pass()))
    assert (state.phase, state.wake_ms) == (Phase.PROOF, 2700)


def test_when_all_pass_without_a_bid_the_round_is_void() -> None:
    state = after(START, (500, 1, Pass()), (600, 0, Pass()), (700, 2, Pass()))
    assert (state.round, state.phase) == (2, Phase.BIDDING)


def test_passing_the_proof_gives_it_to_the_next_bidder() -> None:
    state = after(START, (400, 1, Bid(9)), (500, 2, Bid(10)), 1400, (1500, 1, Pass()))
    assert state.provers == (2,)


@pytest.mark.parametrize(("seats", "chips"), [(2, 8), (3, 6), (4, 5)])
def test_enough_chips_win(seats: int, chips: int) -> None:
    game = Ricochet(PARAMS, seats=seats)
    state = game.initial_state(7)
    state = replace(state, chips=(chips - 1, *state.chips[1:]))
    state = after(state, (400, 0, best(state)), 1400, (1500, 0, solution(state)), game=game)
    assert (game.is_terminal(state), game.reason(state)) == (True, f"seat 0 has {chips} chips")
    assert game.wake_at(state) is None


def test_five_players_play_until_the_pool_is_empty() -> None:
    game = Ricochet(PARAMS, seats=5)
    state = game.initial_state(7)
    state = replace(state, chips=(16, 0, 0, 0, 0), pool=(state.target,))
    state = after(state, (400, 0, best(state)), 1400, (1500, 0, solution(state)), game=game)
    assert (game.is_terminal(state), game.reason(state)) == (True, "every target has been won")


def test_the_match_ends_after_the_last_round() -> None:
    game = Ricochet({**PARAMS, "max_rounds": 2}, seats=3)
    state = after(game.initial_state(7), 30_000, 60_000, game=game)
    assert (game.is_terminal(state), game.reason(state)) == (True, "2 rounds have been played")


def test_returns_are_chips_above_the_average() -> None:
    assert GAME.returns(replace(START, chips=(3, 0, 0))) == (2.0, -1.0, -1.0)


def test_the_number_of_turns_is_bounded_by_bids_that_only_fall() -> None:
    game = Ricochet({**PARAMS, "max_rounds": 1}, seats=2)
    state, turns = game.initial_state(7), 0
    for amount in range(99, 0, -1):
        for seat in (0, 1):
            state = game.apply(state, Turn({seat: Bid(amount)}, turns))
            turns += 1
    for seat in (0, 1):
        assert game.legal_actions(state, seat) == (Pass(),)
    state = after(state, (turns, 0, Pass()), 1000, (1100, 0, WRONG), (1200, 1, WRONG), game=game)
    assert game.is_terminal(state)
    assert turns + 4 <= game.spec.max_turns == max_turns(make_rules(game.params, 2), 2)


def test_reset_takes_the_robots_back_after_every_round() -> None:
    game = Ricochet({**PARAMS, "reset": True}, seats=3)
    state = game.initial_state(7)
    won = after(state, (400, 1, best(state)), 1400, (1500, 1, solution(state)), game=game)
    assert (won.robots, won.chips) == (state.robots, (0, 1, 0))


@pytest.mark.parametrize(("redeal", "is_dealt_anew"), [("never", False), ("void", True), ("always", True)])
def test_robots_can_be_dealt_anew_after_a_round_nobody_won(redeal: str, is_dealt_anew: bool) -> None:
    game = Ricochet({**PARAMS, "redeal": redeal}, seats=3)
    state = game.initial_state(7)
    assert (after(state, 30_000, game=game).robots != state.robots) is is_dealt_anew


def test_a_timer_goes_off_at_its_own_time_only() -> None:
    with pytest.raises(IllegalAction, match="expected 30000"):
        GAME.apply(START, Turn({}, 29_999))


def test_an_answer_after_the_timer_has_to_wait_for_it() -> None:
    with pytest.raises(IllegalAction, match="at most 30000"):
        GAME.apply(START, Turn({0: Bid(9)}, 30_001))


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(IllegalAction, match="at least 400"):
        GAME.apply(after(START, (400, 1, Bid(9))), Turn({0: Bid(9)}, 399))


def test_one_answer_is_one_turn() -> None:
    with pytest.raises(IllegalAction, match="one answer a turn"):
        GAME.apply(START, Turn({0: Bid(9), 1: Bid(9)}, 5))


@pytest.mark.parametrize("action", [WRONG, Bid(100), Bid(0)])
def test_what_is_no_bid_is_illegal_while_bids_are_open(action: Action) -> None:
    with pytest.raises(IllegalAction, match="not legal"):
        GAME.apply(START, Turn({0: action}, 5))


def test_only_the_prover_proves() -> None:
    state = after(START, (400, 1, Bid(9)), (500, 2, Bid(10)), 1400)
    with pytest.raises(IllegalAction, match="not legal"):
        GAME.apply(state, Turn({2: solution(START)}, 1500))


def test_a_new_target_is_never_too_easy() -> None:
    game = Ricochet({**PARAMS, "min_optimum": 4}, seats=2)
    for seed in range(5):
        assert len(solution(game.initial_state(seed)).moves) >= 4
