"""The ritual: cards, cultists, lost tiles, dives, the Sage's choice, the threat track, and modes."""

from __future__ import annotations

from typing import Any

import pytest

from games.eidolon import Eidolon
from games.eidolon.dungeon import Placed
from games.eidolon.params import TRACKS
from games.eidolon.state import End, Phase
from games.eidolon.tiles import CHAMBERS, NUMBERS
from games.grid import Cell, Direction
from tests.games.eidolon.scenes import Scene, place, scene

NORTH, EAST = place("minotaur", 0, -1), place("psychomancer", 1, 0)
OTHERS = tuple(name for name in NUMBERS if CHAMBERS >> NUMBERS[name] & 1)


def ritual(*tiles: Placed, **options: Any) -> Scene:
    """An unknown map: the loss of a tile does not end the match by itself."""
    return scene(*tiles, preset="sim5", barriers=0, **options)


def test_card_of_a_chamber_in_play_brings_a_cultist() -> None:
    after = ritual(NORTH, cards=("minotaur", "mimic_chest"), seed=0)
    for _ in range(2):
        after = after.play("wait")
    assert after.has_cultist("minotaur")


def test_card_of_a_chamber_not_in_play_does_nothing() -> None:
    after = ritual(NORTH, cards=("mimic_chest", "mindeater")).play("wait")
    assert after.state.cultists == 0
    assert after.state.discards.bit_count() == 1


def test_as_many_cards_are_drawn_as_the_track_shows() -> None:
    here = ritual(cards=OTHERS)
    assert [here.change(threat=n).play("wait").state.discards.bit_count() for n in (0, 1, 5)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("difficulty", "track"),
    [
        ("beginner", "112223334"),
        ("normal", "121223334"),
        ("hard", "122123334"),
        ("very_hard", "122223334"),
        ("extreme", "122233334"),
        ("heroic", "122333344"),
        ("nightmare", "222233334"),
        ("legendary", "222333344"),
    ],
)
def test_threat_tracks(difficulty: str, track: str) -> None:
    assert "".join(map(str, TRACKS[difficulty])) == track


def test_no_ritual_without_cultists() -> None:
    assert scene(NORTH, cultists=True).play("wait").state.discards.bit_count() == 1
    assert scene(NORTH).play("wait").state.discards == 0


def test_cards_are_not_drawn_twice_before_the_shuffle() -> None:
    here = ritual(cards=OTHERS)
    for turn in range(1, 21):
        here = here.play("wait")
        assert here.state.discards.bit_count() == turn


def test_empty_deck_is_shuffled_at_once_and_raises_the_threat_after_the_phase() -> None:
    after = ritual(cards=("minotaur", "mimic_chest")).play("wait")
    assert (after.state.threat, after.state.discards.bit_count()) == (0, 1)
    after = after.play("wait")
    assert (after.state.threat, after.state.discards) == (1, 0)


def test_second_cultist_sends_tile_token_and_card_to_the_void() -> None:
    after = ritual(NORTH, EAST, on=("minotaur",), cards=("minotaur", "psychomancer"), seed=0)
    while not after.state.tiles_lost:
        after = after.play("wait")
    lost = 1 << NUMBERS["minotaur"]
    assert Cell(0, -1) not in after.state.dungeon.at
    assert after.state.void == lost
    assert after.state.removed_cards & lost
    assert after.view()["lost_tokens"] == [1, 0, 0]
    assert after.view()["void"] == [{"tile": "minotaur", "token": True}]


def test_token_taken_before_is_not_lost_with_the_tile() -> None:
    here = ritual(NORTH, on=("minotaur",), cards=("minotaur", "mindeater"))
    here = here.change(tokens=here.state.tokens & ~(1 << NUMBERS["minotaur"]))
    while not here.state.tiles_lost:
        here = here.play("wait")
    assert here.view()["lost_tokens"] == [0, 0, 0]


