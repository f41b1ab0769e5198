"""The tactics of heroes: whom to strike, which spell to cast, which door to open, which squares to go for.

They price goals and search no paths: the bot's planner decides how far a goal is and which one is taken.

The order: heal a badly hurt hero, strike an adjacent monster, cast spells on strong ones, open doors while no monster
is in reach, go for monsters, then for unseen squares, then search for secret doors, then go home.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from gridjoust.bots.heroquest.company import WEAK_BODY, Ask, follow_goals, is_gathered, leader_of, steps_of
from gridjoust.bots.heroquest.ground import counted
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.games.bitset import members
from gridjoust.games.heroquest.actions import Action, Attack, Cast, Open, Search, Shoot
from gridjoust.games.heroquest.catalogue import GENIE_DICE, HEROES
from gridjoust.games.heroquest.combat import attack_dice, defend_dice, kill_chance, mean_damage, neighbour
from gridjoust.games.heroquest.movement import Ground, hero_ground
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import Hero, Monster, Seat
from gridjoust.games.heroquest.visibility import can_strike, is_in_sight

HURT_BY = 3  # missing body points that make a healing spell worth it
STRONG_BODY = 2  # monsters with at least this much body are worth a spell
NEAR_STEPS = 7  # a monster this near is fought before a door is opened
RETREAT_WEIGHT = 5.0  # steps that a weak hero goes to avoid one point of expected damage
Goals = dict[int, float]


@dataclass(frozen=True, slots=True)
class Scene:
    """One question: the situation, the state of the quest, what the bot remembers, and its planner to ask for paths."""

    situation: Situation
    done: Mapping[str, bool]
    searched: set[int]  # squares covered by searches for doors
    ask: Ask
    is_patient: bool = True  # False: nothing has happened for too long to wait for others
    work: Budget = UNLIMITED  # counts the steps of floods

    @property
    def hero(self) -> Hero:
        """The hero to act."""
        return self.situation.state.heroes[self.situation.state.seat]

    @property
    def ground(self) -> Ground:
        """The squares as the acting hero may walk them; its steps count as work."""
        return counted(hero_ground(self.situation), self.work)

    @property
    def monsters(self) -> dict[int, Monster]:
        """Living monsters in sight of any hero, by square."""
        return {one.cell: one for one in self.situation.state.monsters if one.body > 0}

    @property
    def is_going_home(self) -> bool:
        """True if the heroes have done all of the quest except their return."""
        return "return" in self.done and all(done for part, done in self.done.items() if part != "return")

    @property
    def is_weak(self) -> bool:
        """True if the hero should not fight."""
        return self.hero.body <= WEAK_BODY

    @property
    def leader(self) -> Seat | None:
        """Seat of the hero who leads the others, or None if no hero has to."""
        return leader_of(self.situation)

    @property
    def is_follower(self) -> bool:
        """True if another hero leads."""
        return self.leader not in (None, self.situation.state.seat)

    def threat(self, cell: int) -> float:
        """Return the damage to expect on a square from monsters that could strike there next turn."""
        dice = defend_dice(self.hero)
        total = 0.0
        for at, one in self.monsters.items():
            profile = self.situation.rules.profile(one.kind)
            if self.situation.distance(at, cell) <= profile.move + 1 and not one.is_asleep:
                total += mean_damage(profile.attack + one.bonus, dice, by_monster=True)
        return total


def deed_value(scene: Scene, action: Action) -> float:
    """Return the value of an action now: 1 is about one monster killed, 0 means that it is not worth it."""
    match action:
        case Attack(side):
            target = neighbour(scene.situation, scene.hero.cell, side)
            return strike_value(scene, target, attack_dice(scene.hero, diagonal=len(side) > 1))
        case Shoot(target):
            return strike_value(scene, scene.situation.board.number(target), attack_dice(scene.hero, ranged=True))
        case Cast(spell, target) if isinstance(target[0], int):
            return _spell_value(scene, spell, scene.situation.board.number(target))
        case Search("treasure"):
            room = scene.situation.region(scene.hero.cell)
            is_full = any(scene.situation.region(chest.cell) == room for chest in scene.situation.full_chests())
            return 0.3 if is_full else 0.0
        case _:
            return 0.0


def strike_value(scene: Scene, target: int, dice: int) -> float:
    """Return the chance to kill plus half the share of body taken; the quest's monster counts double."""
    monster = scene.monsters[target]
    profile = scene.situation.rules.profile(monster.kind)
    defence = 0 if monster.is_asleep else profile.defend
    kill = kill_chance(dice, defence, monster.body, by_monster=False)
    wound = mean_damage(dice, defence, by_monster=False) / (2 * monster.body)
    weight = 2.0 if monster.kind == scene.situation.dungeon.goal.kill else 1.0
    return 0.05 + weight * (kill + wound)


