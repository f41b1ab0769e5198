"""Traps, jumps, disarming, searches and treasure."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest

from gridjoust.games.api import ParamValue
from gridjoust.games.heroquest.actions import SEARCHES
from gridjoust.games.heroquest.catalogue import CARDS, DECK
from tests.games.heroquest.scenes import Scene, scene


def trapped(kind: str, *, is_known: bool = False, **keys: Any) -> Scene:
    """A trap at (3, 1), two steps east of the first hero."""
    shown = scene(traps=f"[[{kind}, 3, 1]]", **keys)
    return shown.change(found_traps=1 << shown.cell(3, 1)) if is_known else shown


def test_a_pit_costs_one_body_ends_the_turn_stays_and_is_left_by_walking() -> None:
    after = trapped("pit", heroes=2).play("move E E E")
    assert (after.position, after.hero.body, after.hero.is_in_pit, after.state.seat) == ((3, 1), 7, True, 1)
    assert after.view()["traps"] == [["pit", 3, 1]]
    after = trapped("pit").play("move E E").with_points(5).play("move E")
    assert (after.position, after.hero.is_in_pit, after.hero.body) == ((4, 1), False, 7)
    again = after.play("move W")
    assert (again.hero.is_in_pit, again.hero.body) == (True, 6)


def test_a_spear_hits_with_a_skull_and_is_gone_either_way() -> None:
    shown = trapped("spear", heroes=2)
    hit = shown.lucky("move E E", lambda one: one.hero.body == 7)
    dodged = shown.lucky("move E E E", lambda one: one.hero.body == 8)
    assert (hit.state.seat, hit.situation.traps()) == (1, {})
    assert (dodged.state.seat, dodged.position, dodged.state.points, dodged.situation.traps()) == (0, (3, 1), 10, {})


def test_a_falling_block_rolls_three_dice_and_closes_the_square_for_good() -> None:
    shown = trapped("block")
    assert shown.outcomes("move E E E", lambda one: 8 - one.hero.body) == {0, 1, 2, 3}
    after = shown.play("move E E E")
    assert (after.position, after.view()["map"][1][3], after.is_legal("move E")) == ((2, 1), "#", False)


def test_known_traps_are_left_out_of_the_offered_paths_but_may_be_walked_on() -> None:
    shown = trapped("pit", is_known=True)
    assert ("move E E E" in shown.legal(), shown.is_legal("move E E E")) == (False, True)


def test_a_jump_costs_two_points_and_succeeds_with_any_shield() -> None:
    shown = trapped("pit", is_known=True).at(2, 1)
    over = shown.lucky("jump E", lambda one: one.position == (4, 1))
    fell = shown.lucky("jump E", lambda one: one.position == (3, 1))
    assert (over.state.points, over.hero.body) == (10, 8)
    assert (fell.hero.is_in_pit, fell.hero.body) == (True, 7)
    successes = sum(shown.change(seed=seed).play("jump E").position == (4, 1) for seed in range(600))
    assert successes == pytest.approx(300, abs=62)  # 5 standard deviations: wrong with probability below 1e-6


KNOWN = trapped("pit", is_known=True).at(2, 1)
DWARF = trapped("pit", is_known=True, params={"heroes": "dwarf"}).at(2, 1)
BESIDE_A_THRONE = trapped("pit", is_known=True, furniture="[[throne, 4, 1]]").at(2, 1)
ORC = scene().with_monster("orc", 4, 3)
SHARED = trapped("pit", heroes=2).at(3, 1, seat=1)
BEHIND_SECRET = scene(secret_doors="[[4, 2, 5, 2]]").at(4, 2)
TREASURE = scene(heroes=2).change(deck=(0,) * len(CARDS)).play("search treasure").change(has_acted=False)
LEGAL: dict[str, tuple[Scene, str, bool]] = {
    "a jump over a known trap": (KNOWN, "jump E", True),
    "not over an unknown one": (trapped("pit").at(2, 1), "jump E", False),
    "not with one point": (KNOWN.with_points(1), "jump E", False),
    "not onto a monster": (KNOWN.with_monster("orc", 4, 1), "jump E", False),
    "not onto furniture": (BESIDE_A_THRONE, "jump E", False),
    "a dwarf disarms": (DWARF, "disarm E", True),
    "others only with a tool kit": (KNOWN, "disarm E", False),
    "with it they do": (KNOWN.hero_set(items=("tool kit",)), "disarm E", True),
    "nobody else ends in a pit that nobody knows": (SHARED, "move E E", False),
    "heroes share a known pit": (SHARED.change(found_traps=1 << SHARED.cell(3, 1)), "move E E", True),
    "a secret door cannot be opened": (BEHIND_SECRET, "open E", False),
    "before it is found": (BEHIND_SECRET.play("search doors"), "open E", True),
    "no treasure in corridors": (scene(heroes=2).at(0, 0), "search treasure", False),
    "treasure once per hero and room": (TREASURE, "search treasure", False),
    "another hero's treasure": (TREASURE.change(seat=1), "search treasure", True),
    **{f"{what} with nobody in sight": (scene(), f"search {what}", True) for what in SEARCHES},
    **{f"no {what} with a monster in sight": (ORC, f"search {what}", False) for what in SEARCHES},
}


@pytest.mark.parametrize(("shown", "text", "expected"), LEGAL.values(), ids=LEGAL)
def test_what_may_be_done(shown: Scene, text: str, expected: bool) -> None:
    assert shown.is_legal(text) is expected


def test_a_failed_jump_over_a_block_throws_the_hero_back() -> None:
    after = trapped("block", is_known=True).at(2, 1).lucky("jump E", lambda one: bool(one.events("trap")))
    assert (after.position, after.is_legal("jump E")) == ((2, 1), False)


@pytest.mark.parametrize(
    ("shown", "failures", "deviations"),
    [(DWARF, 100, 46), (KNOWN.hero_set(items=("tool kit",)), 300, 62)],
    ids=["the dwarf fails on a black shield only", "others on a skull"],
)
def test_disarming_fails(shown: Scene, failures: int, deviations: int) -> None:
    sprung = sum(bool(shown.change(seed=seed).play("disarm E").events("trap")) for seed in range(600))
    assert sprung == pytest.approx(failures, abs=deviations)  # 5 standard deviations: wrong with p below 1e-6


def test_a_disarmed_trap_is_gone_and_the_action_used() -> None:
    after = DWARF.lucky("disarm E", lambda one: not one.events("trap"))
    assert (after.play("move E E").hero.body, after.is_legal("search traps")) == (7, False)


def test_traps_in_the_own_room_are_found_and_no_others_and_a_secret_door_that_was_found_opens_its_room() -> None:
    after = scene(traps="[[pit, 6, 2], [pit, 3, 3]]").play("search traps")
    assert after.state.found_traps == 1 << after.cell(3, 3)
    assert after.view()["traps"] == [["pit", 3, 3]]
    assert BEHIND_SECRET.play("search doors", "open E").is_seen(8, 3)


RING = """\
.......
.AAAAA.
.AAAAA.
.......
"""


def in_ring(*, is_walked: bool = True, **params: ParamValue) -> Scene:
    """A hero in the corridor at (0, 0): it sees the first row and column, but neither of the others."""
    shown = scene(
        RING, start="[[0, 0]]", monsters="[[gargoyle, 5, 2]]", traps="[[pit, 6, 2], [pit, 4, 0]]",
        secret_doors="[[3, 2, 3, 3], [2, 0, 2, 1]]", params=params,
    )  # fmt: skip
    return shown.change(seen=shown.situation.layout.corridor) if is_walked else shown


NEAR_DOOR, ALL_DOORS = [(2, 0), (2, 1)], [(3, 2), (3, 3), (2, 0), (2, 1)]
SEARCHED: dict[str, tuple[Scene, list[tuple[int, int]], list[tuple[int, int]]]] = {
    "squares in sight": (in_ring(), [(4, 0)], NEAR_DOOR),
    "all revealed ones": (in_ring(search="reachable"), [(4, 0), (6, 2)], ALL_DOORS),
    "but not past what is not revealed": (in_ring(search="reachable", is_walked=False), [(4, 0)], NEAR_DOOR),
    "the whole corridor for doors in America": (in_ring(visibility="us"), [(4, 0)], ALL_DOORS),
    "and in Europe": (in_ring(visibility="eu"), [(4, 0)], ALL_DOORS),
}


@pytest.mark.parametrize(("shown", "traps", "doors"), SEARCHED.values(), ids=SEARCHED)
def test_corridor_searches_cover(shown: Scene, traps: list[tuple[int, int]], doors: list[tuple[int, int]]) -> None:
    events = [shown.play(f"search {what}").events("search") for what in ("traps", "doors")]
    assert [shown.places(event.cells) for found in events for event in found] == [traps, doors]


def test_a_full_chest_is_emptied_instead_of_drawing_a_card() -> None:
    after = scene(chests="[[4, 3, 84]]", goal="{loot: true, return: true}").at(3, 3).play("search treasure")
    assert (after.hero.gold, after.state.deck, after.state.winner) == (84, tuple(DECK.values()), "")
    assert after.view()["map"][3][4] == "e"
    assert after.with_points(12).play("move N N W").state.winner == "heroes"


def with_card(card: str) -> Scene:
    """A deck of this card alone."""
    return scene().change(deck=tuple(DECK[name] if name == card else 0 for name in CARDS))


@pytest.mark.parametrize(
    ("card", "gold", "potions", "body", "kept"),
    [
        ("gem", 35, (), 8, 1), ("coins", 15, (), 8, 1), ("jewels 25", 25, (), 8, 1), ("jewels 50", 50, (), 8, 1),
        ("heroic brew", 0, ("heroic brew",), 8, 0), ("defence potion", 0, ("defence potion",), 8, 0),
        ("healing potion", 0, ("healing potion",), 8, 2), ("strength potion", 0, ("strength potion",), 8, 0),
        ("arrow", 0, (), 7, 2), ("pit", 0, (), 7, 2),
    ],
)  # fmt: skip
def test_treasure_cards(card: str, gold: int, potions: tuple[str, ...], body: int, kept: int) -> None:
    after = with_card(card).play("search treasure")
    assert (after.hero.gold, after.hero.potions, after.hero.body) == (gold, potions, body)
    assert sum(after.state.deck) == kept  # only hazards go back


def test_a_wandering_monster_comes_beside_the_searcher_and_attacks_at_once_if_there_is_room() -> None:
    after = with_card("wandering monster").at(2, 2).play("search treasure")
    x, y = after.place(after.monster.cell)
    assert abs(x - 2) + abs(y - 2) == 1
    assert after.monster.kind == "orc"
    assert [event.who for event in after.events("hit")] == ["barbarian"]
    assert sum(after.state.deck) == 6
    shown = scene(".A.\n...", start="[[1, 0]]", monsters="[[gargoyle, 2, 1]]")
    after = shown.change(deck=tuple(6 * (name == "wandering monster") for name in CARDS)).play("search treasure")
    assert (after.state.monsters, after.hero.body) == ((), 8)


def test_all_cards_left_are_equally_likely() -> None:
    shown = scene().at(2, 2)
    draws = [shown.change(seed=seed).play("search treasure").events("treasure")[0].name for seed in range(960)]
    # 240 wandering monsters and 120 healing potions expected; 5 standard deviations: wrong with probability below 1e-6
    assert draws.count("wandering monster") == pytest.approx(240, abs=68)
    assert draws.count("healing potion") == pytest.approx(120, abs=52)


ALCOVE = """\
.....
.AAA.
.AAA.
.....
"""


def alcove(traps: Iterable[tuple[int, int]], *, is_searched: bool) -> Scene:
    """A hero who has walked through a room, with pits on these squares."""
    listed = ", ".join(f"[pit, {x}, {y}]" for x, y in traps)
    shown = scene(ALCOVE, start="[[1, 1]]", monsters="[[gargoyle, 4, 3]]", traps=f"[{listed}]").play("move E")
    return shown.play("search traps") if is_searched else shown


@pytest.mark.gate
@pytest.mark.parametrize("is_searched", [False, True])
def test_a_redeal_puts_traps_where_an_enumeration_of_all_dungeons_does_and_as_often(is_searched: bool) -> None:
    truth = alcove([(0, 0), (4, 0)], is_searched=is_searched)
    places = [(x, y) for x in range(5) for y in range(4) if (x, y) != (1, 1)]
    worlds = [pair for pair in combinations(places, 2) if alcove(pair, is_searched=is_searched).view() == truth.view()]
    assert any(y in (1, 2) and 1 <= x <= 3 for pair in worlds for x, y in pair) is not is_searched
    rng, drawn = random.Random(5), Counter[Any]()
    for _ in range(40 * len(worlds)):
        twin = truth.game.redeal(truth.state, 0, rng)
        drawn[tuple(sorted(truth.place(trap.cell) for trap in twin.dungeon.traps))] += 1
    assert set(drawn) == {tuple(sorted(pair)) for pair in worlds}
    assert all(8 <= count <= 72 for count in drawn.values())  # 5 standard deviations