def test_emptied_cell_may_be_explored_again() -> None:
    here = ritual(NORTH, on=("minotaur",), cards=("minotaur", "mindeater"))
    assert not here.is_legal("explore N")
    while not here.state.tiles_lost:
        here = here.play("wait")
    assert here.is_legal("explore N")


def test_barriers_go_with_the_tile() -> None:
    here = ritual(NORTH, on=("minotaur",), cards=("minotaur", "mindeater"), blocked=((0, 0, "N"),))
    while not here.state.tiles_lost:
        here = here.play("wait")
    assert here.state.dungeon.barriers == frozenset()


def losing(*at: tuple[int, int], **options: Any) -> Scene:
    """The northern tile is lost in the first ritual."""
    options.setdefault("cards", ("minotaur",))
    return ritual(NORTH, EAST, at=at, on=("minotaur",), **options)


def test_hero_on_a_lost_tile_is_asked_where_to_dive() -> None:
    after = losing((0, 0), (0, -1)).play("wait")
    assert after.state.phase is Phase.DIVE
    assert after.seat == 1
    assert after.legal() == ["dive S"]
    assert not after.is_legal("wait")


def test_diver_stands_beside_and_pays_one_ap_in_its_next_turn() -> None:
    after = losing((0, 0), (0, -1)).play("wait", "dive S")
    assert after.hero(1).cell == Cell(0, 0)
    assert Cell(0, -1) not in after.state.dungeon.at
    assert after.seat == 1
    assert after.state.ap_left == 2
    assert after.hero(1).ap_spent == 1
    assert not after.hero(1).is_lying


def test_all_heroes_on_the_tile_dive_one_after_another() -> None:
    after = losing((0, 0), (0, -1), (0, -1)).play("wait")
    assert (after.seat, after.play("dive S").seat) == (1, 2)
    done = after.play("dive S", "dive S")
    assert [done.hero(seat).cell for seat in (1, 2)] == [Cell(0, 0), Cell(0, 0)]
    assert done.state.tiles_lost == 1


def test_hero_without_a_connected_neighbour_is_lost_with_its_tokens() -> None:
    lonely = place("minotaur", 7, 7)
    here = ritual(
        lonely, at=((0, 0), (7, 7)), tokens=((0, 0, 0), (0, 1, 0)), on=("minotaur",), cards=("minotaur", "mindeater")
    )
    while not here.state.tiles_lost:
        here = here.play("wait")
    assert here.hero(1).cell is None
    assert here.view()["lost_tokens"] == [1, 1, 0]
    assert here.play("wait").seat == 0


def test_barrier_keeps_a_hero_from_diving() -> None:
    assert losing((0, 0), (0, -1)).play("wait").seat == 1
    after = losing((0, 0), (0, -1), blocked=((0, 0, "N"),)).play("wait")
    assert after.hero(1).cell is None


def test_rest_of_the_ritual_goes_on_after_a_dive() -> None:
    here = losing((0, 0), (0, -1), cards=("minotaur", "psychomancer")).change(threat=1)  # both cards are drawn
    after = here.play("wait")
    if after.state.phase is Phase.DIVE:
        after = after.play("dive S")
    assert after.has_cultist("psychomancer")
    assert after.state.phase is Phase.ACT


SAGE: dict[str, Any] = {"skills": True, "heroes": "sage"}


def test_sage_is_asked_about_new_cultists_in_its_own_ritual() -> None:
    after = ritual(NORTH, EAST, cards=("minotaur", "mindeater"), seed=_seed_drawing("minotaur"), **SAGE).play("wait")
    assert after.state.phase is Phase.REDIRECT
    assert after.legal() == ["redirect @1,0", "wait"]
    assert after.view()["drawn"] == "minotaur"


def _seed_drawing(name: str) -> int:
    for seed in range(50):
        after = ritual(NORTH, EAST, cards=("minotaur", "mindeater"), seed=seed, **SAGE).play("wait")
        if after.state.discards == 1 << NUMBERS[name]:
            return seed
    raise AssertionError(name)


