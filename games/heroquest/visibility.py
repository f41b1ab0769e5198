"""Sight and targets under `visibility: house | us | eu`.

Corridors are revealed by line of sight; a room is revealed as a whole if a door to it opens or a hero stands in it.
Dark squares are revealed only when a hero stands on them. Figures never hide squares, but they may hide targets.
"""

from __future__ import annotations

from typing import Literal

from gridjoust.games.bitset import mask_of, members
from gridjoust.games.heroquest.sight.tables import marked_from, sees_past_figures, visible_mask
from gridjoust.games.heroquest.situation import Situation, SituationDraft
from gridjoust.games.heroquest.state import Event, Monster, Seat


def look(draft: SituationDraft, seat: Seat) -> bool:
    """Reveal what a hero sees from its square; return True if anything but floor came into sight."""
    cell = draft.state.heroes[seat].cell
    return reveal(draft, seat, squares_in_sight(draft, cell) | 1 << cell)


def look_all(draft: SituationDraft) -> None:
    """Let every living hero look around."""
    for seat, hero in enumerate(draft.state.heroes):
        if hero.body > 0:
            look(draft, seat)


def squares_in_sight(situation: Situation, cell: int) -> int:
    """Return, as a bit set, the corridor squares seen from this one and its own room, without dark squares."""
    board, rules = situation.board, situation.rules
    if rules.mark_passed:
        lines = mask_of(board.index[square] for square in marked_from(board, board.square(cell)))
    else:
        lines = visible_mask(board, board.square(cell), rules.los, rules.rays)
    room = situation.layout.rooms.get(situation.region(cell), 0)
    return (lines & situation.layout.corridor | room) & ~situation.dungeon.dark


def reveal(draft: SituationDraft, seat: Seat, mask: int) -> bool:
    """Reveal squares for good; return True if a monster, door, blocked square or furniture came into sight."""
    old = draft.state.seen
    new = mask & ~old
    if not new:
        return False
    draft.set(seen=old | new, has_done=True)
    draft.set_hero(seat, revealed=draft.state.heroes[seat].revealed + new.bit_count())
    draft.record(Event("see", draft.state.heroes[seat].kind, cells=tuple(members(new))))
    doors = any(new & door and not old & door for door in draft.things.doors)
    things = (draft.things.blocked | draft.things.furniture) & new
    return bool(_reveal_monsters(draft, new) or doors or things)


def _reveal_monsters(draft: SituationDraft, new: int) -> bool:
    found = sorted((lurker for lurker in draft.state.lurkers if new >> lurker.cell & 1), key=lambda one: one.cell)
    if not found:
        return False
    draft.set(lurkers=tuple(lurker for lurker in draft.state.lurkers if not new >> lurker.cell & 1))
    for lurker in found:
        body = draft.rules.profile(lurker.kind).body
        number = draft.add_monster(Monster(lurker.kind, lurker.cell, body, lurker.bonus))
        draft.record(Event("appear", str(number), lurker.cell, name=lurker.kind))
    return True


def open_door(draft: SituationDraft, seat: Seat, door: tuple[int, int]) -> None:
    """Open a door; rooms on both its sides are revealed, and every hero looks again."""
    draft.change_board(door)
    draft.record(Event("open", draft.state.heroes[seat].kind, cells=door))
    rooms = draft.layout.rooms
    mask = rooms.get(draft.region(door[0]), 0) | rooms.get(draft.region(door[1]), 0)
    reveal(draft, seat, mask & ~draft.dungeon.dark)
    look_all(draft)


def is_in_sight(situation: Situation, cell: int, target: int) -> bool:
    """Return True if the target is in the same room or in a line free of walls; figures do not matter."""
    if situation.region(cell) > 0 and situation.region(cell) == situation.region(target):
        return True
    rules, square = situation.rules, situation.board.square
    return bool(visible_mask(situation.board, square(cell), rules.los, rules.rays) >> target & 1)


def is_target(situation: Situation, cell: int, target: int, by: Literal["shot", "spell"]) -> bool:
    """Return True if a figure on `target` can be shot or enchanted from `cell`, by the table of the rules."""
    rules = situation.rules
    is_own_room = situation.region(cell) > 0 and situation.region(cell) == situation.region(target)
    if cell == target or (is_own_room and rules.visibility != "us"):
        return True
    if rules.visibility == "house" and situation.region(cell) != situation.region(target) and not rules.door_camping:
        return False  # through a door, from either side
    if rules.visibility == "eu" and by == "shot":
        return is_in_sight(situation, cell, target)
    board = situation.board
    figures = [board.square(at) for at in (*situation.hero_cells(), *situation.monster_cells())]
    return sees_past_figures(board, board.square(cell), board.square(target), figures, los=rules.los, rays=rules.rays)


def can_strike(situation: Situation, cell: int, target: int) -> bool:
    """Return True if neighbouring squares have no wall between them; at a corner, one path round it must be free."""
    board = situation.board
    one, other = board.square(cell), board.square(target)
    if one.manhattan(other) == 1:
        return not board.is_wall(one, other)
    return bool(visible_mask(board, one) >> target & 1)
