"""The tactics of Zargon: whom a monster strikes, which monsters may still walk, where their prey is."""

from __future__ import annotations

from gridjoust.games.bitset import mask_of
from gridjoust.games.heroquest.actions import Attack
from gridjoust.games.heroquest.combat import defend_dice, kill_chance, mean_damage, neighbour
from gridjoust.games.heroquest.legal import monster_attacks
from gridjoust.games.heroquest.situation import Situation

BODY_WEIGHT = 1.5  # steps that one body point of the prey is worth


def best_strike(situation: Situation) -> Attack | None:
    """Return the strike with the highest 10 × chance to kill + expected damage; None if there is none."""
    heroes = situation.hero_cells()

    def value(attack: Attack) -> float:
        assert attack.monster is not None
        one = situation.state.monsters[attack.monster]
        hero = situation.state.heroes[heroes[neighbour(situation, one.cell, attack.side)]]
        dice, defence = situation.rules.profile(one.kind).attack + one.bonus, defend_dice(hero)
        kill = kill_chance(dice, defence, hero.body, by_monster=True)
        return 10 * kill + mean_damage(dice, defence, by_monster=True)

    return max(monster_attacks(situation), key=value, default=None)


def waiting(situation: Situation) -> list[int]:
    """Return the numbers of monsters that can still walk and strike, those nearest to a hero first."""
    monsters, heroes = situation.state.monsters, list(situation.hero_cells())
    ready = [number for number, one in enumerate(monsters) if one.body > 0 and not (one.has_moved or one.has_acted)]
    return sorted(ready, key=lambda number: min(situation.distance(monsters[number].cell, at) for at in heroes))


def points_of(situation: Situation, number: int) -> int:
    """Return the number of squares that this monster can walk in a turn."""
    return situation.rules.profile(situation.state.monsters[number].kind).move


def prey(situation: Situation, number: int) -> dict[int, float]:
    """Return square -> price for each square from which a hero can be struck; the less body the hero has, the cheaper.

    Squares with other monsters are left out unless all are occupied.
    """
    walls = situation.obstacles() | mask_of(situation.hero_cells())
    goals: dict[int, float] = {}
    for hero in situation.state.heroes:
        for cell in situation.open_beside(hero.cell) if hero.body > 0 else ():
            if not walls >> cell & 1:
                goals[cell] = min(BODY_WEIGHT * hero.body, goals.get(cell, BODY_WEIGHT * hero.body))
    others = mask_of(situation.monster_cells()) & ~(1 << situation.state.monsters[number].cell)
    return {cell: price for cell, price in goals.items() if not others >> cell & 1} or goals
