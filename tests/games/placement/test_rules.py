"""The match: deals, whose turn it is, goals, the end and what it is worth."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gridjoust.games.api import IllegalAction, Turn
from gridjoust.games.placement import Placement
from gridjoust.games.placement.actions import PASS, parse_plan
from gridjoust.games.placement.apply import draw, play
from gridjoust.games.placement.state import Player
from tests.games.placement.boards import Scene, parse_piece, scene

TRIPLE = parse_piece("#", "#", "#")  # as it lies in the piece set
CORNER = parse_piece("#.", "##")
LANE = ("0.....a", "_______", "1.....b")
GAP = ("0__....a", "_______.", "1......b")
FOUR = ("0..a", "1..b", "2..c", "3..d")
ACROSS = "walk E E E E E E"


def hand_sizes(shown: Scene) -> list[int]:
    return [len(player.hand) for player in shown.players]


def test_a_seat_draws_when_its_turn_comes_and_pieces_left_over_are_discarded() -> None:
    shown = scene(*LANE)
    assert hand_sizes(shown) == [3, 0]
    assert hand_sizes(shown.play("pass")) == [0, 3]
    again = shown.play("pass", "pass")
    assert hand_sizes(again) == [3, 0]
    assert len(again.players[0].bag) == len(again.game.pieces) - 6
    assert [hand_sizes(scene(*LANE, hand=hand)) for hand in (1, 2, 5)] == [[1, 0], [2, 0], [5, 0]]


def test_keep_hand_keeps_all_pieces_of_a_pass_and_fills_up_behind_those_left_over() -> None:
    shown = scene(*LANE, keep_hand=True)
    assert shown.play("pass", "pass").players[0].hand == shown.players[0].hand
    shown = scene(*GAP, keep_hand=True, max_cells=3).hold(TRIPLE, CORNER, TRIPLE)
    after = shown.play("place 1 r180 @1,0", "pass")
    assert after.players[0].hand[:2] == (shown.players[0].hand[0], shown.players[0].hand[2])
    assert hand_sizes(after)[0] == 3


def test_a_bag_gives_every_piece_once_before_any_comes_again() -> None:
    player = Player(0, 1)
    drawn: list[int] = []
    for number in range(6):
        player = draw(player._replace(hand=()), 3, kinds=9, rng=random.Random(number))
        drawn += player.hand
    assert sorted(drawn[:9]) == sorted(drawn[9:]) == list(range(9))
    across = draw(Player(0, 1, bag=(4,)), 3, kinds=9, rng=random.Random(1))
    assert (across.hand[0], len(across.bag)) == (4, 7), "a bag that runs out within a hand is filled again"


@pytest.mark.parametrize(("deal", "is_equal"), [("own", False), ("equal", True)])
def test_seats_draw_for_themselves_or_all_the_same_in_a_game_round(deal: str, is_equal: bool) -> None:
    shown = scene(*LANE, deal=deal, moves=1)
    hands = []
    for _ in range(4):
        first, shown = shown.players[0].hand, shown.play("pass")
        hands.append((first, shown.players[1].hand))
        shown = shown.play("pass")
    assert all(one == other for one, other in hands) is is_equal
    assert len(set(hands)) > 1


@pytest.mark.parametrize(("least", "most"), [(3, 6), (1, 2), (5, 5)])
def test_pieces_have_as_many_cells_as_the_parameters_say(least: int, most: int) -> None:
    pieces = scene(*LANE, min_cells=least, max_cells=most).game.pieces
    assert {len(piece) for piece in pieces} == set(range(least, most + 1))


def test_the_order_of_the_seats_turns_round_with_every_game_round() -> None:
    shown = scene("0..a", "1..b", "2..c", seats=3, moves=1, order="alternate")
    acting, rounds = [], []
    for _ in range(9):
        acting.append(shown.state.seat)
        rounds.append(shown.metrics()["game_rounds"])
        shown = shown.play("pass")
    assert acting == [0, 1, 2, 2, 1, 0, 0, 1, 2]
    assert rounds == [0, 1, 1, 1, 2, 2, 2, 3, 3]


TOGETHER = ("0..a", "1..b")


@pytest.mark.parametrize(
    ("tie_break", "returns", "reason"),
    [
        ("draw", (0, 0), "seats 0, 1 are done in the same game round"),
        ("nearest", (0, 0), "seats 0, 1 are done in the same game round"),
        ("steps", (1, -1), "seats 0, 1 are done in the same game round, seat 0 walked least"),
        ("cells", (-1, 1), "seats 0, 1 are done in the same game round, seat 1 laid least"),
    ],
)
def test_a_tie_of_seats_that_are_done_together_is_broken_by_effort(
    tie_break: str, returns: tuple[int, int], reason: str
) -> None:
    shown = scene("0..a", "____", "1..b", finish_round=True, tie_break=tie_break, max_cells=3)
    shown = shown.hold(TRIPLE).play("place 0 r90 @0,1; walk E E E", "walk E W E E E")
    assert shown.game.returns(shown.state) == returns
    assert shown.reason() == reason


def test_without_a_winner_effort_parts_those_who_stand_equally_near() -> None:
    shown = scene(*LANE, tie_break="steps", max_game_rounds=1, moves=3).play("walk E", "walk E W E")
    assert shown.game.returns(shown.state) == (1, -1)
    assert shown.reason() == "no more game rounds: seat 0 is as near to its goal as any, with less effort"
    shown = scene(*LANE, tie_break="steps", max_game_rounds=1).play("walk E", "walk E")
    assert shown.game.returns(shown.state) == (0, 0)


WALK_ROUND = ("0____a", "______", "______", "1____b")


def test_a_barrier_turns_void_into_wall_and_counts() -> None:
    shown = scene(*WALK_ROUND, barriers=1, max_cells=3, hand=2, collapse=1).hold(CORNER, TRIPLE)
    assert shown.is_legal("bar 0 @1,0; place 1 r90 @2,0")
    assert not shown.is_legal("bar 0 @1,0; place 1 @1,1"), "nothing lies on a barrier"
    after = shown.play("bar 0 @1,0")
    assert after.view(0)["board"][:2] == [".#   .", " ##   "]
    assert after.view(0)["barriers"] == [0, 1]
    assert after.metrics()["barriers"] == 1
    assert after.play("pass").view(0)["board"][0] == ".    .", "barriers collapse as Floor does"


@pytest.mark.parametrize(
    ("rows", "barriers", "text", "expected"),
    [
        pytest.param(WALK_ROUND, 0, "bar 0 @1,0", "got a barrier and none is left", id="the rules have none"),
        pytest.param(WALK_ROUND, 1, "bar 0 @1,0; bar 1 r90 @1,3", "part 2, .* none is left", id="one too many"),
        pytest.param(("0__A", "____", "1__b"), 1, "bar 1 r90 @1,0", "got one on a goal", id="on a goal"),
        pytest.param(("0___a", "#####", "1___b"), 1, "bar 1 r90 @1,0", "blocks the last", id="the last way"),
        pytest.param(("0_a___", "######", "1____b"), 1, "bar 1 r90 @1,2", "blocks the last", id="the rival's too"),
        pytest.param(WALK_ROUND, 1, "bar 1 r90 @2,1", "a piece that touches Floor", id="apart"),
    ],
)
def test_barriers_that_are_refused(rows: tuple[str, ...], barriers: int, text: str, expected: str) -> None:
    shown = scene(*rows, barriers=barriers, max_cells=3).hold(CORNER, TRIPLE)
    with pytest.raises(IllegalAction, match=expected):
        play(shown.game.position(shown.state, 0), parse_plan(text))


def test_a_sample_of_legal_plans_has_barriers_while_some_are_left() -> None:
    shown = scene(*WALK_ROUND, barriers=1)
    assert any(plan.barriers for plan in shown.game.legal_actions(shown.state, 0))
    assert not any(plan.barriers for plan in scene(*WALK_ROUND).game.legal_actions(scene(*WALK_ROUND).state, 0))


def test_the_article_preset_is_the_articles_board_and_what_stands_beside_it_wins() -> None:
    params = Placement({"preset": "article", "moves": 9}).params
    assert (params["width"], params["hand"], params["goals"], params["barriers"]) == (15, 3, 1, 0)
    assert params["moves"] == 9
    assert (Placement().params["hand"], Placement().params["order"]) == (1, "alternate")


def test_seats_act_in_turn() -> None:
    shown = scene("0..a", "1..b", "2..c", seats=3, moves=1)
    acting = []
    for _ in range(4):
        acting.append((shown.state.game_round, shown.seat))
        shown = shown.play("pass")
    assert acting == [(1, 0), (1, 1), (1, 2), (2, 0)]


def test_a_turn_moves_the_figure_and_makes_floor_for_all() -> None:
    after = scene(*GAP).hold(CORNER).play("place 0 r180 @1,0; walk E E E E")
    assert after.positions[0] == (4, 0)
    assert after.is_floor([(2, 1)])
    assert after.change_one("players", 1, cell=after.cell(2, 1)).is_legal("walk N W")


def test_only_a_legal_plan_of_the_seat_in_turn_is_played_and_passing_is_the_default() -> None:
    shown = scene(*LANE)
    with pytest.raises(IllegalAction, match="part 2"):
        shown.play("walk E; walk S")
    assert shown.positions[0] == (0, 0)
    with pytest.raises(IllegalAction, match=r"expected an action of seat 0, got \[1\]"):
        shown.game.apply(shown.state, Turn({1: PASS}, 1))
    assert shown.game.default_action(shown.state, 0) == PASS


def test_figures_do_not_block_each_other() -> None:
    assert scene("01..ab").play("walk E E", "walk E").positions == [(2, 0), (2, 0)]


DRAWN = "no more game rounds: a draw"
FIRST_NEAREST, SECOND_NEAREST = (f"no more game rounds: seat {seat} is nearest to its goal" for seat in (0, 1))
NEAREST: dict[str, Any] = {"max_game_rounds": 1, "tie_break": "nearest"}
BUILD = scene("0__A", "1..b", max_cells=3).hold(TRIPLE)
FINISHED = scene(*LANE, finish_round=True)
FOREIGN = scene("0..b..a", "_______", "1......")
TWO_GOALS = scene("0.a.a..", "1.....b", moves=4, goals=2)
BACK = scene("0a..a", "1...b", moves=2).play("walk E W", "pass", "walk E E", "pass", "walk E")
MORE = scene("0a...a", "1b...b", **NEAREST).play("walk E W")
ROUND_ABOUT = scene("0_a", "._.", "...", "1.b", **NEAREST)
ENDS = {
    "standing on the goal wins at once": (scene(*LANE), [ACROSS], (1, -1), "seat 0 stands on its goal"),
    "a goal on Void has to be built on": (
        BUILD, ["place 0 r90 @1,0; walk E E E"], (1, -1), "seat 0 stands on its goal"
    ),
    "a goal counts in passing": (scene("0.a..", "1...b"), ["walk E E E E"], (1, -1), "seat 0 stands on its goal"),
    "past another seat's goal": (FOREIGN, ["walk E E E", "pass", "walk E E E"], (1, -1), "seat 0 stands on its goal"),
    "all goals must be collected": (TWO_GOALS, ["walk E E E", "pass", "walk E"], (1, -1), "seat 0 has its goals"),
    "finish_round lets the last seat draw": (
        FINISHED, [ACROSS, ACROSS], (0, 0), "seats 0, 1 are done in the same game round"
    ),
    "or not": (FINISHED, [ACROSS, "pass"], (1, -1), "seat 0 stands on its goal"),
    "a winner beats all": (
        scene(*FOUR, seats=4), ["walk E E", "walk E E E"], (-1, 3, -1, -1), "seat 1 stands on its goal"
    ),
    "without a winner it is a draw": (scene(*LANE, max_game_rounds=1), ["walk E E E", "pass"], (0, 0), DRAWN),
    "the tie break gives it to the nearest": (
        scene(*LANE, **NEAREST), ["walk E E E", "walk E E"], (1, -1), FIRST_NEAREST
    ),
    "equally near": (scene(*LANE, **NEAREST), ["walk E", "walk E"], (0, 0), DRAWN),
    "nearest by steps over Floor": (ROUND_ABOUT, ["pass", "pass"], (-1, 1), SECOND_NEAREST),
    "opponents beaten are counted": (
        scene(*FOUR, seats=4, **NEAREST), ["walk E E", "walk E", "walk E", "pass"], (3, 0, 0, -3), FIRST_NEAREST
    ),
    "as many goals and nearer": (MORE, ["walk E E E E"], (-1, 1), SECOND_NEAREST),
    "more goals come before nearer ones": (MORE, ["pass"], (1, -1), FIRST_NEAREST),
}  # fmt: skip


@pytest.mark.parametrize(("begun", "turns", "returns", "reason"), ENDS.values(), ids=ENDS)
def test_ends(begun: Scene, turns: list[str], returns: tuple[float, ...], reason: str) -> None:
    before, after = begun.play(*turns[:-1]), begun.play(*turns)
    assert not before.is_over
    assert (after.is_over, after.seat) == (True, None)
    assert (after.returns(), after.reason()) == (returns, reason)
    with pytest.raises(IllegalAction, match="after the end"):
        after.game.apply(after.state, Turn({1: PASS}, 2))


def test_goals_are_collected_on_the_way_once_and_by_their_own_seat() -> None:
    assert scene("0.a..", "1...b").play("walk E E E E").positions[0] == (4, 0)
    collected = [FOREIGN.play("walk E E E"), TWO_GOALS.play("walk E E E", "pass"), BACK]
    assert [(shown.is_over, shown.metrics()["goals"]) for shown in collected] == [(False, 0), (False, 1), (False, 1)]
    assert not BUILD.is_legal("walk E E E")
    assert [ROUND_ABOUT.metrics(seat)["distance"] for seat in (0, 1)] == [6, 2]


def built(**params: Any) -> Scene:
    """Seat 0 has laid a column of three and seat 1 one beside it; the game round is over."""
    shown = scene("0____a", "______", "1____b", max_cells=3, **params).hold(TRIPLE).play("place 0 @1,0")
    return shown.hold(TRIPLE).play("place 0 @2,0")


def test_floor_stays_by_default_and_the_oldest_cells_fall_back_after_each_game_round_where_they_collapse() -> None:
    assert (built().state.floor.bit_count(), built().built) == (4 + 6, [])
    shown = built(collapse=2)
    assert shown.built == [(1, 2), (2, 0), (2, 1), (2, 2)]
    assert shown.view()["oldest"] == [[1, 2], [2, 0], [2, 1], [2, 2]]
    assert shown.is_floor(shown.built)
    assert not shown.is_floor([(1, 0)])
    assert shown.play("pass", "pass").built == [(2, 1), (2, 2)]


def test_cells_that_somebody_stands_in_and_islands_do_not_fall() -> None:
    shown = scene("0____a", "______", "1____b", max_cells=3, collapse=2).hold(TRIPLE)
    assert shown.play("place 0 @1,0; walk E", "pass").built == [(1, 0)]
    all_fallen = built(collapse=64).state
    assert all_fallen.floor == all_fallen.layout.floor


def test_metrics_count_what_a_seat_did() -> None:
    after = scene(*GAP).hold(CORNER, TRIPLE).play("place 0 r180 @1,0; walk E E E", "pass")
    assert after.game.metrics(after.state) == (
        {"goals": 0, "pieces": 1, "cells": 3, "barriers": 0, "steps": 3, "passes": 0, "distance": 4, "game_rounds": 1},
        {"goals": 0, "pieces": 0, "cells": 0, "barriers": 0, "steps": 0, "passes": 1, "distance": 7, "game_rounds": 1},
    )
    assert scene("0_a", "1_b").metrics()["distance"] == -1


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"min_cells": 5, "max_cells": 4}, "max_cells: expected at least 5, got 4"),
        ({"hidden_hands": True, "deal": "equal"}, "deal: expected own where hands are hidden, got equal"),
        ({"width": 65}, "width: expected 7 to 64, got 65"),
    ],
)
def test_parameters_that_exclude_each_other_are_refused(params: dict[str, int | str | bool], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Placement(params)


def test_the_number_of_turns_is_bounded_by_game_rounds_and_seats() -> None:
    game = Placement({"max_game_rounds": 7}, seats=3)
    assert game.spec.max_turns == 21
    shown = Scene(game, game.initial_state(1)).play(*["pass"] * 20)
    assert not shown.is_over
    assert shown.play("pass").is_over
