"""The ritual: cards, cultists, lost tiles, dives, the Sage's choice, the threat track, and modes."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.games.eidolon.dungeon import Placed
from gridjoust.games.eidolon.params import TRACKS
from gridjoust.games.eidolon.state import End, Phase
from gridjoust.games.eidolon.tiles import CHAMBERS, NUMBERS
from gridjoust.games.grid import Cell
from tests.games.eidolon.scenes import Scene, place, scene

NORTH, EAST = place("minotaur", 0, -1), place("psychomancer", 1, 0)
OTHERS = tuple(name for name in NUMBERS if CHAMBERS >> NUMBERS[name] & 1)


def ritual(*tiles: Placed, **options: Any) -> Scene:
    """An unknown map: the loss of a tile does not end the match by itself."""
    options.setdefault("ritual_every", "turn")
    return scene(*tiles, preset="sim5", barriers=0, **options)


def until_lost(here: Scene) -> Scene:
    """Nobody does anything until the first tile is lost."""
    while not here.state.tiles_lost:
        here = here.play("wait")
    return here


def losing(*at: tuple[int, int], **options: Any) -> Scene:
    """The northern tile, with a cultist on it, is lost in the first ritual."""
    options.setdefault("cards", ("minotaur",))
    return ritual(NORTH, EAST, at=at or ((0, 0),), on=("minotaur",), **options)


def test_cards_bring_cultists_to_chambers_in_play_and_are_discarded_until_the_shuffle() -> None:
    assert CHAMBERS.bit_count() == 21
    here = ritual(NORTH, cards=OTHERS)
    assert here.state.removed_cards == 0
    for turn in range(1, 21):
        here = here.play("wait")
        assert here.state.discards.bit_count() == turn
        assert here.state.cultists == here.state.discards & 1 << NORTH.tile
    assert here.play("wait").state.cultists == 1 << NORTH.tile


def drawn(here: Scene) -> int:
    """Cards of the first ritual."""
    return here.play("wait").state.discards.bit_count()


def test_as_many_cards_are_drawn_as_the_track_shows_where_there_are_cultists() -> None:
    here = ritual(cards=OTHERS)
    assert [drawn(here.change(threat=place)) for place in (0, 1, 5)] == [1, 2, 3]
    assert [drawn(scene(NORTH, cultists=cultists)) for cultists in (True, False)] == [1, 0]


DIFFICULTIES = (
    "beginner 112223334 normal 121223334 hard 122123334 very_hard 122223334 "
    "extreme 122233334 heroic 122333344 nightmare 222233334 legendary 222333344"
)


def test_threat_tracks_end_in_the_skull() -> None:
    words = DIFFICULTIES.split()
    assert {name: "".join(map(str, track)) for name, track in TRACKS.items()} == dict(
        zip(words[::2], words[1::2], strict=True)
    )
    here = ritual(cards=("mindeater",))
    assert [here.change(threat=place).play("wait").end for place in (7, 8)] == [None, End.SKULL]


def test_empty_deck_is_shuffled_at_once_and_raises_the_threat_after_the_phase() -> None:
    after = ritual(cards=("minotaur", "mimic_chest")).play("wait")
    assert (after.state.threat, after.state.discards.bit_count()) == (0, 1)
    after = after.play("wait")
    assert (after.state.threat, after.state.discards) == (1, 0)


def test_second_cultist_sends_tile_token_card_and_barriers_to_the_void() -> None:
    here = losing(cards=("minotaur", "psychomancer"), blocked=((0, 0, "N"),))
    assert not here.is_legal("explore N")
    after = until_lost(here)
    assert Cell(0, -1) not in after.state.dungeon.at
    gone = ("barriers", "void")
    assert after.after("", gone) == {"barriers": set(), "void": ["minotaur"]}
    assert "minotaur" in after.facts()["removed_cards"]
    assert (after.view()["lost_tokens"], after.view()["void"]) == ([1, 0, 0], [{"tile": "minotaur", "token": True}])
    assert after.is_legal("explore N")
    taken = losing(cards=("minotaur", "mindeater")).change(tokens=CHAMBERS & ~(1 << NORTH.tile))
    assert until_lost(taken).view()["lost_tokens"] == [0, 0, 0]


def test_hero_on_a_lost_tile_dives_and_pays_one_ap_in_its_next_turn() -> None:
    asked = losing((0, 0), (0, -1)).play("wait")
    assert (asked.state.phase, asked.seat, asked.legal()) == (Phase.DIVE, 1, ["dive S"])
    assert not asked.is_legal("wait")
    after = asked.play("dive S")
    assert Cell(0, -1) not in after.state.dungeon.at
    assert (after.hero(1).cell, after.hero(1).ap_spent, after.hero(1).is_lying) == (Cell(0, 0), 1, False)
    assert (after.seat, after.state.ap_left) == (1, 2)


def test_all_heroes_on_the_tile_dive_one_after_another() -> None:
    after = losing((0, 0), (0, -1), (0, -1)).play("wait")
    assert (after.seat, after.play("dive S").seat) == (1, 2)
    expected = {"cells": [(0, 0)] * 3, "tiles_lost": 1}
    assert after.after("dive S, dive S", expected) == expected


def test_hero_that_cannot_dive_is_lost_with_its_tokens() -> None:
    lonely = place("minotaur", 7, 7)
    options: dict[str, Any] = {"tokens": ((0, 0, 0), (0, 1, 0)), "cards": ("minotaur", "mindeater")}
    for here in (
        ritual(lonely, at=((0, 0), (7, 7)), on=("minotaur",), **options),
        losing((0, 0), (0, -1), blocked=((0, 0, "N"),), **options),
    ):
        after = until_lost(here)
        assert (after.hero(1).cell, after.view()["lost_tokens"], after.play("wait").seat) == (None, [1, 1, 0], 0)


def test_rest_of_the_ritual_goes_on_after_a_dive() -> None:
    here = losing((0, 0), (0, -1), cards=("minotaur", "psychomancer")).change(threat=1)  # both cards are drawn
    after = here.play("wait")
    if after.state.phase is Phase.DIVE:
        after = after.play("dive S")
    assert (after.facts()["cultists"], after.state.phase) == (["psychomancer"], Phase.ACT)


SAGE: dict[str, Any] = {"skills": True, "heroes": "sage"}


def asked_sage(*tiles: Placed, on: tuple[str, ...] = ()) -> Scene:
    """The first of the seeds with which the Sage's ritual draws the minotaur."""
    drawn = (
        ritual(*tiles, on=on, cards=("minotaur", "mindeater"), seed=seed, **SAGE).play("wait") for seed in range(50)
    )
    return next(here for here in drawn if here.state.discards == 1 << NORTH.tile)


