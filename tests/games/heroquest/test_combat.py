"""Dice, attacks, what adds to them, and who dies of them."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from gridjoust.games.heroquest.combat import (
    Roll,
    attack_dice,
    damage,
    damage_chances,
    defend_dice,
    kill_chance,
    mean_damage,
    roll,
)
from gridjoust.games.heroquest.state import Hero
from tests.games.heroquest.scenes import Scene, scene


@pytest.mark.parametrize(
    ("attack", "defend", "by_monster", "no_damage", "mean"),
    [
        (3, 1, False, Fraction(3, 16), Fraction(65, 48)),
        (3, 2, False, Fraction(1, 4), Fraction(39, 32)),
        (3, 2, True, Fraction(3, 8), Fraction(23, 24)),
        (4, 2, True, Fraction(35, 144), Fraction(101, 72)),
    ],
)
def test_published_odds(attack: int, defend: int, by_monster: bool, no_damage: Fraction, mean: Fraction) -> None:
    assert damage_chances(attack, defend, by_monster=by_monster)[0] == pytest.approx(float(no_damage))
    assert mean_damage(attack, defend, by_monster=by_monster) == pytest.approx(float(mean))
    assert kill_chance(attack, defend, 1, by_monster=by_monster) == pytest.approx(1 - float(no_damage))


def test_a_die_has_three_skulls_two_white_shields_and_one_black() -> None:
    thrown = roll(60_000, random.Random(1))
    # 5 standard deviations: wrong with probability below 1e-6
    assert thrown.skulls == pytest.approx(30_000, abs=5 * 123)
    assert thrown.white == pytest.approx(20_000, abs=5 * 116)
    assert thrown.black == pytest.approx(10_000, abs=5 * 92)
    assert sum(thrown) == 60_000


def test_heroes_ward_off_with_white_shields_and_monsters_with_black_ones() -> None:
    assert damage(Roll(3, 0, 0), Roll(0, 2, 1), by_monster=True) == 1
    assert damage(Roll(3, 0, 0), Roll(0, 2, 1), by_monster=False) == 2
    assert damage(Roll(1, 0, 0), Roll(0, 2, 0), by_monster=True) == 0


def duel(kind: str = "orc", **hero: Any) -> Scene:
    """The barbarian at (2, 2), a monster east of it."""
    return scene().at(2, 2).hero_set(**hero).with_monster(kind, 3, 2)


def test_damage_in_play_follows_the_odds() -> None:
    shown = duel("fimir").monster_set(body=9)
    hits = [9 - shown.change(seed=seed).play("attack E").monster.body for seed in range(600)]
    expected = mean_damage(3, 3, by_monster=False)
    # standard deviation of one attack below 0.9: 5 errors of the mean, wrong with probability below 1e-6
    assert sum(hits) / 600 == pytest.approx(expected, abs=5 * 0.9 / 600**0.5)


def test_a_killed_monster_leaves_its_square() -> None:
    after = duel("goblin").lucky("attack E", lambda shown: shown.monster.body == 0)
    assert (after.hero.killed, len(after.events("die"))) == (1, 1)
    assert after.play("move E").position == (3, 2)


BOARD = "...\n.A.\n...\n"
CLOSED = scene(doors="[[4, 2, 5, 2]]").at(4, 2).with_monster("orc", 5, 2)
CORNER = scene(BOARD, start="[[0, 1]]", monsters="[[gargoyle, 2, 2]]").hero_set(items=("staff",))
BLOCKED = scene(BOARD, start="[[0, 1]]", monsters="[[gargoyle, 2, 2]]", blocked="[[0, 0]]").hero_set(items=("staff",))
ASLANT = scene().at(2, 2).with_monster("orc", 3, 1)
BREWED = duel("gargoyle", potions=("heroic brew",)).play("attack E")
LEGAL: dict[str, tuple[Scene, str, bool]] = {
    "not through a wall": (scene().at(4, 2).with_monster("orc", 5, 2), "attack E", False),
    "not through a closed door": (CLOSED, "attack E", False),
    "through an open door": (CLOSED.change(changes=((CLOSED.cell(4, 2), CLOSED.cell(5, 2)),)), "attack E", True),
    "not aslant": (ASLANT, "attack NE", False),
    "aslant with a staff": (ASLANT.hero_set(items=("staff",)), "attack NE", True),
    "aslant with a longsword": (ASLANT.hero_set(items=("longsword",)), "attack NE", True),
    "not into a room": (CORNER.with_monster("orc", 1, 1), "attack E", False),
    "round a corner of which one way is free": (CORNER.with_monster("orc", 1, 0), "attack NE", True),
    "not if both are closed": (BLOCKED.with_monster("orc", 1, 0), "attack NE", False),
    "once": (duel("gargoyle"), "attack E", True),
    "not twice": (duel("gargoyle").play("attack E"), "attack E", False),
    "but one may still walk": (duel("gargoyle").play("attack E"), "move W", True),
    "twice after a heroic brew": (BREWED, "attack E", True),
    "not three times": (BREWED.play("attack E"), "attack E", False),
    "a monster once a turn": (duel().play("end"), "attack 0 W", True),
    "and not twice": (duel().play("end", "attack 0 W"), "attack 0 W", False),
}


@pytest.mark.parametrize(("shown", "text", "expected"), LEGAL.values(), ids=LEGAL)
def test_who_may_strike(shown: Scene, text: str, expected: bool) -> None:
    assert shown.is_legal(text) is expected


def hero(**changed: object) -> Hero:
    return Hero("barbarian", 0, 8, 2)._replace(**changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "attack", "defend"),
    [
        ({}, 3, 2),
        ({"items": ("battle axe",)}, 4, 2),
        ({"items": ("dagger",)}, 3, 2),
        ({"items": ("helmet", "shield", "chain mail")}, 3, 5),
        ({"items": ("plate mail",)}, 3, 4),
        ({"effects": ("courage",)}, 5, 2),
        ({"effects": ("rock skin",)}, 3, 3),
        ({"potions": ("strength potion",)}, 5, 2),
        ({"potions": ("defence potion",)}, 3, 4),
        ({"is_in_pit": True}, 2, 1),
        ({"kind": "wizard", "is_in_pit": True}, 1, 1),
    ],
)
def test_attack_and_defence_dice(changed: dict[str, object], attack: int, defend: int) -> None:
    assert (attack_dice(hero(**changed)), defend_dice(hero(**changed))) == (attack, defend)


def test_courage_strength_and_a_brew_are_used_up_by_an_attack() -> None:
    potions = ("strength potion", "healing potion", "heroic brew")
    after = duel("gargoyle", effects=("courage", "rock skin"), potions=potions).play("attack E")
    assert (after.hero.effects, after.hero.potions) == (("rock skin",), ("healing potion",))


def attacked(**changed: Any) -> Scene:
    """Zargon's turn, an orc with four dice more beside the barbarian."""
    return duel(**changed).monster_set(bonus=4).play("end")