def _spell_value(scene: Scene, spell: str, cell: int) -> float:
    """Return the value of casting a spell on that square: healing on hurt heroes, others on strong monsters."""
    if spell in ("heal body", "water of healing"):
        heroes = [hero for hero in scene.situation.state.heroes if hero.cell == cell and hero.body > 0]
        hurt = max((HEROES[hero.kind].body - hero.body for hero in heroes), default=0)
        return 3.0 if hurt >= HURT_BY and min(hero.body for hero in heroes) <= 2 * WEAK_BODY else 0.0
    monster = scene.monsters.get(cell)
    if monster is None:
        return _help_value(scene, spell, cell)
    is_goal = monster.kind == scene.situation.dungeon.goal.kill
    is_strong = monster.body >= STRONG_BODY or is_goal or scene.situation.rules.profile(monster.kind).attack >= 3
    if not is_strong:
        return 0.0
    match spell:
        case "genie":
            return strike_value(scene, cell, GENIE_DICE)
        case "ball of flame":
            return 1.1
        case "fire of wrath" if monster.body == 1:
            return 0.9
        case "sleep" if not monster.is_asleep and scene.situation.rules.profile(monster.kind).mind:
            return 0.8
        case "tempest" if not monster.is_asleep and not monster.is_dazed:
            return 0.7
    return 0.0


def _help_value(scene: Scene, spell: str, cell: int) -> float:
    """Return the value of casting rock skin or courage on a fighter who has monsters in sight; 0 for all else."""
    if not scene.monsters or spell not in ("rock skin", "courage"):
        return 0.0
    heroes = [hero for hero in scene.situation.state.heroes if hero.cell == cell and hero.body > WEAK_BODY]
    fighters = [hero for hero in heroes if hero.kind == "barbarian" and spell not in hero.effects]
    return 0.35 if fighters and any(is_in_sight(scene.situation, cell, at) for at in scene.monsters) else 0.0


def door_to_open(scene: Scene, offered: Iterable[Action]) -> Open | None:
    """Return the action that opens a door beside the hero, or None if a monster in reach must be fought first.

    In company only the leader opens doors, once the others are near. Weak heroes leave doors to strong ones.
    """
    doors = [action for action in offered if isinstance(action, Open)]
    if not doors or scene.is_going_home or _fights_left(scene):
        return None
    leader = scene.leader
    if leader is None:
        return doors[0] if not scene.is_weak or not _has_strong_friend(scene) else None
    is_time = is_gathered(scene.situation, scene.ask) or not scene.is_patient
    return doors[0] if leader == scene.situation.state.seat and is_time else None


def _fights_left(scene: Scene) -> bool:
    """Return True if a monster can be reached within a few steps; monsters behind walls do not count."""
    goals = fight_goals(scene)
    if not goals or scene.hero.cell in goals:
        return bool(goals)
    plan = scene.ask(scene.hero.cell, {cell: 0.0 for cell in goals if scene.ground.may_end(cell)})
    return plan.found and steps_of(plan) <= NEAR_STEPS


def _has_strong_friend(scene: Scene) -> bool:
    return any(hero.body > WEAK_BODY for hero in scene.situation.state.heroes if hero.cell != scene.hero.cell)


