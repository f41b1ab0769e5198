"""Bomber situations drawn as rows of text, and ticks played in a line each. Holds no expectations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from gridjoust.games.api import ParamValue
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.state import ORE, Bomb, Fire, Player, State
from tests import scene as shared

NEVER = 10**9  # a tick no test plays
rows = shared.rows


@dataclass(frozen=True)
class Scene(shared.Scene[Bomber, State]):
    """A game of bomber and a situation in it."""

    @property
    def size(self) -> tuple[int, int]:
        return self.game.rules.width, self.game.rules.height

    def wait(self, ticks: int = 1) -> Self:
        """Nobody does anything."""
        scene = self
        for _ in range(ticks):
            scene = scene.play(" ".join(["wait"] * len(scene.state.living())))
        return scene

    def player(self, seat: int) -> Player:
        return self.state.players[seat]

    def position(self, seat: int) -> tuple[int, int]:
        return self.place(self.player(seat).cell)

    def positions(self) -> list[tuple[int, int]]:
        return self.places(player.cell for player in self.state.players)

    def scores(self) -> list[int]:
        return [player.score for player in self.state.players]

    def hp(self) -> list[int]:
        return [player.hp for player in self.state.players]

    def bombs(self) -> list[tuple[int, int]]:
        return self.places(bomb.cell for bomb in self.state.bombs)

    def ammo(self) -> list[tuple[int, int]]:
        return self.places(token.cell for token in self.state.ammo)

    def treasure(self) -> list[tuple[int, int]]:
        return self.places(self.state.treasure)

    def fire_board(self) -> str:
        """`*` where there is fire, `.` elsewhere."""
        return self.drawn(dict.fromkeys((fire.cell for fire in self.state.fires), "*"))

    def block_board(self) -> str:
        """`#`, `s`, `o` where blocks stand."""
        return self.drawn({c: "#" if b == 1 else "s" if b < ORE else "o" for c, b in enumerate(self.state.blocks) if b})


def scene(
    *lines: str,
    bombs: Sequence[tuple[int, int, int, int]] = (),
    fires: Sequence[tuple[int, int, int]] = (),
    hp: Sequence[int] = (),
    ammo: Sequence[int] = (),
    score: Sequence[int] = (),
    seed: int = 0,
    **params: ParamValue,
) -> Scene:
    """A map (signs of `games/bomber/maps.py`) with bombs (x, y, owner, timer), fires (x, y, owner); nothing spawns."""
    seats = sum(sign.isdigit() for line in lines for sign in line)
    game = Bomber({"preset": "coderone", "map": "\n".join(lines), **params}, seats=seats)
    state = game.initial_state(seed)
    players = list(state.players)
    for name, values in (("hp", hp), ("ammo", ammo), ("score", score)):
        for seat, value in enumerate(values):
            players[seat] = players[seat]._replace(**{name: value})
    width = game.rules.width
    return Scene(game, state).change(
        players=tuple(players),
        bombs=tuple(Bomb(y * width + x, owner, timer - 1) for x, y, owner, timer in bombs),
        fires=tuple(Fire(y * width + x, owner) for x, y, owner in fires),
        treasure_due=NEVER,
    )
