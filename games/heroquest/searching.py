"""Searching for treasure, traps and secret doors, and what treasure cards do."""

from __future__ import annotations

from games.bitset import mask_of, members
from games.heroquest.catalogue import CARDS, GOLD_CARDS, HAZARDS, POTIONS
from games.heroquest.combat import attack_hero, hurt
from games.heroquest.sight.tables import visible_mask
from games.heroquest.situation import Play, Situation
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


def search_traps(play: Play) -> None:
    """Every trap in the own room, or on the corridor squares that the search covers, is known from now on."""
    area = _area(play, is_whole_corridor=play.rules.search == "reachable")
    found = mask_of(cell for cell in play.traps() if area >> cell & 1) & ~play.state.found_traps
    play.set(found_traps=play.state.found_traps | found)
    play.tell(Event("search", play.hero.kind, play.hero.cell, name="traps", cells=tuple(members(found))))


def search_doors(play: Play) -> None:
    """Every secret door at the own room, or at a corridor square that the search covers, is known from now on."""
    area = _area(play, is_whole_corridor=play.rules.search == "reachable" or play.rules.visibility != "house")
    found = [
        door
        for door in play.dungeon.secret_doors
        if door not in play.state.found_doors and (area >> door[0] | area >> door[1]) & 1
    ]
    play.set(found_doors=(*play.state.found_doors, *found))
    squares = tuple(cell for door in found for cell in door)
    play.tell(Event("search", play.hero.kind, play.hero.cell, name="doors", cells=squares))


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


def search_treasure(play: Play) -> None:
    """The room's chests if there are full ones, else a card."""
    room = play.region(play.hero.cell)
    play.set_hero(play.state.seat, searched=(*play.hero.searched, room))
    chests = [chest for chest in play.full_chests() if play.region(chest.cell) == room]
    if chests:
        for chest in chests:
            play.set(looted=play.state.looted | 1 << chest.cell)
            _gain(play, chest.gold, "chest")
    elif sum(play.state.deck):
        _draw(play)


def _gain(play: Play, gold: int, name: str) -> None:
    play.set_hero(play.state.seat, gold=play.hero.gold + gold)
    play.tell(Event("treasure", play.hero.kind, play.hero.cell, gold, name))


def _draw(play: Play) -> None:
    """One card, all left equally likely; hazards go back into the deck."""
    left = list(play.state.deck)
    card = play.rng("card").choices(CARDS, left)[0]
    if card not in HAZARDS:
        left[CARDS.index(card)] -= 1
        play.set(deck=tuple(left))
    _gain(play, GOLD_CARDS.get(card, 0), card)
    if card in POTIONS:
        play.set_hero(play.state.seat, potions=(*play.hero.potions, card))
    elif card == "wandering monster":
        _meet(play)
    elif card in HAZARDS:
        hurt(play, play.state.seat, 1)


def _meet(play: Play) -> None:
    """A monster comes on a free square beside the searcher, if there is one, and attacks at once."""
    seat, cell = play.state.seat, play.hero.cell
    taken = play.obstacles() | mask_of((*play.hero_cells(), *play.monster_cells(), *play.lurker_cells()))
    steps = [play.step(cell, direction) for direction in range(4) if play.is_open(cell, direction)]
    free = [target for target in steps if target >= 0 and not taken >> target & 1]
    if not free:
        return
    place = play.rng("wandering").choice(free)
    attack_hero(play, arrive(play, place), seat)


def arrive(play: Play, cell: int) -> int:
    """The quest's wandering monster comes on a square; its number."""
    kind = play.dungeon.wandering
    number = play.add_monster(Monster(kind, cell, play.rules.profile(kind).body))
    play.tell(Event("appear", str(number), cell, name=kind))
    return number
