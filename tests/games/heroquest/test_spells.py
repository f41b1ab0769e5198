"""The twelve spells, and who may be targeted under which rules of visibility."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from gridjoust.games.heroquest.catalogue import SPELL_GROUPS, SPELLS
from gridjoust.games.heroquest.sight.board import make_edge
from gridjoust.games.heroquest.spells import dealt_spells
from gridjoust.games.heroquest.visibility import is_target
from tests.games.heroquest.scenes import Scene, scene


def caster(heroes: int = 1, **keys: Any) -> Scene:
    """A barbarian who knows every spell, at (2, 2)."""
    return scene(heroes=heroes, **keys).at(2, 2).hero_set(spells=SPELLS)


def test_the_elf_holds_one_group_and_the_wizard_the_others_and_a_spell_that_was_cast_is_gone() -> None:
    dealt = dealt_spells(("barbarian", "elf", "wizard"), "water")
    assert dealt["elf"] == SPELL_GROUPS["water"]
    assert set(dealt["wizard"]) == {*SPELLS} - {*dealt["elf"]}
    assert (len(dealt["wizard"]), "barbarian" in dealt) == (9, False)
    assert {*SPELLS} - {*caster().play("cast rock skin 2,2").hero.spells} == {"rock skin"}


@pytest.mark.parametrize("spell", ["heal body", "water of healing"])
def test_healing_restores_four_points_and_no_more_than_were_lost_also_to_friends_in_the_room(spell: str) -> None:
    assert [caster().hero_set(body=body).play(f"cast {spell} 2,2").hero.body for body in (2, 7)] == [6, 8]
    friend = caster(heroes=2).hero_set(1, body=1).at(4, 3, seat=1).play(f"cast {spell} 4,3")
    assert friend.state.heroes[1].body == 5


def test_swift_wind_doubles_the_movement() -> None:
    assert caster().with_points(5).play("cast swift wind 2,2").state.points == 10
    shown = caster(heroes=2).at(4, 3, seat=1)
    friend, plain = (shown.play(f"cast {spell} 4,3", "end") for spell in ("swift wind", "rock skin"))
    assert (friend.state.seat, friend.state.points) == (1, 2 * plain.state.points)
    assert friend.state.heroes[1].effects == ()


def test_pass_through_rock_reveals_the_room_that_it_leads_to() -> None:
    inside = caster().at(4, 2).play("cast pass through rock 4,2", "move E")
    assert (inside.is_seen(8, 3), inside.monster.kind, inside.play("end").hero.effects) == (True, "gargoyle", ())


IN_ROCK = scene("..#..\n.....", start="[[1, 0]]", monsters="[[gargoyle, 4, 1]]").hero_set(
    effects=("pass through rock",)
)
MIST = caster().with_monster("orc", 3, 2)
DOOR = "[[4, 2, 5, 2]]"
WEARY = caster().with_monster("orc", 4, 2).with_monster("goblin", 4, 3).play("cast tempest 4,2", "end")
SHOT = scene().at(1, 1).hero_set(items=("crossbow",), kind="wizard").with_monster("goblin", 4, 3).monster_set(body=9)
AT_A_DOOR = scene(doors=DOOR, monsters="[[gargoyle, 5, 2]]").at(4, 2).play("open E")
LEGAL: dict[str, tuple[Scene, str, bool]] = {
    "a spell is cast once": (caster().play("cast rock skin 2,2").change(has_acted=False), "cast rock skin 2,2", False),
    "walls stop who casts nothing": (caster().at(4, 2), "move E", False),
    "pass through rock leads through rock": (IN_ROCK, "move E E", True),
    "nobody ends in rock": (IN_ROCK, "move E", False),
    "monsters stop who casts nothing": (MIST, "move E E", False),
    "veil of mist leads past them": (MIST.play("cast veil of mist 2,2"), "move E E", True),
    "nobody ends on them": (MIST.play("cast veil of mist 2,2"), "move E", False),
    "the genie opens no door that is not known": (caster(), "cast genie 4,2|5,2", False),
    "tempest costs a monster its next turn": (WEARY, "move 0 N", False),
    "but no other": (WEARY, "move 1 W", True),
    "and that turn only": (WEARY.play("end", "end"), "move 0 N", True),
    "melee through an open door": (AT_A_DOOR, "attack E", True),
    "no shots at who is adjacent": (SHOT.at(3, 2), "shoot 4,3", False),
    "none without a crossbow": (SHOT.hero_set(items=()), "shoot 4,3", False),
}


@pytest.mark.parametrize(("shown", "text", "expected"), LEGAL.values(), ids=LEGAL)
def test_what_may_be_done(shown: Scene, text: str, expected: bool) -> None:
    assert shown.is_legal(text) is expected


def test_walking_spells_wait_for_a_turn_with_a_walk() -> None:
    after = caster().play("cast veil of mist 2,2", "end")
    assert after.hero.effects == ("veil of mist",)
    assert after.with_points(3).play("move E", "end").hero.effects == ()


def test_ball_of_flame_does_two_damage_less_one_for_each_five_or_six() -> None:
    shown = caster().with_monster("gargoyle", 4, 2).monster_set(body=9)
    hits = Counter(9 - shown.change(seed=seed).play("cast ball of flame 4,2").monster.body for seed in range(540))
    # 2, 1 and 0 with 4/9, 4/9 and 1/9; 5 standard deviations: wrong with probability below 1e-6
    assert [hits[2], hits[1]] == pytest.approx([240, 240], abs=58)
    assert hits[0] == pytest.approx(60, abs=37)


def test_fire_of_wrath_does_one_damage_unless_five_or_six() -> None:
    shown = caster().with_monster("gargoyle", 4, 2)
    hits = [3 - shown.change(seed=seed).play("cast fire of wrath 4,2").monster.body for seed in range(540)]
    assert set(hits) == {0, 1}
    assert sum(hits) == pytest.approx(360, abs=55)


def test_the_genie_strikes_with_five_dice_or_opens_any_known_door() -> None:
    shown = caster().with_monster("goblin", 4, 2).monster_set(body=9)
    assert max(shown.outcomes("cast genie 4,2", lambda one: 9 - one.monster.body, seeds=300)) == 5
    assert caster(doors=DOOR).at(1, 3).play("cast genie 4,2|5,2").is_seen(8, 3)


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


ROW: dict[str, Any] = {"seat_at": (1, 1), "target": (3, 1), "others": ((2, 1),)}
THROUGH: dict[str, Any] = {"seat_at": (3, 1), "target": (6, 1)}
OUT: dict[str, Any] = {"seat_at": (8, 1), "target": (8, 3)}
ALONG: dict[str, Any] = {"seat_at": (1, 0), "target": (5, 0)}
PAST: dict[str, Any] = {**OUT, "others": ((8, 2),)}
TARGETS: dict[str, tuple[dict[str, Any], bool, bool]] = {
    "house: always in the own room": (ROW, True, True),
    "eu: always in the own room": ({**ROW, "visibility": "eu"}, True, True),
    "us: in the own room along clear lines": ({**ROW, "visibility": "us"}, False, False),
    "house: never into another room": (THROUGH, False, False),
    "unless camping is allowed": ({**THROUGH, "door_camping": True}, True, True),
    "us: into another room": ({**THROUGH, "visibility": "us"}, True, True),
    "house: nor out of one": (OUT, False, False),
    "unless that is allowed": ({**OUT, "door_camping": True}, True, True),
    "house: along corridors": (ALONG, True, True),
    "with nobody in between": ({**ALONG, "others": ((3, 0),)}, False, False),
    "us: out of a room": ({**OUT, "visibility": "us"}, True, True),
    "us: with nobody in between": ({**PAST, "visibility": "us"}, False, False),
    "not through walls": ({"seat_at": (1, 2), "target": (1, 3)}, False, False),
    "eu: figures obstruct spells but no shots": ({**PAST, "visibility": "eu"}, True, False),
}


@pytest.mark.parametrize(("asked", "shot", "spell"), TARGETS.values(), ids=TARGETS)
def test_what_can_be_hit(asked: dict[str, Any], shot: bool, spell: bool) -> None:
    assert targets(**asked) == {"shot": shot, "spell": spell}


def test_a_crossbow_shoots_with_three_dice() -> None:
    assert SHOT.outcomes("shoot 4,3", lambda one: 9 - one.monster.body, seeds=200) == {0, 1, 2, 3}
