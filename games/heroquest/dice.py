"""Combat dice: three skulls, two white shields, one black one. Rolls with a generator that is handed in."""

from __future__ import annotations

import random
from functools import cache
from math import comb
from typing import NamedTuple

SKULLS, WHITE_SHIELDS, BLACK_SHIELDS = 3, 2, 1  # of six sides
SIDES = 6


class Roll(NamedTuple):
    """How many of each sign came up."""

    skulls: int
    white: int
    black: int


def roll(dice: int, rng: random.Random) -> Roll:
    """So many combat dice."""
    faces = [rng.randrange(SIDES) for _ in range(dice)]
    skulls = sum(face < SKULLS for face in faces)
    black = faces.count(SIDES - 1)
    return Roll(skulls, dice - skulls - black, black)


def damage(attack: Roll, defence: Roll, *, by_monster: bool) -> int:
    """Skulls that are not cancelled: heroes defend with white shields, monsters with black ones."""
    return max(0, attack.skulls - (defence.white if by_monster else defence.black))


@cache
def damage_chances(attack_dice: int, defend_dice: int, *, by_monster: bool) -> tuple[float, ...]:
    """The probability of 0, 1, 2 … points of damage."""
    shields = WHITE_SHIELDS if by_monster else BLACK_SHIELDS
    chances = [0.0] * (attack_dice + 1)
    for skulls in range(attack_dice + 1):
        for cancelled in range(defend_dice + 1):
            hit = _binomial(attack_dice, skulls, SKULLS) * _binomial(defend_dice, cancelled, shields)
            chances[max(0, skulls - cancelled)] += hit
    return tuple(chances)


def mean_damage(attack_dice: int, defend_dice: int, *, by_monster: bool) -> float:
    """The expected damage."""
    chances = damage_chances(attack_dice, defend_dice, by_monster=by_monster)
    return sum(points * chance for points, chance in enumerate(chances))


def kill_chance(attack_dice: int, defend_dice: int, body: int, *, by_monster: bool) -> float:
    """The probability of at least `body` points of damage."""
    return sum(damage_chances(attack_dice, defend_dice, by_monster=by_monster)[body:])


def _binomial(dice: int, hits: int, sides: int) -> float:
    return float(comb(dice, hits) * sides**hits * (SIDES - sides) ** (dice - hits) / SIDES**dice)
