"""Rounds: bids, the sand glass, proofs, chips, the end. The clock is the stamps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gridjoust.games.api import IllegalAction, Turn
from gridjoust.games.ricochet import Ricochet
from gridjoust.games.ricochet.actions import Action, Bid, Pass, Redeal, Solve, parse_action
from gridjoust.games.ricochet.bidding import max_turns
from gridjoust.games.ricochet.params import make_rules
from gridjoust.games.ricochet.proof import judge
from gridjoust.games.ricochet.state import Phase, State
from tests.games.ricochet.boards import solve


def start(seats: int = 3, **params: Any) -> tuple[Ricochet, State]:
    game = Ricochet({"sand_s": 1.0, "think_s": 30.0, "proof_ms": 2000, **params}, seats=seats)
    return game, game.initial_state(7)


GAME, START = start()
SOLUTION = solve(START.position).moves or ()  # the first position is the same for every number of seats
BEST, PROOF, WRONG = f"bid {len(SOLUTION)}", str(Solve(SOLUTION)), "solve red N"
PROVEN = judge(START.position, SOLUTION).robots


def rich(state: State, *chips: int, **fields: Any) -> State:
    """The state with so many chips by seat."""
    players = (player._replace(chips=own) for player, own in zip(state.players, chips, strict=True))
    return replace(state, players=tuple(players), **fields)


def after(state: State, *turns: str, game: Ricochet = GAME) -> State:
    """Answers as `stamp seat action`, timers as their stamp alone."""
    for turn in turns:
        stamp, *answer = turn.split(" ", 2)
        actions = {int(answer[0]): parse_action(answer[1])} if answer else {}
        state = game.apply(state, Turn(actions, int(stamp)))
    return state


LATE_BID = "29999 1 bid 9"
FULL = {"pool": START.pool, "chips": (0, 0, 0)}
BIDDING = {"round": 2, "phase": Phase.BIDDING}
ROUNDS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "thinking time runs from the deal": ((), {"phase": Phase.BIDDING, "wake": 30_000}),
    "the first bid starts the sand glass": (("400 1 bid 9",), {"wake": 1400}),
    "a second bid does not restart it": (("400 1 bid 9", "900 0 bid 7"), {"wake": 1400}),
    "sand that starts just before the end of the thinking time runs its full second": ((LATE_BID,), {"wake": 30_999}),
    "a round without a bid is void": (("30000",), {**BIDDING, **FULL, "wake": 60_000}),
    "after the sand the lowest bidder must prove": (
        ("400 1 bid 9", "500 0 bid 8", "1400"), {"phase": Phase.PROOF, "asked": (0,), "wake": 3400},
    ),
    "of equal bids and chips the earlier goes first": (
        ("400 2 bid 9", "500 1 bid 8", "500 2 bid 8", "600 0 bid 8", "1400"), {"provers": (1, 2, 0)},
    ),
    "a right proof wins the chip and the target, and the robots stay where it took them": (
        (f"400 1 {BEST}", "1400", f"1500 1 {PROOF}"),
        {**BIDDING, "chips": (0, 1, 0), "robots": PROVEN, "wake": 31_500}
        | {"pool": tuple(target for target in START.pool if target != START.target)},
    ),
    "a proof may be shorter than the bid": (("400 1 bid 99", "1400", f"1500 1 {PROOF}"), {"chips": (0, 1, 0)}),
    "a proof longer than the bid fails": (
        ("400 1 bid 1", f"500 2 {BEST}", "1400", f"1500 1 {PROOF}"),
        {**FULL, "provers": (2,), "fault": f"{len(SOLUTION)} moves where 1 were bid"},
    ),
    "after a failed proof the robots go back and the next bidder has its own time": (
        ("400 1 bid 3", "500 2 bid 9", "1400", f"1500 1 {WRONG}"),
        {"robots": START.robots, "provers": (2,), "wake": 3500},
    ),
    "a late proof fails": (("400 1 bid 9", "500 2 bid 99", "1400", "3400", f"3500 2 {PROOF}"), {"chips": (0, 0, 1)}),
    "when nobody proves the chip returns to the pool": (
        ("400 1 bid 9", "1400", f"1500 1 {WRONG}"), {"round": 2, **FULL},
    ),
    "a seat that has passed bids no more": (("400 1 bid 9", "500 1 pass"), {"asked": (0, 2)}),
    "but its bid stands": (("400 1 bid 9", "500 1 pass", "1400"), {"provers": (1,)}),
    "bids are told as they are called": (
        ("400 1 bid 5", "500 2 bid 9"), {"view": {"bids": [None, 5, 9], "clock_ms": 500, "wake_ms": 1400}},
    ),
    "when all have passed nobody waits for the sand": (
        ("400 1 bid 9", "500 1 pass", "600 0 pass", "700 2 pass"), {"phase": Phase.PROOF, "wake": 2700},
    ),
    "when all pass without a bid the round is void": (("500 1 pass", "600 0 pass", "700 2 pass"), BIDDING),
    "passing the proof gives it to the next bidder": (
        ("400 1 bid 9", "500 2 bid 10", "1400", "1500 1 pass"), {"provers": (2,)},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("turns", "expected"), ROUNDS.values(), ids=ROUNDS)
def test_a_round(turns: tuple[str, ...], expected: dict[str, Any]) -> None:
    state = after(START, *turns)
    view, fault = GAME.public_view(state), state.proof.fault if state.proof else None
    known: dict[str, Any] = {"asked": GAME.seats_to_act(state), "wake": GAME.wake_at(state), "fault": fault}
    known["view"] = {name: view[name] for name in expected.get("view", ())}
    assert {name: known[name] if name in known else getattr(state, name) for name in expected} == expected


def test_a_seat_may_bid_higher_than_its_rivals_but_only_lower_its_own_bid() -> None:
    state = after(START, "400 1 bid 5")
    assert GAME.is_legal(state, 0, Bid(9))
    assert [GAME.is_legal(state, 1, Bid(amount)) for amount in (6, 5, 4)] == [False, False, True]


def test_a_question_stays_open_while_others_bid_and_a_new_phase_asks_anew() -> None:
    bid = after(START, "400 1 bid 5")
    assert GAME.ask_key(START, 0) == GAME.ask_key(bid, 0)
    assert GAME.ask_key(START, 1) != GAME.ask_key(after(bid, "1400"), 1)


def test_chips_above_the_average_are_returned_and_of_equal_bids_the_one_with_fewer_chips_goes_first() -> None:
    assert GAME.returns(rich(START, 3, 0, 0)) == (2.0, -1.0, -1.0)
    assert after(rich(START, 2, 1, 0), "400 0 bid 8", "500 1 bid 8", "1400").provers == (1, 0)


def test_equal_bids_may_go_by_the_call_alone() -> None:
    game, state = start(equal_bids="call")
    bids = "400 0 bid 8", "500 1 bid 8", "600 2 bid 7", "1400"
    assert after(rich(state, 2, 1, 0), *bids, game=game).provers == (2, 0, 1)
    assert after(rich(state, 2, 1, 0), *bids).provers == (2, 1, 0)


WIN = (f"400 0 {BEST}", "1400", f"1500 0 {PROOF}")
ENDS: dict[str, tuple[dict[str, Any], tuple[int, ...], int, tuple[str, ...], str]] = {  # chips, targets left
    "two players play for eight chips": ({}, (7, 0), 17, WIN, "seat 0 has 8 chips"),
    "three for six": ({}, (5, 0, 0), 17, WIN, "seat 0 has 6 chips"),
    "four for five": ({}, (4, 0, 0, 0), 17, WIN, "seat 0 has 5 chips"),
    "five until the pool is empty": ({}, (16, 0, 0, 0, 0), 1, WIN, "every target has been won"),
    "nobody beyond the last round": ({"max_rounds": 2}, (0, 0, 0), 17, ("30000", "60000"), "2 rounds have been played"),
}


@pytest.mark.parametrize(("params", "chips", "left", "turns", "reason"), ENDS.values(), ids=ENDS)
def test_how_a_match_ends(
    params: dict[str, Any], chips: tuple[int, ...], left: int, turns: tuple[str, ...], reason: str
) -> None:
    game, state = start(len(chips), **params)
    pool = state.pool if left == len(state.pool) else (state.target,)
    state = after(rich(state, *chips, pool=pool), *turns, game=game)
    assert (game.is_terminal(state), game.reason(state), game.wake_at(state)) == (True, reason, None)


def test_the_number_of_turns_is_bounded_by_bids_that_only_fall() -> None:
    game, state = start(2, max_rounds=1)
    bids = [f"{seat} bid {amount}" for amount in range(99, 0, -1) for seat in (0, 1)]
    state = after(state, *[f"{stamp} {bid}" for stamp, bid in enumerate(bids)], game=game)
    assert [game.legal_actions(state, seat) for seat in (0, 1)] == [(Pass(),)] * 2
    state = after(state, "198 0 pass", "1000", f"1100 0 {WRONG}", f"1200 1 {WRONG}", game=game)
    assert game.is_terminal(state)
    assert len(bids) + 4 <= game.spec.max_turns == max_turns(make_rules(game.params, 2), 2)


@pytest.mark.parametrize(
    ("params", "turns", "chips", "is_back"),
    [
        ({"reset": True}, WIN, (1, 0, 0), True),
        ({"redeal": "never"}, ("30000",), (0, 0, 0), True),
        ({"redeal": "void"}, ("30000",), (0, 0, 0), False),
        ({"redeal": "always"}, ("30000",), (0, 0, 0), False),
    ],
)
def test_robots_may_go_back_after_every_round_or_be_dealt_anew_after_one_that_nobody_won(
    params: dict[str, Any], turns: tuple[str, ...], chips: tuple[int, ...], is_back: bool
) -> None:
    game, state = start(**params)
    later = after(state, *turns, game=game)
    assert (later.chips, later.robots == state.robots) == (chips, is_back)


REQUESTS: dict[str, tuple[tuple[str, ...], int, bool]] = {  # turns, the round after them, robots as they were
    "not before all have asked": (("10 0 redeal", "20 1 redeal"), 1, True),
    "when all have": (("10 0 redeal", "20 1 redeal", "30 2 redeal"), 2, False),
    "who has passed without a bid does not mind": (("10 0 redeal", "20 1 pass", "30 2 pass"), 2, False),
    "nobody has asked": (("10 0 pass", "20 1 pass", "30 2 pass"), 2, True),
    "who bids wants this deal": (("10 0 redeal", "20 0 bid 9", "30 1 redeal", "40 2 redeal"), 1, True),
    "a bid that stands is against it": (("10 0 bid 9", "20 0 pass", "30 1 redeal", "40 2 redeal"), 1, True),
    "but its seat may still ask": (("10 0 bid 9", "20 0 redeal", "30 1 redeal", "40 2 redeal"), 2, False),
}


@pytest.mark.parametrize(("turns", "at_round", "is_same"), REQUESTS.values(), ids=REQUESTS)
def test_robots_are_dealt_anew_when_all_seats_ask_for_it(turns: tuple[str, ...], at_round: int, is_same: bool) -> None:
    game, state = start(redeal="asked")
    later = after(state, *turns, game=game)
    assert (later.round, later.robots == state.robots) == (at_round, is_same)
    assert len(later.pool) == len(state.pool)


def test_a_seat_asks_once_and_only_where_the_parameter_has_it() -> None:
    game, state = start(redeal="asked")
    assert Redeal() in game.legal_actions(state, 0)
    asked = after(state, "10 0 redeal", game=game)
    assert Redeal() not in game.legal_actions(asked, 0)
    assert game.public_view(asked)["asked"] == [True, False, False]
    assert game.encode(asked) != game.encode(replace(asked, players=state.players))
    assert not GAME.is_legal(START, 0, Redeal())


BID, MISS = Bid(9), parse_action(WRONG)
REFUSED: dict[str, tuple[tuple[str, ...], Turn[Action], str]] = {
    "a timer that goes off too early": ((), Turn({}, 29_999), "expected 30000"),
    "a bid after it": ((), Turn({0: BID}, 30_001), "at most 30000"),
    "a bid before the last": (("400 1 bid 9",), Turn({0: BID}, 399), "at least 400"),
    "a proof while bids are open": ((), Turn({0: MISS}, 5), "not legal"),
    "a proof of another than the prover": (
        ("400 1 bid 9", "500 2 bid 10", "1400"), Turn({2: parse_action(PROOF)}, 1500), "not legal",
    ),
    "two answers at once": ((), Turn({0: BID, 1: BID}, 5), "one answer a turn"),
    "a bid above 99": ((), Turn({0: Bid(100)}, 5), "not legal"),
    "a bid of nothing": ((), Turn({0: Bid(0)}, 5), "not legal"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "turn", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(before: tuple[str, ...], turn: Turn[Action], message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        GAME.apply(after(START, *before), turn)


def test_a_new_target_is_never_too_easy() -> None:
    game, _ = start(2, min_optimum=4)
    for seed in range(5):
        assert len(solve(game.initial_state(seed).position).moves or ()) >= 4
