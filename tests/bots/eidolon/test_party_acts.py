"""Master skills in large teams, and where their heroes fight once all tokens are in hand."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.bots.api import Bot
from gridjoust.bots.eidolon.astar import AStarHero
from gridjoust.games.grid import Cell
from tests.bots.eidolon.matches import HEROES, first_answer
from tests.bots.eidolon.parties import HOME, SEAL, STREET, WEST_SEAL, joint, team
from tests.games.eidolon.scenes import Scene, place

END = (4, 0)
CROWDED: dict[str, Any] = {
    "on": ("minotaur", "voracious_plant", "floating_stones"),
    "cards": ("minotaur", "voracious_plant", "floating_stones"),
}
EAST_SEAL = place("voraxs_heart", 5, 0, 90)
EAST_FIRE = place("fire_of_eidolon", 5, 0, 90)


def rogue(cell: tuple[int, int], *, heroes: int = 5) -> Scene:
    """It has half of the tokens of the party that breaks the seal in the west."""
    reds, at = (3, 3) + (0,) * (heroes - 2), (SEAL, cell) + (HOME,) * (heroes - 2)
    return team(WEST_SEAL, *STREET, reds=reds, at=at, skills=True, heroes="warrior rogue").change(active=1)


def wizard_after_seals(cell: tuple[int, int], *, heroes: int = 5) -> Scene:
    """All seals are broken and the Fire is carried."""
    at = (HOME, cell) + (HOME,) * (heroes - 2)
    here = team(*STREET, reds=(0,) * heroes, at=at, skills=True, heroes="warrior wizard")
    return here.change(active=1, broken=0b111, carrier=0)


def wizard_before_the_last_seal(*, holder: tuple[int, int], other: tuple[int, int] = HOME, own: int = 0) -> Scene:
    """The first hero is to break the seal; the Fire lies at the end of the street."""
    at = (holder, HOME, other, HOME, HOME)
    tiles = (WEST_SEAL, *STREET, EAST_FIRE)
    return team(*tiles, reds=(6, own, 0, 0, 0), at=at, skills=True, heroes="warrior wizard").change(active=1)


def paladin(*, heroes: int = 5, **cultists: Any) -> Scene:
    """It is free, and the street to the seal is full of cultists; the last hero has the tokens."""
    reds, tiles = (0,) * (heroes - 1) + (6,), (*STREET, EAST_SEAL)
    return team(*tiles, reds=reds, at=(HOME,) * heroes, skills=True, heroes="paladin", **{**CROWDED, **cultists})


ACTS: dict[str, tuple[Scene, int, str]] = {
    "the rogue surges where its party would wait for another turn of it": (rogue(END), 1, "master"),
    "not where a turn is enough": (rogue(HOME), 1, "move W"),
    "nor in a small team": (rogue(END, heroes=3), 1, "move W"),
    "the wizard leaps home when nothing is left to do": (wizard_after_seals(END), 1, "master @0,0"),
    "it walks where a turn is enough": (wizard_after_seals((3, 0)), 1, "move W"),
    "and in a small team": (wizard_after_seals(END, heroes=3), 1, "move W"),
    "it leaps to the fire when the seals are about to fall": (
        wizard_before_the_last_seal(holder=SEAL), 1, "master @5,0",
    ),
    "the paladin strikes where many cultists are": (paladin(), 0, "master @2,0"),
    "one is attacked from afar": (
        paladin(on=("floating_stones",), cards=("floating_stones",)), 0, "attack @3,0",
    ),
    "in a small team one of many is": (paladin(heroes=3), 0, "attack @1,0"),
}  # fmt: skip


@pytest.mark.parametrize(("here", "seat", "answer"), ACTS.values(), ids=ACTS)
@pytest.mark.parametrize("bot", HEROES)
def test_master_skills_of_a_large_team(bot: type[Bot], here: Scene, seat: int, answer: str) -> None:
    assert first_answer(bot(), here, seat=seat) == answer


@pytest.mark.parametrize(
    "here",
    [
        wizard_before_the_last_seal(holder=END),  # not soon
        wizard_before_the_last_seal(holder=SEAL, other=(5, 0)),  # somebody waits there
        wizard_before_the_last_seal(holder=SEAL, own=1),  # its tokens may be needed
    ],
)
def test_wizard_keeps_its_leap(here: Scene) -> None:
    assert not first_answer(AStarHero(), here, seat=1).startswith("master")


def test_warrior_rushes_along_its_way_if_cultists_are_on_it() -> None:
    crowded = team(*STREET, EAST_SEAL, reds=(6, 0, 0, 0, 0), at=(HOME,) * 5, skills=True, heroes="warrior", **CROWDED)
    assert first_answer(AStarHero(), crowded) == "master E E E"
    assert first_answer(AStarHero(), crowded.change(cultists=0)) == "move E"


def test_idle_heroes_of_a_large_team_fight_near_home_once_all_tokens_are_in_hand() -> None:
    """Cultists are on the first three tiles of the way to the seal; a small team fights them all."""
    for heroes, is_near in ((3, False), (4, True)):
        reds, at = (6,) + (0,) * (heroes - 1), ((5, 0),) + (HOME,) * (heroes - 1)
        here = team(*STREET, EAST_SEAL, reds=reds, at=at, **CROWDED).change(active=1)
        cells = {goal.cell for goal in joint(here).of(1)._patrol()}
        assert (Cell(1, 0) in cells, Cell(3, 0) in cells) == (True, not is_near)


def waiting(*, heroes: int = 5, at: tuple[int, int] = HOME, ap_left: int = 3) -> Scene:
    """All seals are broken, the Fire is carried, and a cultist is beside the Vestibule, where the heroes wait."""
    places, cultist = (HOME, at) + (HOME,) * (heroes - 2), ("minotaur",)
    here = team(*STREET, reds=(0,) * heroes, at=places, on=cultist, cards=cultist)
    return here.change(active=1, broken=0b111, carrier=0, ap_left=ap_left)


@pytest.mark.parametrize("bot", HEROES)
def test_who_waits_in_a_large_team_fights_if_it_is_back_in_the_same_turn(bot: type[Bot]) -> None:
    assert first_answer(bot(), waiting(), seat=1) == "move E"
    assert first_answer(bot(), waiting(at=(1, 0), ap_left=2), seat=1) == "attack"
    assert first_answer(bot(), waiting(ap_left=2), seat=1) == "wait"
    assert first_answer(bot(), waiting(heroes=3), seat=1) == "wait"
