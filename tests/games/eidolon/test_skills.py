"""Basic and master skills of the heroes, and what the carrier of the Fire may still do."""

from __future__ import annotations

from typing import Any

import pytest

from games.eidolon.dungeon import Placed
from games.grid import Cell
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
}  # fmt: skip


@pytest.mark.parametrize("case", LEGALITY)
def test_legality(case: str) -> None:
    here, legal, illegal = LEGALITY[case]
    assert here.legal_among(legal, illegal) == legal


def test_attack_from_afar_removes_the_cultist_there_alone() -> None:
    for here, text in ((WARRIOR, "attack N"), (PALADIN, "attack @0,-1")):
        after = here.play(text)
        assert (after.has_cultist("minotaur"), after.has_cultist("floating_stones")) == (False, True)


def test_attack_removes_the_cultist_on_the_own_tile() -> None:
    after = scene(NORTH, at=((0, -1),), on=("minotaur",)).play("attack")
    assert after.state.cultists == 0
    assert after.hero().cultists_removed == 1
    assert not after.is_legal("attack")


def test_ranger_need_not_enter() -> None:
    here = heroes("ranger", tiles=(), known_map=False)
    after = here.play("explore N stay")
    assert after.hero().cell == Cell(0, 0)
    assert Cell(0, -1) in after.state.dungeon.at


def test_wizard_sends_a_token_to_any_hero() -> None:
    here = heroes("wizard", "sage", at=((0, 0), (5, 5)), tokens=((0, 2, 0), (0, 0, 0)))
    after = here.play("send g 1")
    assert (after.hero(0).tokens, after.hero(1).tokens) == ((0, 1, 0), (0, 1, 0))
    assert after.state.ap_left == 2


def test_warriors_master_skill_moves_thrice_with_free_attacks() -> None:
    line = (NORTH, place("voracious_plant", 0, -2), place("laughing_shadow", 1, -2))
    here = heroes("warrior", tiles=line, on=("minotaur", "laughing_shadow"))
    after = here.play("master N N E")
    assert after.hero().cell == Cell(1, -2)
    assert after.state.cultists == 0
    assert (after.hero().ap_spent, after.hero().path_length, after.hero().cultists_removed) == (3, 3, 2)
    assert not here.is_legal("master N E")


def test_paladins_master_skill_clears_a_cell_and_its_four_neighbours() -> None:
    here = heroes("paladin", on=("minotaur", "psychomancer", "floating_stones"), tiles=(NORTH, EAST, FAR))
    after = here.put(0, cell=Cell(5, 5)).play("master @0,-1")
    assert not after.has_cultist("minotaur")
    assert after.has_cultist("psychomancer")  # on a diagonal


def test_rangers_master_skill_fetches_any_token_for_any_hero() -> None:
    after = heroes("ranger", "sage").play("master @5,5 1")
    assert after.hero(1).tokens == (0, 1, 0)
    assert not after.state.tokens >> after.state.dungeon.at[Cell(5, 5)].tile & 1


def test_rogues_master_skill_gives_six_ap_and_goes_through_walls_this_turn() -> None:
    walled = place("skeletal_guards", 0, 1, 90)
    beyond = place("pendulum_blades", 0, 2, 90)  # no door towards its neighbour either
    here = heroes("rogue", tiles=(walled, beyond))
    assert not here.put(0, cell=Cell(0, 1)).is_legal("move S")
    after = here.play("master")
    assert after.state.ap_left == 6
    assert after.hero().ap_spent == 0
    through = after.play("move S", "move S")
    assert through.hero().cell == Cell(0, 2)
    assert not through.play("wait").is_legal("move N")


def test_wizards_master_skill_teleports_to_any_tile() -> None:
    here = heroes("wizard")
    after = here.play("master @5,5")
    assert after.hero().cell == Cell(5, 5)


def test_sages_master_skill_brings_a_tile_back_with_its_token_but_without_its_card() -> None:
    here = heroes("sage", tiles=(NORTH, FAR))
    lost = 1 << here.state.dungeon.at[Cell(5, 5)].tile
    gone = here.change(dungeon=here.state.dungeon.without_tile(8), void=lost, removed_cards=lost)
    after = gone.play("master floating_stones @1,0 90")
    assert after.state.dungeon.at[Cell(1, 0)].quarters == 1
    assert after.state.void == 0
    assert after.state.removed_cards == lost
    assert after.state.tokens & lost
    assert not gone.is_legal("master floating_stones @5,5")
    assert not gone.is_legal("master minotaur @1,0")


@pytest.mark.parametrize(("hero", "text"), [("warrior", "master N"), ("wizard", "master @5,5"), ("rogue", "master")])
def test_master_skills_work_once_a_match(hero: str, text: str) -> None:
    after = heroes(hero).play(text).put(0, cell=Cell(0, 0)).change(ap_left=3)
    assert not after.is_legal(text)
    assert after.put(0, is_master_used=False).is_legal(text)
