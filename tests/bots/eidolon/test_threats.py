"""What is threatened, and what it is worth to fight."""

from __future__ import annotations

import pytest

from bots.eidolon.roads import RoadBook
from bots.eidolon.roles import Needs
from bots.eidolon.threats import DOOM_SHARE, MATCH_WORTH, OPEN_SHARE, SAFE_SHARE, Horizon, Threats
from games.bitset import mask_of
from games.eidolon.tiles import COLOURS, NUMBERS
from games.grid import Cell
from tests.games.eidolon.scenes import Scene, place, scene

NORTH, SEAL = place("minotaur", 0, -1), place("voraxs_heart", 0, -2)
NORTH_CELL = Cell(0, -1)
END = place("end", 0, 1)


def threats(here: Scene, *, turns: float = 1.0) -> Threats:
    """Everything is done in that many turns, a card each."""
    horizon = Horizon({0: turns}, dict.fromkeys(COLOURS, turns), turns)
    return Threats(Needs(here.game.rules, here.state, RoadBook(here.game.rules)), horizon)


def threatened(*behind: object, tokens: tuple[str, ...] = (), **fields: object) -> Scene:
    """A cultist on the minotaur, whose card is one of two; only the named tokens lie."""
    tiles = (NORTH, *behind, END)
    here = scene(*tiles, preset="sim4", barriers=0, on=("minotaur",), cards=("minotaur", "mindeater"))  # type: ignore[arg-type]
    return here.change(tokens=mask_of([NUMBERS[name] for name in tokens]), **fields)


def test_bridge_is_worth_the_odds_that_it_falls() -> None:
    assert threats(threatened(SEAL)).stakes == {NORTH_CELL: MATCH_WORTH / 2}


def test_bridge_to_what_nobody_needs_is_worth_nothing() -> None:
    assert threats(threatened(SEAL, broken=0b001)).stakes == {NORTH_CELL: 0.0}
    assert threats(threatened()).stakes == {NORTH_CELL: 0.0}


def test_bridge_counts_only_while_something_is_needed_on_both_sides() -> None:
    """The hero stands beyond the chamber with all it needs there, the End too."""
    beyond = (place("end", 0, -2),)
    here = scene(NORTH, *beyond, at=((0, -2),), preset="sim4", barriers=0, on=("minotaur",), cards=("minotaur",))
    assert threats(here.change(tokens=0, broken=0b111, carrier=0)).stakes == {NORTH_CELL: 0.0}


def test_bridge_is_worth_less_where_another_way_may_be_found() -> None:
    known = threatened(SEAL)
    unknown = scene(NORTH, SEAL, END, preset="sim5", barriers=0, on=("minotaur",), cards=("minotaur", "mindeater"))
    assert threats(unknown.change(tokens=0)).stakes[NORTH_CELL] == pytest.approx(
        threats(known).stakes[NORTH_CELL] * OPEN_SHARE
    )


def test_token_without_which_a_colour_cannot_be_completed_is_worth_the_match() -> None:
    assert threats(threatened(tokens=("minotaur",))).stakes == {NORTH_CELL: MATCH_WORTH / 2}


REDS = ("minotaur", "voracious_plant", "dragonling", "fel_knight", "skeletal_guards", "ogre_brute", "dark_slime")


def test_token_to_spare_is_worth_nothing_while_no_other_is_threatened() -> None:
    assert threats(threatened(tokens=REDS)).stakes == {NORTH_CELL: 0.0}


def test_token_to_spare_is_worth_more_the_likelier_another_is_lost() -> None:
    """Both cards come within the turn and a half: a second red token may go, and with it the match."""
    other = place("dragonling", 1, 0, 90)
    here = threatened(other, tokens=REDS, removed_cards=mask_of([NUMBERS["psychomancer"]]))
    both = here.change(cultists=mask_of([NUMBERS["minotaur"], NUMBERS["dragonling"]]))
    assert 0 < threats(both, turns=1.5).stakes[NORTH_CELL] < MATCH_WORTH
    assert threats(both, turns=1.5).token_worth[NORTH_CELL] > threats(here, turns=1.5).token_worth[NORTH_CELL]


def test_token_that_somebody_holds_is_safe() -> None:
    lying = threatened(tokens=("minotaur",))
    stakes = [threats(here).stakes[NORTH_CELL] for here in (lying, lying.put(0, tokens=(6, 0, 0)))]
    assert stakes == [MATCH_WORTH / 2, 0.0]


def test_things_that_will_be_done_before_the_card_comes_are_hardly_threatened() -> None:
    assert threats(threatened(SEAL), turns=0.1).stakes[NORTH_CELL] < threats(threatened(SEAL)).stakes[NORTH_CELL]


def test_detour_to_a_chamber_whose_card_is_discarded_can_wait() -> None:
    here = threatened(SEAL, discards=mask_of([NUMBERS["minotaur"]]))
    found = threats(here, turns=1.5)
    assert found.stakes[NORTH_CELL] > 0
    assert found.worth[NORTH_CELL] == SAFE_SHARE * found.stakes[NORTH_CELL]
    assert not found.is_imminent(NUMBERS["minotaur"])


def test_detours_are_worth_less_where_much_else_is_threatened() -> None:
    two = scene(
        NORTH, SEAL, END, place("psychomancer", 1, 0), place("voraxs_knowledge", 2, 0, 90), preset="sim4", barriers=0,
        on=("minotaur", "psychomancer"), cards=("minotaur", "psychomancer"),
    ).change(tokens=0)  # fmt: skip
    found = threats(two)
    assert found.stakes == {NORTH_CELL: MATCH_WORTH / 2, Cell(1, 0): MATCH_WORTH / 2}
    assert found.worth[NORTH_CELL] == MATCH_WORTH / 2 * (1 - DOOM_SHARE / 2)


def test_chamber_with_a_cultist_alone_is_threatened() -> None:
    for on in ((), ("minotaur",)):
        found = threats(scene(NORTH, SEAL, preset="sim4", barriers=0, on=on)).worth
        assert list(found) == [NORTH_CELL] * len(on)
