"""Monte Carlo tree search on small games with known answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import pytest

from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.mcts import Choice, GameModel, mcts

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def same(state: Any) -> Callable[[random.Random], Any]:
    """Deal this state every time."""
    return lambda rng: state


def nothing(*_: Any) -> Any:
    raise AssertionError("expected no turn beyond the tree")


def search(model: GameModel[Any, Any], seat: int = 0, *, work: int = 400, seed: int = 1, **options: Any) -> Choice[Any]:
    """The last choice."""
    *_, last = mcts(model, seat, rng=random.Random(seed), budget=Budget(work), **options)
    return last


def nim(heap: int) -> GameModel[tuple[int, int], int]:
    """Take one to three in turn; the taker of the last one wins. A state is (heap, seat to act)."""

    def worth(state: tuple[int, int]) -> tuple[float, float]:
        left, seat = state
        return (0.5, 0.5) if left else (float(seat == 1), float(seat == 0))

    return GameModel(
        deal=same((heap, 0)),
        seats=lambda state: (state[1],) if state[0] else (),
        actions=lambda state, _: range(1, min(3, state[0]) + 1),
        play=lambda state, actions: (state[0] - actions[state[1]], 1 - state[1]),
        worth=worth,
        follow=lambda state, _, rng: rng.randint(1, min(3, state[0])),
    )


@pytest.mark.parametrize("heap", [heap for heap in range(1, 11) if heap % 4])
def test_nim_is_won_by_leaving_a_multiple_of_four(heap: int) -> None:
    assert search(nim(heap), work=4000, depth=10).action == heap % 4


def tic_tac_toe(board: str) -> GameModel[str, int]:
    """X is seat 0; whoever has fewer signs is to act."""

    def winner(board: str) -> str:
        return next((board[a] for a, b, c in LINES if board[a] == board[b] == board[c] != "."), "")

    def seats(board: str) -> Sequence[int]:
        return () if winner(board) or "." not in board else (int(board.count("X") > board.count("O")),)

    def actions(board: str, _: int) -> list[int]:
        return [cell for cell, sign in enumerate(board) if sign == "."]

    def play(board: str, actions: Mapping[int, int]) -> str:
        ((seat, cell),) = actions.items()
        return board[:cell] + "XO"[seat] + board[cell + 1 :]

    def worth(board: str) -> tuple[float, float]:
        value = {"X": 1.0, "O": 0.0}.get(winner(board), 0.5)
        return value, 1 - value

    return GameModel(
        same(board), seats, actions, play, worth, lambda board, seat, rng: rng.choice(actions(board, seat))
    )


@pytest.mark.default("X..OO...X-cells1")
@pytest.mark.parametrize(
    ("board", "cells"),
    [
        ("XX.OO....", {2}),  # three in a row now
        ("X..OO...X", {5}),  # the only cell that saves X
        ("X...O...X", {1, 3, 5, 7}),  # O needs an edge: a corner loses to a fork
        ("XO.......", {3, 4, 6}),  # every winning reply of X by a fork
    ],
)
def test_tic_tac_toe_is_played_right_where_only_some_cells_are(board: str, cells: set[int]) -> None:
    seat = int(board.count("X") > board.count("O"))
    assert search(tic_tac_toe(board), seat, work=12_000, depth=9).action in cells


def guess(chance: float, sure: float) -> GameModel[str, str]:
    """A hidden coin: name its side for 1, or take what is sure. Only a search that looks at the coin has 1 for sure."""
    return GameModel(
        deal=lambda rng: "heads" if rng.random() < chance else "tails",
        seats=lambda state: () if state.endswith("!") else (0,),
        actions=lambda state, _: ("heads", "tails", "sure"),
        play=lambda state, actions: f"{state} {actions[0]}!",
        worth=lambda state: (sure if state.endswith("sure!") else float(len(set(state.rstrip("!").split())) == 1),),
        follow=nothing,
    )


@pytest.mark.parametrize(("chance", "sure", "action"), [(0.5, 0.7, "sure"), (0.9, 0.7, "heads"), (0.1, 0.7, "tails")])
def test_a_hidden_fact_counts_by_its_chances(chance: float, sure: float, action: str) -> None:
    assert search(guess(chance, sure), work=2000).action == action


def ladder(chance: float) -> GameModel[str, str]:
    """Stay for 0.5, or climb: with this chance there is a second rung, worth 1; without it only a fall, worth 0."""
    ends = {"stay": 0.5, "up": 1.0, "fall": 0.0}
    return GameModel(
        deal=lambda rng: "firm" if rng.random() < chance else "loose",
        seats=lambda state: () if state in ends else (0,),
        actions=lambda state, _: {"firm": ("stay", "climb"), "loose": ("stay", "climb"), "firm climb": ("up",)}.get(
            state, ("fall",)
        ),
        play=lambda state, actions: f"{state} climb" if actions[0] == "climb" else actions[0],
        worth=lambda state: (ends.get(state, 0.5),),
        follow=nothing,
    )


@pytest.mark.parametrize(("chance", "action"), [(0.2, "stay"), (0.8, "climb")])
def test_an_action_that_is_legal_in_some_states_only_is_worth_something_in_those_only(
    chance: float, action: str
) -> None:
    assert search(ladder(chance), work=2000).action == action


def at_once(payoffs: Mapping[tuple[str, str], tuple[float, float]]) -> GameModel[str, str]:
    """Both seats choose once, at the same time."""
    return GameModel(
        deal=same(""),
        seats=lambda state: () if state else (0, 1),
        actions=lambda *_: ("left", "right"),
        play=lambda _, actions: f"{actions[0]} {actions[1]}",
        worth=lambda state: payoffs[*state.split()],
        follow=nothing,
    )


def test_of_choices_at_once_the_one_that_is_better_against_everything_is_found() -> None:
    own, other = {"left": 0.0, "right": 2.0}, {"left": 1.0, "right": 0.0}
    payoffs = {(a, b): (own[a] + other[b], own[b] + other[a]) for a in own for b in own}
    assert [search(at_once(payoffs), seat, work=1000).action for seat in (0, 1)] == ["right", "right"]


def test_without_such_a_choice_both_are_played_about_equally_often() -> None:
    pennies = {(a, b): (1.0, 0.0) if a == b else (0.0, 1.0) for a in ("left", "right") for b in ("left", "right")}
    visits = [arm.visits for arm in search(at_once(pennies), work=2000).arms.values()]
    assert sum(visits) == 2000
    assert min(visits) > 700


def corridor(length: int) -> GameModel[tuple[str, int], str]:
    """One of three doors leads through a corridor of that many turns to something."""
    return GameModel(
        deal=same(("", length)),
        seats=lambda state: (0,) if state[1] else (),
        actions=lambda state, _: ("on",) if state[0] else ("a", "b", "c"),
        play=lambda state, actions: (state[0] or actions[0], state[1] - 1),
        worth=lambda state: (float(state == ("b", 0)),),
        follow=lambda *_: "on",
    )


def test_turns_beyond_the_tree_see_what_lies_deeper_than_the_tree() -> None:
    assert search(corridor(30), work=400, depth=30).action == "b"
    blind = search(corridor(30), work=90)
    assert max(arm.visits for arm in blind.arms.values()) - min(arm.visits for arm in blind.arms.values()) <= 1


@dataclass
class Counted:
    """A model that counts the states it makes."""

    model: GameModel[Any, Any]
    made: int = field(default=0)

    def counting(self) -> GameModel[Any, Any]:
        def play(state: Any, actions: Mapping[int, Any]) -> Any:
            self.made += 1
            return self.model.play(state, actions)

        return replace(self.model, play=play)


@pytest.mark.parametrize("depth", [0, 3])
@pytest.mark.parametrize("limit", [1, 2, 7, 60])
def test_as_many_states_are_made_as_the_budget_allows_and_are_reported(limit: int, depth: int) -> None:
    counted, budget = Counted(nim(9)), Budget(limit)
    *_, last = mcts(counted.counting(), 0, rng=random.Random(1), depth=depth, budget=budget)
    assert (counted.made, last.stats.generated, last.stats.expanded, budget.spent) == (limit,) * 4


def test_without_a_budget_there_is_no_choice() -> None:
    assert list(mcts(nim(9), 0, rng=random.Random(1), budget=Budget(0))) == []


def test_no_turn_is_begun_after_the_end() -> None:
    for turns in range(20):
        counted = Counted(nim(9))
        is_over = map(turns.__le__, count()).__next__
        list(mcts(counted.counting(), 0, rng=random.Random(1), depth=3, is_over=is_over))
        assert counted.made == turns


def test_equal_generators_give_equal_choices_and_others_do_not() -> None:
    one, same_again, other = (search(tic_tac_toe("." * 9), seed=seed, depth=9) for seed in (1, 1, 2))
    assert replace(one.stats, planning_ms=0) == replace(same_again.stats, planning_ms=0)
    assert (one.action, one.arms) == (same_again.action, same_again.arms)
    assert one.arms != other.arms


def test_the_unit_of_worth_does_not_matter() -> None:
    model = tic_tac_toe("." * 9)
    hundredfold = replace(model, worth=lambda state: [128 * value - 64 for value in model.worth(state)])
    ways = [[arm.visits for arm in search(one, depth=9).arms.values()] for one in (model, hundredfold)]
    assert ways[0] == ways[1]


@pytest.mark.parametrize("seat", [1, 2])
def test_a_seat_that_does_not_act_has_nothing_to_choose(seat: int) -> None:
    with pytest.raises(ValueError, match=rf"expected states in which seat {seat} acts, got one in which \[0\] act"):
        search(nim(5), seat)
    with pytest.raises(ValueError, match=r"got one in which \[\] act"):
        search(nim(0))
