"""Heroes in company: who leads, where the others go, and when a door may be opened.

A lone hero who opens a door faces all monsters behind it. Heroes that each explore the nearest corner lose The Trial
two times of three; heroes in company hardly ever lose it. The leader explores; the others go where it goes next, and it
opens no door before they are near. All rules use what every hero knows, so that heroes of different bots keep together
too. They apply only if a monster must be killed: heroes who split up empty chests sooner.
"""

from __future__ import annotations

from collections.abc import Mapping

from gridjoust.games.heroquest.catalogue import HEROES
from gridjoust.games.heroquest.movement import Ground
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import Hero, Seat

WEAK_BODY = 2  # a hero with at most this many body points avoids monsters
FIGHTER_BODY = 5  # heroes who start with fewer body points neither lead nor are waited for
GATHERED_STEPS = 3  # friends this near count as present
FOLLOW_STEPS = 2  # followers stop this near to the leader's next square


def leader_of(situation: Situation) -> Seat | None:
    """Return the seat of the first fighter who lives and is not weak, or None if no hero has to lead.

    None leads without fighters, if only one hero lives, or if the quest names no monster to kill.
    """
    if not situation.dungeon.goal.kill:
        return None
    living = [seat for seat, hero in enumerate(situation.state.heroes) if hero.body > 0]
    fighters = [seat for seat in living if _is_fighter(situation.state.heroes[seat])]
    return fighters[0] if fighters and len(living) > 1 else None


def is_gathered(situation: Situation, ground: Ground) -> bool:
    """Return True if all fighters whom the acting hero can reach over its ground are near it."""
    steps = _steps_from(ground, situation.hero.cell)
    friends = [hero for hero in situation.state.heroes if _is_fighter(hero)]
    return all(steps.get(friend.cell, 0) <= GATHERED_STEPS for friend in friends)


def follow_goals(situation: Situation, ground: Ground, leader: Seat, frontier: Mapping[int, float]) -> dict[int, float]:
    """Return as goals (square -> price 0) the seen squares around the frontier square nearest to the leader.

    Without one in reach they lie around the leader. The frontier itself (`frontier`: squares and their price beyond the
    path) stays free for the leader.
    """
    steps = _steps_from(ground, situation.state.heroes[leader].cell)
    if ahead := {cell: steps[cell] + price for cell, price in frontier.items() if cell in steps}:
        steps = _steps_from(ground, min(ahead, key=lambda cell: (ahead[cell], cell)))
    shut = {cell for door in situation.known_closed_doors() for cell in door}
    near = (cell for cell, away in steps.items() if away <= FOLLOW_STEPS and cell not in shut)
    return {cell: 0.0 for cell in near if situation.state.seen >> cell & 1}


def _is_fighter(hero: Hero) -> bool:
    return hero.body > WEAK_BODY and HEROES[hero.kind].body >= FIGHTER_BODY


def _steps_from(ground: Ground, start: int) -> dict[int, int]:
    """Return the number of steps to every reachable square; friends do not block."""
    steps = {start: 0}
    for cell in (queue := [start]):
        for direction in range(4):
            target = ground.next_cell(cell, direction)
            if target >= 0 and target not in steps:
                steps[target] = steps[cell] + 1
                queue.append(target)
    return steps
