"""The twelve spells, and who may be targeted under which rules of visibility."""

from __future__ import annotations

from typing import Any

import pytest

from games.heroquest.catalogue import SPELL_GROUPS
from games.heroquest.sight.board import make_edge
from games.heroquest.spells import dealt_spells
from games.heroquest.visibility import is_target
from tests.games.heroquest.scenes import Scene, scene

ALL_SPELLS = tuple(spell for group in SPELL_GROUPS.values() for spell in group)


def caster(heroes: int = 1, **keys: Any) -> Scene:
    """A barbarian who knows every spell, at (2, 2)."""
    return scene(heroes=heroes, **keys).at(2, 2).hero_set(spells=ALL_SPELLS)


def test_the_elf_holds_one_group_and_the_wizard_the_others() -> None:
    dealt = dealt_spells(("barbarian", "elf", "wizard"), "water")
    assert dealt["elf"] == SPELL_GROUPS["water"]
    assert len(dealt["wizard"]) == 9
    assert not set(dealt["elf"]) & set(dealt["wizard"])
    assert "barbarian" not in dealt


def test_each_spell_is_cast_once() -> None:
    after = caster().play("cast rock skin 2,2")
    assert {*ALL_SPELLS} - {*after.hero.spells} == {"rock skin"}
    assert not after.change(has_acted=False).is_legal("cast rock skin 2,2")


@pytest.mark.parametrize("spell", ["heal body", "water of healing"])
def test_healing_restores_four_points_and_no_more_than_were_lost(spell: str) -> None:
    assert caster().hero_set(body=2).play(f"cast {spell} 2,2").hero.body == 6
    assert caster().hero_set(body=7).play(f"cast {spell} 2,2").hero.body == 8


def test_friends_in_the_room_can_be_helped() -> None:
    after = caster(heroes=2).hero_set(1, body=1).at(4, 3, seat=1).play("cast heal body 4,3")
    assert after.state.heroes[1].body == 5


def test_swift_wind_doubles_the_movement() -> None:
    own = caster().with_points(5).play("cast swift wind 2,2")
    assert own.state.points == 10
    friend = caster(heroes=2).at(4, 3, seat=1).play("cast swift wind 4,3", "end")
    assert friend.state.seat == 1
    plain = caster(heroes=2).at(4, 3, seat=1).play("cast rock skin 4,3", "end")
    assert friend.state.points == 2 * plain.state.points
    assert friend.state.heroes[1].effects == ()


def test_pass_through_rock_leads_through_walls_and_reveals_the_room() -> None:
    after = caster().at(4, 2).play("cast pass through rock 4,2")
    assert not caster().at(4, 2).is_legal("move E")
    inside = after.play("move E")
    assert inside.is_seen(8, 3)
    assert inside.monster.kind == "gargoyle"
    assert inside.play("end").hero.effects == ()


def test_nobody_ends_in_rock() -> None:
    shown = scene("..#..\n.....", start="[[1, 0]]", monsters="[[gargoyle, 4, 1]]").hero_set(
        effects=("pass through rock",)
    )
    assert shown.is_legal("move E E")
    assert not shown.is_legal("move E")


def test_veil_of_mist_leads_past_monsters() -> None:
    shown = caster().with_monster("orc", 3, 2)
    assert not shown.is_legal("move E E")
    after = shown.play("cast veil of mist 2,2")
    assert after.is_legal("move E E")
    assert not after.is_legal("move E")


def test_walking_spells_wait_for_a_turn_with_a_walk() -> None:
    after = caster().play("cast veil of mist 2,2", "end")
    assert after.hero.effects == ("veil of mist",)
    assert after.with_points(3).play("move E", "end").hero.effects == ()


def test_ball_of_flame_does_two_damage_less_one_for_each_five_or_six() -> None:
    shown = caster().with_monster("gargoyle", 4, 2).monster_set(body=9)
    hits = [9 - shown.change(seed=seed).play("cast ball of flame 4,2").monster.body for seed in range(540)]
    # 2, 1 and 0 with 4/9, 4/9 and 1/9; 5 standard deviations: wrong with probability below 1e-6
    assert hits.count(2) == pytest.approx(240, abs=58)
    assert hits.count(1) == pytest.approx(240, abs=58)
    assert hits.count(0) == pytest.approx(60, abs=37)


def test_fire_of_wrath_does_one_damage_unless_five_or_six() -> None:
    shown = caster().with_monster("gargoyle", 4, 2)
    hits = [3 - shown.change(seed=seed).play("cast fire of wrath 4,2").monster.body for seed in range(540)]
    assert set(hits) == {0, 1}
    assert sum(hits) == pytest.approx(360, abs=55)


def test_the_genie_strikes_with_five_dice() -> None:
    shown = caster().with_monster("goblin", 4, 2).monster_set(body=9)
    assert max(shown.outcomes("cast genie 4,2", lambda one: 9 - one.monster.body, seeds=300)) == 5


def test_the_genie_opens_any_known_door() -> None:
    shown = caster(doors="[[4, 2, 5, 2]]").at(1, 3)
    after = shown.play("cast genie 4,2|5,2")
    assert after.is_seen(8, 3)
    assert not caster().is_legal("cast genie 4,2|5,2")


