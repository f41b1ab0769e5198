"""The ritual after a hero's turn: cards, cultists, lost tiles and dives; it stops if a seat has to answer.

There is one card for every coloured chamber of the set. The deck has no stored order: each card is drawn when it is
needed, with equal chances, from those that are neither discarded nor out of the match.
"""

from __future__ import annotations

from gridjoust.games.bitset import members
from gridjoust.games.eidolon.actions import Act, Dive, Redirect
from gridjoust.games.eidolon.legal import dives, redirect_cells
from gridjoust.games.eidolon.params import Rules
from gridjoust.games.eidolon.state import Phase, Ritual, Seat, State, TurnDraft
from gridjoust.games.eidolon.tiles import CHAMBERS, TileSet

NO_CARD = -1  # no card has been drawn yet


def deck(discards: TileSet, removed_cards: TileSet) -> TileSet:
    """Return, as a bit set of chambers, the cards that may be drawn next."""
    return CHAMBERS & ~removed_cards & ~discards


def is_due(rules: Rules, state: State) -> bool:
    """Return True if a ritual follows the turn that has just ended, according to `ritual_every`."""
    if not rules.cultists:
        return False
    if rules.ritual_every == "round":
        return state.active == max(state.living())
    return rules.ritual_every == "turn" or state.hero_turns % int(rules.ritual_every) == 0


def begin(draft: TurnDraft) -> None:
    """Begin a ritual: draw as many cards as the threat track shows, until a seat must be asked."""
    _go_on(draft, Ritual(cards_left=draft.rules.track[draft.state.threat], tile=NO_CARD))


def answer(draft: TurnDraft, seat: Seat, act: Act) -> None:
    """Continue the ritual after a `redirect`, a `wait` of the Sage, or a `dive`."""
    ritual = draft.state.ritual
    assert ritual is not None
    draft.set(phase=Phase.ACT, ritual=None)
    match act:
        case Redirect(cell):
            _add_cultist(draft, ritual._replace(is_redirect_used=True), draft.state.dungeon.at[cell].tile)
        case Dive(direction):
            draft.walk(seat, draft.state.cell_of(seat).step(direction))
            draft.set_hero(seat, is_lying=True)
            _lose_tile(draft, ritual._replace(divers=ritual.divers[1:]))
        case _:
            _add_cultist(draft, ritual, ritual.tile)


def _go_on(draft: TurnDraft, ritual: Ritual) -> None:
    """Draw until a card shows a chamber in play, and put a cultist there or ask the Sage; end without such a card.

    A reshuffle, or an empty deck, raises the threat at the end of the ritual.
    """
    while ritual.cards_left and deck(draft.state.discards, draft.state.removed_cards):
        ritual = _draw(draft, ritual)
        if ritual.tile not in draft.state.dungeon.where:
            continue
        active, cells = draft.state.active, redirect_cells(draft.state, ritual.tile)
        is_sage = draft.rules.has_skill(active, "sage") and draft.state.is_living(active)
        if is_sage and cells and not ritual.is_redirect_used:
            draft.set(phase=Phase.REDIRECT, ritual=ritual)
        else:
            _add_cultist(draft, ritual, ritual.tile)
        return
    if ritual.is_reshuffled or not deck(draft.state.discards, draft.state.removed_cards):
        draft.raise_threat()


def _draw(draft: TurnDraft, ritual: Ritual) -> Ritual:
    cards = members(deck(draft.state.discards, draft.state.removed_cards))
    tile = draft.rng(f"card {ritual.cards_left}").choice(cards)
    draft.set(discards=draft.state.discards | 1 << tile)
    if not deck(draft.state.discards, draft.state.removed_cards):
        draft.set(discards=0)
        ritual = ritual._replace(is_reshuffled=True)
    return ritual._replace(cards_left=ritual.cards_left - 1, tile=tile)


def _add_cultist(draft: TurnDraft, ritual: Ritual, tile: int) -> None:
    if not draft.state.cultists >> tile & 1:
        draft.set(cultists=draft.state.cultists | 1 << tile)
        _go_on(draft, ritual)
        return
    cell = draft.state.dungeon.where[tile]
    on_it = tuple(seat for seat in draft.state.living() if draft.state.heroes[seat].cell == cell)
    _lose_tile(draft, ritual._replace(tile=tile, divers=on_it))


def _lose_tile(draft: TurnDraft, ritual: Ritual) -> None:
    """Ask the next hero to dive off the lost tile; once no hero is on it, send it and its card to the Void."""
    if ritual.divers:
        if dives(draft.rules, draft.state, ritual.divers[0]):
            draft.set(phase=Phase.DIVE, ritual=ritual)
            return
        for seat in ritual.divers:
            draft.set_hero(seat, cell=None)
    state, lost = draft.state, 1 << ritual.tile
    draft.set(
        dungeon=state.dungeon.without_tile(ritual.tile),
        cultists=state.cultists & ~lost,
        void=state.void | lost,
        removed_cards=state.removed_cards | lost,
        discards=state.discards & ~lost,
        tiles_lost=state.tiles_lost + 1,
    )
    _go_on(draft, ritual._replace(divers=()))
