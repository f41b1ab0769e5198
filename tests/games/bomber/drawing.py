"""Bomber situations drawn as rows of text, and ticks played in a line each. Holds no expectations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from games.api import ParamValue, Turn
from games.bomber import Bomber
from games.bomber.state import ORE, Bomb, Fire, Player, State
from games.grid import Cell, format_cells

NEVER = 10**9  # a tick no test plays


@dataclass(frozen=True)
class Scene:
    """A game and a situation in it; every method that plays returns the scene after."""

    game: Bomber
    state: State

    def cell(self, x: int, y: int) -> int:
        return y * self.game.rules.width + x

    def play(self, *ticks: str) -> Scene:
        """One text per tick: the living seats' actions in seat order, such as "up bomb"."""
        state = self.state
        for actions in ticks:
            seats = self.game.seats_to_act(state)
            chosen = dict(zip(seats, map(self.game.parse_action, actions.split()), strict=True))
            state = self.game.apply(state, Turn(chosen, state.tick))
        return replace(self, state=state)

    def wait(self, ticks: int = 1) -> Scene:
        """Nobody does anything."""
        scene = self
        for _ in range(ticks):
            scene = scene.play(" ".join(["wait"] * len(scene.state.living())))
        return scene

    def change(self, **fields: object) -> Scene:
        """The scene with some fields of its state set."""
        return replace(self, state=replace(self.state, **fields))  # type: ignore[arg-type]

    def player(self, seat: int) -> Player:
        return self.state.players[seat]

    def position(self, seat: int) -> tuple[int, int]:
        y, x = divmod(self.player(seat).cell, self.game.rules.width)
        return x, y

    def positions(self) -> list[tuple[int, int]]:
        return [self.position(seat) for seat in range(self.game.seats)]

    def scores(self) -> list[int]:
        return [player.score for player in self.state.players]

    def hp(self) -> list[int]:
        return [player.hp for player in self.state.players]

    def bombs(self) -> list[tuple[int, int]]:
        return self._places(bomb.cell for bomb in self.state.bombs)

    def ammo(self) -> list[tuple[int, int]]:
        return self._places(token.cell for token in self.state.ammo)

    def treasure(self) -> list[tuple[int, int]]:
        return self._places(self.state.treasure)

    def fire_board(self) -> str:
        """`*` where there is fire, `.` elsewhere."""
        return self._board(dict.fromkeys((fire.cell for fire in self.state.fires), "*"))

    def block_board(self) -> str:
        """`#`, `s`, `o` where blocks stand."""
        kinds = {cell: "#" if b == 1 else "s" if b < ORE else "o" for cell, b in enumerate(self.state.blocks) if b}
        return self._board(kinds)

    def _places(self, cells: Iterable[int]) -> list[tuple[int, int]]:
        return [(cell % self.game.rules.width, cell // self.game.rules.width) for cell in cells]

    def _board(self, signs: dict[int, str]) -> str:
        width, height = self.game.rules.width, self.game.rules.height
        return format_cells(width, height, {Cell(c % width, c // width): sign for c, sign in signs.items()})


def rows(*lines: str) -> str:
    """A drawn board to compare with `fire_board` and the like."""
    return "\n".join(lines)


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
    """A map (signs of `games.bomber.maps`) with bombs (x, y, owner, timer) and fires (x, y, owner); nothing spawns."""
    seats = sum(sign.isdigit() for line in lines for sign in line)
    game = Bomber({"map": "\n".join(lines), **params}, seats=seats)
    state = game.initial_state(seed)
    width = game.rules.width
    return Scene(
        game,
        replace(
            state,
            players=tuple(_with(player, seat, hp, ammo, score) for seat, player in enumerate(state.players)),
            bombs=tuple(Bomb(y * width + x, owner, timer - 1) for x, y, owner, timer in bombs),
            fires=tuple(Fire(y * width + x, owner) for x, y, owner in fires),
            treasure_due=NEVER,
        ),
    )


def _with(player: Player, seat: int, hp: Sequence[int], ammo: Sequence[int], score: Sequence[int]) -> Player:
    if hp:
        player = player._replace(hp=hp[seat])
    if ammo:
        player = player._replace(ammo=ammo[seat])
    if score:
        player = player._replace(score=score[seat])
    return player
