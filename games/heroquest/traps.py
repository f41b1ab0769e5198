"""Traps, secret doors and treasure: springing, jumping, disarming, searches, and the effects of treasure cards."""

from __future__ import annotations

from gridjoust.games.bitset import mask_of, members
from gridjoust.games.heroquest.catalogue import BLOCK_DICE, CARDS, GOLD_CARDS, HAZARDS, POTIONS
from gridjoust.games.heroquest.combat import attack_hero, hurt, roll
from gridjoust.games.heroquest.sight.tables import visible_mask
from gridjoust.games.heroquest.situation import Situation, SituationDraft
from gridjoust.games.heroquest.state import Event, Monster, Trap
from gridjoust.games.heroquest.visibility import look, look_all

JUMP_POINTS = 2


def spring(draft: SituationDraft, trap: Trap) -> None:
    """Spring the trap under the acting hero; a pit stays, any other trap is gone afterwards."""
    draft.set(found_traps=draft.state.found_traps | 1 << trap.cell)
    draft.record(Event("trap", draft.hero.kind, trap.cell, name=trap.kind))
    if trap.kind == "pit":
        draft.set_hero(draft.state.seat, is_in_pit=True)
    else:
        draft.set(gone_traps=draft.state.gone_traps | 1 << trap.cell)
    if trap.kind == "block":  # the square is closed for good, so the hero must step back
        draft.set(seen=draft.state.seen | 1 << trap.cell)
        draft.change_board(trap.cell)
        hurt(draft, draft.state.seat, roll(BLOCK_DICE, draft.rng("trap")).skulls)
    elif trap.kind == "pit" or roll(1, draft.rng("trap")).skulls:
        hurt(draft, draft.state.seat, 1)
        draft.set(points=0, has_acted=True)


def known_trap(situation: Situation, cell: int) -> Trap | None:
    """Return the trap on the square if the heroes know it, otherwise None."""
    return situation.trap(cell) if situation.state.found_traps >> cell & 1 else None


def landing(situation: Situation, direction: int) -> int:
    """Return the square after a jump over the trap on that side, or -1 if the acting hero cannot jump there."""
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
    """Jump over a trap: any shield succeeds, a skull springs the trap; an unknown obstacle also makes it fail."""
    seat, start = draft.state.seat, draft.hero.cell
    over, target = draft.step(start, direction), landing(draft, direction)
    draft.set(points=draft.state.points - JUMP_POINTS, has_moved=True)
    draft.record(Event("jump", draft.hero.kind, over))
    is_over = not roll(1, draft.rng("jump")).skulls
    if is_over and not (draft.obstacles() >> target & 1 or target in draft.lurker_cells()):
        draft.move_hero(target, is_in_pit=False, steps=draft.hero.steps + 2)
        look(draft, seat)
        trap = draft.trap(target)
        if trap is not None:
            stumble(draft, trap, start)
        return
    stumble(draft, draft.traps()[over], start)


def stumble(draft: SituationDraft, trap: Trap, start: int) -> None:
    """Move the acting hero onto a trap and spring it; a falling block throws the hero back to `start`."""
    draft.move_hero(trap.cell, is_in_pit=False)
    look(draft, draft.state.seat)
    spring(draft, trap)
    if trap.kind == "block" and draft.hero.body > 0:
        draft.move_hero(start)
        look_all(draft)


def can_disarm(situation: Situation, direction: int) -> bool:
    """Return True if a known trap without a figure is on that side, and the hero is a dwarf or has a tool kit."""
    hero = situation.hero
    if hero.kind != "dwarf" and "tool kit" not in hero.items:
        return False
    target = situation.step(hero.cell, direction)
    if target < 0 or not situation.is_open(hero.cell, direction) or target in situation.monster_cells():
        return False
    return known_trap(situation, target) is not None and target not in situation.hero_cells()


def disarm(draft: SituationDraft, direction: int) -> None:
    """Try to disarm a trap: the dwarf fails on a black shield, others on a skull; a failure springs the trap."""
    start = draft.hero.cell
    trap = draft.traps()[draft.step(start, direction)]
    thrown = roll(1, draft.rng("disarm"))
    if thrown.black if draft.hero.kind == "dwarf" else thrown.skulls:
        stumble(draft, trap, start)
        return
    draft.set(gone_traps=draft.state.gone_traps | 1 << trap.cell)
    draft.record(Event("disarm", draft.hero.kind, trap.cell, name=trap.kind))


def can_search_treasure(situation: Situation) -> bool:
    """Return True if the acting hero is in a room that it has not searched yet and no monster in sight is in it."""
    hero = situation.hero
    room = situation.region(hero.cell)
    if room <= 0 or room in hero.searched:
        return False
    return all(situation.region(cell) != room for cell in situation.monster_cells())


