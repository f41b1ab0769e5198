"""Decide how a match of eidolon ends: both ways to win, the partial victory and every defeat.

"Out of reach for good" is declared only if it is certain. It is not certain while a hero can walk to a door to an empty
cell (unknown maps), nor while a living hero has a master skill that could help.
"""

from __future__ import annotations

from dataclasses import dataclass

from gridjoust.games.bitset import members
from gridjoust.games.eidolon.dungeon import ORIGIN
from gridjoust.games.eidolon.maps import drawable
from gridjoust.games.eidolon.params import Rules
from gridjoust.games.eidolon.state import End, Seat, State
from gridjoust.games.eidolon.tiles import COLOURS, ENDS, FIRE, OF_COLOUR, SEALS, TOKENS_NEEDED
from gridjoust.games.grid import Cell

TOKENS_TO_LOSE = 2
HELPFUL_MASTERS = ("rogue", "wizard", "sage", "ranger")  # can reach or bring back what a hero cannot walk to


def end_of(rules: Rules, state: State, *, is_changed: bool) -> End | None:
    """Return how the match has ended, or None.

    `is_changed` says that tiles came or went, or a hero was lost, since the last call.
    """
    if state.carrier is not None and (won := _success(rules, state)):
        return won
    if rules.cultists and state.threat >= len(rules.track):
        is_out = rules.win_at == "vestibule" and _is_carrier_at(state, ORIGIN)
        return End.PARTIAL if is_out else End.SKULL
    if not is_changed:
        return None
    if all(hero.cell is None for hero in state.heroes):
        return End.HEROES
    lost = state.lost_tokens()
    if any(lost[colour] >= TOKENS_TO_LOSE and not state.broken >> colour & 1 for colour in COLOURS):
        return End.TOKENS
    if not Prospect(rules, state).is_hopeless():
        return None
    if state.tiles_lost:
        return End.UNREACHABLE
    return End.UNSOLVABLE if rules.known_map else End.SEALED


def _is_carrier_at(state: State, cell: Cell) -> bool:
    return state.carrier is not None and state.heroes[state.carrier].cell == cell


def _success(rules: Rules, state: State) -> End | None:
    if rules.win_at == "end":
        ends = [state.dungeon.where[end] for end in ENDS if end in state.dungeon.where]
        return End.WON if any(_is_carrier_at(state, end) for end in ends) else None
    if not _is_carrier_at(state, ORIGIN):
        return None
    away = [seat for seat, hero in enumerate(state.heroes) if hero.cell not in (None, ORIGIN)]
    if not away:
        return End.WON
    prospect = Prospect(rules, state)
    may_come = prospect.may_change() or any(ORIGIN in prospect.reach(seat) for seat in away)
    return None if may_come else End.PARTIAL


@dataclass(frozen=True, slots=True)
class Prospect:
    """Answers what the heroes can still reach and do, in one state of a match."""

    rules: Rules
    state: State

    def is_hopeless(self) -> bool:
        """Return True if something that the heroes need to win is out of reach for good."""
        state = self.state
        if state.carrier is not None:
            return state.heroes[state.carrier].cell is None or not self._can_leave(state.carrier)
        if self.may_change():
            return False
        standing = [colour for colour in COLOURS if not state.broken >> colour & 1]
        if any(not any(self._can_break(seat, colour) for seat in self.state.living()) for colour in standing):
            return True
        fire = state.dungeon.where.get(FIRE)
        return not any(fire in self.reach(seat) and self._can_leave(seat) for seat in self.state.living())

    def may_change(self) -> bool:
        """Return True if the set of reachable tiles may still grow."""
        state, rules = self.state, self.rules
        helpers = [seat for seat in state.living() if rules.skills and rules.heroes[seat] in HELPFUL_MASTERS]
        if any(not state.heroes[seat].is_master_used and state.carrier != seat for seat in helpers):
            return True
        return any(map(self._can_explore, state.living()))

    def _can_explore(self, seat: Seat) -> bool:
        dungeon = self.state.dungeon
        if self.rules.known_map or not dungeon.stack:
            return False
        return any(
            dungeon.frontier(cell) and drawable(self.rules, dungeon.stack, dungeon.at[cell].tile)
            for cell in self.reach(seat)
        )

    def reach(self, seat: Seat) -> frozenset[Cell]:
        """Return the cells to which this seat's hero can walk; none if it is lost."""
        cell, dungeon = self.state.heroes[seat].cell, self.state.dungeon
        return frozenset() if cell is None else dungeon.reach(cell, steps=dungeon.neighbours(self.rules.way_of(seat)))

    def _can_break(self, seat: Seat, colour: int) -> bool:
        """Return True if this hero can reach the seal of the colour and enough tokens of it can come to the hero."""
        reach = self.reach(seat)
        if self.state.dungeon.where.get(SEALS[colour]) not in reach:
            return False
        givers = [other for other in self.state.living() if self._can_help(other, reach)]
        held = sum(self.state.heroes[other].tokens[colour] for other in givers)
        cells = frozenset().union(*(self.reach(other) for other in givers))
        lying = members(self.state.tokens & OF_COLOUR[colour])
        return held + sum(self.state.dungeon.where.get(tile) in cells for tile in lying) >= TOKENS_NEEDED

    def _can_help(self, other: Seat, reach: frozenset[Cell]) -> bool:
        """Return True if the other hero's tokens can come to a hero who can walk to the cells of `reach`."""
        if self.rules.seal_rule == "team" or self.rules.has_skill(other, "wizard"):
            return True
        return not reach.isdisjoint(self.reach(other))

    def _can_leave(self, seat: Seat) -> bool:
        """Return True if this seat's hero, with the Fire, may still reach the Vestibule or End where it must go."""
        where = self.state.dungeon.where
        exits = {ORIGIN} if self.rules.win_at == "vestibule" else {where[end] for end in ENDS if end in where}
        return not exits.isdisjoint(self.reach(seat)) or self.may_change()
