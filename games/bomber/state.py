"""The values of bomber: players, things and the whole situation. No rules, no chance.

Cells are numbers, row by row: `cell = y * width + x` (`gridjoust.games.bomber.board` turns them into x and y). Times
are ticks, counted from 0; `State.tick` is the tick to be played next. What ends "in tick T" is still there while T is
played.
"""

from __future__ import annotations

from typing import NamedTuple

Seat = int

FREE = 0  # one byte a cell: this, metal, or a kind plus its HP left
METAL = 1
SOFT = 64
ORE = 128
HP_MASK = 63  # HP 0 = died in the tick being played, falls when it is cleaned up


class Player(NamedTuple):
    """One seat's figure. The counts after `died_tick` are metrics only: no rule reads them."""

    cell: int
    hp: int  # falls below 0 when several fires hit at once
    ammo: int
    score: int = 0
    died_tick: int | None = None  # None while alive; a body stays on its cell
    ammo_used: int = 0
    soft_blocks: int = 0  # blocks paid for: a double pay counts twice
    ore_blocks: int = 0
    treasure: int = 0
    hits: int = 0  # fires that hit another player
    own_hits: int = 0
    near_misses: int = 0  # ticks and others beside whom its fire burnt without hitting them
    traps: int = 0  # bombs that took another player's last way out of the fire


class Bomb(NamedTuple):
    """A bomb; `fires_tick` is the tick at whose end it makes fire."""

    cell: int
    owner: Seat
    fires_tick: int


class Fire(NamedTuple):
    """Fire of one bomb on one cell; it acts in the tick to come and is gone at its end."""

    cell: int
    owner: Seat


class Token(NamedTuple):
    """Ammo on the ground; it perishes at the end of `last_tick`."""

    cell: int
    last_tick: int


class State(NamedTuple):
    """The complete situation before `tick` is played."""

    seed: int
    tick: int
    players: tuple[Player, ...]
    blocks: bytes
    bombs: tuple[Bomb, ...] = ()  # in the order they were laid
    fires: tuple[Fire, ...] = ()  # in the order their bombs were laid
    ammo: tuple[Token, ...] = ()
    treasure: tuple[int, ...] = ()
    ammo_due: tuple[int, ...] = ()  # ticks at whose end a token comes, never falling
    treasure_due: int = 0

    def living(self) -> tuple[Seat, ...]:
        """Seats whose players live, sorted."""
        return tuple([seat for seat, player in enumerate(self.players) if player.died_tick is None])
