"""What holds in every match of random legal plans."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.api import ParamValue, Turn
from games.placement import Placement
from games.placement.actions import Plan
from games.placement.state import State

VARIANTS: tuple[dict[str, ParamValue], ...] = (
    {"max_game_rounds": 12},
    {"max_game_rounds": 12, "keep_hand": True, "reflect": True, "goals": 2},
    {"max_game_rounds": 12, "collapse": 5, "walls": 20, "max_cells": 4},
    {"max_game_rounds": 6, "width": 30, "height": 8, "hand": 6, "deal": "equal"},
)


def walked(game: Placement, seed: int) -> Iterator[tuple[State, Plan, State]]:
    """(before, plan, after) for every turn of a match."""
    rng = random.Random(seed)
    state, stamp = game.initial_state(seed), 0
    while not game.is_terminal(state):
        stamp += 1
        plan = rng.choice(game.legal_actions(state, state.seat))
        after = game.apply(state, Turn({state.seat: plan}, stamp))
        yield state, plan, after
        state = after


@pytest.fixture(params=range(len(VARIANTS)))
def game(request: pytest.FixtureRequest) -> Placement:
    return Placement(VARIANTS[request.param], seats=2 + 2 * (request.param % 2))


def test_figures_always_stand_on_floor(game: Placement) -> None:
    for seed in range(4):
        for _, _, after in walked(game, seed):
            assert all(after.floor >> player.cell & 1 for player in after.players)


def test_floor_is_the_map_and_what_was_laid_and_has_not_fallen(game: Placement) -> None:
    for seed in range(4):
        for before, _, after in walked(game, seed):
            laid = sum(player.cells for player in after.players)
            if game.rules.collapse:
                assert after.floor == after.layout.floor | sum(1 << cell for cell in after.built)
            else:
                assert after.floor.bit_count() == after.layout.floor.bit_count() + laid
                assert not before.floor & ~after.floor


def test_floor_and_walls_never_overlap_and_stay_on_the_board(game: Placement) -> None:
    for _, _, after in walked(game, 5):
        assert after.floor | after.layout.floor == after.floor or game.rules.collapse
        assert not after.floor & after.layout.walls
        assert not (after.floor | after.layout.walls) & ~game.board.inside


def test_a_turn_changes_the_figure_of_one_seat_only(game: Placement) -> None:
    for before, plan, after in walked(game, 6):
        for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
            if seat == before.seat:
                assert new.steps == old.steps + plan.steps
                assert new.steps - old.steps <= game.rules.moves
                assert new.pieces == old.pieces + len(plan.pieces)
            else:
                assert (new.cell, new.missing, new.pieces) == (old.cell, old.missing, old.pieces)


def test_goals_are_never_given_back(game: Placement) -> None:
    for before, _, after in walked(game, 8):
        for old, new in zip(before.players, after.players, strict=True):
            assert new.missing & old.missing == new.missing
