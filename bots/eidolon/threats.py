"""Estimates what cultists threaten and what rituals will take, and the value of stopping them.

A match is lost with the second lost token of a colour, or with a tile on the only path to something that is needed. The
value of removing a cultist is the drop in the odds of such a loss, within the time for which the tile is needed.

A card comes once in every pass through the deck. A chamber is lost when its card comes while a cultist is on it; one
without a cultist gets one then, and is lost a pass later. Within a pass every order of the cards is equally likely.

`Risks` is for rituals that follow every turn. It counts in AP what the team would have to repeat or do without: seals,
the Fire, tokens and heroes that a lost tile cuts off from the exit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp, prod

from gridjoust.bots.eidolon.roles import Requirements
from gridjoust.games.bitset import members
from gridjoust.games.eidolon.dungeon import ORIGIN
from gridjoust.games.eidolon.params import AP_PER_TURN, Rules
from gridjoust.games.eidolon.ritual import deck
from gridjoust.games.eidolon.state import Seat, State
from gridjoust.games.eidolon.tiles import CHAMBERS, COLOURS, ENDS, FIRE, OF_COLOUR, SEALS, TILES, TOKENS_NEEDED, Colour
from gridjoust.games.grid import Cell


class Forecast:
    """Estimates which cards rituals will draw from one state on, as if no further tile were lost."""

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
        """Return the probability that the next `cards` cards take this tile, with or without a cultist as it is now."""
        return self._odds(tile, cards, has_cultist=bool(self._cultists >> tile & 1))

    def odds_saved(self, tile: int, cards: float) -> float:
        """Return by how much the probability of losing the tile falls if its cultist is removed now."""
        return self._odds(tile, cards, has_cultist=True) - self._odds(tile, cards, has_cultist=False)

    def _odds(self, tile: int, cards: float, *, has_cultist: bool) -> float:
        """Return the probability that the next `cards` cards take this tile.

        A tile with a cultist is lost when its card comes, others when it comes again.
        """
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
    """Estimated numbers of hero turns until each hero's errands, each colour's and those of the team are done."""

    hero_turns: Mapping[Seat, float]  # until each hero's own errands are done
    colour_turns: Mapping[Colour, float]  # until the errands of each colour's hero are done
    turns: float  # until everything is done


class Threats:
    """The threats of cultists in one state, in AP: to chambers with tokens, and to chambers that join needed things."""

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
        """Cell with a needed token -> value in AP of holding it: the odds of losing it times the cost of the loss."""
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
        """Return the cost in AP of losing this token: the whole match, or a share by the odds of another loss."""
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
        """Return for how many hero turns this tile is needed to join things on its sides; 0.0 = it is no bridge."""
        dungeon = self._state.dungeon
        steps = {other: tuple(n for n in beside if n != cell) for other, beside in dungeon.neighbours("doors").items()}
        left = dict(self._needed)
        left.pop(cell, None)
        sides = []
        while left:
            side = self._needs.reach(next(iter(left)), steps=steps)
            sides.append(max(left.pop(inside) for inside in list(left) if inside in side))
        return sorted(sides)[-2] if len(sides) > 1 else 0.0

    @cached_property
    def _needed(self) -> Mapping[Cell, float]:
        """Cell that some hero has to reach or to leave -> number of hero turns in which it may have to."""
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
    """The expected cost to the team of losing each chamber, in AP, by the odds of the cards to come."""

    def __init__(self, needs: Requirements, home: Cell) -> None:
        self._needs = needs
        self._state = needs.state
        self._home = home
        self._forecast = Forecast(needs.rules, needs.state)
        self._worth: dict[Cell, float] = {}

    def token_odds(self, cell: Cell) -> float:
        """Return the probability that the tile is lost before the heroes can come back; 0 without a cultist on it."""
        return self._odds(cell, self._soon_cards)

    def worth(self, cell: Cell) -> float:
        """Return the AP that removing the cultist there saves the team."""
        if cell not in self._worth:
            odds = self._odds(cell, self._late_cards) * self._urgency(cell)
            self._worth[cell] = odds * (self.tile_ap + self._token_ap(cell) + self._bridge_ap(cell)) if odds else 0.0
        return self._worth[cell]

    def _urgency(self, cell: Cell) -> float:
        """Return the factor by which the value of a fight in this cell is multiplied.

        It is 1 if the chamber's ritual card can be drawn before the next shuffle, or if the team is small; else
        `LATER_SHARE`, as some hero of a large team may pass by before the card can be drawn.
        """
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
        """Number of cards that rituals draw until the match should be over."""
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
        """Return the price in AP of all that could no longer reach the exit without that tile."""
        needs, dungeon = self._needs, self._state.dungeon
        steps = {other: tuple(n for n in beside if n != cell) for other, beside in dungeon.neighbours("doors").items()}
        reach = {cell, *needs.reach(self._home, steps=steps)}
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
