"""The match: deals, whose turn it is, goals, the end and what it is worth."""

from __future__ import annotations

import random

import pytest

from games.api import IllegalAction, Turn
from games.grid import Cell
from games.placement import Placement
from games.placement.actions import PASS, parse_plan
from games.placement.apply import draw
from games.placement.state import Player, State
from tests.games.placement.boards import make_game, parse_piece, play_texts, with_hand, with_player

TRIPLE = parse_piece("#", "#", "#")  # as it lies in the piece set
LANE = ("0.....a", "_______", "1.....b")


def start(game: Placement, seed: int = 1) -> State:
    return game.initial_state(seed)


def place_of(game: Placement, state: State, seat: int) -> Cell:
    return game.board.cell(state.players[seat].cell)


def test_only_the_seat_in_turn_holds_pieces() -> None:
    state = start(make_game(*LANE))
    assert [len(player.hand) for player in state.players] == [3, 0]


def test_the_next_seat_draws_when_its_turn_comes() -> None:
    game = make_game(*LANE)
    assert [len(player.hand) for player in play_texts(game, start(game), "pass").players] == [0, 3]


@pytest.mark.parametrize("hand", [1, 2, 5])
def test_the_size_of_a_hand_is_a_parameter(hand: int) -> None:
    assert len(start(make_game(*LANE, hand=hand)).players[0].hand) == hand


def test_pieces_left_over_are_discarded() -> None:
    game = make_game(*LANE, moves=1)
    state = play_texts(game, start(game), "pass", "pass")
    assert state.players[1].hand == ()
    assert len(state.players[0].hand) == 3
    assert len(state.players[0].bag) == len(game.pieces) - 6


def test_keep_hand_keeps_all_pieces_of_a_pass() -> None:
    game = make_game(*LANE, keep_hand=True)
    state = start(game)
    assert play_texts(game, state, "pass", "pass").players[0].hand == state.players[0].hand


def test_keep_hand_fills_up_behind_the_pieces_left_over() -> None:
    game = make_game("0__....a", "___.....", "1......b", keep_hand=True, max_cells=3)
    state = with_hand(game, start(game), TRIPLE, parse_piece("#.", "##"), TRIPLE)
    after = play_texts(game, state, "place 1 @1,0", "pass")
    assert after.players[0].hand[:2] == (state.players[0].hand[0], state.players[0].hand[2])
    assert len(after.players[0].hand) == 3


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


def test_seats_draw_for_themselves_by_default() -> None:
    game = make_game(*LANE)
    hands = [
        (s.players[0].hand, play_texts(game, s, "pass").players[1].hand) for s in map(game.initial_state, range(9))
    ]
    assert any(one != other for one, other in hands)


def test_an_equal_deal_gives_all_seats_the_same_in_a_game_round() -> None:
    game = make_game(*LANE, deal="equal", moves=1)
    state = start(game)
    hands = []
    for _ in range(4):
        first = state.players[0].hand
        state = play_texts(game, state, "pass")
        hands.append((first, state.players[1].hand))
        state = play_texts(game, state, "pass")
    assert all(one == other for one, other in hands)
    assert len(set(hands)) > 1


@pytest.mark.parametrize(("least", "most"), [(3, 6), (1, 2), (5, 5)])
def test_pieces_have_as_many_cells_as_the_parameters_say(least: int, most: int) -> None:
    game = make_game(*LANE, min_cells=least, max_cells=most)
    assert {len(piece) for piece in game.pieces} == set(range(least, most + 1))


def test_seats_act_in_turn() -> None:
    game = make_game("0..a", "1..b", "2..c", seats=3, moves=1)
    state = start(game)
    acting = []
    for _ in range(4):
        acting.append((state.game_round, *game.seats_to_act(state)))
        state = play_texts(game, state, "pass")
    assert acting == [(1, 0), (1, 1), (1, 2), (2, 0)]


def test_a_turn_moves_the_figure_and_makes_floor_for_all() -> None:
    game = make_game("0__....a", "_______.", "1......b")
    state = with_hand(game, start(game), parse_piece("#.", "##"))
    after = play_texts(game, state, "place 0 r180 @1,0; walk E E E E")
    assert place_of(game, after, 0) == Cell(4, 0)
    assert after.floor >> game.board.bit(Cell(2, 1)) & 1
    assert game.is_legal(with_player(after, 1, cell=game.board.bit(Cell(2, 1))), 1, parse_plan("walk N W"))


