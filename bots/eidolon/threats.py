"""Estimates what cultists threaten, and the value of stopping them.

A match is lost with the second lost token of a colour, or with a tile without which something needed cannot be reached.
Removing a cultist is worth the odds of such a loss that it takes away, within the time for which the tile is needed.

A card comes once in every pass through the deck. A chamber is lost when its card comes while a cultist is on it; one
without a cultist gets one then, and is lost a pass later. Within a pass every order of the cards is equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp, prod

from gridjoust.bots.eidolon.roles import Requirements
from gridjoust.games.bitset import members
from gridjoust.games.eidolon.dungeon import ORIGIN
from gridjoust.games.eidolon.params import Rules
from gridjoust.games.eidolon.ritual import deck
from gridjoust.games.eidolon.state import Seat, State
from gridjoust.games.eidolon.tiles import CHAMBERS, COLOURS, ENDS, FIRE, OF_COLOUR, SEALS, TILES, TOKENS_NEEDED, Colour
from gridjoust.games.grid import Cell


class Forecast:
    """The cards to come in one state, as if no further tile were lost."""

    def __init__(self, rules: Rules, state: State) -> None:
        self._track = rules.track if rules.cultists else (0,)
        self._turns_a_ritual = rules.turns_a_ritual(len(state.living()))
        self._threat = min(state.threat, len(self._track) - 1)
        self._cultists = state.cultists
        self._in_deck = deck(state.discards, state.removed_cards)
        self._cards_left = self._in_deck.bit_count()
        self._cards_in_all = (CHAMBERS & ~state.removed_cards).bit_count()

    def cards_in(self, turns: float) -> float:
        """Return the number of cards drawn in that many hero turns; a partial turn counts in part."""
        drawn, left, threat = 0.0, float(self._cards_left), self._threat
        while turns > 0 and left > 0:
            a_turn = self._track[threat] / self._turns_a_ritual
            taken = min(left, a_turn * turns)
            drawn, left = drawn + taken, left - taken
            turns -= taken / a_turn if a_turn else turns
            if left <= 0 and threat + 1 < len(self._track):
                left, threat = float(self._cards_in_all), threat + 1
        return drawn

    def loss_odds(self, tile: int, cards: float) -> float:
        """Return the odds that this many cards take the tile as things are."""
        return self._odds(tile, cards, has_cultist=bool(self._cultists >> tile & 1))

    def odds_saved(self, tile: int, cards: float) -> float:
        """Return by how much the odds of its loss fall if its cultist is removed now."""
        return self._odds(tile, cards, has_cultist=True) - self._odds(tile, cards, has_cultist=False)

    def _odds(self, tile: int, cards: float, *, has_cultist: bool) -> float:
        """Return the odds of a loss; a tile with a cultist is lost when its card comes, others when it comes again."""
        in_deck = bool(self._in_deck >> tile & 1)
        passes = (0 if in_deck else 1) + (0 if has_cultist else 1)
        if passes == 0:
            return min(1.0, cards / self._cards_left) if self._cards_left else 0.0
        before = self._cards_left + (passes - 1) * self._cards_in_all
        return min(1.0, max(0.0, (cards - before) / max(1, self._cards_in_all)))


MATCH_WORTH = 70.0  # AP that a match is worth that would certainly be lost
DOOM_SHARE = 0.5  # share of other threats that comes true: a match lost anyway is not worth a detour
SAFE_SHARE = 0.5  # share of a chamber's value while its card must first be shuffled in: a hero may pass by again
OPEN_SHARE = 0.3  # share of a bridge's value if exploring may find another path


@dataclass(frozen=True, slots=True)
class Horizon:
    """Hero turns until things will be done."""

    hero_turns: Mapping[Seat, float]  # until each hero's own errands are done
    colour_turns: Mapping[Colour, float]  # until the errands of each colour's hero are done
    turns: float  # until everything is done


class Threats:
    """The threatened chambers of one state."""

    def __init__(self, needs: Requirements, horizon: Horizon) -> None:
        self._needs = needs
        self._state = needs.state
        self._horizon = horizon
        self._forecast = Forecast(needs.rules, needs.state)

    @cached_property
    def stakes(self) -> Mapping[Cell, float]:
        """Cell with a cultist -> value in AP of removing it if nothing else were threatened."""
        return {self._state.dungeon.where[tile]: self._stake_of(tile) for tile in members(self._state.cultists)}

    @cached_property
    def worth(self) -> Mapping[Cell, float]:
        """Cell with a cultist -> value in AP of going there to remove it: less if much else is threatened."""
        saved = {cell: 1 - DOOM_SHARE * min(1.0, stake / MATCH_WORTH) for cell, stake in self.stakes.items()}
        all_saved = prod(saved.values())
        at, imminent = self._state.dungeon.at, deck(self._state.discards, self._state.removed_cards)
        return {
            cell: stake * all_saved / saved[cell] * (1.0 if imminent >> at[cell].tile & 1 else SAFE_SHARE)
            for cell, stake in self.stakes.items()
        }

    @cached_property
    def token_worth(self) -> Mapping[Cell, float]:
        """Cell with a needed token -> value in AP of holding it, by the odds of a defeat that this takes away."""
        needs, where = self._needs, self._state.dungeon.where
        found = {}
        for colour in needs.standing:
            cards = self._cards_for(colour)
            for tile in members(self._state.tokens & OF_COLOUR[colour]):
                if tile in where:
                    odds = self._forecast.loss_odds(tile, cards)
                    found[where[tile]] = odds * self._token_stake(tile, colour)
        return found

    def _stake_of(self, tile: int) -> float:
        token, bridge = 0.0, 0.0
        colour = TILES[tile].colour
        if colour in self._needs.standing and self._state.tokens >> tile & 1:
            assert colour is not None
            token = self._token_stake(tile, colour) * self._forecast.odds_saved(tile, self._cards_for(colour))
        turns = self._bridge_turns(self._state.dungeon.where[tile])
        if turns:
            is_open = not self._needs.rules.known_map and bool(self._state.dungeon.stack)
            bridge = (
                MATCH_WORTH
                * (OPEN_SHARE if is_open else 1)
                * self._forecast.odds_saved(tile, self._forecast.cards_in(turns))
            )
        return max(token, bridge)

    def _cards_for(self, colour: Colour) -> float:
        return self._forecast.cards_in(self._horizon.colour_turns[colour])

    def _token_stake(self, tile: int, colour: Colour) -> float:
        """Return the cost of losing this token: the match, or the odds that another loss follows."""
        state = self._state
        lying = state.tokens & OF_COLOUR[colour] & ~state.void
        spare = lying.bit_count() + self._needs.held(colour) - TOKENS_NEEDED
        if spare <= 0:
            return MATCH_WORTH
        cards = self._cards_for(colour)
        others = members(lying & ~(1 << tile))
        expected = sum(self._forecast.loss_odds(other, cards) for other in others if other in state.dungeon.where)
        return MATCH_WORTH * (1 - exp(-expected))

    def _bridge_turns(self, cell: Cell) -> float:
        """Return for how many turns the tile joins needed things on both its sides; 0.0 = it is no bridge."""
        dungeon = self._state.dungeon
        steps = {other: tuple(n for n in beside if n != cell) for other, beside in dungeon.neighbours("doors").items()}
        left = dict(self._needed)
        left.pop(cell, None)
        sides = []
        while left:
            side = dungeon.reach(next(iter(left)), steps=steps)
            sides.append(max(left.pop(inside) for inside in list(left) if inside in side))
        return sorted(sides)[-2] if len(sides) > 1 else 0.0

    @cached_property
    def _needed(self) -> Mapping[Cell, float]:
        """Cell that some hero has to come to or from -> for how many turns."""
        needed: dict[Cell, float] = {}
        for cell, turns in self._needs_of_team():
            if turns > needed.get(cell, 0.0):
                needed[cell] = turns
        return needed

    def _needs_of_team(self) -> Iterator[tuple[Cell, float]]:
        needs, horizon, where = self._needs, self._horizon, self._state.dungeon.where
        for colour in COLOURS:
            if colour in needs.standing:
                cells = needs.token_cells[colour] if needs.held(colour) < TOKENS_NEEDED else ()
                seal = (where[SEALS[colour]],) if SEALS[colour] in where else ()
                yield from ((cell, horizon.colour_turns[colour]) for cell in (*cells, *seal))
        if self._state.carrier is None and FIRE in where:
            yield where[FIRE], horizon.turns
        if needs.rules.win_at == "vestibule":
            yield ORIGIN, horizon.turns
        else:
            yield from ((where[end], horizon.turns) for end in ENDS if end in where)
        for seat in needs.living:
            yield self._state.cell_of(seat), horizon.hero_turns[seat]
