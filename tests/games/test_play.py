"""Matches played on the rules alone: who is asked when, and how turns are stamped."""

from __future__ import annotations

import pytest

import games
from games.play import Match, MatchStuckError, moments, play
from tests.doubles.games.broken import WaitsForEver
from tests.doubles.games.reference import Bids, BidsState, March, Numbers, Pile, Say


def take_two(state: object, seat: int) -> Say:
    return Say("take", 2)


def nothing(state: object, seat: int) -> None:
    return None


def test_sequential_seats_are_asked_one_by_one() -> None:
    turns = [moment.turn for moment in moments(Pile({"pile": 8}), take_two, seed=7)]
    assert [dict(turn.actions) for turn in turns[:3] if turn] == [
        {0: Say("take", 2)}, {1: Say("take", 2)}, {0: Say("take", 2)},
    ]  # fmt: skip


def test_simultaneous_seats_answer_the_same_state() -> None:
    first = next(moments(Numbers(), lambda state, seat: Say("say", 1 + seat)))
    assert first.turn is not None
    assert dict(first.turn.actions) == {0: Say("say", 1), 1: Say("say", 2)}


def test_turns_are_stamped_with_their_number_from_one() -> None:
    stamps = [moment.turn.stamp for moment in moments(Numbers(), nothing) if moment.turn]
    assert stamps == [1, 2, 3, 4]


def test_silence_in_turns_is_the_default_action() -> None:
    game = Pile()
    assert play(game, nothing, seed=7) == play(game, game.default_action, seed=7)


def test_ticked_turns_come_at_the_tick() -> None:
    stamps = [moment.turn.stamp for moment in moments(March(), nothing) if moment.turn]
    assert stamps == [100, 200, 300, 400, 500, 600]


def test_silence_at_a_tick_is_left_out() -> None:
    game = March(seats=2)
    chosen = moments(game, lambda state, seat: game.default_action(state, seat) if seat else None)
    assert [list(moment.turn.actions) for moment in chosen if moment.turn] == [[1]] * 6


class OneQuestion(Bids):
    """Everybody is asked once a match."""

    def ask_key(self, state: BidsState, seat: int) -> object:
        return "the only question"


def test_a_real_time_seat_is_asked_once_until_its_question_changes() -> None:
    game = OneQuestion(seats=3)
    asked: list[int] = []

    def bid(state: BidsState, seat: int) -> Say:
        asked.append(seat)
        return game.legal_actions(state, seat)[0]

    turns = [moment.turn for moment in moments(game, bid) if moment.turn]
    assert [(turn.stamp, list(turn.actions)) for turn in turns] == [(1, [0]), (2, [1]), (3, [2]), (1001, [])]
    assert asked == [0, 1, 2]


def test_another_seat_answers_first_every_time() -> None:
    game = Bids(seats=3)
    turns = [moment.turn for moment in moments(game, game.default_action, max_turns=4) if moment.turn]
    assert [list(turn.actions) for turn in turns] == [[0], [1], [2], [0]]


def test_a_silent_real_time_match_jumps_to_the_timer() -> None:
    first = next(moments(Bids(), nothing))
    assert first.turn is not None
    assert (dict(first.turn.actions), first.turn.stamp) == ({}, 10_000)


def test_those_who_have_answered_the_open_question_are_known() -> None:
    game = OneQuestion(seats=3)
    match = Match(game, game.initial_state(7))
    match.step(game.default_action)
    assert match.answered() == (0,)


def test_moments_are_the_states_with_the_turn_that_comes() -> None:
    game = Pile({"pile": 8})
    *before, last = moments(game, take_two, seed=7)
    states = [moment.state for moment in (*before, last)]
    assert [game.apply(moment.state, moment.turn) for moment in before if moment.turn] == states[1:]
    assert last.turn is None
    assert game.is_terminal(last.state)


def test_a_match_is_played_on_from_any_state() -> None:
    game = Pile({"pile": 8})
    third = [moment.state for moment in moments(game, take_two, seed=7)][2]
    assert play(game, take_two, state=third) == play(game, take_two, seed=7)


def test_a_match_can_be_left_early() -> None:
    assert len(list(moments(Pile(), nothing, max_turns=2))) == 3


def test_a_match_in_which_nobody_may_act_is_stuck() -> None:
    with pytest.raises(MatchStuckError):
        play(WaitsForEver(), nothing)


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_of_ours_is_played_to_its_end(name: str) -> None:
    game = games.make(name)
    assert game.is_terminal(play(game, lambda state, seat: game.legal_actions(state, seat)[-1], seed=3))
