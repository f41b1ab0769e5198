"""Apply one legal action, its consequences, and the change of turns."""

from __future__ import annotations

from gridjoust.games.bitset import mask_of, members
from gridjoust.games.grid import DIRECTIONS
from gridjoust.games.heroquest.actions import Action, Attack, Cast, Disarm, End, Jump, Move, Open, Search, Shoot
from gridjoust.games.heroquest.catalogue import ITEMS
from gridjoust.games.heroquest.combat import SIDES, attack_dice, attack_hero, attack_monster, neighbour
from gridjoust.games.heroquest.movement import MIST_SPELL, ROCK_SPELL, walk, walk_monster
from gridjoust.games.heroquest.params import Rules
from gridjoust.games.heroquest.situation import SituationDraft
from gridjoust.games.heroquest.spells import cast, lull
from gridjoust.games.heroquest.state import State, without
from gridjoust.games.heroquest.traps import arrive, disarm, jump, search_doors, search_traps, search_treasure
from gridjoust.games.heroquest.visibility import is_in_sight, open_door

_SEARCHES = {"treasure": search_treasure, "traps": search_traps, "doors": search_doors}


def play_action(rules: Rules, state: State, action: Action) -> State:
    """Return the state after the action of the seat whose turn it is."""
    draft = SituationDraft(rules, state)
    if isinstance(action, End):
        end_turn(draft)
    else:
        act = _act_for_monster if draft.state.seat == draft.zargon_seat else _act_for_hero
        act(draft, action)
        settle(draft)
    return draft.state


def _act_for_monster(draft: SituationDraft, action: Action) -> None:
    assert isinstance(action, Move | Attack)
    assert action.monster is not None
    if isinstance(action, Move):
        walk_monster(draft, action.monster, action.steps)
        return
    target = neighbour(draft, draft.state.monsters[action.monster].cell, action.side)
    seat = next(seat for seat, hero in enumerate(draft.state.heroes) if hero.cell == target and hero.body > 0)
    draft.set_monster(action.monster, has_acted=True)
    attack_hero(draft, action.monster, seat)


def _act_for_hero(draft: SituationDraft, action: Action) -> None:
    if isinstance(action, Move):
        walk(draft, action.steps)
        return
    draft.set(has_done=True)
    if isinstance(action, Open):
        cell = draft.hero.cell
        target = draft.step(cell, DIRECTIONS.index(action.side))
        open_door(draft, draft.state.seat, (min(cell, target), max(cell, target)))
    elif isinstance(action, Jump):
        jump(draft, DIRECTIONS.index(action.side))
    else:
        # an action ends the walk, unless the hero has not walked yet
        draft.set(has_acted=True, points=0 if draft.state.has_moved else draft.state.points)
        _do(draft, action)


def _do(draft: SituationDraft, action: Action) -> None:
    """Carry out an action of the kind that a figure has once a turn, such as an attack or a search."""
    match action:
        case Attack(side):
            _strike(draft, neighbour(draft, draft.hero.cell, side), attack_dice(draft.hero, diagonal=len(side) > 1))
        case Shoot(target):
            _strike(draft, draft.board.number(target), attack_dice(draft.hero, ranged=True))
        case Cast():
            cast(draft, action)
        case Search(what):
            _SEARCHES[what](draft)
        case Disarm(side):
            disarm(draft, DIRECTIONS.index(side))


def _strike(draft: SituationDraft, target: int, dice: int) -> None:
    """Let the acting hero attack the monster on this square with this number of combat dice.

    Courage and a strength potion last for one attack. A heroic brew allows a second attack.
    """
    hero, number = draft.hero, draft.monster_cells()[target]
    potions = without(hero.potions, "strength potion", "heroic brew")
    draft.set_hero(draft.state.seat, potions=potions, effects=without(hero.effects, "courage"))
    draft.set(has_acted="heroic brew" not in hero.potions)
    attack_monster(draft, number, dice)


