"""Traps: springing, jumping and disarming them. Finds none; that is searching."""

from __future__ import annotations

from games.heroquest.catalogue import BLOCK_DICE
from games.heroquest.combat import hurt
from games.heroquest.dice import roll
from games.heroquest.dungeon import Trap
from games.heroquest.situation import Play, Situation
from games.heroquest.state import Event
from games.heroquest.visibility import look, look_all

JUMP_POINTS = 2


def spring(play: Play, trap: Trap) -> None:
    """The acting hero, on the trap's square, springs it. A pit stays, everything else is gone afterwards."""
    play.set(found_traps=play.state.found_traps | 1 << trap.cell)
    play.tell(Event("trap", play.hero.kind, trap.cell, name=trap.kind))
    if trap.kind == "pit":
        play.set_hero(play.state.seat, is_in_pit=True)
    else:
        play.set(gone_traps=play.state.gone_traps | 1 << trap.cell)
    if trap.kind == "block":  # the square is closed for good; whoever stood there must step back
        play.set(seen=play.state.seen | 1 << trap.cell)
        play.change_board(trap.cell)
        hurt(play, play.state.seat, roll(BLOCK_DICE, play.rng("trap")).skulls)
    elif trap.kind == "pit" or roll(1, play.rng("trap")).skulls:
        hurt(play, play.state.seat, 1)
        play.set(points=0, has_acted=True)


def known_trap(situation: Situation, cell: int) -> Trap | None:
    """The trap on the square, if heroes know of it."""
    trap = situation.traps().get(cell)
    return trap if trap is not None and situation.state.found_traps >> cell & 1 else None


def landing(situation: Situation, direction: int) -> int:
    """Where a jump over the trap on that side would land; -1 if the acting hero cannot jump there."""
    hero = situation.hero
    over = situation.step(hero.cell, direction)
    if situation.state.points < JUMP_POINTS or over < 0 or known_trap(situation, over) is None:
        return -1
    target = situation.step(over, direction)
    is_open = situation.is_open(hero.cell, direction) and situation.is_open(over, direction)
    if target < 0 or not is_open or situation.known_obstacles() >> target & 1:
        return -1
    figures = {*situation.hero_cells(), *situation.monster_cells()}
    is_free = target not in figures and over not in figures and known_trap(situation, target) is None
    return target if is_free else -1


def jump(play: Play, direction: int) -> None:
    """Any shield carries the hero over; a skull springs the trap. Something unknown where it lands is a failure too."""
    seat, start = play.state.seat, play.hero.cell
    over, target = play.step(start, direction), landing(play, direction)
    play.set(points=play.state.points - JUMP_POINTS, has_moved=True)
    play.tell(Event("jump", play.hero.kind, over))
    is_over = not roll(1, play.rng("jump")).skulls
    if is_over and not (play.obstacles() >> target & 1 or target in play.lurker_cells()):
        play.move_hero(target, is_in_pit=False, steps=play.hero.steps + 2)
        look(play, seat)
        trap = play.traps().get(target)
        if trap is not None:
            stumble(play, trap, start)
        return
    stumble(play, play.traps()[over], start)


def stumble(play: Play, trap: Trap, start: int) -> None:
    """The hero springs a trap on its square; a block throws it back to where it came from."""
    play.move_hero(trap.cell, is_in_pit=False)
    look(play, play.state.seat)
    spring(play, trap)
    if trap.kind == "block" and play.hero.body > 0:
        play.move_hero(start)
        look_all(play)


def can_disarm(situation: Situation, direction: int) -> bool:
    """A known trap on that side, and a dwarf or a tool kit."""
    hero = situation.hero
    if hero.kind != "dwarf" and "tool kit" not in hero.items:
        return False
    target = situation.step(hero.cell, direction)
    if target < 0 or not situation.is_open(hero.cell, direction) or target in situation.monster_cells():
        return False
    return known_trap(situation, target) is not None and target not in situation.hero_cells()


def disarm(play: Play, direction: int) -> None:
    """The dwarf fails on a black shield only, others on a skull; who fails springs the trap."""
    start = play.hero.cell
    trap = play.traps()[play.step(start, direction)]
    thrown = roll(1, play.rng("disarm"))
    if thrown.black if play.hero.kind == "dwarf" else thrown.skulls:
        stumble(play, trap, start)
        return
    play.set(gone_traps=play.state.gone_traps | 1 << trap.cell)
    play.tell(Event("disarm", play.hero.kind, trap.cell, name=trap.kind))
