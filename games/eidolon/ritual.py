"""The ritual after a hero's turn: cards, cultists, lost tiles, dives. Stops where a seat has to answer.

One card for every coloured chamber of the set. The deck's order is not kept: a card is drawn when it is needed, evenly
from those that are neither discarded nor out of the match.
"""

from __future__ import annotations

from games.bitset import members
from games.eidolon.actions import Deed, Dive, Redirect
from games.eidolon.legal import dives, redirect_cells
from games.eidolon.state import Phase, Ritual, Seat
from games.eidolon.tiles import CHAMBERS, TileSet
from games.eidolon.work import Work

NO_CARD = -1  # before the first one


def deck(discards: TileSet, removed_cards: TileSet) -> TileSet:
    """The cards that may be drawn next."""
    return CHAMBERS & ~removed_cards & ~discards


def begin(work: Work) -> None:
    """Draw as many cards as the threat track shows."""
    _go_on(work, Ritual(cards_left=work.rules.track[work.state.threat], tile=NO_CARD))


def answer(work: Work, seat: Seat, deed: Deed) -> None:
    """The ritual goes on after a `redirect`, a `wait` of the Sage, or a `dive`."""
    ritual = work.state.ritual
    assert ritual is not None
    work.set(phase=Phase.ACT, ritual=None)
    match deed:
        case Redirect(cell):
            _add_cultist(work, ritual._replace(is_redirect_used=True), work.state.dungeon.at[cell].tile)
        case Dive(direction):
            work.walk(seat, work.state.cell_of(seat).step(direction))
            work.set_hero(seat, is_lying=True)
            _lose_tile(work, ritual._replace(divers=ritual.divers[1:]))
        case _:
            _add_cultist(work, ritual, ritual.tile)


def _go_on(work: Work, ritual: Ritual) -> None:
    """Draw until a chamber in play comes up or the cards are through."""
    while ritual.cards_left and deck(work.state.discards, work.state.removed_cards):
        ritual = _draw(work, ritual)
        if ritual.tile not in work.state.dungeon.where:
            continue
        if _may_redirect(work, ritual):
            work.set(phase=Phase.REDIRECT, ritual=ritual)
        else:
            _add_cultist(work, ritual, ritual.tile)
        return
    if ritual.is_reshuffled:
        work.raise_threat()


def _draw(work: Work, ritual: Ritual) -> Ritual:
    cards = members(deck(work.state.discards, work.state.removed_cards))
    tile = work.rng(f"card {ritual.cards_left}").choice(cards)
    work.set(discards=work.state.discards | 1 << tile)
    if not deck(work.state.discards, work.state.removed_cards):
        work.set(discards=0)
        ritual = ritual._replace(is_reshuffled=True)
    return ritual._replace(cards_left=ritual.cards_left - 1, tile=tile)


def _may_redirect(work: Work, ritual: Ritual) -> bool:
    if ritual.is_redirect_used or not work.rules.has_skill(work.state.active, "sage"):
        return False
    if work.state.heroes[work.state.active].cell is None:
        return False
    return bool(redirect_cells(work.state, ritual.tile))


def _add_cultist(work: Work, ritual: Ritual, tile: int) -> None:
    if not work.state.cultists >> tile & 1:
        work.set(cultists=work.state.cultists | 1 << tile)
        _go_on(work, ritual)
        return
    cell = work.state.dungeon.where[tile]
    on_it = tuple(seat for seat in work.state.living() if work.state.heroes[seat].cell == cell)
    _lose_tile(work, ritual._replace(tile=tile, divers=on_it))


def _lose_tile(work: Work, ritual: Ritual) -> None:
    """Ask the next diver, or, when nobody stands there any more, send the tile and its card to the Void."""
    if ritual.divers:
        if dives(work.rules, work.state, ritual.divers[0]):
            work.set(phase=Phase.DIVE, ritual=ritual)
            return
        for seat in ritual.divers:
            work.set_hero(seat, cell=None)
    state, lost = work.state, 1 << ritual.tile
    work.set(
        dungeon=state.dungeon.without_tile(ritual.tile),
        cultists=state.cultists & ~lost,
        void=state.void | lost,
        removed_cards=state.removed_cards | lost,
        discards=state.discards & ~lost,
        tiles_lost=state.tiles_lost + 1,
    )
    _go_on(work, ritual._replace(divers=()))