def test_redirected_cultist_comes_to_the_other_chamber() -> None:
    here = ritual(NORTH, EAST, cards=("minotaur", "mindeater"), seed=_seed_drawing("minotaur"), **SAGE).play("wait")
    after = here.play("redirect @1,0")
    assert (after.has_cultist("minotaur"), after.has_cultist("psychomancer")) == (False, True)


def test_sage_may_let_it_come() -> None:
    here = ritual(NORTH, EAST, cards=("minotaur", "mindeater"), seed=_seed_drawing("minotaur"), **SAGE).play("wait")
    assert here.play("wait").has_cultist("minotaur")


def test_sage_redirects_to_chambers_without_a_cultist_only() -> None:
    here = ritual(
        NORTH, EAST, place("floating_stones", -1, 0), on=("psychomancer",), cards=("minotaur", "mindeater"),
        seed=_seed_drawing("minotaur"), **SAGE,
    ).play("wait")  # fmt: skip
    assert here.legal() == ["redirect @-1,0", "wait"]


def test_sage_redirects_one_cultist_a_ritual() -> None:
    here = ritual(NORTH, EAST, cards=("minotaur", "psychomancer"), **SAGE).change(threat=1).play("wait")
    other = here.legal()[0]
    assert here.play(other).state.phase is Phase.ACT  # the second card is not asked about


def test_nobody_else_redirects() -> None:
    after = ritual(NORTH, EAST, cards=("minotaur",), skills=True, heroes="rogue").play("wait")
    assert after.state.phase is Phase.ACT


def test_third_seal_raises_the_threat() -> None:
    seal = place("voraxs_heart", 0, -1)
    here = scene(seal, at=((0, -1),), tokens=((6, 0, 0),), preset="sim5", barriers=0)
    assert here.change(broken=0b110).play("break").state.threat == 1
    assert here.change(broken=0b100).play("break").state.threat == 0


def test_skull_comes_after_the_last_place_of_the_track() -> None:
    here = ritual(cards=("mindeater",)).change(threat=7)
    assert here.play("wait").end is None
    assert here.change(threat=8).play("wait").end is End.SKULL


def test_all_chambers_lost_leaves_no_cards_to_draw() -> None:
    here = ritual(cards=()).play("wait")
    assert here.state.phase is Phase.ACT
    assert here.state.threat == 0
    assert here.end is None


def test_mode_adds_its_stage_after_the_ritual() -> None:
    here = scene(NORTH, EAST, at=((0, 0), (0, 0)), mode="tremors")
    assert here.play("wait").state.dungeon.barriers == frozenset()
    assert len(here.play("wait", "wait").state.dungeon.barriers) == 1
    assert scene(NORTH).play("wait").state.dungeon.barriers == frozenset()


def test_tremors_shut_open_doorways_only() -> None:
    here = scene(NORTH, EAST, mode="tremors").play("wait", "wait", "wait")
    assert here.state.dungeon.barriers == {(Cell(0, -1), Direction.S), (Cell(0, 0), Direction.E)}


def test_deck_order_is_even() -> None:
    """Each of four cards comes first in a quarter of 800 rituals; 4.3 standard errors: p < 1e-4 for a fair deck."""
    cards = ("minotaur", "psychomancer", "mindeater", "mimic_chest")
    first = [ritual(cards=cards, seed=seed).play("wait").state.discards for seed in range(800)]
    assert {*first} == {1 << NUMBERS[name] for name in cards}
    assert all(abs(first.count(1 << NUMBERS[name]) - 200) < 4.3 * (800 * 3 / 16) ** 0.5 for name in cards)


def test_ritual_cards_are_those_of_the_coloured_chambers() -> None:
    game = Eidolon({"preset": "sim4"})
    assert CHAMBERS.bit_count() == 21
    assert game.initial_state(0).removed_cards == 0
