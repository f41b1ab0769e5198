"""Every game in the variants that change its rules most, against every check that a game can fail."""

from __future__ import annotations

import pytest

from gridjoust.conformance import game_tests
from gridjoust.games.api import ParamValue
from tests.tiers import without

Params = dict[str, ParamValue]

# they take longest; of bomber all checks stay in the default run
LONG = ("fresh_interpreter_plays_the_same", "global_chance_is_left_alone", "hidden_twin_looks_the_same")
MANY = (*LONG, "old_state_is_untouched", "views_answer_any_time", "views_are_json")  # in games of many turns

TICKS: Params = {"max_ticks": 120, "bomb_ticks": 9, "ammo_lifetime_ticks": 20, "ammo_return_ticks": 12}
TREASURE: Params = {"treasure_min_ticks": 5, "treasure_max_ticks": 15}
CLOSE: Params = {"width": 7, "height": 7, "metal": 4, "soft": 8, "ore": 2, **TICKS, **TREASURE}
TestBomber = game_tests(
    "bomber",
    params=[
        CLOSE,
        {**CLOSE, "symmetric": True, "move_order": "simultaneous"},
        {**CLOSE, "pace": "realtime"},
    ],
    seats=[2, 4],
)
TestBomberToo = pytest.mark.gate(
    game_tests(
        "bomber",
        params=[{**CLOSE, "hidden": False}, {**CLOSE, "chain": "instant", "double_pay": False}],
        seats=[2, 4],
    )
)

TWELVE: Params = {"max_game_rounds": 12}
TREMORS: Params = {"preset": "sim5", **TWELVE, "skills": True, "mode": "tremors", "ritual_every": 2}
TestEidolon = without(
    game_tests(
        "eidolon",
        params=[{**TREMORS, "max_game_rounds": 8}],
        seats=[1, 6],
    ),
    *MANY,
)
TestEidolonToo = pytest.mark.gate(
    game_tests(
        "eidolon",
        params=[
            TREMORS,
            {"preset": "sim3", **TWELVE},
            {"preset": "published", "max_game_rounds": 30, "difficulty": "nightmare"},
            {"preset": "sim4", **TWELVE, "difficulty": "legendary", "seal_rule": "team"},
            {"preset": "sim2", **TWELVE, "mode": "shades"},
            {"known_map": True, "free_movement": True, "cultists": True, "skills": True, **TWELVE},
            {"on_unsolvable": "keep", "tile_set": "published25", **TWELVE},
        ],
        seats=[1, 6],
    )
)

FIVE: Params = {"max_game_rounds": 5}
GEAR = "barbarian: longsword, plate mail; dwarf: crossbow, helmet; elf: staff; wizard: tool kit"
VAULT: Params = {
    **FIVE, "quest": "vault", "visibility": "us", "heroes": "wizard elf dwarf barbarian", "equipment": GEAR
}  # fmt: skip
TestHeroQuest = without(
    game_tests("heroquest", params=[{**VAULT, "max_game_rounds": 2}], seats=[5]),
    *MANY,
)
TestHeroQuestToo = pytest.mark.gate(
    game_tests(
        "heroquest",
        params=[
            VAULT,
            {**FIVE, "quest": "random", "board": "random", "visibility": "eu", "edition": "eu", "search": "reachable"},
            FIVE,
            {**FIVE, "quest": "the_trial", "door_camping": True, "los": "area", "equipment": GEAR, "mark_passed": True},
            {**FIVE, "quest": "watch_house", "mode": "open", "spawn_rounds": 2, "idle_rounds": 4, "los": "circle"},
        ],
        seats=[2, 5],
    )
)

SMALL: Params = {"width": 9, "height": 8, "max_turns": 40}
UNKNOWN: Params = {**SMALL, "knowledge": "unknown"}
TestNavigation = without(
    game_tests(
        "navigation",
        params=[
            {**UNKNOWN, "changes": 3, "change_every": 4, "sensor": 2},
            {**SMALL, "shared": True, "changes": 4, "generator": "rooms"},
            {**SMALL, "batch": True, "connectivity": "4", "generator": "maze"},
        ],
        seats=[1, 3],
    ),
    *LONG,
)
TestNavigationToo = pytest.mark.gate(
    game_tests(
        "navigation",
        params=[
            SMALL,
            UNKNOWN,
            {**UNKNOWN, "shared": True, "connectivity": "8-unit"},
            {**SMALL, "map": "0..#..\n.#...a\n1...#b"},
        ],
        seats=[1, 3],
    )
)

ISLANDS: Params = {"width": 9, "height": 9, "max_cells": 4, "islands": 2, "max_game_rounds": 6}
TestPlacement = without(
    game_tests(
        "placement",
        params=[{**ISLANDS, "hidden_hands": True, "keep_hand": True, "reflect": True, "goals": 2, "collapse": 3}],
        seats=[2, 4],
    ),
    *LONG,
)
TestPlacementToo = pytest.mark.gate(
    game_tests(
        "placement",
        params=[
            {**ISLANDS, "hidden_hands": True, "keep_hand": True, "finish_round": True},
            {**ISLANDS, "reflect": True, "goals": 2, "collapse": 3, "tie_break": "nearest"},
            {**ISLANDS, "walls": 8, "deal": "equal", "moves": 12},
            {**ISLANDS, "preset": "article"},
            {"width": 40, "height": 24, "max_game_rounds": 2},
        ],
        seats=[2, 4],
    )
)

QUICK: Params = {"max_rounds": 2, "think_s": 1.0, "sand_s": 0.5, "proof_ms": 300}
TestRicochet = without(
    game_tests(
        "ricochet",
        params=[
            {**QUICK, "silver": True, "diagonals": True, "openings": True, "reset": True},
            {"mode": "solve", "positions": 2, "variant": "printed", "early_stop": False},
        ],
        seats=[1, 4],
    ),
    *LONG,
)
TestRicochetToo = pytest.mark.gate(
    game_tests(
        "ricochet",
        params=[
            {**QUICK, "redeal": "void", "chips": 1},
            {**QUICK, "random_walls": 40, "width": 12, "height": 9, "variant": "printed", "redeal": "always"},
            {"mode": "solve", "positions": 3, "optima": "2,4"},
        ],
        seats=[1, 4],
    )
)
