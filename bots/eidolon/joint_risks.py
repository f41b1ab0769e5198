"""Estimates what rituals will take if one follows every turn, and the value of removing a cultist.

`gridjoust.bots.eidolon.threats` weighs the loss of the match. This module counts in AP what the team would have to
repeat or do without: seals, the Fire, tokens and heroes that a lost tile cuts off from the exit.
"""

from __future__ import annotations

from functools import cached_property

from gridjoust.bots.eidolon.roles import Requirements
from gridjoust.bots.eidolon.threats import Forecast
from gridjoust.games.bitset import members
from gridjoust.games.eidolon.params import AP_PER_TURN
from gridjoust.games.eidolon.ritual import deck
from gridjoust.games.eidolon.tiles import FIRE, OF_COLOUR, SEALS, TILES, TOKENS_NEEDED
from gridjoust.games.grid import Cell

LAST_RITUAL = 56  # the ritual until which most won matches need their tiles
ROUNDS_AHEAD = 4  # rounds for which tiles are needed at least
TOKEN_ROUNDS = 2  # rounds within which a threatened token is better taken now
PLACE_AP = 6.0  # price of a seal, or the Fire, cut off
PLACE_AP_OF_MANY = 18.0  # that price in a large team, whose heroes hardly have turns left to find another path
LATER_SHARE = 0.4  # share of the value, in a large team, while the chamber's card must first be shuffled in
TOKEN_AP = 2.0  # price of a token cut off
HERO_AP = 4.0  # price of a hero cut off, besides the tokens in its hands
HERO_AP_OF_MANY = 30.0  # that price in a large team once all seals are broken: without that hero the match is not won
LOST_TOKEN_AP = 5.0  # price of a lost token, while the colour can still be completed
LAST_TOKEN_AP = 30.0  # price of a token without which it cannot
TILE_AP = 1.0  # price of any tile
CLOCK_SHARE = 0.2  # share, for each further hero, of the AP in the turns that a card left in the deck delays the skull


class Risks:
    """The chambers of one state, as the cards to come threaten them."""

    def __init__(self, needs: Requirements, home: Cell) -> None:
        self._needs = needs
        self._state = needs.state
        self._home = home
        self._forecast = Forecast(needs.rules, needs.state)
        self._worth: dict[Cell, float] = {}

    def token_odds(self, cell: Cell) -> float:
        """Return the odds that a tile with a cultist is lost before the heroes can come back to it."""
        return self._odds(cell, self._soon_cards)

    def worth(self, cell: Cell) -> float:
        """Return the AP that removing the cultist there saves the team."""
        if cell not in self._worth:
            odds = self._odds(cell, self._late_cards) * self._urgency(cell)
            self._worth[cell] = odds * (self.tile_ap + self._token_ap(cell) + self._bridge_ap(cell)) if odds else 0.0
        return self._worth[cell]

    def _urgency(self, cell: Cell) -> float:
        """Return a factor on the value; less if a hero may still pass by before the card can come again."""
        in_deck = deck(self._state.discards, self._state.removed_cards) >> self._tile(cell) & 1
        return 1.0 if in_deck or not self._needs.is_large_team else LATER_SHARE

    @cached_property
    def tile_ap(self) -> float:
        """AP that any tile is worth; a lost one removes its card, and all later passes through the deck get shorter.

        Lost turns are lost to all heroes, but a fight costs only one: the more heroes, the more a fight is worth.
        """
        later = self._needs.rules.track[self._state.threat + 1 :]
        turns = sum(1 / cards for cards in later) * self._needs.rules.turns_a_ritual(len(self._needs.living))
        return TILE_AP + CLOCK_SHARE * (len(self._needs.living) - 1) * AP_PER_TURN * turns

    def _odds(self, cell: Cell, cards: float) -> float:
        return self._forecast.loss_odds(self._tile(cell), cards) if self._state.has_cultist(cell) else 0.0

    def _tile(self, cell: Cell) -> int:
        return self._state.dungeon.at[cell].tile

    @cached_property
    def _soon_cards(self) -> float:
        return self._forecast.cards_in(TOKEN_ROUNDS * len(self._needs.living))

    @cached_property
    def _late_cards(self) -> float:
        """Cards until the match should be over."""
        heroes = len(self._needs.living)
        last_turn = LAST_RITUAL * self._needs.rules.turns_a_ritual(heroes)
        return self._forecast.cards_in(max(ROUNDS_AHEAD * heroes, last_turn - self._state.hero_turns))

    def _token_ap(self, cell: Cell) -> float:
        state, tile = self._state, self._tile(cell)
        colour = TILES[tile].colour
        if colour not in self._needs.wanted or not state.tokens >> tile & 1:
            return 0.0
        assert colour is not None
        lying = len(members(state.tokens & OF_COLOUR[colour] & ~state.void))
        return LOST_TOKEN_AP if self._needs.held(colour) + lying > TOKENS_NEEDED else LAST_TOKEN_AP

    def _bridge_ap(self, cell: Cell) -> float:
        """Return the AP of all that could no longer reach the exit without that tile."""
        needs, dungeon = self._needs, self._state.dungeon
        steps = {other: tuple(n for n in beside if n != cell) for other, beside in dungeon.neighbours("doors").items()}
        reach = {cell, *dungeon.reach(self._home, steps=steps)}
        places = [dungeon.where.get(SEALS[colour]) for colour in needs.standing]
        places += [dungeon.where.get(FIRE)] if self._state.carrier is None else []
        tokens = [token for colour in needs.wanted for token in needs.token_cells[colour]]
        cut_off = [seat for seat in needs.living if self._state.cell_of(seat) not in reach]
        place_ap = PLACE_AP_OF_MANY if needs.is_large_team else PLACE_AP
        hero_ap = HERO_AP_OF_MANY if needs.is_large_team and not needs.standing else HERO_AP
        return (
            place_ap * sum(place is not None and place not in reach for place in places)
            + TOKEN_AP * sum(token not in reach for token in tokens)
            + sum(hero_ap + sum(self._state.heroes[seat].tokens) for seat in cut_off)
        )
