"""The values of bomber: players, things and the complete situation.

Cells are numbers, row by row: `cell = y * width + x` (`gridjoust.games.bomber.board` turns them into x and y). Times
are ticks, counted from 0; `State.tick` is the next tick to be played. A thing that ends "in tick T" still exists while
T is played.
"""

from __future__ import annotations

from typing import NamedTuple

Seat = int

FREE = 0  # one byte a cell: FREE, METAL, or a kind of block plus its HP left
METAL = 1
SOFT = 64
ORE = 128
HP_MASK = 63  # HP 0 = broken in the current tick, removed at the clean-up


class Player(NamedTuple):
    """The figure of one seat; the counts after `died_tick` are metrics, which no rule reads."""

    cell: int
    hp: int  # can fall below 0 if several fires hit at once
    ammo: int
    score: int = 0
    died_tick: int | None = None  # None while alive; a body stays on its cell
    ammo_used: int = 0
    soft_blocks: int = 0  # blocks paid for; a double pay counts twice
    ore_blocks: int = 0
    treasure: int = 0
    hits: int = 0  # fires that hit another player
    own_hits: int = 0
    near_misses: int = 0  # sum over ticks of the opponents that its fire burnt beside without a hit
    traps: int = 0  # bombs that took an opponent's last way out of the fire


class Bomb(NamedTuple):
    """A bomb; it makes fire at the end of `fires_tick`."""

    cell: int
    owner: Seat
    fires_tick: int


class Fire(NamedTuple):
    """Fire of one bomb on one cell; it acts in the next tick and is gone at the end of it."""

    cell: int
    owner: Seat


class Token(NamedTuple):
    """A piece of ammo on the ground; it expires at the end of `last_tick`."""

    cell: int
    last_tick: int


class State(NamedTuple):
    """The complete state of a match before `tick` is played."""

    seed: int
    tick: int
    players: tuple[Player, ...]
    blocks: bytes
    bombs: tuple[Bomb, ...] = ()  # in the order they were laid
    fires: tuple[Fire, ...] = ()  # in the order their bombs were laid
    ammo: tuple[Token, ...] = ()
    treasure: tuple[int, ...] = ()
    ammo_due: tuple[int, ...] = ()  # ticks at whose end a token appears, in ascending order
    treasure_due: int = 0

    def living(self) -> tuple[Seat, ...]:
        """Return the seats whose players live, sorted."""
        return tuple([seat for seat, player in enumerate(self.players) if player.died_tick is None])
