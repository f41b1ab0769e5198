"""Traps, jumps, disarming, searches and treasure."""

from __future__ import annotations

from typing import Any

import pytest

from games.heroquest.catalogue import CARDS, DECK
from tests.games.heroquest.scenes import Scene, scene


def trapped(kind: str, *, is_known: bool = False, **keys: Any) -> Scene:
    """A trap at (3, 1), two steps east of the first hero."""
    shown = scene(traps=f"[[{kind}, 3, 1]]", **keys)
    return shown.change(found_traps=1 << shown.cell(3, 1)) if is_known else shown


def test_a_pit_costs_one_body_and_ends_the_turn() -> None:
    after = trapped("pit", heroes=2).play("move E E E")
    assert after.position == (3, 1)
    assert (after.hero.body, after.hero.is_in_pit) == (7, True)
    assert after.state.seat == 1
    assert after.view()["traps"] == [["pit", 3, 1]]


def test_a_pit_stays_and_is_left_by_walking() -> None:
    after = trapped("pit").play("move E E").with_points(5).play("move E")
    assert (after.position, after.hero.is_in_pit, after.hero.body) == ((4, 1), False, 7)
    again = after.play("move W")
    assert (again.hero.is_in_pit, again.hero.body) == (True, 6)


def test_heroes_share_a_known_pit() -> None:
    shown = trapped("pit", heroes=2).at(3, 1, seat=1)
    assert not shown.is_legal("move E E")
    assert shown.change(found_traps=1 << shown.cell(3, 1)).is_legal("move E E")


def test_a_spear_hits_with_a_skull_and_is_gone_either_way() -> None:
    shown = trapped("spear", heroes=2)
    hit = shown.lucky("move E E", lambda one: one.hero.body == 7)
    dodged = shown.lucky("move E E E", lambda one: one.hero.body == 8)
    assert hit.state.seat == 1
    assert (dodged.state.seat, dodged.position) == (0, (3, 1))
    assert dodged.state.points == 10
    assert not dodged.situation.traps()
    assert not hit.situation.traps()


def test_a_falling_block_rolls_three_dice_and_closes_the_square_for_good() -> None:
    shown = trapped("block")
    assert shown.outcomes("move E E E", lambda one: 8 - one.hero.body) == {0, 1, 2, 3}
    after = shown.play("move E E E")
    assert after.position == (2, 1)
    assert after.view()["map"][1][3] == "#"
    assert not after.is_legal("move E")


def test_known_traps_are_left_out_of_the_offered_paths_but_may_be_walked_on() -> None:
    shown = trapped("pit", is_known=True)
    assert "move E E E" not in shown.legal()
    assert shown.is_legal("move E E E")


def test_a_jump_costs_two_points_and_succeeds_with_any_shield() -> None:
    shown = trapped("pit", is_known=True).at(2, 1)
    over = shown.lucky("jump E", lambda one: one.position == (4, 1))
    fell = shown.lucky("jump E", lambda one: one.position == (3, 1))
    assert (over.state.points, over.hero.body) == (10, 8)
    assert (fell.hero.is_in_pit, fell.hero.body) == (True, 7)
    successes = sum(shown.change(seed=seed).play("jump E").position == (4, 1) for seed in range(600))
    assert successes == pytest.approx(300, abs=62)  # 5 standard deviations: wrong with probability below 1e-6


def test_a_jump_needs_a_known_trap_two_points_and_a_free_landing_square() -> None:
    shown = trapped("pit", is_known=True).at(2, 1)
    assert shown.is_legal("jump E")
    assert not trapped("pit").at(2, 1).is_legal("jump E")
    assert not shown.with_points(1).is_legal("jump E")
    assert not shown.with_monster("orc", 4, 1).is_legal("jump E")
    assert not trapped("pit", is_known=True, furniture="[[throne, 4, 1]]").at(2, 1).is_legal("jump E")


def test_a_failed_jump_over_a_block_throws_the_hero_back() -> None:
    shown = trapped("block", is_known=True).at(2, 1)
    after = shown.lucky("jump E", lambda one: bool(one.events("trap")))
    assert after.position == (2, 1)
    assert not after.is_legal("jump E")


def share_of_failures(shown: Scene) -> int:
    return sum(bool(shown.change(seed=seed).play("disarm E").events("trap")) for seed in range(600))


def test_the_dwarf_fails_on_a_black_shield_only() -> None:
    shown = trapped("pit", is_known=True, params={"heroes": "dwarf"}).at(2, 1)
    # 1 in 6 of 600; 5 standard deviations: wrong with probability below 1e-6
    assert share_of_failures(shown) == pytest.approx(100, abs=46)


def test_anyone_with_a_tool_kit_succeeds_on_shields() -> None:
    shown = trapped("pit", is_known=True).at(2, 1)
    assert not shown.is_legal("disarm E")
    assert share_of_failures(shown.hero_set(items=("tool kit",))) == pytest.approx(300, abs=62)


