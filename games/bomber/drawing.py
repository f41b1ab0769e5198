"""Situations of bomber as drawings for those who may see everything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.bomber.rules import Bomber
from games.bomber.state import State
from games.bomber.view import cells_by_kind
from games.drawing import SEATS, Beside, Drawing, Icon, Ink, Layer, Rect, Shape, Sign, Text, figure, fill, grid, signs

Place = tuple[int, int]


def draw(game: Bomber, state: State, past: Sequence[State] = ()) -> Drawing:  # noqa: ARG001 - nothing leaves a trail
    """Blocks, bombs with the ticks left to them in the colour of their owner, fire, figures."""
    rules = game.rules

    def at(cells: Iterable[int]) -> list[Place]:
        return [rules.board.places[cell] for cell in cells]

    kinds = cells_by_kind(state.blocks)
    things: tuple[Shape, ...] = (
        *fill(at(kinds.metal), Ink.WALL, rounded=0.1),
        *fill(at(kinds.soft), Ink.WOOD, inset=0.05, rounded=0.12),
        *fill(at(kinds.ore), Ink.ROCK, inset=0.05, rounded=0.12),
        *signs(at(kinds.ore), Sign.HEXAGON, Ink.SILVER, size=0.6),
        *signs(at(token.cell for token in state.ammo), Sign.BOMB, Ink.SILVER, size=0.55),
        *signs(at(state.treasure), Sign.DIAMOND, Ink.GOLD, size=0.7),
        *fill(at(fire.cell for fire in state.fires), Ink.YELLOW, inset=0.04, rounded=0.2),
        *signs(at(fire.cell for fire in state.fires), Sign.FLAME, Ink.FIRE),
    )
    return Drawing(
        title=f"bomber, tick {state.tick}",
        width=rules.width,
        height=rules.height,
        layers=(
            Layer("ground", (Rect(0, 0, rules.width, rules.height, Ink.FLOOR),)),
            grid(rules.width, rules.height),
            Layer("things", things),
            Layer("bombs", tuple(_bombs(game, state))),
            Layer("figures", tuple(_figures(game, state))),
        ),
        seats=tuple(_seat(state, seat) for seat in range(len(state.players))),
        legend=_legend(),
    )


def _bombs(game: Bomber, state: State) -> Iterable[Shape]:
    for bomb in state.bombs:
        x, y = game.rules.board.places[bomb.cell]
        yield Icon(x + 0.5, y + 0.5, Sign.BOMB, SEATS[bomb.owner], 0.95)
        yield Text(x + 0.5, y + 0.62, str(bomb.fires_tick - state.tick + 1), Ink.FLOOR, 0.36)


def _figures(game: Bomber, state: State) -> Iterable[Shape]:
    for seat, player in enumerate(state.players):
        x, y = place = game.rules.board.places[player.cell]
        if player.died_tick is None:
            yield from figure(place, str(seat), SEATS[seat])
        else:
            yield Icon(x + 0.5, y + 0.5, Sign.SKULL, SEATS[seat])


def _seat(state: State, seat: int) -> Beside:
    player = state.players[seat]
    fate = f"{player.hp} HP" if player.died_tick is None else f"died in tick {player.died_tick}"
    shape, *_ = figure((0, 0), str(seat), SEATS[seat])
    return Beside(shape, f"seat {seat}: {player.score} points, {fate}, {player.ammo} ammo")


def _legend() -> tuple[Beside, ...]:
    here = [(0, 0)]
    shown = (
        (fill(here, Ink.WALL), "metal"),
        (fill(here, Ink.WOOD), "soft block"),
        (fill(here, Ink.ROCK), "ore"),
        (signs(here, Sign.BOMB, Ink.SEAT_0), "bomb, ticks left"),
        (signs(here, Sign.BOMB, Ink.SILVER, size=0.6), "ammo"),
        (signs(here, Sign.DIAMOND, Ink.GOLD), "treasure"),
        (signs(here, Sign.FLAME, Ink.FIRE), "fire"),
    )
    return tuple(Beside(shapes[0], text) for shapes, text in shown)
