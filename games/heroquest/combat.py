"""Attacks: number of dice, possible targets and damage.

Combat dice have three skulls, two white shields and a black one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from math import comb
from typing import NamedTuple

from gridjoust.games.heroquest.actions import COMPASS
from gridjoust.games.heroquest.catalogue import COURAGE_DICE, HEROES, ITEMS, POTION_DICE
from gridjoust.games.heroquest.situation import Situation, SituationDraft
from gridjoust.games.heroquest.state import Event, Hero, Seat, without
from gridjoust.games.heroquest.visibility import can_strike

SKULLS, WHITE_SHIELDS, BLACK_SHIELDS = 3, 2, 1  # sides of a die with each sign, of six
SIDES = 6


class Roll(NamedTuple):
    """The result of combat dice: the number of each sign."""

    skulls: int
    white: int
    black: int


def roll(dice: int, rng: random.Random) -> Roll:
    """Roll that many combat dice."""
    faces = [rng.randrange(SIDES) for _ in range(dice)]
    skulls = sum(face < SKULLS for face in faces)
    black = faces.count(SIDES - 1)
    return Roll(skulls, dice - skulls - black, black)


def damage(attack: Roll, defence: Roll, *, by_monster: bool) -> int:
    """Return the damage: skulls of the attack minus shields of the defence, white for heroes, black for monsters."""
    return max(0, attack.skulls - (defence.white if by_monster else defence.black))


@cache
def damage_chances(attack_dice: int, defend_dice: int, *, by_monster: bool) -> tuple[float, ...]:
    """Return the probabilities of 0, 1, 2 … points of damage for these numbers of dice."""
    shields = WHITE_SHIELDS if by_monster else BLACK_SHIELDS
    chances = [0.0] * (attack_dice + 1)
    for skulls in range(attack_dice + 1):
        for cancelled in range(defend_dice + 1):
            hit = _binomial(attack_dice, skulls, SKULLS) * _binomial(defend_dice, cancelled, shields)
            chances[max(0, skulls - cancelled)] += hit
    return tuple(chances)


def mean_damage(attack_dice: int, defend_dice: int, *, by_monster: bool) -> float:
    """Return the expected points of damage for these numbers of dice."""
    chances = damage_chances(attack_dice, defend_dice, by_monster=by_monster)
    return sum(points * chance for points, chance in enumerate(chances))


def kill_chance(attack_dice: int, defend_dice: int, body: int, *, by_monster: bool) -> float:
    """Return the probability of at least `body` points of damage."""
    return sum(damage_chances(attack_dice, defend_dice, by_monster=by_monster)[body:])


def _binomial(dice: int, hits: int, sides: int) -> float:
    return float(comb(dice, hits) * sides**hits * (SIDES - sides) ** (dice - hits) / SIDES**dice)


def neighbour(situation: Situation, cell: int, side: str) -> int:
    """Return the neighbouring square on this side (such as `E` or `NE`), or -1 off the board."""
    dx, dy = COMPASS[side]
    width, height = situation.board.width, situation.board.height
    x, y = cell % width + dx, cell // width + dy
    return y * width + x if 0 <= x < width and 0 <= y < height else -1


def melee_sides(situation: Situation) -> Iterator[str]:
    """Yield each side, such as `E` or `NE`, on which the acting hero can attack a monster hand to hand."""
    hero = situation.hero
    monsters = situation.monster_cells()
    if not monsters:
        return
    is_long = any(ITEMS[item].is_diagonal for item in hero.items)
    for side in COMPASS:
        target = neighbour(situation, hero.cell, side)
        if target in monsters and (len(side) == 1 or is_long) and can_strike(situation, hero.cell, target):
            yield side


def attack_dice(hero: Hero, *, diagonal: bool = False, ranged: bool = False) -> int:
    """Return the hero's number of attack dice: its best fitting weapon, with effects of spells, potions and a pit."""
    own = 0 if diagonal or ranged else HEROES[hero.kind].attack
    weapons = [ITEMS[item] for item in hero.items]
    fitting = [item.attack for item in weapons if item.is_ranged == ranged and (item.is_diagonal or not diagonal)]
    extra = COURAGE_DICE * ("courage" in hero.effects) + POTION_DICE * ("strength potion" in hero.potions)
    return max(1, max([own, *fitting]) + extra - hero.is_in_pit)


def defend_dice(hero: Hero) -> int:
    """Return the number of defence dice of hero and armour, with effects of spells, potions and a pit."""
    armour = sum(ITEMS[item].defend for item in hero.items)
    extra = ("rock skin" in hero.effects) + POTION_DICE * ("defence potion" in hero.potions)
    return max(1, HEROES[hero.kind].defend + armour + extra - hero.is_in_pit)


def attack_monster(draft: SituationDraft, number: int, dice: int) -> None:
    """Let the acting hero, or its genie, attack a monster; a sleeping monster does not defend."""
    monster = draft.state.monsters[number]
    strike = roll(dice, draft.rng("attack"))
    profile = draft.rules.profile(monster.kind)
    defence = roll(0 if monster.is_asleep else profile.defend, draft.rng("defence"))
    wound(draft, number, damage(strike, defence, by_monster=False))


def wound(draft: SituationDraft, number: int, points: int) -> None:
    """Take body points from a monster and record the acting hero's hit."""
    monster = draft.state.monsters[number]
    body = max(0, monster.body - points)
    draft.set_monster(number, body=body)
    draft.record(Event("hit", str(number), monster.cell, points, draft.hero.kind))
    if body == 0:
        draft.set_hero(draft.state.seat, killed=draft.hero.killed + 1)
        draft.record(Event("die", str(number), monster.cell))


def attack_hero(draft: SituationDraft, number: int, seat: Seat) -> None:
    """Let a monster attack a hero, and use up the hero's defence potion."""
    hero, monster = draft.state.heroes[seat], draft.state.monsters[number]
    profile = draft.rules.profile(monster.kind)
    strike = roll(profile.attack + monster.bonus, draft.rng("attack"))
    defence = roll(defend_dice(hero), draft.rng("defence"))
    if "defence potion" in hero.potions:
        draft.set_hero(seat, potions=without(hero.potions, "defence potion"))
    hurt(draft, seat, damage(strike, defence, by_monster=True), by=str(number))


def hurt(draft: SituationDraft, seat: Seat, points: int, *, by: str = "") -> None:
    """Take body points from a hero, who drinks a healing potion at 0 if it has one; `by` names the cause."""
    hero = draft.state.heroes[seat]
    draft.record(Event("hit", hero.kind, hero.cell, points, by))
    if points <= 0:
        return
    body = max(0, hero.body - points)
    draft.set_hero(seat, body=body, effects=without(hero.effects, "rock skin"))
    if body == 0 and "healing potion" in hero.potions:
        _drink(draft, seat)
    elif body == 0:
        draft.record(Event("die", hero.kind, hero.cell))


def _drink(draft: SituationDraft, seat: Seat) -> None:
    hero = draft.state.heroes[seat]
    potions = list(hero.potions)
    potions.remove("healing potion")
    body = min(HEROES[hero.kind].body, draft.rng("potion").randint(1, SIDES))
    draft.set_hero(seat, body=body, potions=tuple(potions))
    draft.record(Event("heal", hero.kind, hero.cell, body))