def test_sage_chooses_where_a_new_cultist_comes_in_its_own_ritual() -> None:
    here = asked_sage(NORTH, EAST)
    assert (here.state.phase, here.view()["drawn"]) == (Phase.REDIRECT, "minotaur")
    assert here.legal() == ["redirect @1,0", "wait"]
    assert [here.play(answer).facts()["cultists"] for answer in here.legal()] == [["psychomancer"], ["minotaur"]]
    rogue = ritual(NORTH, EAST, cards=("minotaur",), skills=True, heroes="rogue").play("wait")
    assert rogue.state.phase is Phase.ACT


def test_sage_redirects_to_chambers_without_a_cultist_once_a_ritual() -> None:
    here = asked_sage(NORTH, EAST, place("floating_stones", -1, 0), on=("psychomancer",))
    assert here.legal() == ["redirect @-1,0", "wait"]
    two = ritual(NORTH, EAST, cards=("minotaur", "psychomancer"), **SAGE).change(threat=1).play("wait")
    assert two.play(two.legal()[0]).state.phase is Phase.ACT  # the second card is not asked about


def test_third_seal_raises_the_threat() -> None:
    here = ritual(place("voraxs_heart", 0, -1), at=((0, -1),), tokens=((6, 0, 0),))
    assert [here.change(broken=broken).play("break").state.threat for broken in (0b110, 0b100)] == [1, 0]