def test_a_disarmed_trap_is_gone_and_the_action_used() -> None:
    shown = trapped("pit", is_known=True, params={"heroes": "dwarf"}).at(2, 1)
    after = shown.lucky("disarm E", lambda one: not one.events("trap"))
    assert after.play("move E E").hero.body == 7
    assert not after.is_legal("search traps")


def test_traps_in_the_own_room_are_found_and_no_others() -> None:
    after = scene(traps="[[pit, 6, 2], [pit, 3, 3]]").play("search traps")
    assert after.state.found_traps == 1 << after.cell(3, 3)
    assert after.view()["traps"] == [["pit", 3, 3]]


@pytest.mark.parametrize("what", ["traps", "doors", "treasure"])
def test_nobody_searches_with_a_monster_in_sight(what: str) -> None:
    assert scene().is_legal(f"search {what}")
    assert not scene().with_monster("orc", 4, 3).is_legal(f"search {what}")


def test_secret_doors_of_the_own_room_are_found_and_can_be_opened() -> None:
    shown = scene(secret_doors="[[4, 2, 5, 2]]").at(4, 2)
    assert not shown.is_legal("open E")
    after = shown.play("search doors")
    assert after.is_legal("open E")
    assert after.play("open E").is_seen(8, 3)


RING = """\
.......
.AAAAA.
.AAAAA.
.......
"""


def in_ring(**changed: Any) -> Scene:
    """A hero in the corridor at (0, 0): it sees the first row and column, but neither of the others."""
    return scene(
        RING, start="[[0, 0]]", monsters="[[gargoyle, 5, 2]]", traps="[[pit, 6, 2], [pit, 4, 0]]",
        secret_doors="[[3, 2, 3, 3], [2, 0, 2, 1]]", params=changed,
    )  # fmt: skip


def everything_walked(shown: Scene) -> Scene:
    return shown.change(seen=shown.situation.layout.corridor)


def found(shown: Scene, what: str) -> list[tuple[int, int]]:
    return [shown.place(cell) for event in shown.play(f"search {what}").events("search") for cell in event.cells]


def test_corridor_searches_cover_squares_in_sight() -> None:
    shown = everything_walked(in_ring())
    assert found(shown, "traps") == [(4, 0)]
    assert found(shown, "doors") == [(2, 0), (2, 1)]


def test_search_reachable_covers_all_revealed_corridor_squares() -> None:
    shown = everything_walked(in_ring(search="reachable"))
    assert found(shown, "traps") == [(4, 0), (6, 2)]
    assert len(found(shown, "doors")) == 4


def test_search_reachable_stops_at_what_is_not_revealed() -> None:
    assert found(in_ring(search="reachable"), "traps") == [(4, 0)]


@pytest.mark.parametrize("visibility", ["us", "eu"])
def test_both_editions_search_their_own_corridor_for_secret_doors(visibility: str) -> None:
    shown = everything_walked(in_ring(visibility=visibility))
    assert len(found(shown, "doors")) == 4
    assert found(shown, "traps") == [(4, 0)]


def test_treasure_is_searched_once_per_hero_and_room_and_never_in_corridors() -> None:
    shown = scene(heroes=2)
    assert not shown.at(0, 0).is_legal("search treasure")
    after = shown.change(deck=(0,) * len(CARDS)).play("search treasure")
    assert not after.change(has_acted=False).is_legal("search treasure")
    assert after.change(seat=1, has_acted=False).is_legal("search treasure")


def test_a_full_chest_is_emptied_instead_of_drawing_a_card() -> None:
    after = scene(chests="[[4, 3, 84]]", goal="{loot: true, return: true}").at(3, 3).play("search treasure")
    assert after.hero.gold == 84
    assert after.state.deck == tuple(DECK.values())
    assert after.view()["map"][3][4] == "e"
    assert not after.state.winner
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


def test_a_wandering_monster_comes_beside_the_searcher_and_attacks_at_once() -> None:
    after = with_card("wandering monster").at(2, 2).play("search treasure")
    x, y = after.place(after.monster.cell)
    assert abs(x - 2) + abs(y - 2) == 1
    assert after.monster.kind == "orc"
    assert [event.who for event in after.events("hit")] == ["barbarian"]
    assert sum(after.state.deck) == 6


def test_a_wandering_monster_without_room_does_not_come() -> None:
    shown = scene(".A.\n...", start="[[1, 0]]", monsters="[[gargoyle, 2, 1]]")
    shown = shown.change(deck=tuple(6 if name == "wandering monster" else 0 for name in CARDS))
    after = shown.play("search treasure")
    assert after.state.monsters == ()
    assert after.hero.body == 8


def test_all_cards_left_are_equally_likely() -> None:
    shown = scene().at(2, 2)
    draws = [shown.change(seed=seed).play("search treasure").events("treasure")[0].name for seed in range(960)]
    # 240 wandering monsters and 120 healing potions expected; 5 standard deviations: wrong with probability below 1e-6
    assert draws.count("wandering monster") == pytest.approx(240, abs=68)
    assert draws.count("healing potion") == pytest.approx(120, abs=52)