def test_monsters_strike_straight_only() -> None:
    shown = ASLANT.play("end")
    assert shown.state.seat == 1
    assert not any(text.startswith("attack") for text in shown.legal())


def test_rock_skin_lasts_until_the_hero_is_hurt_and_a_defence_potion_helps_once() -> None:
    shown = attacked(effects=("rock skin",))
    assert shown.lucky("attack 0 W", lambda one: one.hero.body < 8).hero.effects == ()
    assert shown.monster_set(bonus=-2).lucky("attack 0 W", lambda one: one.hero.body == 8).hero.effects == (
        "rock skin",
    )
    shown = attacked(potions=("defence potion",))
    assert (defend_dice(shown.hero), defend_dice(shown.play("attack 0 W").hero)) == (4, 2)


def test_a_healing_potion_is_drunk_at_the_last_moment() -> None:
    shown = attacked(body=1, potions=("healing potion",))
    after = shown.lucky("attack 0 W", lambda one: bool(one.events("heal")))
    assert 1 <= after.hero.body <= 6
    assert after.hero.potions == ()
    assert shown.outcomes("attack 0 W", lambda one: one.hero.body) <= {1, 2, 3, 4, 5, 6}


def test_a_hero_without_body_is_dead_skipped_and_blocks_nobody_and_zargon_wins_when_all_are() -> None:
    after = attacked(body=1).lucky("attack 0 W", lambda shown: shown.hero.body == 0)
    assert after.state.winner == "zargon"
    assert after.returns() == (-1.0, 1.0)
    assert after.game.reason(after.state) == "all heroes are dead in round 1"
    shown = scene(heroes=2).hero_set(1, body=0).with_monster("orc", 4, 3).play("move E")
    assert shown.position == (2, 1)
    assert shown.play("end").state.seat == 2