def test_nothing_of_an_illegal_turn_stands() -> None:
    game = make_game(*LANE)
    state = start(game)
    with pytest.raises(IllegalAction, match="part 2"):
        play_texts(game, state, "walk E; walk S")
    assert place_of(game, state, 0) == Cell(0, 0)


def test_only_the_seat_in_turn_may_answer() -> None:
    game = make_game(*LANE)
    with pytest.raises(IllegalAction, match=r"expected an action of seat 0, got \[1\]"):
        game.apply(start(game), Turn({1: PASS}, 1))


def test_passing_is_the_default() -> None:
    game = make_game(*LANE)
    assert game.default_action(start(game), 0) == PASS


def test_figures_do_not_block_each_other() -> None:
    game = make_game("01..ab")
    state = play_texts(game, start(game), "walk E E", "walk E")
    assert place_of(game, state, 0) == place_of(game, state, 1) == Cell(2, 0)


def test_standing_on_the_goal_wins_at_once() -> None:
    game = make_game(*LANE)
    state = play_texts(game, start(game), "walk E E E E E E")
    assert game.is_terminal(state)
    assert game.returns(state) == (1.0, -1.0)
    assert game.reason(state) == "seat 0 stands on its goal"


def test_another_seats_goal_is_worth_nothing() -> None:
    game = make_game("0..b..a", "_______", "1......")
    state = play_texts(game, start(game), "walk E E E")
    assert not game.is_terminal(state)
    assert game.metrics(state)[0]["goals"] == 0
    assert game.is_terminal(play_texts(game, state, "pass", "walk E E E"))


def test_a_goal_counts_in_passing() -> None:
    game = make_game("0.a..", "1...b")
    state = play_texts(game, start(game), "walk E E E E")
    assert game.is_terminal(state)
    assert place_of(game, state, 0) == Cell(4, 0)


def test_all_goals_must_be_collected_in_any_order() -> None:
    game = make_game("0.a.a..", "1.....b", moves=4)
    state = play_texts(game, start(game), "walk E E E", "pass")
    assert not game.is_terminal(state)
    assert game.metrics(state)[0]["goals"] == 1
    state = play_texts(game, state, "walk E")
    assert game.returns(state) == (1.0, -1.0)


def test_a_goal_collected_stays_collected() -> None:
    game = make_game("0a..a", "1...b", moves=2)
    state = play_texts(game, start(game), "walk E W", "pass", "walk E E", "pass", "walk E")
    assert not game.is_terminal(state)
    assert game.metrics(state)[0]["goals"] == 1


def test_a_goal_on_void_has_to_be_built_on() -> None:
    game = make_game("0__A", "1..b", max_cells=3)
    state = with_hand(game, start(game), TRIPLE)
    assert not game.is_legal(state, 0, parse_plan("walk E E E"))
    state = play_texts(game, state, "place 0 r90 @1,0; walk E E E")
    assert game.returns(state) == (1.0, -1.0)


def test_a_game_round_is_not_played_to_its_end_by_default() -> None:
    game = make_game(*LANE)
    assert game.is_terminal(play_texts(game, start(game), "walk E E E E E E"))


def test_finish_round_lets_the_last_seat_draw() -> None:
    game = make_game(*LANE, finish_round=True)
    state = play_texts(game, start(game), "walk E E E E E E")
    assert game.seats_to_act(state) == (1,)
    drawn = play_texts(game, state, "walk E E E E E E")
    assert game.is_terminal(drawn)
    assert game.returns(drawn) == (0.0, 0.0)
    assert game.reason(drawn) == "seats 0, 1 are done in the same game round"
    assert game.returns(play_texts(game, state, "pass")) == (1.0, -1.0)


def test_without_a_winner_it_is_a_draw() -> None:
    game = make_game(*LANE, max_game_rounds=1)
    state = play_texts(game, start(game), "walk E E E", "pass")
    assert game.is_terminal(state)
    assert game.returns(state) == (0.0, 0.0)
    assert game.reason(state) == "no more game rounds: a draw"


def test_the_tie_break_gives_it_to_the_nearest_by_steps() -> None:
    game = make_game(*LANE, max_game_rounds=1, tie_break="nearest")
    state = play_texts(game, start(game), "walk E E E", "walk E E")
    assert game.returns(state) == (1.0, -1.0)
    assert game.reason(state) == "no more game rounds: seat 0 is nearest to its goal"


