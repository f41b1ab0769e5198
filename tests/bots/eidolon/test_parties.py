"""Who goes to which seal in large teams, and what heroes of a party do."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.bots.api import Bot
from gridjoust.bots.eidolon.astar import AStarHero
from gridjoust.bots.eidolon.goals import Kind
from gridjoust.bots.eidolon.joint.parties import Clock, Parties, Party
from gridjoust.bots.eidolon.joint.plan import FOREIGN_AP, FOREIGN_AP_OF_MANY
from gridjoust.bots.eidolon.threats import HERO_AP, HERO_AP_OF_MANY, LATER_SHARE, PLACE_AP, PLACE_AP_OF_MANY, Risks
from gridjoust.games.eidolon.dungeon import ORIGIN
from gridjoust.games.eidolon.tiles import Colour
from gridjoust.games.grid import Cell
from tests.bots.eidolon.matches import HEROES, first_answer
from tests.bots.eidolon.parties import HOME, SEAL, STREET, WEST_SEAL, joint, needs_of, team
from tests.games.eidolon.scenes import Scene, place, tiles_of

RED = Colour.RED
NOTHING = (0, 0, 0)


def party(here: Scene) -> Party | None:
    return Parties(needs_of(here)).found.get(RED)


def test_clock_counts_turns_of_heroes_from_the_present_one() -> None:
    clock = Clock(needs_of(team(reds=(0,) * 5, at=((0, 0),) * 5).change(active=3, ap_left=2)))
    assert [clock.turns(3, ap) for ap in (0, 2, 3, 5, 6)] == [0, 0, 5, 5, 10]
    assert [clock.turns(seat, 3) for seat in (4, 0, 1, 2)] == [1, 2, 3, 4]
    assert clock.turns(0, 4) == 7


PARTIES: dict[str, tuple[Scene, Party | None]] = {
    "who waits at the seal breaks it when the other has come": (
        team(WEST_SEAL, *STREET, reds=(3, 3, 0, 0, 0), at=(SEAL, (2, 0), HOME, HOME, HOME)),
        Party((0, 1), 0, 5, meeting=Cell(*SEAL), met_turns=5),
    ),
    "two meet on the way, and nobody comes in vain": (
        team(WEST_SEAL, *STREET, reds=(5, 1, 1, 0, 0), at=(HOME, (4, 0), HOME, HOME, HOME)),
        Party((0, 2), 2, 2, meeting=Cell(*HOME), met_turns=2),
    ),
    "a small team has collectors": (team(WEST_SEAL, reds=(3, 3, 0), at=(HOME,) * 3), None),
    "nor does a large one need parties for what is not in hand": (
        team(WEST_SEAL, reds=(3, 2, 0, 0, 0), at=(HOME,) * 5), None,
    ),
    "the wizard sends what it holds": (
        team(
            WEST_SEAL, *STREET, reds=(0, 3, 3, 0, 0), at=(HOME, HOME, (4, 0), HOME, HOME),
            skills=True, heroes="warrior ranger wizard",
        ),
        Party((1,), 1, 6, meeting=Cell(*SEAL), met_turns=1),
    ),
    "where nobody can walk to the seal the wizard is brought the tokens": (
        team(
            place("voraxs_heart", 5, 5), *STREET, reds=(0, 6, 0, 0, 0), at=(HOME,) * 5,
            skills=True, heroes="warrior ranger wizard",
        ),
        Party((1, 2), 2, 11, is_courier=True, met_turns=11),
    ),
    "and nothing once it holds enough": (
        team(
            place("voraxs_heart", 5, 5), *STREET, reds=(6, 0, 7, 0, 0), at=(HOME,) * 5,
            skills=True, heroes="warrior ranger wizard",
        ),
        Party((2,), 2, 10, is_courier=True, met_turns=10),
    ),
    "and nobody without its leap": (
        team(
            place("voraxs_heart", 5, 5), *STREET, reds=(0, 6, 0, 0, 0), at=(HOME,) * 5,
            skills=True, heroes="warrior ranger wizard",
        ).put(2, is_master_used=True),
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("here", "expected"), PARTIES.values(), ids=PARTIES)
def test_party_that_brings_the_tokens_to_a_seal(here: Scene, expected: Party | None) -> None:
    assert party(here) == expected


CULTIST: dict[str, Any] = {"on": ("minotaur",), "cards": ("minotaur",)}
ACTS: dict[str, tuple[Scene, int, str]] = {
    "the last at the seal takes the tokens that wait there": (
        team(WEST_SEAL, reds=(3, 3, 0, 0, 0), at=(SEAL, SEAL, HOME, HOME, HOME)).change(active=1), 1, "trade 0 take r3",
    ),
    "with one AP left it gives its own to who can break the seal sooner": (
        team(WEST_SEAL, reds=(3, 3, 0, 0, 0), at=(SEAL, SEAL, HOME, HOME, HOME)).change(active=1, ap_left=1),
        1, "trade 0 give r3",
    ),
    "of two who meet on the way one goes on, the one that is sooner there": (
        team(WEST_SEAL, *STREET, reds=(3, 3, 0, 0, 0), at=((2, 0), (2, 0), HOME, HOME, HOME)), 0, "trade 1 take r3",
    ),
    "so a hero gives if its AP do not suffice": (
        team(WEST_SEAL, *STREET, reds=(3, 3, 0, 0, 0), at=((4, 0), (4, 0), HOME, HOME, HOME)), 0, "trade 1 give r3",
    ),
    "a courier is brought the tokens": (
        PARTIES["where nobody can walk to the seal the wizard is brought the tokens"][0].change(active=1),
        1, "trade 2 give r6",
    ),
    "and leaps to the seal": (
        PARTIES["where nobody can walk to the seal the wizard is brought the tokens"][0]
        .put(1, tokens=NOTHING).put(2, tokens=(6, 0, 0)).change(active=2),
        2, "master @5,5",
    ),
    "the wizard sends": (
        PARTIES["the wizard sends what it holds"][0].change(active=2), 2, "send r 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("here", "seat", "answer"), ACTS.values(), ids=ACTS)
@pytest.mark.parametrize("bot", HEROES)
def test_acts_of_a_party(bot: type[Bot], here: Scene, seat: int, answer: str) -> None:
    assert first_answer(bot(), here, seat=seat) == answer


def with_red_seal(steps: int) -> Scene:
    """The hero who holds all tokens stands on a cultist's tile, so many steps from the seal."""
    row = ("minotaur", "floating_stones", "laughing_shadow", "psychomancer")[:steps]
    street = [place(name, x, 0) for x, name in enumerate(row, start=1)]
    tiles = (*street, place("voraxs_heart", len(row) + 1, 0, 90))
    return team(*tiles, reds=(6, 0, 0, 0, 0), at=((1, 0), HOME, HOME, HOME, HOME), **CULTIST)