def test_tempest_costs_a_monster_its_next_turn_only() -> None:
    shown = caster().with_monster("orc", 4, 2).with_monster("goblin", 4, 3).play("cast tempest 4,2", "end")
    assert not shown.is_legal("move 0 N")
    assert shown.is_legal("move 1 W")
    assert shown.play("end", "end").is_legal("move 0 N")


def asleep(kind: str) -> Scene:
    shown = caster().with_monster(kind, 3, 2)
    return shown.lucky("cast sleep 3,2", lambda one: one.monster.is_asleep)


def test_sleepers_do_nothing_and_do_not_defend() -> None:
    shown = asleep("goblin")
    waiting = shown.lucky("end", lambda one: one.monster.is_asleep)
    assert (waiting.state.seat, waiting.state.round) == (0, 2)  # Zargon has nobody who could act
    full = shown.monster_set(body=9).change(has_acted=False)
    hits = [9 - full.change(seed=seed).play("attack E").monster.body for seed in range(400)]
    # three dice against none: 1.5 on average, standard deviation 0.87; wrong with probability below 1e-6
    assert sum(hits) / 400 == pytest.approx(1.5, abs=5 * 0.87 / 20)


def test_a_sleeper_wakes_on_a_six_with_one_die_per_mind() -> None:
    shown = asleep("gargoyle")  # mind 4: 1 - (5/6)^4 = 0.518
    woken = sum(not shown.change(seed=seed).play("end").monster.is_asleep for seed in range(600))
    assert woken == pytest.approx(311, abs=62)


@pytest.mark.parametrize("kind", ["skeleton", "zombie", "mummy"])
def test_the_undead_do_not_sleep(kind: str) -> None:
    shown = caster().with_monster(kind, 3, 2)
    assert shown.outcomes("cast sleep 3,2", lambda one: one.monster.is_asleep) == {False}


TWO_ROOMS = """\
..........
.AAAABBBB.
.AAAABBBB.
..........
"""


def targets(
    *, seat_at: tuple[int, int], target: tuple[int, int], others: tuple[tuple[int, int], ...] = (), **params: Any
) -> dict[str, bool]:
    """Whether (shot, spell) can go at the target with other figures about; the door between the rooms stands open."""
    shown = scene(
        TWO_ROOMS, start="[[1, 1]]", monsters="[[gargoyle, 8, 1]]", doors="[[4, 1, 5, 1], [8, 2, 8, 3]]", params=params
    ).at(*seat_at)
    doors = ((shown.cell(4, 1), shown.cell(5, 1)), (shown.cell(8, 2), shown.cell(8, 3)))
    shown = shown.change(changes=doors, lurkers=(), seen=shown.situation.layout.everything)
    for place in (target, *others):
        shown = shown.with_monster("orc", *place)
    assert all(make_edge(shown.place(a), shown.place(b)) in shown.situation.board.open_doors for a, b in doors)
    return {by: is_target(shown.situation, shown.hero.cell, shown.cell(*target), by) for by in ("shot", "spell")}


def test_in_the_own_room_house_and_eu_hit_always_and_us_along_clear_lines() -> None:
    line = {"seat_at": (1, 1), "target": (3, 1), "others": ((2, 1),)}
    assert targets(**line) == {"shot": True, "spell": True}  # type: ignore[arg-type]
    assert targets(**line, visibility="eu") == {"shot": True, "spell": True}  # type: ignore[arg-type]
    assert targets(**line, visibility="us") == {"shot": False, "spell": False}  # type: ignore[arg-type]


def test_the_house_never_hits_into_another_room_unless_camping_is_allowed() -> None:
    assert targets(seat_at=(3, 1), target=(6, 1)) == {"shot": False, "spell": False}
    assert targets(seat_at=(3, 1), target=(6, 1), door_camping=True) == {"shot": True, "spell": True}
    assert targets(seat_at=(3, 1), target=(6, 1), visibility="us") == {"shot": True, "spell": True}


def test_the_house_hits_into_corridors_along_clear_lines() -> None:
    assert targets(seat_at=(8, 1), target=(8, 3)) == {"shot": True, "spell": True}
    assert targets(seat_at=(8, 1), target=(8, 3), others=((8, 2),)) == {"shot": False, "spell": False}
    assert targets(seat_at=(1, 2), target=(1, 3)) == {"shot": False, "spell": False}


def test_in_europe_figures_obstruct_spells_but_no_shots() -> None:
    line = {"seat_at": (8, 1), "target": (8, 3), "others": ((8, 2),)}
    assert targets(**line, visibility="eu") == {"shot": True, "spell": False}  # type: ignore[arg-type]


def test_melee_through_an_open_door_is_allowed() -> None:
    shown = scene(doors="[[4, 2, 5, 2]]", monsters="[[gargoyle, 5, 2]]").at(4, 2).play("open E")
    assert shown.is_legal("attack E")


def test_a_crossbow_shoots_with_three_dice_at_what_is_not_adjacent() -> None:
    shown = (
        scene().at(1, 1).hero_set(items=("crossbow",), kind="wizard").with_monster("goblin", 4, 3).monster_set(body=9)
    )
    assert shown.outcomes("shoot 4,3", lambda one: 9 - one.monster.body, seeds=200) == {0, 1, 2, 3}
    assert not shown.at(3, 2).is_legal("shoot 4,3")
    assert not shown.hero_set(items=()).is_legal("shoot 4,3")
