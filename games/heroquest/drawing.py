"""Situations of heroquest as drawings for those who may see everything; what the heroes have not seen is shaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from games.bitset import mask_of
from games.drawing import (
    SEATS,
    Beside,
    Circle,
    Drawing,
    Icon,
    Ink,
    Layer,
    Line,
    Rect,
    Shape,
    Sign,
    Text,
    figure,
    fill,
    signs,
)
from games.drawing import grid as lines_between
from games.drawing import side_of as edge
from games.grid import Cell
from games.heroquest.ascii import HERO_SIGNS, MONSTER_SIGNS
from games.heroquest.rules import HeroQuest
from games.heroquest.sight.board import make_edge
from games.heroquest.situation import Situation
from games.heroquest.state import State

_WALL, _DOOR = 0.12, 0.22


def draw(game: HeroQuest, state: State, past: Sequence[State] = ()) -> Drawing:  # noqa: ARG001 - nothing leaves a trail
    """Rooms, doors, furniture, heroes and monsters; monsters that nobody has seen are hollow."""
    situation = Situation(game.rules, state)
    board, dungeon = situation.board, situation.dungeon
    everything = range(len(board.regions))
    unseen = [board.square(cell) for cell in everything if not state.seen >> cell & 1]
    rock = situation.layout.rock | situation.things.blocked | situation.fallen
    things: tuple[Shape, ...] = (
        *fill(board.squares(rock), Ink.WALL),
        *fill(board.squares(situation.things.furniture), Ink.WOOD, inset=0.08, rounded=0.12),
        *signs(board.squares(mask_of(chest.cell for chest in situation.full_chests())), Sign.CHEST, Ink.GOLD),
        *signs(board.squares(mask_of(dungeon.starts)), Sign.STAIRS, Ink.SILVER, size=0.7),
        *signs(board.squares(mask_of(situation.traps())), Sign.TRAP, Ink.RED, size=0.7),
    )
    return Drawing(
        title=f"heroquest: {dungeon.name}, round {state.round}",
        width=board.width,
        height=board.height,
        layers=(
            Layer("ground", (Rect(0, 0, board.width, board.height, Ink.FLOOR),)),
            Layer("unseen", fill(unseen, Ink.FOG)),
            lines_between(board.width, board.height),
            Layer("things", things),
            Layer("walls", tuple(_walls(situation))),
            Layer("figures", tuple(_figures(situation))),
        ),
        seats=tuple(_seats(state)),
        legend=(
            Beside(fill([(0, 0)], Ink.FOG)[0], "not seen yet"),
            Beside(Line(((0, 0.5), (1, 0.5)), Ink.FIRE, _DOOR), "closed door"),
            Beside(fill([(0, 0)], Ink.WOOD, inset=0.08)[0], "furniture"),
            Beside(Icon(0.5, 0.5, Sign.CHEST, Ink.GOLD), "chest"),
            Beside(Icon(0.5, 0.5, Sign.STAIRS, Ink.SILVER), "stairs"),
            Beside(Icon(0.5, 0.5, Sign.TRAP, Ink.RED), "trap"),
            Beside(Circle(0.5, 0.5, 0.38, Ink.VIOLET), "monster"),
            Beside(Circle(0.5, 0.5, 0.36, Ink.VIOLET, is_hollow=True), "monster in hiding"),
        ),
    )


def _walls(situation: Situation) -> Iterable[Shape]:
    board, dungeon = situation.board, situation.dungeon
    known = (*dungeon.doors, *dungeon.secret_doors)
    doors = {make_edge(board.square(one), board.square(two)) for one, two in known}
    for y, x in product(range(-1, board.height), range(-1, board.width)):
        here = Cell(x, y)
        for side in ((1, 0), (0, 1)):
            there = Cell(x + side[0], y + side[1])
            if here not in board.index and there not in board.index:
                continue
            ends = edge(here, side)
            if make_edge(here, there) in board.open_doors:
                yield Line(ends, Ink.FIRE, _DOOR / 2, is_dashed=True)
            elif make_edge(here, there) in doors:
                yield Line(ends, Ink.FIRE, _DOOR)
            elif board.is_wall(here, there):
                yield Line(ends, Ink.WALL, _WALL)


def _figures(situation: Situation) -> Iterable[Shape]:
    state, board = situation.state, situation.board
    for lurker in state.lurkers:
        x, y = board.square(lurker.cell)
        yield Circle(x + 0.5, y + 0.5, 0.36, Ink.VIOLET, is_hollow=True)
        yield Text(x + 0.5, y + 0.5, MONSTER_SIGNS[lurker.kind], Ink.VIOLET, 0.5)
    for monster in state.monsters:
        if monster.body > 0:
            yield from figure(board.square(monster.cell), MONSTER_SIGNS[monster.kind], Ink.VIOLET)
    for seat, hero in enumerate(state.heroes):
        if hero.body > 0:
            yield from figure(board.square(hero.cell), HERO_SIGNS[hero.kind], SEATS[seat])


def _seats(state: State) -> Iterable[Beside]:
    for seat, hero in enumerate(state.heroes):
        told = f"body {hero.body}, {hero.killed} killed, {hero.gold} gold" if hero.body > 0 else "dead"
        yield Beside(Circle(0.5, 0.5, 0.38, SEATS[seat]), f"seat {seat}, {hero.kind}: {told}")
    left = sum(monster.body > 0 for monster in state.monsters) + len(state.lurkers)
    yield Beside(Circle(0.5, 0.5, 0.38, Ink.VIOLET), f"seat {len(state.heroes)}, zargon: {left} monsters")