def walk_goals(scene: Scene) -> Iterator[Goals]:
    """Yield goals (square -> price added there), the most urgent sort first, for the caller to try in turn.

    The hero's own square may be among them.
    """
    ground = scene.ground
    if scene.is_going_home:
        kinds: tuple[Callable[[Scene], Goals], ...] = (home_goals,)
    elif scene.is_weak and scene.monsters and _has_strong_friend(scene):
        yield {cell: RETREAT_WEIGHT * scene.threat(cell) for cell in (scene.hero.cell, *_squares_around(scene))}
        return
    elif scene.is_follower:
        kinds = (chest_goals, company_goals) if scene.is_weak else (fight_goals, chest_goals, company_goals)
    elif scene.is_weak and _has_strong_friend(scene):
        kinds = (chest_goals, aside_goals)
    else:
        kinds = (fight_goals, chest_goals, frontier_goals, search_goals)
    for goals_of in kinds:
        goals = {c: price for c, price in goals_of(scene).items() if c == scene.hero.cell or ground.may_end(c)}
        if goals:
            yield goals


def home_goals(scene: Scene) -> Goals:
    """Return the squares of the stairs as goals, all at price 0."""
    return dict.fromkeys(scene.situation.dungeon.starts, 0.0)


def aside_goals(scene: Scene) -> Goals:
    """Return squares off the frontier for a hero who stands on it, so that others can open the doors; else none."""
    doors = frontier_goals(scene)
    if scene.hero.cell not in doors:
        return {}
    return dict.fromkeys((cell for cell in _squares_around(scene) if cell not in doors), 0.0)


def _squares_around(scene: Scene) -> list[int]:
    """Return the seen squares to stand on that this turn's points would reach on an empty board."""
    situation, here, ground = scene.situation, scene.hero.cell, scene.ground
    cells = (cell for cell in members(situation.state.seen) if cell != here and ground.may_end(cell))
    return [cell for cell in cells if situation.distance(here, cell) <= situation.state.points]


def company_goals(scene: Scene) -> Goals:
    """Return, as goals, squares around the frontier square to which this hero's leader is going."""
    assert scene.leader is not None
    return follow_goals(scene.situation, scene.ground, scene.leader, frontier_goals(scene), scene.ask)


def fight_goals(scene: Scene) -> Goals:
    """Return square -> price for each square from which a monster in sight can be struck.

    Those from which the quest's monster can be struck are cheapest.
    """
    goals: Goals = {}
    kill = scene.situation.dungeon.goal.kill
    for at, monster in scene.monsters.items():
        for cell in scene.situation.beside(at):
            if can_strike(scene.situation, cell, at):
                price = 0.0 if monster.kind == kill else 2.0 if monster.is_asleep else 1.0
                goals[cell] = min(price, goals.get(cell, price))
    return goals


def frontier_goals(scene: Scene) -> Goals:
    """Return square -> price for seen squares beside closed doors, and for unseen corridor beside what is seen."""
    goals: Goals = {}
    for door in scene.situation.known_closed_doors():
        for cell in door:
            if scene.situation.state.seen >> cell & 1:
                goals[cell] = 0.0
    seen, layout = scene.situation.state.seen, scene.situation.layout
    for cell in members(layout.corridor & ~seen):
        if any(seen >> other & 1 for other in scene.situation.beside(cell)):
            goals[cell] = 1.0
    return goals


def chest_goals(scene: Scene) -> Goals:
    """Return the squares of rooms with a full chest in sight that this hero can still search."""
    goals: Goals = {}
    for chest in scene.situation.full_chests():
        room = scene.situation.region(chest.cell)
        if room > 0 and scene.situation.state.seen >> chest.cell & 1 and room not in scene.hero.searched:
            for cell in members(scene.situation.layout.rooms[room] & ~scene.situation.obstacles()):
                goals[cell] = 0.0
    return goals


def search_goals(scene: Scene) -> Goals:
    """Return the seen squares that no search for secret doors has covered yet."""
    state, layout = scene.situation.state, scene.situation.layout
    free = state.seen & ~scene.situation.obstacles()
    return {cell: 0.0 for cell in members(free & (layout.everything ^ layout.rock)) if cell not in scene.searched}
