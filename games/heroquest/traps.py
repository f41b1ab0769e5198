"""Traps: springing, jumping and disarming them. Finds none; that is searching."""

from __future__ import annotations

from games.heroquest.catalogue import BLOCK_DICE
from games.heroquest.combat import hurt
from games.heroquest.dice import roll
from games.heroquest.dungeon import Trap
from games.heroquest.situation import Situation, SituationDraft
from games.heroquest.state import Event
from games.heroquest.visibility import look, look_all

JUMP_POINTS = 2


def spring(draft: SituationDraft, trap: Trap) -> None:
    """The acting hero, on the trap's square, springs it. A pit stays, everything else is gone afterwards."""
    draft.set(found_traps=draft.state.found_traps | 1 << trap.cell)
    draft.record(Event("trap", draft.hero.kind, trap.cell, name=trap.kind))
    if trap.kind == "pit":
        draft.set_hero(draft.state.seat, is_in_pit=True)
    else:
        draft.set(gone_traps=draft.state.gone_traps | 1 << trap.cell)
    if trap.kind == "block":  # the square is closed for good; whoever stood there must step back
        draft.set(seen=draft.state.seen | 1 << trap.cell)
        draft.change_board(trap.cell)
        hurt(draft, draft.state.seat, roll(BLOCK_DICE, draft.rng("trap")).skulls)
    elif trap.kind == "pit" or roll(1, draft.rng("trap")).skulls:
        hurt(draft, draft.state.seat, 1)
        draft.set(points=0, has_acted=True)


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


def jump(draft: SituationDraft, direction: int) -> None:
    """Any shield carries the hero over; a skull springs the trap. Something unknown where it lands is a failure too."""
    seat, start = draft.state.seat, draft.hero.cell
    over, target = draft.step(start, direction), landing(draft, direction)
    draft.set(points=draft.state.points - JUMP_POINTS, has_moved=True)
    draft.record(Event("jump", draft.hero.kind, over))
    is_over = not roll(1, draft.rng("jump")).skulls
    if is_over and not (draft.obstacles() >> target & 1 or target in draft.lurker_cells()):
        draft.move_hero(target, is_in_pit=False, steps=draft.hero.steps + 2)
        look(draft, seat)
        trap = draft.traps().get(target)
        if trap is not None:
            stumble(draft, trap, start)
        return
    stumble(draft, draft.traps()[over], start)


def stumble(draft: SituationDraft, trap: Trap, start: int) -> None:
    """The hero springs a trap on its square; a block throws it back to where it came from."""
    draft.move_hero(trap.cell, is_in_pit=False)
    look(draft, draft.state.seat)
    spring(draft, trap)
    if trap.kind == "block" and draft.hero.body > 0:
        draft.move_hero(start)
        look_all(draft)


def can_disarm(situation: Situation, direction: int) -> bool:
    """A known trap on that side, and a dwarf or a tool kit."""
    hero = situation.hero
    if hero.kind != "dwarf" and "tool kit" not in hero.items:
        return False
    target = situation.step(hero.cell, direction)
    if target < 0 or not situation.is_open(hero.cell, direction) or target in situation.monster_cells():
        return False
    return known_trap(situation, target) is not None and target not in situation.hero_cells()


def disarm(draft: SituationDraft, direction: int) -> None:
    """The dwarf fails on a black shield only, others on a skull; who fails springs the trap."""
    start = draft.hero.cell
    trap = draft.traps()[draft.step(start, direction)]
    thrown = roll(1, draft.rng("disarm"))
    if thrown.black if draft.hero.kind == "dwarf" else thrown.skulls:
        stumble(draft, trap, start)
        return
    draft.set(gone_traps=draft.state.gone_traps | 1 << trap.cell)
    draft.record(Event("disarm", draft.hero.kind, trap.cell, name=trap.kind))
