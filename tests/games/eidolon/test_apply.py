"""Actions of a turn: what they cost, when they are legal, what they change, how they are written."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.games.eidolon.actions import Action, Explore, Grab, Trade, parse_action
from gridjoust.games.grid import Cell, Direction
from tests.games.eidolon.scenes import Scene, place, scene

EAST_CORRIDOR = place("skeletal_guards", 1, 0, 90)  # red, doors west and east
NORTH_HALL = place("minotaur", 0, -1)
SOUTH_HALL = place("psychomancer", 0, 1)


GUARDS_NORTH = place("skeletal_guards", 0, -1, 90)  # doors west and east only
X, Y = place("secret_passage_x", 1, 0), place("secret_passage_y", 0, 1)
TRADERS = scene(at=((0, 0), (0, 0)), tokens=((2, 0, 0), (1, 0, 3)))
APART = scene(NORTH_HALL, at=((0, 0), (0, -1)), tokens=((2, 0, 0), (0, 0, 0)))
COSTLY = scene(NORTH_HALL, at=((0, -1),), specialization="stars", heroes="wizard")  # 3 AP for red
SEAL = place("voraxs_heart", 0, -1)  # red, its door to the south
AT_FIRE = scene(place("fire_of_eidolon", 0, -1), at=((0, -1),))
HEAVY = ("voraxs_heart", "fire_of_eidolon")

LEGALITY: dict[str, tuple[Scene, str, str]] = {  # a situation, what is legal in it, what is not
    "a move needs doors on both sides": (scene(EAST_CORRIDOR, GUARDS_NORTH), "move E", "move N, move S, move W"),
    "free movement needs no doors": (scene(GUARDS_NORTH, free_movement=True), "move N", "move E"),
    "a barrier stops free movement": (
        scene(NORTH_HALL, SOUTH_HALL, blocked=((0, 0, "N"),), free_movement=True), "move S", "move N",
    ),
    "a barrier blocks the way out": (scene(EAST_CORRIDOR, blocked=((0, 0, "E"),)), "break E", "move E"),
    "a barrier blocks the way in": (scene(EAST_CORRIDOR, at=((1, 0),), blocked=((0, 0, "E"),)), "break W", "move W"),
    "an open doorway leads in": (scene(EAST_CORRIDOR, at=((1, 0),)), "move W", "break W"),
    "the passage has two mouths": (scene(X, Y, at=((1, 0),)), "passage", ""),
    "one mouth leads nowhere": (scene(X, at=((1, 0),)), "move W", "passage"),
    "an unknown map is explored": (scene(stack=("minotaur",), known_map=False), "explore N", ""),
    "a known map is not": (scene(stack=("minotaur",)), "wait", "explore N"),
    "exploring needs a door onto an empty cell": (
        scene(EAST_CORRIDOR, at=((1, 0),), known_map=False), "explore E", "explore N, explore W",
    ),
    "barriers are cleared before exploring": (
        scene(blocked=((0, 0, "N"),), known_map=False), "break N, explore E", "explore N",
    ),
    "and then one may explore": (scene(blocked=((0, 0, "N"),), known_map=False).play("break N"), "explore N", ""),
    "seals and Fire may lie anywhere": (scene(stack=HEAVY, known_map=False), "explore N", ""),
    "but not with the Vestibule rule": (scene(stack=HEAVY, known_map=False, vestibule_rule=True), "wait", "explore N"),
    "a token is paid within one turn": (COSTLY, "grab", ""),
    "not in part": (COSTLY.play("move S", "move N"), "wait", "grab"),
    "a token is taken once": (COSTLY.play("grab").change(ap_left=3), "move S", "grab"),
    "the Fire is not free while a seal stands": (AT_FIRE.change(broken=0b011), "move S", "fire"),
    "and taken once": (AT_FIRE.change(broken=0b111).play("fire"), "move S", "fire"),
    "a seal is broken once": (scene(SEAL, at=((0, -1),), tokens=((6, 0, 0),)).change(broken=1), "move S", "break"),
    "a seal needs six tokens": (scene(SEAL, at=((0, -1),), tokens=((5, 6, 6),)), "move S", "break"),
    "six will do": (scene(SEAL, at=((0, -1), (0, 0)), tokens=((6, 0, 0), (0, 0, 0))), "break", ""),
    "team-mates' tokens do not count": (
        scene(SEAL, at=((0, -1), (0, 0)), tokens=((3, 0, 0), (3, 0, 0))), "move S", "break",
    ),
    "trades are of tokens in hand, to another hero": (
        TRADERS,
        "trade 1 give r2 take b3",
        "trade 1 give r3, trade 1 take g1, trade 1 give r1 take r1, trade 0 give r1, trade 2 give r1",
    ),
    "traders stand on one tile": (APART, "move N", "trade 1 give r1"),
    "when they do they trade": (APART.put(1, cell=Cell(0, 0)), "trade 1 give r1", ""),
}  # fmt: skip


@pytest.mark.parametrize(("here", "legal", "illegal"), LEGALITY.values(), ids=LEGALITY)
def test_legality(here: Scene, legal: str, illegal: str) -> None:
    assert here.legal_among(legal, illegal) == legal


HOME = (0, 0)
FAR_Y = place("secret_passage_y", 5, 5)
GUARDS, CHEST = (scene(stack=(name,), known_map=False) for name in ("skeletal_guards", "mimic_chest"))
TEAM = scene(SEAL, at=((0, -1), HOME), tokens=((2, 1, 0), (4, 0, 0)), seal_rule="team")
PAIR = scene(NORTH_HALL, at=(HOME, HOME))
NEXT = {"seat": 1, "ap": 3, "game_round": 1}
EFFECTS: dict[str, tuple[Scene, str, dict[str, Any]]] = {  # a situation, what is done, what is true then
    "a move costs an AP and counts as path": (
        scene(EAST_CORRIDOR), "move E", {"cells": [(1, 0)], "ap": 2, "spent": [1], "paths": [1]},
    ),
    "a barrier is cleared for an AP, and then the way is free": (
        scene(EAST_CORRIDOR, blocked=((0, 0, "E"),)),
        "break E, move E",
        {"cells": [(1, 0)], "ap": 1, "barriers": set()},
    ),
    "the passage joins X and Y for an AP": (scene(X, FAR_Y, at=((1, 0),)), "passage", {"cells": [(5, 5)], "ap": 2}),
    "and back": (scene(X, FAR_Y, at=((1, 0),)), "passage, passage", {"cells": [(1, 0)]}),
    "exploring lays the drawn tile and moves in for an AP": (
        scene(stack=("minotaur",), known_map=False),
        "explore N",
        {"laid": ("minotaur", (0, -1), 0), "cells": [(0, -1)], "ap": 2, "stack": []},
    ),
    "an explored tile is turned clockwise until it meets the door": (
        CHEST, "explore E", {"laid": ("mimic_chest", (1, 0), 90)},  # one door, printed to the south
    ),
    "from where it lies": (GUARDS, "explore W", {"laid": ("skeletal_guards", (-1, 0), 90)}),  # printed north and south
    "or from the rotation asked for": (GUARDS, "explore W 180", {"laid": ("skeletal_guards", (-1, 0), 270)}),
    "if that has the door": (GUARDS, "explore W 270", {"laid": ("skeletal_guards", (-1, 0), 270)}),
    "barriers of an unknown map come with its tiles": (
        scene(stack=("minotaur",), known_map=False, barriers=3).change(barriers_left=3),
        "explore N",
        {"barriers": {(0, -2, "S"), (0, -1, "E"), (-1, -1, "E")}, "barriers_left": 0},  # three doors for three
    ),
    "a token costs an AP": (scene(NORTH_HALL, at=((0, -1),)), "grab", {"tokens": [(1, 0, 0)], "spent": [1]}),
    "or four less the stars": (COSTLY, "grab", {"tokens": [(1, 0, 0)], "spent": [3]}),
    "a seal takes six tokens of its colour": (
        scene(SEAL, at=((0, -1),), tokens=((7, 0, 2),)), "break", {"tokens": [(1, 0, 2)], "broken": 0b001},
    ),
    "by the team rule the total counts and the breaker's tokens go": (
        TEAM, "break", {"tokens": [(0, 1, 0), (4, 0, 0)], "broken": 0b001},
    ),
    "the Fire is taken when all seals are broken": (AT_FIRE.change(broken=0b111), "fire", {"carrier": 0, "ap": 2}),
    "a trade goes both ways for an AP": (
        TRADERS, "trade 1 give r1 take b2", {"tokens": [(1, 0, 2), (2, 0, 1)], "ap": 2},
    ),
    "a turn ends when its AP are given up": (PAIR, "move N, wait", {"spent": [1, 0], **NEXT}),
    "or spent": (PAIR, "move N, move S, move N", {"spent": [3, 0], **NEXT}),
    "a round with the last hero's turn": (PAIR, "wait, wait", {"seat": 0, "ap": 3, "game_round": 2}),
    "lost heroes are passed over": (
        scene(NORTH_HALL, at=(HOME,) * 3).put(1, cell=None), "wait", {"seat": 2, "game_round": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("here", "text", "expected"), EFFECTS.values(), ids=EFFECTS)
def test_effects(here: Scene, text: str, expected: dict[str, Any]) -> None:
    assert here.after(text, expected) == expected


def test_vestibule_rule_holds_for_exploring() -> None:
    here = [scene(stack=(*HEAVY, "minotaur"), known_map=False, vestibule_rule=True, seed=seed) for seed in range(20)]
    assert {s.play("explore N").facts()["laid"][0] for s in here} == {"minotaur"}


@pytest.mark.gate
def test_tiles_are_drawn_evenly_from_the_stack() -> None:
    stack = ("minotaur", "psychomancer", "floating_stones", "laughing_shadow")
    here = [scene(stack=stack, known_map=False, seed=seed) for seed in range(800)]
    drawn = [s.play("explore N").facts()["laid"][0] for s in here]
    assert {*drawn} == {*stack}
    assert all(abs(drawn.count(name) - 200) < 4.3 * (800 * 3 / 16) ** 0.5 for name in stack)  # p < 1e-4


STARS = {"warrior": "321", "paladin": "312", "ranger": "231", "rogue": "132", "wizard": "123", "sage": "213"}


@pytest.mark.parametrize(("hero", "stars"), STARS.items())
def test_stars_of_the_heroes(hero: str, stars: str) -> None:
    rules = scene(specialization="stars", heroes=hero).game.rules
    assert [rules.grab_cost(0, colour) for colour in (0, 1, 2)] == [4 - int(sign) for sign in stars]


def test_words_reach_team_mates_until_the_speakers_next_turn_begins_and_nobody_else() -> None:
    after = scene(NORTH_HALL, at=(HOME,) * 3).play('move N say "mine is the red"', "wait")
    said = [{"seat": 0, "words": "mine is the red"}]
    assert [after.view(seat)["messages"] for seat in (0, 1, 2)] == [[], said, said]
    assert "messages" not in after.game.public_view(after.state)
    after = PAIR.play('wait say "one"', 'wait say "two"')
    assert [after.view(seat)["messages"] for seat in (0, 1)] == [[{"seat": 1, "words": "two"}], []]


TEXTS = [
    "move N", "explore E", "explore S 90", "explore W 270 stay", "explore N stay", "passage", "grab", "break",
    "break W", "fire", "trade 2 give r1 take b2", "trade 0 take r1 g2 b10", "attack", "attack N", "attack @-1,3",
    "send r 3", "redirect @0,-2", "dive S", "wait", "master", "master N E S", "master @2,-1", "master @2,-1 5",
    "master mindeater @0,1", "master mindeater @0,1 180", 'wait say "to the red seal!"', 'grab say "é"',
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_texts_stand_for_one_action_each(text: str) -> None:
    assert str(parse_action(text)) == text


def test_texts_mean_what_they_say() -> None:
    assert parse_action("explore S 90 stay") == Action(Explore(Direction.S, 90, stay=True))
    assert parse_action("trade 2 give r1 take b2") == Action(Trade(2, (1, 0, 0), (0, 0, 2)))
    assert parse_action('grab say "mine"') == Action(Grab(), "mine")
    assert parse_action(f'wait say "{"a" * 80}"').words == "a" * 80


NONSENSE = [
    "", "move", "move n", "move N ", " move N", "explore N 0", "explore N 45", "trade 2", "trade 2 give r0",
    "trade 2 give b1 r1", "trade 9 give r1", "attack @1,02", "send x 1", "master N E S W", "master dungeon @0,0",
    'wait say ""', f'wait say "{"a" * 81}"', 'wait say "a" say "b"', 'wait say "\n"', "say", "move ٣", "attack @٣,1",
]  # fmt: skip


@pytest.mark.parametrize("text", NONSENSE)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_action(text)
