"""Dice, attacks, what adds to them, and who dies of them."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from games.heroquest.combat import (
    Roll,
    attack_dice,
    damage,
    damage_chances,
    defend_dice,
    kill_chance,
    mean_damage,
    roll,
)
from games.heroquest.state import Hero
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
    assert after.hero.killed == 1
    assert after.events("die")
    assert after.play("move E").position == (3, 2)


def test_attacks_need_an_open_side() -> None:
    walled = scene().at(4, 2).with_monster("orc", 5, 2)
    assert not walled.is_legal("attack E")
    opened = walled.change(dungeon=scene(doors="[[4, 2, 5, 2]]").state.dungeon)
    door = (opened.cell(4, 2), opened.cell(5, 2))
    assert not opened.is_legal("attack E")
    assert opened.change(changes=(door,)).is_legal("attack E")


@pytest.mark.parametrize("item", ["staff", "longsword"])
def test_diagonal_attacks_need_staff_or_longsword(item: str) -> None:
    shown = scene().at(2, 2).with_monster("orc", 3, 1)
    assert not shown.is_legal("attack NE")
    assert shown.hero_set(items=(item,)).is_legal("attack NE")


def test_diagonal_attacks_use_the_corner_rule() -> None:
    board = "...\n.A.\n...\n"
    shown = scene(board, start="[[0, 1]]", monsters="[[gargoyle, 2, 2]]").hero_set(items=("staff",))
    assert not shown.with_monster("orc", 1, 1).is_legal("attack E")
    # from (0, 1) to (1, 0) round the corner of the room: the way over (0, 0) is free
    assert shown.with_monster("orc", 1, 0).is_legal("attack NE")
    both = scene(board, start="[[0, 1]]", monsters="[[gargoyle, 2, 2]]", blocked="[[0, 0]]").hero_set(items=("staff",))
    assert not both.with_monster("orc", 1, 0).is_legal("attack NE")


def test_one_action_a_turn() -> None:
    assert duel("gargoyle").is_legal("attack E")
    after = duel("gargoyle").play("attack E")
    assert not after.is_legal("attack E")
    assert after.seat == 0  # it may still walk


def test_a_heroic_brew_gives_two_attacks() -> None:
    after = duel("gargoyle", potions=("heroic brew",)).play("attack E")
    assert after.hero.potions == ()
    assert after.is_legal("attack E")
    assert not after.play("attack E").is_legal("attack E")


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


def test_courage_and_strength_are_used_up_by_an_attack() -> None:
    after = duel("gargoyle", effects=("courage", "rock skin"), potions=("strength potion", "healing potion")).play(
        "attack E"
    )
    assert after.hero.effects == ("rock skin",)
    assert after.hero.potions == ("healing potion",)


def attacked(**changed: Any) -> Scene:
    """Zargon's turn, an orc with four dice more beside the barbarian."""
    return duel(**changed).monster_set(bonus=4).play("end")


def test_monsters_strike_straight_only() -> None:
    shown = scene().at(2, 2).with_monster("orc", 3, 1).play("end")
    assert shown.state.seat == 1
    assert not any(text.startswith("attack") for text in shown.legal())


def test_a_monster_strikes_once_a_turn() -> None:
    assert attacked().is_legal("attack 0 W")
    assert not attacked().play("attack 0 W").is_legal("attack 0 W")


def test_rock_skin_lasts_until_the_hero_is_hurt() -> None:
    hurt = attacked(effects=("rock skin",)).lucky("attack 0 W", lambda shown: shown.hero.body < 8)
    safe = (
        attacked(effects=("rock skin",)).monster_set(bonus=-2).lucky("attack 0 W", lambda shown: shown.hero.body == 8)
    )
    assert hurt.hero.effects == ()
    assert safe.hero.effects == ("rock skin",)


def test_a_defence_potion_helps_once() -> None:
    shown = attacked(potions=("defence potion",))
    assert (defend_dice(shown.hero), defend_dice(shown.play("attack 0 W").hero)) == (4, 2)


def test_a_healing_potion_is_drunk_at_the_last_moment() -> None:
    shown = attacked(body=1, potions=("healing potion",))
    after = shown.lucky("attack 0 W", lambda one: bool(one.events("heal")))
    assert 1 <= after.hero.body <= 6
    assert after.hero.potions == ()
    assert shown.outcomes("attack 0 W", lambda one: one.hero.body) <= {1, 2, 3, 4, 5, 6}


def test_a_hero_without_body_is_dead_and_zargon_wins_when_all_are() -> None:
    after = attacked(body=1).lucky("attack 0 W", lambda shown: shown.hero.body == 0)
    assert after.state.winner == "zargon"
    assert after.returns() == (-1.0, 1.0)
    assert after.game.reason(after.state) == "all heroes are dead in round 1"


def test_a_dead_hero_is_skipped_and_blocks_nobody() -> None:
    shown = scene(heroes=2).hero_set(1, body=0).with_monster("orc", 4, 3).play("move E")
    assert shown.position == (2, 1)
    assert shown.play("end").state.seat == 2
