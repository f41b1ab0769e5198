"""What holds in every match of random legal plans."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from gridjoust.games.api import ParamValue
from gridjoust.games.bitset import mask_of
from gridjoust.games.placement import Placement
from gridjoust.games.play import moments

VARIANTS: tuple[dict[str, ParamValue], ...] = (
    {"max_game_rounds": 12},
    {"max_game_rounds": 12, "keep_hand": True, "reflect": True, "goals": 2},
    {"max_game_rounds": 12, "collapse": 5, "walls": 20, "max_cells": 4},
    {"max_game_rounds": 6, "width": 30, "height": 8, "hand": 6, "deal": "equal"},
)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_every_turn_keeps_the_board_and_the_figures_in_order(number: int, seed: int) -> None:
    game = Placement(VARIANTS[number], seats=2 + 2 * (number % 2))
    rng = random.Random(seed)
    match = moments(game, lambda state, seat: rng.choice(game.legal_actions(state, seat)), seed=seed)
    for (before, turn), (after, _) in pairwise(match):
        assert turn is not None
        plan = turn.actions[before.seat]
        islands, walls = after.layout.floor, after.walls
        assert not after.floor & walls
        assert not (after.floor | walls) & ~game.board.inside
        if game.rules.collapse:
            assert after.floor | walls == islands | after.layout.walls | mask_of(after.built)
        else:
            assert after.floor & before.floor == before.floor
            laid = sum(player.cells for player in after.players)
            assert (after.floor | walls).bit_count() == (islands | after.layout.walls).bit_count() + laid
        for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
            assert after.floor >> new.cell & 1, "figures stand on Floor"
            assert new.missing & old.missing == new.missing, "goals are never given back"
            if seat == before.seat:
                assert new.steps == old.steps + plan.steps
                assert plan.steps <= game.rules.moves
                assert new.pieces == old.pieces + len(plan.pieces)
            else:
                assert (new.cell, new.missing, new.pieces) == (old.cell, old.missing, old.pieces)
