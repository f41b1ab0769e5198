"""How many ritual cards come in so many turns, and how likely they take a tile. Draws nothing.

A card comes once in every pass through the deck. A chamber is lost when its card comes while a cultist is on it; one
without a cultist gets one then, and is lost a pass later. Within a pass every order of the cards is equally likely.
"""

from __future__ import annotations

from games.eidolon.params import Rules
from games.eidolon.ritual import deck
from games.eidolon.state import State
from games.eidolon.tiles import CHAMBERS


class Forecast:
    """The cards to come in one situation, as if no further tile were lost."""

    def __init__(self, rules: Rules, state: State) -> None:
        self._track = rules.track if rules.cultists else (0,)
        self._threat = min(state.threat, len(self._track) - 1)
        self._cultists = state.cultists
        self._in_deck = deck(state.discards, state.removed_cards)
        self._cards_left = self._in_deck.bit_count()
        self._cards_in_all = (CHAMBERS & ~state.removed_cards).bit_count()

    def cards_in(self, turns: float) -> float:
        """Cards that are drawn in that many turns of heroes; a partial turn counts in part."""
        drawn, left, threat = 0.0, float(self._cards_left), self._threat
        while turns > 0 and left > 0:
            a_turn = self._track[threat]
            taken = min(left, a_turn * turns)
            drawn, left = drawn + taken, left - taken
            turns -= taken / a_turn if a_turn else turns
            if left <= 0 and threat + 1 < len(self._track):
                left, threat = float(self._cards_in_all), threat + 1
        return drawn

    def loss_odds(self, tile: int, cards: float) -> float:
        """How likely that many cards take the tile as things are."""
        return self._odds(tile, cards, has_cultist=bool(self._cultists >> tile & 1))

    def odds_saved(self, tile: int, cards: float) -> float:
        """How much less likely it is lost if the cultist on it is removed now."""
        return self._odds(tile, cards, has_cultist=True) - self._odds(tile, cards, has_cultist=False)

    def _odds(self, tile: int, cards: float, *, has_cultist: bool) -> float:
        """The card's first coming takes a tile with a cultist, the second one any."""
        in_deck = bool(self._in_deck >> tile & 1)
        passes = (0 if in_deck else 1) + (0 if has_cultist else 1)
        if passes == 0:
            return min(1.0, cards / self._cards_left) if self._cards_left else 0.0
        before = self._cards_left + (passes - 1) * self._cards_in_all
        return min(1.0, max(0.0, (cards - before) / max(1, self._cards_in_all)))
