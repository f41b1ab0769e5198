"""One action applied: who does what, then what follows from it. Expects a legal action."""

from __future__ import annotations

from games.grid import DIRECTIONS
from games.heroquest.actions import Action, Attack, Cast, Disarm, End, Jump, Move, Open, Search, Shoot
from games.heroquest.combat import attack_dice, attack_hero, attack_monster, neighbour, use_up_attack
from games.heroquest.movement import walk, walk_monster
from games.heroquest.params import Rules
from games.heroquest.searching import search_doors, search_traps, search_treasure
from games.heroquest.situation import Play
from games.heroquest.spells import cast
from games.heroquest.state import State
from games.heroquest.traps import disarm, jump
from games.heroquest.turns import end_turn, settle, zargon_seat
from games.heroquest.visibility import open_door

_SEARCHES = {"treasure": search_treasure, "traps": search_traps, "doors": search_doors}


def play_action(rules: Rules, state: State, action: Action) -> State:
    """The state after the action of the seat whose turn it is."""
    play = Play(rules, state)
    if isinstance(action, End):
        end_turn(play)
    elif play.state.seat == zargon_seat(play):
        _act_for_monster(play, action)
        settle(play)
    else:
        _act_for_hero(play, action)
        settle(play)
    return play.state


def _act_for_monster(play: Play, action: Action) -> None:
    assert isinstance(action, Move | Attack)
    assert action.monster is not None
    if isinstance(action, Move):
        walk_monster(play, action.monster, action.steps)
        return
    target = neighbour(play, play.state.monsters[action.monster].cell, action.side)
    seats = [seat for seat, hero in enumerate(play.state.heroes) if hero.cell == target and hero.body > 0]
    play.set_monster(action.monster, has_acted=True)
    attack_hero(play, action.monster, seats[0])


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
