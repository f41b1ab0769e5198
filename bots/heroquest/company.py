"""Heroes who go together: who leads them, where the others go, and when a door may be opened.

One hero at a time behind a door that opens is one hero against everybody behind it: heroes that each explore the
nearest corner lose The Trial two times of three, heroes that go together hardly ever. The leader explores; the others
go where it is going next, and it opens no door before they are there. All by what every hero knows, so that heroes of
different bots come together too. Only where there is somebody to kill: chests are emptied sooner by heroes who part.
"""

from __future__ import annotations

from collections.abc import Mapping

from gridjoust.games.heroquest.catalogue import HEROES
from gridjoust.games.heroquest.movement import Ground, hero_ground
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import Hero, Seat

WEAK_BODY = 2  # a hero with no more than that keeps away from monsters
FIGHTER_BODY = 5  # a hero who starts with fewer body points neither leads nor is waited for
GATHERED_STEPS = 3  # friends this near are there
FOLLOW_STEPS = 2  # followers stop this near to where the leader is going


def leader_of(situation: Situation) -> Seat | None:
    """The first fighter in seat order who has somebody to lead; None if there is none, or if nobody is to be killed."""
    if not situation.dungeon.goal.kill:
        return None
    living = [seat for seat, hero in enumerate(situation.state.heroes) if hero.body > 0]
    fighters = [seat for seat in living if _is_fighter(situation.state.heroes[seat])]
    return fighters[0] if fighters and len(living) > 1 else None


def is_gathered(situation: Situation) -> bool:
    """Whether the acting hero has all fighters around it who can come at all."""
    steps = _steps_from(hero_ground(situation), situation.hero.cell)
    friends = [hero for hero in situation.state.heroes if _is_fighter(hero)]
    return all(steps.get(friend.cell, 0) <= GATHERED_STEPS for friend in friends)


def follow_goals(situation: Situation, leader: Seat, frontier: Mapping[int, float]) -> dict[int, float]:
    """Squares around the edge of the known that is nearest to the leader, or around the leader if there is none.

    The edge itself (`frontier`: squares and what they cost beyond the way) stays free for who leads.
    """
    ground, centre = hero_ground(situation), situation.state.heroes[leader].cell
    steps = _steps_from(ground, centre)
    if ahead := {cell: steps[cell] + price for cell, price in frontier.items() if cell in steps}:
        steps = _steps_from(ground, min(ahead, key=lambda cell: (ahead[cell], cell)))
    shut = {cell for door in situation.known_closed_doors() for cell in door}
    near = (cell for cell, away in steps.items() if away <= FOLLOW_STEPS and cell not in shut)
    return {cell: 0.0 for cell in near if situation.state.seen >> cell & 1}


def _is_fighter(hero: Hero) -> bool:
    return hero.body > WEAK_BODY and HEROES[hero.kind].body >= FIGHTER_BODY


def _steps_from(ground: Ground, start: int) -> dict[int, int]:
    """How far every square is that can be walked to, occupied ones by friends too."""
    steps = {start: 0}
    for cell in (queue := [start]):
        for direction in range(4):
            target = ground.next_cell(cell, direction)
            if target >= 0 and target not in steps:
                steps[target] = steps[cell] + 1
                queue.append(target)
    return steps
