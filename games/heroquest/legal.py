"""Decide which actions are legal, and list the offered ones.

All legal actions are offered, except that walks are a sample. One shortest path is offered to every square that can be
reached without stepping on a known trap; of Zargon's monsters, only the first that can still walk is offered walks. Any
other path of legal steps is legal too. Nothing here depends on facts that the heroes do not know.
"""

from __future__ import annotations

from collections.abc import Iterator

from gridjoust.games.grid import DIRECTIONS, Direction
from gridjoust.games.heroquest.actions import Action, Attack, Disarm, End, Jump, Move, Open, Search, Shoot
from gridjoust.games.heroquest.catalogue import ITEMS
from gridjoust.games.heroquest.combat import melee_sides
from gridjoust.games.heroquest.movement import hero_ground, is_path, monster_ground, shortest_paths
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.spells import castable
from gridjoust.games.heroquest.traps import can_disarm, can_search_treasure, landing
from gridjoust.games.heroquest.visibility import is_in_sight, is_target


def legal_actions(situation: Situation) -> tuple[Action, ...]:
    """Return the legal actions of the seat whose turn it is, `end` first; of the walks, only a sample."""
    if situation.state.seat == situation.zargon_seat:
        return (End(), *_zargon_actions(situation))
    return (End(), *deeds(situation), *_walks(situation))


def is_legal(situation: Situation, action: Action) -> bool:
    """Return True if the seat whose turn it is may do this."""
    is_zargon = situation.state.seat == situation.zargon_seat
    if isinstance(action, Move):
        if is_zargon:
            return action.monster is not None and _may_walk(situation, action.monster, action.steps)
        ground, points = hero_ground(situation), situation.state.points
        return action.monster is None and is_path(ground, situation.hero.cell, action.steps, points)
    if isinstance(action, End):
        return True
    if is_zargon:
        return isinstance(action, Attack) and action in monster_attacks(situation)
    return action in deeds(situation)


def deeds(situation: Situation) -> tuple[Action, ...]:
    """Return the legal actions of the seat whose turn it is, without walks and `end`."""
    found: list[Action] = list(_doors(situation))
    if situation.state.points and situation.known_traps():
        found += [Jump(DIRECTIONS[number]) for number in range(4) if landing(situation, number) >= 0]
    if not situation.state.has_acted:
        found += _acts(situation)
    return tuple(found)


def _doors(situation: Situation) -> Iterator[Open]:
    cell = situation.hero.cell
    closed = {door for door in situation.known_closed_doors() if cell in door}
    for number, direction in enumerate(DIRECTIONS if closed else ()):
        target = situation.step(cell, number)
        if (min(cell, target), max(cell, target)) in closed:
            yield Open(direction)


def _acts(situation: Situation) -> Iterator[Action]:
    """Yield the acting hero's legal actions that are allowed once a turn, such as attacks and searches."""
    yield from (Attack(side) for side in melee_sides(situation))
    yield from _shots(situation)
    yield from castable(situation)
    if situation.known_traps():
        yield from (Disarm(DIRECTIONS[number]) for number in range(4) if can_disarm(situation, number))
    if can_search_treasure(situation):
        yield Search("treasure")
    cell = situation.hero.cell
    if not any(is_in_sight(situation, cell, monster) for monster in situation.monster_cells()):
        yield Search("traps")
        yield Search("doors")


def _shots(situation: Situation) -> Iterator[Shoot]:
    hero = situation.hero
    if not any(ITEMS[item].is_ranged for item in hero.items):
        return
    x, y = situation.board.square(hero.cell)
    for cell in sorted(situation.monster_cells()):
        target = situation.board.square(cell)
        if max(abs(target.x - x), abs(target.y - y)) > 1 and is_target(situation, hero.cell, cell, "shot"):
            yield Shoot(target)


def _walks(situation: Situation) -> Iterator[Move]:
    avoid = situation.known_traps()
    paths = shortest_paths(hero_ground(situation), situation.hero.cell, situation.state.points, avoid=avoid)
    yield from (Move(path) for path in paths.values())


def _zargon_actions(situation: Situation) -> Iterator[Action]:
    yield from monster_attacks(situation)
    for number, monster in enumerate(situation.state.monsters):
        if monster.body > 0 and not monster.has_moved:
            points = situation.rules.profile(monster.kind).move
            paths = shortest_paths(monster_ground(situation, number), monster.cell, points)
            if paths:
                yield from (Move(path, number) for path in paths.values())
                return


def monster_attacks(situation: Situation) -> list[Attack]:
    """Return the attacks of all monsters that can still act; monsters attack straight ahead only."""
    heroes = situation.hero_cells()
    return [
        Attack(direction.name, number)
        for number, monster in enumerate(situation.state.monsters)
        if monster.body > 0 and not monster.has_acted
        for index, direction in enumerate(DIRECTIONS)
        if situation.step(monster.cell, index) in heroes and situation.is_open(monster.cell, index)
    ]


def _may_walk(situation: Situation, number: int, steps: tuple[Direction, ...]) -> bool:
    if number >= len(situation.state.monsters):
        return False
    monster = situation.state.monsters[number]
    points = situation.rules.profile(monster.kind).move
    is_ready = monster.body > 0 and not monster.has_moved
    return is_ready and is_path(monster_ground(situation, number), monster.cell, steps, points)
