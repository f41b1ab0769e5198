"""The match: deals, whose turn it is, goals, the end and what it is worth."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.api import IllegalAction, Turn
from games.placement import Placement
from games.placement.actions import PASS
from games.placement.apply import draw
from games.placement.state import Player
from tests.games.placement.boards import Scene, parse_piece, scene

TRIPLE = parse_piece("#", "#", "#")  # as it lies in the piece set
CORNER = parse_piece("#.", "##")
LANE = ("0.....a", "_______", "1.....b")
GAP = ("0__....a", "_______.", "1......b")
FOUR = ("0..a", "1..b", "2..c", "3..d")
ACROSS = "walk E E E E E E"


def hand_sizes(shown: Scene) -> list[int]:
    return [len(player.hand) for player in shown.players]


def test_a_seat_draws_when_its_turn_comes_and_only_the_seat_in_turn_holds_pieces() -> None:
    assert hand_sizes(scene(*LANE)) == [3, 0]
    assert hand_sizes(scene(*LANE).play("pass")) == [0, 3]


@pytest.mark.parametrize("hand", [1, 2, 5])
def test_the_size_of_a_hand_is_a_parameter(hand: int) -> None:
    assert hand_sizes(scene(*LANE, hand=hand)) == [hand, 0]


def test_pieces_left_over_are_discarded() -> None:
    shown = scene(*LANE, moves=1).play("pass", "pass")
    assert hand_sizes(shown) == [3, 0]
    assert len(shown.players[0].bag) == len(shown.game.pieces) - 6


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


def test_a_bag_that_runs_out_within_a_hand_is_filled_again() -> None:
    player = draw(Player(0, 1, bag=(4,)), 3, kinds=9, rng=random.Random(1))
    assert player.hand[0] == 4
    assert len(player.bag) == 7


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


def test_standing_on_the_goal_wins_at_once() -> None:
    after = scene(*LANE).play(ACROSS)
    assert after.is_over
    assert after.seat is None
    assert after.returns() == (1.0, -1.0)
    assert after.reason() == "seat 0 stands on its goal"
    with pytest.raises(IllegalAction, match="after the end"):
        after.game.apply(after.state, Turn({1: PASS}, 2))


def test_another_seats_goal_is_worth_nothing() -> None:
    shown = scene("0..b..a", "_______", "1......").play("walk E E E")
    assert not shown.is_over
    assert shown.metrics()["goals"] == 0
    assert shown.play("pass", "walk E E E").is_over


def test_a_goal_counts_in_passing() -> None:
    after = scene("0.a..", "1...b").play("walk E E E E")
    assert after.is_over
    assert after.positions[0] == (4, 0)


def test_all_goals_must_be_collected_in_any_order_and_stay_collected() -> None:
    shown = scene("0.a.a..", "1.....b", moves=4).play("walk E E E", "pass")
    assert (shown.is_over, shown.metrics()["goals"]) == (False, 1)
    assert shown.play("walk E").returns() == (1.0, -1.0)
    again = scene("0a..a", "1...b", moves=2).play("walk E W", "pass", "walk E E", "pass", "walk E")
    assert (again.is_over, again.metrics()["goals"]) == (False, 1)


def test_a_goal_on_void_has_to_be_built_on() -> None:
    shown = scene("0__A", "1..b", max_cells=3).hold(TRIPLE)
    assert not shown.is_legal("walk E E E")
    assert shown.play("place 0 r90 @1,0; walk E E E").returns() == (1.0, -1.0)


def test_finish_round_lets_the_last_seat_draw() -> None:
    shown = scene(*LANE, finish_round=True).play(ACROSS)
    assert shown.seat == 1
    drawn = shown.play(ACROSS)
    assert drawn.is_over
    assert drawn.returns() == (0.0, 0.0)
    assert drawn.reason() == "seats 0, 1 are done in the same game round"
    assert shown.play("pass").returns() == (1.0, -1.0)


NEAREST: dict[str, Any] = {"max_game_rounds": 1, "tie_break": "nearest"}


def test_without_a_winner_it_is_a_draw() -> None:
    after = scene(*LANE, max_game_rounds=1).play("walk E E E", "pass")
    assert after.is_over
    assert after.returns() == (0.0, 0.0)
    assert after.reason() == "no more game rounds: a draw"


def test_the_tie_break_gives_it_to_the_nearest_by_steps_over_floor() -> None:
    after = scene(*LANE, **NEAREST).play("walk E E E", "walk E E")
    assert after.returns() == (1.0, -1.0)
    assert after.reason() == "no more game rounds: seat 0 is nearest to its goal"
    assert scene(*LANE, **NEAREST).play("walk E", "walk E").returns() == (0.0, 0.0)
    round_about = scene("0_a", "._.", "...", "1.b", **NEAREST).play("pass", "pass")
    assert [round_about.metrics(seat)["distance"] for seat in (0, 1)] == [6, 2]
    assert round_about.returns() == (-1.0, 1.0)


def test_more_goals_come_before_nearer_ones() -> None:
    shown = scene("0a...a", "1b...b", **NEAREST).play("walk E W")
    assert shown.play("walk E E E E").returns() == (-1.0, 1.0)
    assert shown.play("pass").returns() == (1.0, -1.0)


def test_returns_count_the_opponents_beaten_and_a_winner_beats_all() -> None:
    shown = scene(*FOUR, seats=4, **NEAREST)
    assert shown.play("walk E E", "walk E", "walk E", "pass").returns() == (3.0, 0.0, 0.0, -3.0)
    assert scene(*FOUR, seats=4).play("walk E E", "walk E E E").returns() == (-1.0, 3.0, -1.0, -1.0)


def built(**params: Any) -> Scene:
    """Seat 0 has laid a column of three and seat 1 one beside it; the game round is over."""
    shown = scene("0____a", "______", "1____b", max_cells=3, **params).hold(TRIPLE).play("place 0 @1,0")
    return shown.hold(TRIPLE).play("place 0 @2,0")


def test_floor_stays_by_default() -> None:
    assert built().state.floor.bit_count() == 4 + 6
    assert built().built == []


def test_the_oldest_cells_fall_back_after_each_game_round() -> None:
    shown = built(collapse=2)
    assert shown.built == [(1, 2), (2, 0), (2, 1), (2, 2)]
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
        {"goals": 0, "pieces": 1, "cells": 3, "steps": 3, "passes": 0, "distance": 4, "game_rounds": 1},
        {"goals": 0, "pieces": 0, "cells": 0, "steps": 0, "passes": 1, "distance": 7, "game_rounds": 1},
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