def test_with_all_chambers_lost_every_ritual_raises_the_threat() -> None:
    here = ritual(cards=())
    assert [here.play(*["wait"] * turns).state.threat for turns in (1, 2, 8)] == [1, 2, 8]
    assert here.play(*["wait"] * 9).end is End.SKULL
    last = losing().play("wait")  # its only chamber goes in the ritual in which its card is shuffled in again
    assert (last.state.tiles_lost, last.state.threat, last.play("wait").state.threat) == (1, 1, 2)


def drawn_after(every: str | int, *, heroes: int = 2) -> list[int]:
    """Cards that have been drawn after each of eight turns of heroes."""
    here, counts = ritual(NORTH, at=((0, 0),) * heroes, cards=OTHERS, ritual_every=every), []
    for _ in range(8):
        here = here.play("wait")
        counts.append(here.state.discards.bit_count())
    return counts


def test_rituals_come_after_turns_of_heroes_or_after_rounds() -> None:
    assert drawn_after("turn") == [1, 2, 3, 4, 5, 6, 7, 8]
    assert drawn_after("round") == drawn_after("2") == [0, 1, 1, 2, 2, 3, 3, 4]
    assert drawn_after("round", heroes=3) == drawn_after(3) == [0, 0, 1, 1, 1, 2, 2, 2]
    assert scene(preset="published").game.rules.ritual_every == "turn"
    assert {scene(preset=preset).game.rules.ritual_every for preset in ("sim4", "sim5")} == {"round"}


@pytest.mark.parametrize("every", ["0", "1", "never", "-1", "2.5", "", 0, 1])
def test_rituals_come_at_no_other_times(every: str | int) -> None:
    with pytest.raises(ValueError, match=r"ritual_every: expected turn, round or a number from 2 to 9999, got"):
        scene(ritual_every=every)


def test_tremors_shut_one_open_doorway_after_every_round() -> None:
    pair = scene(NORTH, EAST, at=((0, 0), (0, 0)), mode="tremors")
    assert [len(pair.play(*turns).facts()["barriers"]) for turns in (["wait"], ["wait"] * 2)] == [0, 1]
    alone = scene(NORTH, EAST, mode="tremors").play("wait", "wait", "wait")
    assert alone.facts()["barriers"] == {(0, -1, "S"), (0, 0, "E")}
    assert scene(NORTH).play("wait").facts()["barriers"] == set()


def test_shade_frightens_heroes_on_one_tile_and_those_around_it_after_every_round() -> None:
    pair = scene(NORTH, EAST, at=((0, -1), (1, 0)), mode="shades")
    assert [hero.is_lying for hero in pair.play("wait").state.heroes] == [False, False]
    seeds = [scene(NORTH, EAST, at=((0, -1), (1, 0)), mode="shades", seed=seed) for seed in range(30)]
    after = [here.play("wait", "wait") for here in seeds]
    # the first hero has stood up at once; on the Vestibule between them the shade frightens both
    assert {(here.state.ap_left, here.hero(1).is_lying) for here in after} == {(2, True), (2, False), (3, True)}
    plain = scene(NORTH, EAST, at=((0, -1), (1, 0))).play("wait", "wait")
    assert (plain.state.ap_left, plain.hero(1).is_lying) == (3, False)


def test_deck_order_is_even() -> None:
    """Each of four cards comes first in a quarter of 800 rituals; 4.3 standard errors: p < 1e-4 for a fair deck."""
    cards = ("minotaur", "psychomancer", "mindeater", "mimic_chest")
    first = [ritual(cards=cards, seed=seed).play("wait").state.discards for seed in range(800)]
    assert {*first} == {1 << NUMBERS[name] for name in cards}
    assert all(abs(first.count(1 << NUMBERS[name]) - 200) < 4.3 * (800 * 3 / 16) ** 0.5 for name in cards)