def settle(draft: SituationDraft) -> None:
    """End the match if a side has won; otherwise end the turn if nothing is left to do in it."""
    if all(hero.body == 0 for hero in draft.state.heroes):
        draft.set(winner="zargon")
    elif all(done for _, done in draft.goal_parts()):
        draft.set(winner="heroes")
    elif draft.state.seat < draft.zargon_seat:
        if draft.hero.body == 0 or _is_spent(draft):
            end_turn(draft)
    elif _have_finished(draft):
        end_turn(draft)


def _is_spent(draft: SituationDraft) -> bool:
    """Return True if the acting hero has acted and cannot move or open a door any more."""
    if draft.state.points or not draft.state.has_acted:
        return False
    return not any(draft.hero.cell in door for door in draft.known_closed_doors())


def _have_finished(draft: SituationDraft) -> bool:
    return all(one.body == 0 or (one.has_moved and one.has_acted) for one in draft.state.monsters)


def end_turn(draft: SituationDraft) -> None:
    """Begin the turn of the next living hero; after the last, Zargon's if a monster can act, otherwise a new round."""
    seat, last = draft.state.seat, draft.zargon_seat
    if seat < last:
        if draft.state.has_moved:  # spells for walking end with the turn in which the hero walked
            draft.set_hero(seat, effects=without(draft.hero.effects, ROCK_SPELL, MIST_SPELL))
        for following in range(seat + 1, last):
            if draft.state.heroes[following].body > 0:
                begin_turn(draft, following)
                return
        if _rouse_monsters(draft):
            draft.set(seat=last, rolled=0, points=0, has_moved=False, has_acted=False)
            return
    _end_round(draft)


def begin_turn(draft: SituationDraft, seat: int) -> None:
    """Roll for a hero's movement and begin its turn."""
    hero = draft.state.heroes[seat]
    dice = 1 if any(ITEMS[item].is_heavy for item in hero.items) else 2
    rng = draft.rng(f"move {seat}")
    rolled = sum(rng.randint(1, SIDES) for _ in range(dice))
    if "swift wind" in hero.effects:
        rolled *= 2
        draft.set_hero(seat, effects=without(hero.effects, "swift wind"))
    draft.set(seat=seat, rolled=rolled, points=rolled, has_moved=False, has_acted=False)


def _rouse_monsters(draft: SituationDraft) -> bool:
    """Begin Zargon's turn: sleepers may wake, dazed monsters miss it; return True if any monster can act."""
    for number, monster in enumerate(draft.state.monsters):
        if monster.body == 0:
            continue
        if monster.is_asleep:
            lull(draft, number)
        is_out = draft.state.monsters[number].is_asleep or monster.is_dazed
        draft.set_monster(number, has_moved=is_out, has_acted=is_out, is_dazed=False)
    return not _have_finished(draft)


def _end_round(draft: SituationDraft) -> None:
    """Begin the next round, or let Zargon win: at the last round, or if the heroes find nothing new for too long."""
    rules, state = draft.rules, draft.state
    idle = 0 if state.has_done else state.idle_rounds + 1
    draft.set(idle_rounds=idle, has_done=False)
    if state.round >= rules.max_game_rounds or idle >= rules.idle_rounds:
        draft.set(winner="zargon")
        return
    is_spawn_due = rules.spawn_rounds and state.round % rules.spawn_rounds == 0
    draft.set(round=state.round + 1)
    if is_spawn_due:
        _spawn(draft)
    begin_turn(draft, next(seat for seat, hero in enumerate(draft.state.heroes) if hero.body > 0))


def _spawn(draft: SituationDraft) -> None:
    """Put the quest's wandering monster on a corridor square out of the heroes' sight, if possible a revealed one."""
    figures = mask_of((*draft.hero_cells(), *draft.monster_cells(), *draft.lurker_cells()))
    taken = draft.obstacles() | figures | mask_of(draft.dungeon.starts)
    places = members(draft.layout.corridor & ~taken)
    hidden = [cell for cell in places if not any(is_in_sight(draft, hero, cell) for hero in draft.hero_cells())]
    revealed = [cell for cell in hidden if draft.state.seen >> cell & 1]
    if hidden:
        arrive(draft, draft.rng("spawn").choice(revealed or hidden))