def test_near_means_steps_over_floor() -> None:
    game = make_game("0_a", "._.", "...", "1.b", max_game_rounds=1, tie_break="nearest")
    state = play_texts(game, start(game), "pass", "pass")
    assert (game.distance(state, 0), game.distance(state, 1)) == (6, 2)
    assert game.returns(state) == (-1.0, 1.0)


def test_equally_near_is_a_draw() -> None:
    game = make_game(*LANE, max_game_rounds=1, tie_break="nearest")
    assert game.returns(play_texts(game, start(game), "walk E", "walk E")) == (0.0, 0.0)


def test_more_goals_come_before_nearer_ones() -> None:
    game = make_game("0a...a", "1b...b", max_game_rounds=1, tie_break="nearest")
    state = play_texts(game, start(game), "walk E W", "walk E E E E")
    assert game.returns(state) == (-1.0, 1.0)
    state = play_texts(game, start(game), "walk E W", "pass")
    assert game.returns(state) == (1.0, -1.0)


def test_returns_count_the_opponents_beaten() -> None:
    game = make_game("0..a", "1..b", "2..c", "3..d", seats=4, max_game_rounds=1, tie_break="nearest")
    state = play_texts(game, start(game), "walk E E", "walk E", "walk E", "pass")
    assert game.returns(state) == (3.0, 0.0, 0.0, -3.0)


def test_a_winner_beats_all_and_the_others_draw() -> None:
    game = make_game("0..a", "1..b", "2..c", "3..d", seats=4)
    state = play_texts(game, start(game), "walk E E", "walk E E E")
    assert game.returns(state) == (-1.0, 3.0, -1.0, -1.0)


def test_nobody_acts_after_the_end() -> None:
    game = make_game(*LANE)
    state = play_texts(game, start(game), "walk E E E E E E")
    assert game.seats_to_act(state) == ()
    with pytest.raises(IllegalAction, match="after the end"):
        game.apply(state, Turn({1: PASS}, 2))


def built(game: Placement) -> State:
    """Seat 0 has laid a column of three and seat 1 one beside it; the game round is over."""
    state = with_hand(game, start(game), TRIPLE)
    state = play_texts(game, state, "place 0 @1,0")
    state = with_hand(game, state, TRIPLE)
    return play_texts(game, state, "place 0 @2,0")


COLLAPSING = ("0____a", "______", "1____b")


def test_floor_stays_by_default() -> None:
    state = built(make_game(*COLLAPSING, max_cells=3))
    assert state.floor.bit_count() == 4 + 6
    assert state.built == ()


def test_the_oldest_cells_fall_back_after_each_game_round() -> None:
    game = make_game(*COLLAPSING, max_cells=3, collapse=2)
    state = built(game)
    assert [game.board.cell(cell) for cell in state.built] == [Cell(1, 2), Cell(2, 0), Cell(2, 1), Cell(2, 2)]
    assert not state.floor >> game.board.bit(Cell(1, 0)) & 1
    later = play_texts(game, state, "pass", "pass")
    assert [game.board.cell(cell) for cell in later.built] == [Cell(2, 1), Cell(2, 2)]


def test_cells_that_somebody_stands_in_do_not_fall() -> None:
    game = make_game(*COLLAPSING, max_cells=3, collapse=2)
    state = with_hand(game, start(game), TRIPLE)
    state = play_texts(game, state, "place 0 @1,0; walk E", "pass")
    assert [game.board.cell(cell) for cell in state.built] == [Cell(1, 0)]


def test_islands_of_the_map_never_fall() -> None:
    game = make_game(*COLLAPSING, max_cells=3, collapse=64)
    state = built(game)
    assert state.floor == state.layout.floor


def test_metrics_count_what_a_seat_did() -> None:
    game = make_game("0__....a", "_______.", "1......b")
    state = with_hand(game, start(game), parse_piece("#.", "##"), TRIPLE)
    state = play_texts(game, state, "place 0 r180 @1,0; walk E E E", "pass")
    assert game.metrics(state) == (
        {"goals": 0, "pieces": 1, "cells": 3, "steps": 3, "passes": 0, "distance": 4, "game_rounds": 1},
        {"goals": 0, "pieces": 0, "cells": 0, "steps": 0, "passes": 1, "distance": 7, "game_rounds": 1},
    )


def test_a_goal_without_a_way_is_at_distance_minus_one() -> None:
    game = make_game("0_a", "1_b")
    assert game.metrics(start(game))[0]["distance"] == -1


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
    state = game.initial_state(1)
    for _ in range(21):
        assert not game.is_terminal(state)
        state = play_texts(game, state, "pass")
    assert game.is_terminal(state)
