"""Basic and master skills of the heroes, and what the carrier of the Fire may still do."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.games.eidolon.dungeon import Placed
from gridjoust.games.grid import Cell
from tests.games.eidolon.scenes import Scene, place, scene

NORTH, EAST = place("minotaur", 0, -1), place("psychomancer", 1, 0)
WALL = place("skeletal_guards", 0, -1, 90)  # north of the Vestibule, no door to it
FAR = place("floating_stones", 5, 5)


def heroes(*names: str, tiles: tuple[Placed, ...] = (NORTH, EAST, FAR), **options: Any) -> Scene:
    at = options.pop("at", ((0, 0),) * len(names))
    return scene(*tiles, at=at, heroes=" ".join(names), skills=True, **options)


WARRIOR, WIZARD = (
    heroes("warrior", on=("minotaur", "floating_stones")),
    heroes("wizard", "sage", tokens=((0, 2, 0),) * 2),
)
PALADIN, ROGUE = heroes("paladin", on=("minotaur", "floating_stones")), heroes("rogue", tiles=(WALL,))
# no door leads from the Vestibule to the first tile, nor from it to the second
CORRIDORS = heroes("rogue", tiles=(place("skeletal_guards", 0, 1, 90), place("pendulum_blades", 0, 2, 90)))
FIRE = {"carrier": 0, "broken": 0b111}

LEGALITY: dict[str, tuple[Scene, str, str]] = {  # a situation, what is legal in it, what is not
    "a Warrior attacks a neighbour": (WARRIOR, "attack N, master N", "attack E, attack S, attack @5,5, master @5,5"),
    "not without skills": (scene(NORTH, heroes="warrior", on=("minotaur",)), "move N", "attack N, master N"),
    "not through a wall": (heroes("warrior", tiles=(WALL,), on=("skeletal_guards",)), "wait", "attack N"),
    "the Fire leaves it its reach": (WARRIOR.change(**FIRE), "attack N", "master N"),
    "its master skill takes three AP": (WARRIOR.change(ap_left=2), "attack N", "master N"),
    "a Paladin attacks anywhere": (PALADIN, "attack @0,-1, attack @5,5, master @0,-1", "attack N, master @0,0"),
    "once a turn": (PALADIN.play("attack @5,5"), "wait", "attack @0,-1"),
    "and again in the next": (PALADIN.play("attack @5,5", "wait"), "attack @0,-1", ""),
    "not with the Fire": (PALADIN.change(**FIRE), "move N", "attack @5,5, master @0,-1"),
    "a Rogue goes through half a door": (ROGUE, "move N, master", "master N"),
    "with the Fire too, without its great turn": (ROGUE.change(**FIRE), "move N", "master"),
    "in its great turn it needs none": (CORRIDORS.put(0, cell=Cell(0, 1)), "move N", "move S"),
    "until the turn ends": (CORRIDORS.play("master", "move S", "move S", "wait"), "wait", "move N"),
    "nobody else does": (heroes("ranger", tiles=(WALL,)), "wait", "move N"),
    "it explores through whole ones": (
        heroes("rogue", tiles=(WALL,), at=((0, -1),), known_map=False), "explore E", "explore N, explore E stay",
    ),
    "a Wizard sends what it has to others": (WIZARD, "send g 1, master @5,5", "send r 1, send g 0, send g 2"),
    "without the Fire": (WIZARD.change(**FIRE), "move N", "send g 1, master @5,5"),
    "it leaps to other tiles, for three AP": (WIZARD.change(ap_left=2), "send g 1", "master @5,5"),
    "of the dungeon": (WIZARD, "master @1,0", "master @0,0, master @9,9"),
    "a Sage has other skills": (
        heroes("sage", on=("minotaur", "floating_stones"), tokens=((1, 0, 0),)),
        "move N",
        "attack N, attack @5,5, master, master N, master @5,5, master @5,5 0",
    ),
    "a Warrior rushes through doorways": (
        heroes("warrior", tiles=(NORTH, place("voracious_plant", 0, -2))), "master N N", "master N E",
    ),
    "a Sage restores lost tiles beside others": (
        heroes("sage", tiles=(NORTH,)).change(void=1 << FAR.tile),
        "master floating_stones @1,0",
        "master floating_stones @5,5, master minotaur @1,0",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("here", "legal", "illegal"), LEGALITY.values(), ids=LEGALITY)
def test_legality(here: Scene, legal: str, illegal: str) -> None:
    assert here.legal_among(legal, illegal) == legal


LINE = (NORTH, place("voracious_plant", 0, -2), place("laughing_shadow", 1, -2))
RUSHER = heroes("warrior", tiles=LINE, on=("minotaur", "laughing_shadow"))
STRIKER = heroes("paladin", on=("minotaur", "psychomancer", "floating_stones")).put(0, cell=Cell(5, 5))
STONES = 1 << FAR.tile
WITHOUT = heroes("sage", tiles=(NORTH, FAR))
VOID = {"dungeon": WITHOUT.state.dungeon.without_tile(FAR.tile), "void": STONES, "removed_cards": STONES}
LOST = WITHOUT.change(**VOID)
EFFECTS: dict[str, tuple[Scene, str, dict[str, Any]]] = {  # a situation, what is done, what is true then
    "the Warrior's attack removes the neighbour's cultist alone": (
        WARRIOR, "attack N", {"cultists": ["floating_stones"], "removed": [1]},
    ),
    "so does the Paladin's from afar": (PALADIN, "attack @0,-1", {"cultists": ["floating_stones"]}),
    "anybody's on the own tile": (
        scene(NORTH, at=((0, -1),), on=("minotaur",)), "attack", {"cultists": [], "removed": [1]},
    ),
    "the Ranger need not enter": (
        heroes("ranger", tiles=(), known_map=False, stack=("minotaur",)),
        "explore N stay",
        {"cells": [(0, 0)], "laid": ("minotaur", (0, -1), 0)},
    ),
    "the Wizard sends a token to any hero": (
        heroes("wizard", "sage", at=((0, 0), (5, 5)), tokens=((0, 2, 0), (0, 0, 0))),
        "send g 1",
        {"tokens": [(0, 1, 0), (0, 1, 0)], "ap": 2},
    ),
    "the Warrior moves thrice with free attacks": (
        RUSHER, "master N N E", {"cells": [(1, -2)], "cultists": [], "spent": [3], "paths": [3], "removed": [2]},
    ),
    "the Paladin clears a cell and its four neighbours": (
        STRIKER, "master @0,-1", {"cultists": ["floating_stones", "psychomancer"]},  # one of them on a diagonal
    ),
    "the Ranger fetches any token for any hero": (
        heroes("ranger", "sage"), "master @5,5 1", {"tokens": [(0, 0, 0), (0, 1, 0)]},
    ),
    "the Rogue gets six AP": (CORRIDORS, "master", {"ap": 6, "spent": [0]}),
    "and goes through walls": (CORRIDORS, "master, move S, move S", {"cells": [(0, 2)]}),
    "the Wizard teleports to any tile": (heroes("wizard"), "master @5,5", {"cells": [(5, 5)]}),
    "the Sage brings a tile back without its card": (
        LOST,
        "master floating_stones @1,0 90",
        {"laid": ("floating_stones", (1, 0), 90), "void": [], "removed_cards": ["floating_stones"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("here", "text", "expected"), EFFECTS.values(), ids=EFFECTS)
def test_effects(here: Scene, text: str, expected: dict[str, Any]) -> None:
    assert here.after(text, expected) == expected


def test_restored_and_fetched_tokens() -> None:
    assert LOST.play("master floating_stones @1,0 90").state.tokens & STONES
    assert not heroes("ranger", "sage").play("master @5,5 1").state.tokens & STONES


@pytest.mark.parametrize(("hero", "text"), [("warrior", "master N"), ("wizard", "master @5,5"), ("rogue", "master")])
def test_master_skills_work_once_a_match(hero: str, text: str) -> None:
    after = heroes(hero).play(text).put(0, cell=Cell(0, 0)).change(ap_left=3)
    assert not after.is_legal(text)
    assert after.put(0, is_master_used=False).is_legal(text)
