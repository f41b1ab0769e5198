"""The values of placement: figures, pieces and the complete situation.

Cells of a board in play are bits (see `gridjoust.games.placement.board`); pieces in hands and bags are numbers in the
match's piece set (`gridjoust.games.placement.pieces.piece_set`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from gridjoust.games.placement.board import Mask

Seat = int


@dataclass(frozen=True, slots=True)
class Layout:
    """A board before the first turn; starts are on Floor, goals on Floor or Void."""

    width: int
    height: int
    floor: Mask
    walls: Mask
    starts: tuple[int, ...]  # by seat
    goals: tuple[tuple[int, ...], ...]  # by seat, sorted


class Player(NamedTuple):
    """One seat's figure, hand and bag; its counts are for metrics, tie-breaks and the limit on barriers."""

    cell: int
    missing: Mask  # own goals that are not collected yet
    hand: tuple[int, ...] = ()
    bag: tuple[int, ...] = ()  # pieces to be drawn before the bag is filled again, sorted
    pieces: int = 0
    cells: int = 0
    barriers: int = 0
    steps: int = 0
    passes: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """The complete situation before `seat` plays its turn in `game_round` (from 1)."""

    seed: int
    layout: Layout
    game_round: int
    seat: Seat
    floor: Mask
    walls: Mask
    players: tuple[Player, ...]
    built: tuple[int, ...] = ()  # cells that players laid, oldest first; recorded only with `collapse`

    def with_player(self, seat: Seat, player: Player) -> State:
        """Return the state with another value for one player."""
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))
