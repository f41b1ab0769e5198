"""Whose turn it is, what ends it, and when all is over. Judges no action."""

from __future__ import annotations

from games.heroquest.catalogue import ITEMS
from games.heroquest.dungeon import cells_of
from games.heroquest.movement import MIST_SPELL, ROCK_SPELL
from games.heroquest.searching import arrive, full_chests
from games.heroquest.situation import Play, Situation, mask_of
from games.heroquest.spells import lull
from games.heroquest.visibility import is_in_sight

DIE_SIDES = 6
WALKING_SPELLS = (ROCK_SPELL, MIST_SPELL)


def zargon_seat(situation: Situation) -> int:
    """Zargon sits after the heroes."""
    return len(situation.state.heroes)


def is_goal_met(situation: Situation) -> bool:
    """Everything that the quest asks for is done."""
    return all(done for _, done in goal_parts(situation))


def goal_parts(situation: Situation) -> list[tuple[str, bool]]:
    """Each part of the goal, and whether it is done now."""
    goal, state = situation.dungeon.goal, situation.state
    parts: list[tuple[str, bool]] = []
    if goal.kill:
        is_alive = any(monster.kind == goal.kill and monster.body > 0 for monster in state.monsters)
        is_lurking = any(lurker.kind == goal.kill for lurker in state.lurkers)
        parts.append(("kill", not is_alive and not is_lurking))
    if goal.loot:
        parts.append(("loot", not full_chests(situation)))
    if goal.back:
        stairs = situation.dungeon.starts
        parts.append(("return", all(hero.cell in stairs for hero in state.heroes if hero.body > 0)))
    return parts


def settle(play: Play) -> None:
    """After every action: is it over, and if not, whose turn is it?"""
    if all(hero.body == 0 for hero in play.state.heroes):
        play.finish("zargon")
    elif is_goal_met(play):
        play.finish("heroes")
    elif play.state.seat < zargon_seat(play):
        if play.hero.body == 0 or _is_spent(play):
            end_turn(play)
    elif all(_has_finished(play, number) for number in range(len(play.state.monsters))):
        end_turn(play)


def _is_spent(play: Play) -> bool:
    """Whether nothing but `end` is left to the acting hero."""
    if play.state.points or not play.state.has_acted:
        return False
    cell = play.hero.cell
    return not any(cell in door for door in play.known_closed_doors())


def _has_finished(play: Play, number: int) -> bool:
    monster = play.state.monsters[number]
    return monster.body == 0 or (monster.has_moved and monster.has_acted)


def end_turn(play: Play) -> None:
    """The next living hero, or Zargon if it has a monster that can do something, or a new round."""
    seat, last = play.state.seat, zargon_seat(play)
    if seat < last:
        _end_spells(play)
        for following in range(seat + 1, last):
            if play.state.heroes[following].body > 0:
                begin_turn(play, following)
                return
        if _rouse_monsters(play):
            play.set(seat=last, rolled=0, points=0, has_moved=False, has_acted=False)
            return
    _end_round(play)


def _end_spells(play: Play) -> None:
    """Spells for walking end with the turn in which their bearer walked."""
    if play.state.has_moved:
        effects = tuple(effect for effect in play.hero.effects if effect not in WALKING_SPELLS)
        play.set_hero(play.state.seat, effects=effects)


def begin_turn(play: Play, seat: int) -> None:
    """Roll for a hero's movement."""
    hero = play.state.heroes[seat]
    dice = 1 if any(ITEMS[item].is_heavy for item in hero.items) else 2
    rng = play.rng(f"move {seat}")
    rolled = sum(rng.randint(1, DIE_SIDES) for _ in range(dice))
    if "swift wind" in hero.effects:
        rolled *= 2
        play.set_hero(seat, effects=tuple(effect for effect in hero.effects if effect != "swift wind"))
    play.set(seat=seat, rolled=rolled, points=rolled, has_moved=False, has_acted=False)


def _rouse_monsters(play: Play) -> bool:
    """Sleepers try to wake, the dazed miss this turn; whether any monster can do something."""
    for number, monster in enumerate(play.state.monsters):
        if monster.body == 0:
            continue
        if monster.is_asleep:
            lull(play, number)
        is_out = play.state.monsters[number].is_asleep or monster.is_dazed
        play.set_monster(number, has_moved=is_out, has_acted=is_out, is_dazed=False)
    return not all(_has_finished(play, number) for number in range(len(play.state.monsters)))


def _end_round(play: Play) -> None:
    """Count the round; Zargon wins at the limit, or against heroes who only walk about in an open dungeon."""
    rules, state = play.rules, play.state
    idle = 0 if state.has_done else state.idle_rounds + 1
    play.set(idle_rounds=idle, has_done=False)
    if state.round >= rules.max_game_rounds or (rules.mode == "open" and idle >= rules.idle_rounds):
        play.finish("zargon")
        return
    play.set(round=state.round + 1)
    if rules.spawn_rounds and state.round % rules.spawn_rounds == 0:
        _spawn(play)
    begin_turn(play, next(seat for seat, hero in enumerate(play.state.heroes) if hero.body > 0))


def _spawn(play: Play) -> None:
    """The quest's wandering monster comes on a revealed corridor square that no hero sees, if there is one."""
    figures = mask_of(play.hero_cells()) | mask_of(play.monster_cells()) | mask_of(play.lurker_cells())
    places = cells_of(
        play.layout.corridor & play.state.seen & ~play.obstacles() & ~figures & ~mask_of(play.dungeon.starts)
    )
    heroes = list(play.hero_cells())
    hidden = [cell for cell in places if not any(is_in_sight(play, hero, cell) for hero in heroes)]
    if hidden:
        arrive(play, play.rng("spawn").choice(hidden))
