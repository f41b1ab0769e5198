"""Matches played on the rules alone: who is asked when, and how turns are stamped."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust import games
from gridjoust.games.api import AnyGame, EndlessMatchError, MatchStuckError
from gridjoust.games.play import Choose, Match, moments, play
from tests.doubles.games.broken import RunsTooLong, WaitsForEver
from tests.doubles.games.reference import Bids, BidsState, March, Numbers, Pile, Say


class OneQuestion(Bids):
    """Everybody is asked once a match."""

    def ask_key(self, state: BidsState, seat: int) -> object:
        return "the only question"


def take_two(state: object, seat: int) -> Say:
    return Say("take", 2)


def nothing(state: object, seat: int) -> None:
    return None


def lower(state: BidsState, seat: int) -> Say:
    return Say("bid", state.bids[seat] - 1)


def second_walks(state: object, seat: int) -> Say | None:
    return Say("walk", 5) if seat else None


TWO = Say("take", 2)
TURNS: dict[str, tuple[AnyGame, Choose[Any, Any], list[tuple[int, dict[int, Say]]]]] = {
    "sequential seats are asked one by one, stamps count from one": (
        Pile({"pile": 8}), take_two, [(1, {0: TWO}), (2, {1: TWO}), (3, {0: TWO}), (4, {1: TWO})]
    ),
    "simultaneous seats answer the same state": (
        Numbers(), lambda state, seat: Say("name", 1 + (seat + len(state.named)) % 2),
        [(stamp, {0: Say("name", 2 - stamp % 2), 1: Say("name", 1 + stamp % 2)}) for stamp in (1, 2, 3, 4)],
    ),
    "silence in turns is the default action": (
        Pile({"pile": 2}), nothing, [(1, {0: Say("take", 1)}), (2, {1: Say("take", 1)})]
    ),
    "ticked turns come at the tick, silence is left out": (
        March(seats=2), second_walks, [(stamp, {1: Say("walk", 5)}) for stamp in range(100, 700, 100)]
    ),
    "a real-time seat is asked once until its question changes": (
        OneQuestion(seats=3), lower,
        [(1, {0: Say("bid", 8)}), (2, {1: Say("bid", 8)}), (3, {2: Say("bid", 8)}), (1001, {})],
    ),
    "a silent real-time match jumps to the timer": (Bids(), nothing, [(10_000, {})]),
}  # fmt: skip


@pytest.mark.parametrize(("game", "choose", "expected"), TURNS.values(), ids=TURNS)
def test_turns(game: AnyGame, choose: Choose[Any, Any], expected: list[tuple[int, dict[int, Say]]]) -> None:
    turns = [moment.turn for moment in moments(game, choose, seed=7) if moment.turn]
    assert [(turn.stamp, dict(turn.actions)) for turn in turns] == expected


def test_a_real_time_seat_that_has_answered_is_known_and_not_asked_again() -> None:
    game = OneQuestion(seats=3)
    asked: list[int] = []
    play(game, lambda state, seat: asked.append(seat) or lower(state, seat))  # type: ignore[func-returns-value]
    assert asked == [0, 1, 2]
    match = Match(game, game.initial_state(7))
    match.step(lower)
    assert match.answered() == (0,)


def test_another_seat_answers_first_every_time() -> None:
    turns = [moment.turn for moment in moments(Bids(seats=3), lower, max_turns=4) if moment.turn]
    assert [list(turn.actions) for turn in turns] == [[0], [1], [2], [0]]


def test_moments_are_the_states_with_the_turn_that_comes_from_the_deal_or_any_state_to_the_end_or_a_bound() -> None:
    game = Pile({"pile": 8})
    *before, last = moments(game, take_two, seed=7)
    states = [moment.state for moment in (*before, last)]
    assert [game.apply(moment.state, moment.turn) for moment in before if moment.turn] == states[1:]
    assert last.turn is None
    assert game.is_terminal(last.state)
    assert play(game, take_two, state=states[2]) == play(game, take_two, seed=7) == last.state
    assert [moment.state for moment in moments(game, take_two, seed=7, max_turns=2)] == states[:3]


def test_a_match_in_which_nobody_may_act_is_stuck() -> None:
    with pytest.raises(MatchStuckError, match=r"^bids: the match is not over, but no seat may act and no timer runs$"):
        play(WaitsForEver(), nothing)


def test_a_match_that_goes_on_after_the_turns_of_its_spec_ends_with_an_error() -> None:
    with pytest.raises(
        EndlessMatchError, match=r"^pile: the match goes on after 3 turns, the most that its spec allows"
    ):
        play(RunsTooLong(), take_two)
    assert play(RunsTooLong({"pile": 6}), take_two).pile == 0


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_of_ours_is_played_to_its_end(name: str) -> None:
    game = games.make(name)
    assert game.is_terminal(play(game, lambda state, seat: game.legal_actions(state, seat)[-1], seed=3))
