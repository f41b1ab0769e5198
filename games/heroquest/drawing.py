"""Draw situations of heroquest for people, for heroes or for Zargon.

What the heroes have not seen is shaded and lies in layers named `hidden`. Heroes see all other layers; Zargon sees
everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from gridjoust.games.api import Seat
from gridjoust.games.bitset import mask_of
from gridjoust.games.drawing import (
    SEATS,
    Beside,
    Circle,
    Drawing,
    Icon,
    Ink,
    Layer,
    Line,
    Point,
    Shape,
    Sign,
    Standing,
    Text,
    figure,
    fill,
    ground,
    signs,
)
from gridjoust.games.drawing import grid as lines_between
from gridjoust.games.drawing import side_of as edge
from gridjoust.games.grid import Cell
from gridjoust.games.heroquest.ascii import HERO_SIGNS, MONSTER_SIGNS
from gridjoust.games.heroquest.rules import HeroQuest
from gridjoust.games.heroquest.sight.board import Edge, make_edge
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import Door, State

_WALL, _DOOR = 0.12, 0.22
HIDDEN = "hidden"  # name of the layers with what the heroes do not know


def draw(game: HeroQuest, state: State, past: Sequence[State] = (), *, seat: Seat | None = None) -> Drawing:  # noqa: ARG001 - heroquest draws no trails
    """Draw rooms, doors, furniture, heroes and monsters; monsters in hiding are hollow."""
    is_all_seen = seat in (None, len(state.heroes))
    situation = Situation(game.rules, state)
    board, dungeon = situation.board, situation.dungeon
    everything = range(len(board.regions))
    unseen = [board.square(cell) for cell in everything if not state.seen >> cell & 1]
    known, rest = state.seen, situation.layout.everything & ~state.seen
    walls, hidden_walls = _walls(situation)
    layers = (
        ground(board.width, board.height),
        Layer("unseen", fill(unseen, Ink.FOG)),
        lines_between(board.width, board.height),
        Layer("rock", fill(board.squares((situation.layout.rock | situation.fallen) & known), Ink.WALL)),
        Layer(HIDDEN, fill(board.squares((situation.layout.rock | situation.fallen) & ~known), Ink.WALL)),
        Layer("things", tuple(_things(situation, known, state.found_traps))),
        Layer(HIDDEN, tuple(_things(situation, rest, ~state.found_traps))),
        Layer("walls", walls),
        Layer(HIDDEN, hidden_walls),
        Layer("figures", tuple(_figures(situation))),
        Layer(HIDDEN, tuple(_lurkers(situation))),
    )
    return Drawing(
        title=f"heroquest: {dungeon.name}, round {state.round} of {game.rules.max_game_rounds}",
        width=board.width,
        height=board.height,
        layers=tuple(layer for layer in layers if is_all_seen or layer.name != HIDDEN),
        seats=tuple(_standings(state, is_all_seen=is_all_seen)),
        legend=(
            Beside(fill([(0, 0)], Ink.FOG)[0], "not seen yet"),
            Beside(Line(((0, 0.5), (1, 0.5)), Ink.FIRE, _DOOR), "closed door"),
            Beside(fill([(0, 0)], Ink.WOOD, inset=0.08)[0], "furniture"),
            Beside(Icon(0.5, 0.5, Sign.CHEST, Ink.GOLD), "chest"),
            Beside(Icon(0.5, 0.5, Sign.STAIRS, Ink.SILVER), "stairs"),
            Beside(Icon(0.5, 0.5, Sign.TRAP, Ink.RED), "trap"),
            Beside(Circle(0.5, 0.5, 0.38, Ink.VIOLET), "monster"),
            *([Beside(Circle(0.5, 0.5, 0.36, Ink.VIOLET, is_hollow=True), "monster in hiding")] if is_all_seen else []),
            *(
                Beside(Text(0.5, 0.5, HERO_SIGNS[hero.kind], SEATS[seat], 0.8), hero.kind)
                for seat, hero in enumerate(state.heroes)
            ),
            *(
                Beside(Text(0.5, 0.5, sign, Ink.VIOLET, 0.8), kind.replace("_", " "))
                for kind, sign in MONSTER_SIGNS.items()
            ),
        ),
    )


def _things(situation: Situation, squares: int, traps: int) -> Iterable[Shape]:
    """Return the shapes of the things on `squares` and of the traps on `traps`, both bit sets."""
    board, things = situation.board, situation.things
    chests = mask_of(chest.cell for chest in situation.full_chests())
    yield from fill(board.squares(things.blocked & squares), Ink.WALL)
    yield from fill(board.squares(things.furniture & squares), Ink.WOOD, inset=0.08, rounded=0.12)
    yield from signs(board.squares(chests & squares), Sign.CHEST, Ink.GOLD)
    yield from signs(board.squares(mask_of(situation.dungeon.starts) & squares), Sign.STAIRS, Ink.SILVER, size=0.7)
    yield from signs(board.squares(mask_of(situation.traps()) & traps), Sign.TRAP, Ink.RED, size=0.7)


def _walls(situation: Situation) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """Return the shapes of known walls and doors, and those of unknown doors, which are drawn over walls."""
    board = situation.board

    def edges(doors: Iterable[Door]) -> set[Edge]:
        return {make_edge(board.square(one), board.square(two)) for one, two in doors}

    known = edges(situation.known_closed_doors())
    others = edges((*situation.dungeon.doors, *situation.dungeon.secret_doors)) - known - board.open_doors
    return tuple(_lines(situation, known)), tuple(Line(_between(*one), Ink.FIRE, _DOOR) for one in sorted(others))


def _between(one: tuple[int, int], other: tuple[int, int]) -> tuple[Point, Point]:
    return edge(Cell(*one), (other[0] - one[0], other[1] - one[1]))


def _lines(situation: Situation, doors: set[Edge]) -> Iterable[Shape]:
    board = situation.board
    for y, x in product(range(-1, board.height), range(-1, board.width)):
        here = Cell(x, y)
        for side in ((1, 0), (0, 1)):
            there = Cell(x + side[0], y + side[1])
            if here not in board.index and there not in board.index:
                continue
            ends = _between(here, there)
            if make_edge(here, there) in board.open_doors:
                yield Line(ends, Ink.FIRE, _DOOR / 2, is_dashed=True)
            elif make_edge(here, there) in doors:
                yield Line(ends, Ink.FIRE, _DOOR)
            elif board.is_wall(here, there):
                yield Line(ends, Ink.WALL, _WALL)


def _figures(situation: Situation) -> Iterable[Shape]:
    state, board = situation.state, situation.board
    for monster in state.monsters:
        if monster.body > 0:
            yield from figure(board.square(monster.cell), MONSTER_SIGNS[monster.kind], Ink.VIOLET)
    for seat, hero in enumerate(state.heroes):
        if hero.body > 0:
            yield from figure(board.square(hero.cell), HERO_SIGNS[hero.kind], SEATS[seat])


def _lurkers(situation: Situation) -> Iterable[Shape]:
    for lurker in situation.state.lurkers:
        x, y = situation.board.square(lurker.cell)
        yield Circle(x + 0.5, y + 0.5, 0.36, Ink.VIOLET, is_hollow=True)
        yield Text(x + 0.5, y + 0.5, MONSTER_SIGNS[lurker.kind], Ink.VIOLET, 0.5)


def _standings(state: State, *, is_all_seen: bool) -> Iterable[Standing]:
    for seat, hero in enumerate(state.heroes):
        shape = Circle(0.5, 0.5, 0.38, SEATS[seat])
        if hero.body <= 0:
            yield Standing(seat=seat, shape=shape, role=hero.kind, lives="dead", is_out=True)
            continue
        yield Standing(
            seat=seat,
            shape=shape,
            role=hero.kind,
            score=f"{hero.killed} killed",
            lives=f"body {hero.body}, mind {hero.mind}",
            resources=(f"{hero.gold} gold", *hero.items, *hero.potions),
            note="in turn" if state.seat == seat else "",
        )
    standing = sum(monster.body > 0 for monster in state.monsters) + (len(state.lurkers) if is_all_seen else 0)
    monsters = "1 monster" if standing == 1 else f"{standing} monsters"
    yield Standing(
        seat=len(state.heroes),
        shape=Circle(0.5, 0.5, 0.38, Ink.VIOLET),
        role="zargon",
        lives=monsters if is_all_seen else f"{monsters} in sight",
        note="in turn" if state.seat == len(state.heroes) else "",
    )
