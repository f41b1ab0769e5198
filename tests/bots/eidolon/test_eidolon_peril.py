"""What cultists threaten."""

from __future__ import annotations

from bots.eidolon.peril import BRIDGE_WORTH, LAST_TOKEN_WORTH, SAFE_SHARE, TOKEN_WORTH, Peril
from bots.eidolon.roads import RoadBook
from bots.eidolon.roles import Needs
from games.eidolon.tiles import NUMBERS, bits
from games.grid import Cell
from tests.games.eidolon.scenes import Scene, place, scene

NORTH, SEAL = place("minotaur", 0, -1), place("voraxs_heart", 0, -2)


def peril(here: Scene) -> Peril:
    return Peril(Needs(here.game.rules, here.state, RoadBook(here.game.rules)))


def threatened(*, behind: bool) -> Scene:
    tiles = (NORTH, SEAL) if behind else (NORTH,)
    return scene(*tiles, preset="sim4", barriers=0, on=("minotaur",), cards=("minotaur", "mindeater"))


def test_bridge_to_what_is_needed_is_worth_more_than_its_token() -> None:
    assert peril(threatened(behind=True)).worth == {Cell(0, -1): TOKEN_WORTH + BRIDGE_WORTH}
    assert peril(threatened(behind=False)).worth == {Cell(0, -1): TOKEN_WORTH}


def test_seal_that_is_broken_needs_no_bridge_and_no_tokens() -> None:
    assert peril(threatened(behind=True).change(broken=0b001)).worth == {Cell(0, -1): 0.0}


def test_last_tokens_of_a_colour_are_worth_most() -> None:
    here = threatened(behind=False).change(void=bits([NUMBERS["dragonling"]]))
    assert peril(here).worth == {Cell(0, -1): LAST_TOKEN_WORTH}


def test_chamber_whose_card_is_discarded_is_safe_for_a_while() -> None:
    here = threatened(behind=False)
    safe = here.change(discards=bits([NUMBERS["minotaur"]]))
    assert peril(safe).worth == {Cell(0, -1): TOKEN_WORTH * SAFE_SHARE}
    assert peril(here).is_imminent(NUMBERS["minotaur"])
    assert not peril(safe).is_imminent(NUMBERS["minotaur"])


def test_chamber_without_a_cultist_is_not_threatened() -> None:
    assert peril(scene(NORTH, SEAL, preset="sim4", barriers=0)).worth == {}
