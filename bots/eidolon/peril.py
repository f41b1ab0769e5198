"""What cultists threaten, and what it is worth to stop them. Fights nobody.

A chamber is lost when its card comes up while a cultist is on it. Cards in the discards do not come up before the next
shuffle, so such a chamber is safe for a while.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from bots.eidolon.roles import Needs
from games.eidolon.dungeon import ORIGIN
from games.eidolon.judge import Situation
from games.eidolon.ritual import deck
from games.eidolon.tiles import ENDS, FIRE, OF_COLOUR, SEALS, TILES, TOKENS_NEEDED, members
from games.grid import Cell

SAFE_SHARE = 0.2  # of the worth of a chamber whose card is in the discards
LAST_TOKEN_WORTH = 9.0  # a token without which the colour cannot be completed
TOKEN_WORTH = 2.5
BRIDGE_WORTH = 9.0  # a tile without which something needed cannot be reached
MAYBE_BRIDGE_WORTH = 3.0  # the same where exploring may find another way


class Peril:
    """The threatened chambers of one state."""

    def __init__(self, needs: Needs) -> None:
        self._needs = needs
        self._state = needs.state

    @cached_property
    def worth(self) -> Mapping[Cell, float]:
        """Cell with a cultist -> what removing it is worth, in AP."""
        return {self._state.dungeon.where[tile]: self._worth_of(tile) for tile in members(self._state.cultists)}

    def is_imminent(self, tile: int) -> bool:
        """Whether the chamber has a cultist and its card may come up before the next shuffle."""
        state = self._state
        return bool(state.cultists >> tile & 1 and deck(state.discards, state.removed_cards) >> tile & 1)

    def _worth_of(self, tile: int) -> float:
        worth = self._token_worth(tile) + self._bridge_worth(tile)
        return worth if self.is_imminent(tile) else worth * SAFE_SHARE

    def _token_worth(self, tile: int) -> float:
        colour = TILES[tile].colour
        if colour is None or not self._state.tokens >> tile & 1 or colour not in self._needs.standing:
            return 0.0
        left = (self._state.tokens & OF_COLOUR[colour] & ~self._state.void).bit_count() + self._needs.held(colour)
        return LAST_TOKEN_WORTH if left <= TOKENS_NEEDED else TOKEN_WORTH

    def _bridge_worth(self, tile: int) -> float:
        dungeon = self._state.dungeon
        cell = dungeon.where[tile]
        before = dungeon.reach(ORIGIN)
        steps = {other: tuple(n for n in beside if n != cell) for other, beside in dungeon.walkable.items()}
        cut_off = before - dungeon.reach(ORIGIN, steps=steps) - {cell}
        if cut_off.isdisjoint(self._needed_cells):
            return 0.0
        is_open = not self._needs.rules.known_map and bool(dungeon.stack)
        return MAYBE_BRIDGE_WORTH if is_open else BRIDGE_WORTH

    @cached_property
    def _needed_cells(self) -> frozenset[Cell]:
        return needed_cells(self._needs, self._state)


def needed_cells(needs: Needs, state: Situation) -> frozenset[Cell]:
    """Cells that somebody has to come to, and those where heroes stand."""
    where = state.dungeon.where
    tiles = [SEALS[colour] for colour in needs.standing]
    tiles += [FIRE] if state.carrier is None else []
    tiles += [*ENDS] if needs.rules.win_at == "end" else []
    cells = [where[tile] for tile in tiles if tile in where]
    cells += [cell for colour in needs.standing for cell in needs.token_cells[colour]]
    return frozenset(cells) | {hero.cell for hero in state.heroes if hero.cell is not None}
