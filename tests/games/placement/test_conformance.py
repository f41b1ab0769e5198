"""Placement in the variants that change its rules most, against every check that a game can fail."""

from __future__ import annotations

from games.placement import Placement
from gridjoust.conformance import game_tests

SMALL = {"width": 9, "height": 9, "max_cells": 4, "islands": 2, "max_game_rounds": 6}

TestPlacement = game_tests(
    Placement,
    params=[
        {**SMALL, "hidden_hands": True, "keep_hand": True, "finish_round": True},
        {**SMALL, "reflect": True, "goals": 2, "collapse": 3, "tie_break": "nearest"},
        {**SMALL, "walls": 8, "deal": "equal", "moves": 12},
        {"width": 40, "height": 24, "max_game_rounds": 2},
    ],
    seats=[2, 4],
)
