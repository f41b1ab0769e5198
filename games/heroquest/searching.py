"""Searching for treasure, traps and secret doors, and what treasure cards do."""

from __future__ import annotations

from games.bitset import mask_of, members
from games.heroquest.catalogue import CARDS, GOLD_CARDS, HAZARDS, POTIONS
from games.heroquest.combat import attack_hero, hurt
from games.heroquest.sight.tables import visible_mask
from games.heroquest.situation import Situation, SituationDraft
from games.heroquest.state import Event, Monster
from games.heroquest.visibility import is_monster_in_sight


def can_search_treasure(situation: Situation) -> bool:
    """In a room without monsters, once per hero and room."""
    hero = situation.hero
    room = situation.region(hero.cell)
    if room <= 0 or room in hero.searched:
        return False
    return all(situation.region(cell) != room for cell in situation.monster_cells())


def can_search_walls(situation: Situation) -> bool:
    """For traps and doors: anywhere, while the hero sees no monster."""
    return not is_monster_in_sight(situation, situation.hero.cell)


def search_traps(draft: SituationDraft) -> None:
    """Every trap in the own room, or on the corridor squares that the search covers, is known from now on."""
    area = _area(draft, is_whole_corridor=draft.rules.search == "reachable")
    found = mask_of(cell for cell in draft.traps() if area >> cell & 1) & ~draft.state.found_traps
    draft.set(found_traps=draft.state.found_traps | found)
    draft.record(Event("search", draft.hero.kind, draft.hero.cell, name="traps", cells=tuple(members(found))))


def search_doors(draft: SituationDraft) -> None:
    """Every secret door at the own room, or at a corridor square that the search covers, is known from now on."""
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
    """The own room; in a corridor the squares in sight, or all revealed ones around."""
    cell, rules = situation.hero.cell, situation.rules
    room = situation.layout.rooms.get(situation.region(cell))
    if room is not None:
        return room
    if is_whole_corridor:
        return _corridor_around(situation, cell)
    lines = visible_mask(situation.board, situation.board.square(cell), rules.los, rules.rays)
    return lines & situation.layout.corridor & ~situation.dungeon.dark | 1 << cell


def _corridor_around(situation: Situation, cell: int) -> int:
    """Revealed corridor squares that are reached without passing a door, a room or an obstacle."""
    allowed = situation.layout.corridor & situation.state.seen & ~situation.known_obstacles()
    reached, border = 1 << cell, [cell]
    for square in border:  # grows while it is walked
        for direction in range(4):
            target = situation.step(square, direction)
            if target >= 0 and allowed >> target & 1 and not reached >> target & 1:
                reached |= 1 << target
                border.append(target)
    return reached


def search_treasure(draft: SituationDraft) -> None:
    """The room's chests if there are full ones, else a card."""
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
    """One card, all left equally likely; hazards go back into the deck."""
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
    """A monster comes on a free square beside the searcher, if there is one, and attacks at once."""
    seat, cell = draft.state.seat, draft.hero.cell
    taken = draft.obstacles() | mask_of((*draft.hero_cells(), *draft.monster_cells(), *draft.lurker_cells()))
    steps = [draft.step(cell, direction) for direction in range(4) if draft.is_open(cell, direction)]
    free = [target for target in steps if target >= 0 and not taken >> target & 1]
    if not free:
        return
    place = draft.rng("wandering").choice(free)
    attack_hero(draft, arrive(draft, place), seat)


def arrive(draft: SituationDraft, cell: int) -> int:
    """The quest's wandering monster comes on a square; its number."""
    kind = draft.dungeon.wandering
    number = draft.add_monster(Monster(kind, cell, draft.rules.profile(kind).body))
    draft.record(Event("appear", str(number), cell, name=kind))
    return number