def test_who_has_a_seal_to_break_fights_only_with_ap_to_spare() -> None:
    """A step, the seal and a fight fill a turn; after two steps a fight would put the seal off by a round."""
    assert first_answer(AStarHero(), with_red_seal(1)) == "attack"
    assert first_answer(AStarHero(), with_red_seal(2)) == "move E"
    assert first_answer(AStarHero(), with_red_seal(3)) == "attack"


def bridge(heroes: int, *, cards: tuple[str, ...]) -> Scene:
    """A cultist on the way to the red seal."""
    tiles = (place("minotaur", 0, -1), place("voraxs_heart", 0, -2))
    return team(*tiles, reds=(0,) * heroes, at=(HOME,) * heroes, on=("minotaur",), cards=cards)


def test_large_team_fights_for_ways_to_seals_and_first_where_the_card_is_in_the_deck() -> None:
    def worth(here: Scene) -> tuple[float, float]:
        """Of the fight, and of the tile but for what lies behind it."""
        found = Risks(needs_of(here), ORIGIN)
        return found.worth(Cell(0, -1)), found.tile_ap

    small, tile_ap = worth(bridge(3, cards=("minotaur",)))
    assert small == pytest.approx(tile_ap + PLACE_AP)
    large, tile_ap = worth(bridge(4, cards=("minotaur",)))
    assert large == pytest.approx(tile_ap + PLACE_AP_OF_MANY)
    drawn = bridge(4, cards=("minotaur", "mindeater")).change(discards=tiles_of("minotaur"))
    later, tile_ap = worth(drawn)
    assert later == pytest.approx(LATER_SHARE * (tile_ap + PLACE_AP_OF_MANY))


def test_large_team_keeps_the_way_home_of_everybody_once_all_seals_are_broken() -> None:
    def worth(heroes: int, broken: int) -> float:
        """AP of the fight for the one tile that joins a hero to the Vestibule, but for the tile itself."""
        tiles = (place("minotaur", 0, -1), place("voraxs_heart", 0, -2))
        at = ((0, -2), *((HOME,) * (heroes - 1)))
        here = team(*tiles, reds=(0,) * heroes, at=at, on=("minotaur",), cards=("minotaur",)).change(broken=broken)
        found = Risks(needs_of(here), ORIGIN)
        return found.worth(Cell(0, -1)) - found.tile_ap

    assert worth(4, 0b111) == pytest.approx(HERO_AP_OF_MANY)
    assert worth(3, 0b111) == pytest.approx(HERO_AP)
    assert worth(4, 0b110) == pytest.approx(PLACE_AP_OF_MANY + HERO_AP)


@pytest.mark.parametrize(("heroes", "foreign_ap"), [(3, FOREIGN_AP), (4, FOREIGN_AP_OF_MANY)])
def test_a_large_team_takes_tokens_with_any_hand(heroes: int, foreign_ap: float) -> None:
    """The Warrior collects red; the Paladin pays as much for a token and is as near."""
    here = team(place("minotaur", 0, 1), reds=(0,) * heroes, at=(HOME,) * heroes, heroes="warrior paladin")
    plan, warrior, paladin = joint(here.change(tokens=tiles_of("minotaur"))), 0, 1
    grab = next(task for task in plan.tasks if task.kind is Kind.GRAB)
    assert plan.roles[RED] == warrior
    assert plan.rest(paladin, grab) - plan.rest(warrior, grab) == pytest.approx(foreign_ap)


def test_whoever_is_free_waits_at_the_fire_before_handing_tokens_over() -> None:
    """The Ranger holds a token that the Warrior collects; a large team sends it to the Fire all the same."""
    tiles = (place("minotaur", 0, 1), place("fire_of_eidolon", 1, 0, 90))
    for heroes, goal in ((3, (0, 1)), (4, (1, 0))):
        at = ((0, 1), *((HOME,) * (heroes - 1)))
        here = team(*tiles, reds=(1, 1) + (0,) * (heroes - 2), at=at, heroes="warrior ranger").change(active=1)
        assert joint(here).of(1).ranked[0][1].cell == Cell(*goal)
