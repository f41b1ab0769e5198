"""Heroes in company: who leads, where the others go, and when a door may be opened.

A lone hero who opens a door faces all monsters behind it. Heroes that each explore the nearest corner lose The Trial
two times of three; heroes in company hardly ever lose it. The leader explores; the others go where it goes next, and it
opens no door before they are near. All rules use what every hero knows, so that heroes of different bots keep together
too. They apply only if a monster must be killed: heroes who split up empty chests sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gridjoust.bots.planners.stats import Plan
from gridjoust.games.heroquest.catalogue import HEROES
from gridjoust.games.heroquest.movement import Ground
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import Hero, Seat

Ask = Callable[[int, dict[int, float]], Plan[int]]  # (start, goals with prices) -> the plan of the bot's planner

WEAK_BODY = 2  # a hero with at most this many body points avoids monsters
FIGHTER_BODY = 5  # heroes who start with fewer body points neither lead nor are waited for
GATHERED_STEPS = 3  # friends this near count as present
FOLLOW_STEPS = 2  # followers stop this near to the leader's next square


def leader_of(situation: Situation) -> Seat | None:
    """Return the seat of the first fighter who lives and is not weak, or None if no hero has to lead.

    No hero has to lead if there is no such fighter, if only one hero lives, or if the quest names no monster to kill.
    """
    if not situation.dungeon.goal.kill:
        return None
    living = [seat for seat, hero in enumerate(situation.state.heroes) if hero.body > 0]
    fighters = [seat for seat in living if _is_fighter(situation.state.heroes[seat])]
    return fighters[0] if fighters and len(living) > 1 else None


def is_gathered(situation: Situation, ask: Ask) -> bool:
    """Return True if all fighters whom the acting hero can reach are near it, by the paths of the bot's planner."""
    here = situation.hero.cell
    friends = [hero.cell for hero in situation.state.heroes if _is_fighter(hero) and hero.cell != here]
    return all(steps_of(ask(here, {friend: 0.0})) <= GATHERED_STEPS for friend in friends)


def follow_goals(
    situation: Situation, ground: Ground, leader: Seat, frontier: Mapping[int, float], ask: Ask
) -> dict[int, float]:
    """Return as goals (square -> price 0) the seen squares around the frontier square nearest to the leader.

    The bot's planner finds this square. If none is in reach, the goals lie around the leader's own square. The frontier
    itself (`frontier`: squares and their price beyond the path) stays free for the leader.
    """
    cell = situation.state.heroes[leader].cell
    plan = ask(cell, dict(frontier))
    if plan.found:
        cell = next(other for other in reversed(plan.path) if other >= 0)
    near = {cell}
    for _ in range(FOLLOW_STEPS):
        near |= {ground.next_cell(one, direction) for one in near for direction in range(4)} - {-1}
    shut = {other for door in situation.known_closed_doors() for other in door}
    return {other: 0.0 for other in sorted(near - shut) if situation.state.seen >> other & 1}


def steps_of(plan: Plan[int]) -> int:
    """Return the number of steps of a plan's path, 0 if it has none; a sink (-1) at its end does not count."""
    return max(0, sum(cell >= 0 for cell in plan.path) - 1)


def _is_fighter(hero: Hero) -> bool:
    return hero.body > WEAK_BODY and HEROES[hero.kind].body >= FIGHTER_BODY
