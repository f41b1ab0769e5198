"""Draw situations of bomber, for people who may see everything or for one seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from gridjoust.games.api import Seat
from gridjoust.games.bomber.params import Rules
from gridjoust.games.bomber.rules import Bomber
from gridjoust.games.bomber.state import Player, State
from gridjoust.games.bomber.view import cells_by_kind
from gridjoust.games.drawing import (
    SEATS,
    Beside,
    Drawing,
    Icon,
    Ink,
    Layer,
    Shape,
    Sign,
    Standing,
    Text,
    figure,
    fill,
    grid,
    ground,
    signs,
)

SEATS_SEE_ALIKE = True  # if nothing is hidden by the rules, as the drawing does not depend on the seat then


def draw(game: Bomber, state: State, past: Sequence[State] = (), *, seat: Seat | None = None) -> Drawing:  # noqa: ARG001 - bomber draws no trails
    """Draw blocks, fire, figures, and bombs in their owner's colour with the ticks left.

    With `hidden`, the drawing for a seat leaves out fire, the timers and owners of bombs, and all numbers of opponents.
    """
    rules = game.rules
    is_open = seat is None or not rules.hidden
    places = rules.board.places
    fires = [places[fire.cell] for fire in state.fires] if is_open else []
    pickups: tuple[Shape, ...] = (
        *signs((places[token.cell] for token in state.ammo), Sign.AMMO, Ink.SILVER, size=0.55),
        *signs((places[cell] for cell in state.treasure), Sign.DIAMOND, Ink.GOLD, size=0.7),
    )
    burning: tuple[Shape, ...] = (
        *fill(fires, Ink.YELLOW, inset=0.04, rounded=0.2),
        *signs(fires, Sign.FLAME, Ink.FIRE),
    )
    bombs = _bombs(rules, state) if is_open else _unknown_bombs(rules, state)
    standings = (
        _standing(number, player, is_told=is_open or number == seat) for number, player in enumerate(state.players)
    )
    return Drawing(
        title=f"bomber, tick {state.tick}",
        width=rules.width,
        height=rules.height,
        layers=(
            ground(rules.width, rules.height),
            grid(rules.width, rules.height),
            Layer("blocks", _blocks(rules, state.blocks)),
            Layer("things", pickups),
            Layer("fire", burning),
            Layer("bombs", tuple(bombs)),
            Layer("figures", tuple(_figures(rules, state))),
        ),
        seats=tuple(standings),
        legend=_legend(),
    )


@lru_cache(maxsize=8)
def _blocks(rules: Rules, blocks: bytes) -> tuple[Shape, ...]:
    """Return the shapes of the blocks; cached, because blocks rarely change from one tick to the next."""
    kinds, places = cells_by_kind(blocks), rules.board.places
    ore = [places[cell] for cell in kinds.ore]
    return (
        *fill((places[cell] for cell in kinds.metal), Ink.WALL, rounded=0.1),
        *fill((places[cell] for cell in kinds.soft), Ink.WOOD, inset=0.05, rounded=0.12),
        *fill(ore, Ink.ROCK, inset=0.05, rounded=0.12),
        *signs(ore, Sign.HEXAGON, Ink.SILVER, size=0.6),
    )


def _bombs(rules: Rules, state: State) -> Iterable[Shape]:
    for bomb in state.bombs:
        x, y = rules.board.places[bomb.cell]
        yield Icon(x + 0.5, y + 0.5, Sign.BOMB, SEATS[bomb.owner], 0.95)
        yield Text(x + 0.5, y + 0.62, str(bomb.fires_tick - state.tick + 1), Ink.FLOOR, 0.36)


def _unknown_bombs(rules: Rules, state: State) -> Iterable[Shape]:
    cells = sorted({bomb.cell for bomb in state.bombs})
    return signs((rules.board.places[cell] for cell in cells), Sign.BOMB, Ink.TEXT, size=0.95)


def _figures(rules: Rules, state: State) -> Iterable[Shape]:
    for seat, player in enumerate(state.players):
        x, y = place = rules.board.places[player.cell]
        if player.died_tick is None:
            yield from figure(place, str(seat), SEATS[seat])
        else:
            yield Icon(x + 0.5, y + 0.5, Sign.SKULL, SEATS[seat])


def _standing(seat: Seat, player: Player, *, is_told: bool) -> Standing:
    shape, *_ = figure((0, 0), str(seat), SEATS[seat])
    if not is_told:
        return Standing(
            seat=seat, shape=shape, note="" if player.died_tick is None else "dead", is_out=player.died_tick is not None
        )
    return Standing(
        seat=seat,
        shape=shape,
        score=f"{player.score} points",
        lives=f"{max(0, player.hp)} HP",
        resources=(f"{player.ammo} ammo",),
        note="" if player.died_tick is None else f"died in tick {player.died_tick}",
        is_out=player.died_tick is not None,
    )


@lru_cache(maxsize=1)
def _legend() -> tuple[Beside, ...]:
    here = [(0, 0)]
    shown = (
        (fill(here, Ink.WALL), "metal"),
        (fill(here, Ink.WOOD), "soft block"),
        (fill(here, Ink.ROCK), "ore"),
        (signs(here, Sign.BOMB, Ink.SEAT_0), "bomb, ticks left"),
        (signs(here, Sign.AMMO, Ink.SILVER, size=0.6), "ammo"),
        (signs(here, Sign.DIAMOND, Ink.GOLD), "treasure"),
        (signs(here, Sign.FLAME, Ink.FIRE), "fire"),
    )
    return tuple(Beside(shapes[0], text) for shapes, text in shown)
