"""The transition: one action done, then what follows from it and whose turn it is. Expects a legal action."""

from __future__ import annotations

from games.bitset import mask_of, members
from games.grid import DIRECTIONS
from games.heroquest.actions import Action, Attack, Cast, Disarm, End, Jump, Move, Open, Search, Shoot
from games.heroquest.catalogue import ITEMS
from games.heroquest.combat import attack_dice, attack_hero, attack_monster, neighbour, use_up_attack
from games.heroquest.dice import SIDES
from games.heroquest.movement import MIST_SPELL, ROCK_SPELL, walk, walk_monster
from games.heroquest.params import Rules
from games.heroquest.searching import arrive, search_doors, search_traps, search_treasure
from games.heroquest.situation import Play
from games.heroquest.spells import cast, lull
from games.heroquest.state import State, without
from games.heroquest.traps import disarm, jump
from games.heroquest.visibility import is_in_sight, open_door

WALKING_SPELLS = (ROCK_SPELL, MIST_SPELL)
_SEARCHES = {"treasure": search_treasure, "traps": search_traps, "doors": search_doors}


def play_action(rules: Rules, state: State, action: Action) -> State:
    """The state after the action of the seat whose turn it is."""
    play = Play(rules, state)
    if isinstance(action, End):
        end_turn(play)
    else:
        act = _act_for_monster if play.state.seat == play.zargon_seat else _act_for_hero
        act(play, action)
        settle(play)
    return play.state


def _act_for_monster(play: Play, action: Action) -> None:
    assert isinstance(action, Move | Attack)
    assert action.monster is not None
    if isinstance(action, Move):
        walk_monster(play, action.monster, action.steps)
        return
    target = neighbour(play, play.state.monsters[action.monster].cell, action.side)
    seat = next(seat for seat, hero in enumerate(play.state.heroes) if hero.cell == target and hero.body > 0)
    play.set_monster(action.monster, has_acted=True)
    attack_hero(play, action.monster, seat)


def _act_for_hero(play: Play, action: Action) -> None:
    if isinstance(action, Move):
        walk(play, action.steps)
        return
    play.set(has_done=True)
    if isinstance(action, Open):
        cell = play.hero.cell
        target = play.step(cell, DIRECTIONS.index(action.side))
        open_door(play, play.state.seat, (min(cell, target), max(cell, target)))
    elif isinstance(action, Jump):
        jump(play, DIRECTIONS.index(action.side))
    else:
        # walking ends with the action, unless nobody has walked yet
        play.set(has_acted=True, points=0 if play.state.has_moved else play.state.points)
        _do(play, action)


def _do(play: Play, action: Action) -> None:
    """The one action of a turn."""
    match action:
        case Attack(side):
            _strike(play, neighbour(play, play.hero.cell, side), attack_dice(play.hero, diagonal=len(side) > 1))
        case Shoot(target):
            _strike(play, play.board.number(target), attack_dice(play.hero, ranged=True))
        case Cast():
            cast(play, action)
        case Search(what):
            _SEARCHES[what](play)
        case Disarm(side):
            disarm(play, DIRECTIONS.index(side))


def _strike(play: Play, target: int, dice: int) -> None:
    number = play.monster_cells()[target]
    use_up_attack(play)
    attack_monster(play, number, dice)


def settle(play: Play) -> None:
    """After every action: is it over, and if not, whose turn is it?"""
    if all(hero.body == 0 for hero in play.state.heroes):
        play.set(winner="zargon")
    elif all(done for _, done in play.goal_parts()):
        play.set(winner="heroes")
    elif play.state.seat < play.zargon_seat:
        if play.hero.body == 0 or _is_spent(play):
            end_turn(play)
    elif _have_finished(play):
        end_turn(play)


def _is_spent(play: Play) -> bool:
    """Whether nothing but `end` is left to the acting hero."""
    if play.state.points or not play.state.has_acted:
        return False
    return not any(play.hero.cell in door for door in play.known_closed_doors())


def _have_finished(play: Play) -> bool:
    return all(one.body == 0 or (one.has_moved and one.has_acted) for one in play.state.monsters)


def end_turn(play: Play) -> None:
    """The next living hero, or Zargon if it has a monster that can do something, or a new round."""
    seat, last = play.state.seat, play.zargon_seat
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
        play.set_hero(play.state.seat, effects=without(play.hero.effects, *WALKING_SPELLS))


def begin_turn(play: Play, seat: int) -> None:
    """Roll for a hero's movement."""
    hero = play.state.heroes[seat]
    dice = 1 if any(ITEMS[item].is_heavy for item in hero.items) else 2
    rng = play.rng(f"move {seat}")
    rolled = sum(rng.randint(1, SIDES) for _ in range(dice))
    if "swift wind" in hero.effects:
        rolled *= 2
        play.set_hero(seat, effects=without(hero.effects, "swift wind"))
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
    return not _have_finished(play)


def _end_round(play: Play) -> None:
    """Count the round; Zargon wins at the limit, or against heroes who only walk about in an open dungeon."""
    rules, state = play.rules, play.state
    idle = 0 if state.has_done else state.idle_rounds + 1
    play.set(idle_rounds=idle, has_done=False)
    if state.round >= rules.max_game_rounds or (rules.mode == "open" and idle >= rules.idle_rounds):
        play.set(winner="zargon")
        return
    is_spawn_due = rules.spawn_rounds and state.round % rules.spawn_rounds == 0
    play.set(round=state.round + 1)
    if is_spawn_due:
        _spawn(play)
    begin_turn(play, next(seat for seat, hero in enumerate(play.state.heroes) if hero.body > 0))


def _spawn(play: Play) -> None:
    """The quest's wandering monster comes on a revealed corridor square that no hero sees, if there is one."""
    figures = mask_of((*play.hero_cells(), *play.monster_cells(), *play.lurker_cells()))
    taken = play.obstacles() | figures | mask_of(play.dungeon.starts)
    places = members(play.layout.corridor & play.state.seen & ~taken)
    hidden = [cell for cell in places if not any(is_in_sight(play, hero, cell) for hero in play.hero_cells())]
    if hidden:
        arrive(play, play.rng("spawn").choice(hidden))