def search_traps(draft: SituationDraft) -> None:
    """Find every trap in the hero's room, or on the corridor squares that the search covers."""
    area = _area(draft, is_whole_corridor=draft.rules.search == "reachable")
    found = mask_of(cell for cell in draft.traps() if area >> cell & 1) & ~draft.state.found_traps
    draft.set(found_traps=draft.state.found_traps | found, proven=draft.state.proven | area)
    draft.record(Event("search", draft.hero.kind, draft.hero.cell, name="traps", cells=tuple(members(found))))


def search_doors(draft: SituationDraft) -> None:
    """Find every secret door at the hero's room, or at a corridor square that the search covers."""
    area = _area(draft, is_whole_corridor=draft.rules.search == "reachable" or draft.rules.visibility != "house")
    found = [
        door
        for door in draft.dungeon.secret_doors
        if door not in draft.state.found_doors and (area >> door[0] | area >> door[1]) & 1
    ]
    draft.set(found_doors=(*draft.state.found_doors, *found))
    squares = tuple(cell for door in found for cell in door)
    draft.record(Event("search", draft.hero.kind, draft.hero.cell, name="doors", cells=squares))


def _area(situation: Situation, *, is_whole_corridor: bool) -> int:
    """Return the squares that the acting hero's search covers, as a bit set.

    In a room it is the room; in a corridor, the corridor squares in sight or all connected revealed ones.
    """
    cell, rules = situation.hero.cell, situation.rules
    room = situation.layout.rooms.get(situation.region(cell))
    if room is not None:
        return room
    if is_whole_corridor:
        return _corridor_around(situation, cell)
    lines = visible_mask(situation.board, situation.board.square(cell), rules.los, rules.rays)
    return lines & situation.layout.corridor & ~situation.dungeon.dark | 1 << cell


def _corridor_around(situation: Situation, cell: int) -> int:
    """Return, as a bit set, the revealed corridor squares reached from this one over corridor without obstacles."""
    allowed = situation.layout.corridor & situation.state.seen & ~situation.known_obstacles()
    reached, border = 1 << cell, [cell]
    for square in border:  # the list grows while the loop runs
        for target in situation.beside(square):
            if (allowed & ~reached) >> target & 1:
                reached |= 1 << target
                border.append(target)
    return reached


def search_treasure(draft: SituationDraft) -> None:
    """Empty the full chests of the room, or draw a card if it has none."""
    room = draft.region(draft.hero.cell)
    draft.set_hero(draft.state.seat, searched=(*draft.hero.searched, room))
    chests = [chest for chest in draft.full_chests() if draft.region(chest.cell) == room]
    if chests:
        for chest in chests:
            draft.set(looted=draft.state.looted | 1 << chest.cell)
            _gain(draft, chest.gold, "chest")
    elif sum(draft.state.deck):
        _draw(draft)


def _gain(draft: SituationDraft, gold: int, name: str) -> None:
    draft.set_hero(draft.state.seat, gold=draft.hero.gold + gold)
    draft.record(Event("treasure", draft.hero.kind, draft.hero.cell, gold, name))


def _draw(draft: SituationDraft) -> None:
    """Draw a random treasure card and apply it; a hazard goes back into the deck."""
    left = list(draft.state.deck)
    card = draft.rng("card").choices(CARDS, left)[0]
    if card not in HAZARDS:
        left[CARDS.index(card)] -= 1
        draft.set(deck=tuple(left))
    _gain(draft, GOLD_CARDS.get(card, 0), card)
    if card in POTIONS:
        draft.set_hero(draft.state.seat, potions=(*draft.hero.potions, card))
    elif card == "wandering monster":
        _meet(draft)
    elif card in HAZARDS:
        hurt(draft, draft.state.seat, 1)


def _meet(draft: SituationDraft) -> None:
    """Put the wandering monster on a free square beside the acting hero, if there is one, and let it attack at once."""
    seat, cell = draft.state.seat, draft.hero.cell
    taken = draft.obstacles() | mask_of((*draft.hero_cells(), *draft.monster_cells(), *draft.lurker_cells()))
    free = [target for target in draft.open_beside(cell) if not taken >> target & 1]
    if free:
        attack_hero(draft, arrive(draft, draft.rng("wandering").choice(free)), seat)


def arrive(draft: SituationDraft, cell: int) -> int:
    """Put the quest's wandering monster on a square; return its number."""
    kind = draft.dungeon.wandering
    number = draft.add_monster(Monster(kind, cell, draft.rules.profile(kind).body))
    draft.record(Event("appear", str(number), cell, name=kind))
    return number
