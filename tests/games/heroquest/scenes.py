"""Small dungeons for tests: drawn, played with action texts, dice found by trying seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from gridjoust.bots.heroquest.astar import AStarHero
from gridjoust.bots.heroquest.zargon_dijkstra_map import ZargonHunter
from gridjoust.bots.match import watch_match
from gridjoust.games.api import ParamValue
from gridjoust.games.heroquest import HeroQuest
from gridjoust.games.heroquest.maps import walking_distances
from gridjoust.games.heroquest.sight.board import Board
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import Dungeon, Hero, Monster, State
from tests import scene as shared

HALL = """\
..........
.AAAABBBB.
.AAAABBBB.
.AAAABBBB.
..........
"""


@dataclass(frozen=True)
class Scene(shared.Scene[HeroQuest, State]):
    """A game of heroquest and a situation in it."""

    @property
    def size(self) -> tuple[int, int]:
        return self.state.dungeon.board.width, self.state.dungeon.board.height

    def hero_set(self, seat: int = 0, **changed: Any) -> Scene:
        return self.change_one("heroes", seat, **changed)

    def monster_set(self, number: int = 0, **changed: Any) -> Scene:
        return self.change_one("monsters", number, **changed)

    def with_monster(self, kind: str, x: int, y: int, **changed: Any) -> Scene:
        """One more monster in sight."""
        body = self.game.rules.profile(kind).body
        return self.change(monsters=(*self.state.monsters, Monster(kind, self.cell(x, y), body)._replace(**changed)))

    def with_points(self, points: int) -> Scene:
        return self.change(points=points, rolled=max(points, self.state.rolled))

    def at(self, x: int, y: int, seat: int = 0) -> Scene:
        return self.hero_set(seat, cell=self.cell(x, y))

    @property
    def hero(self) -> Hero:
        return self.state.heroes[0]

    @property
    def position(self) -> tuple[int, int]:
        return self.place(self.hero.cell)

    @property
    def monster(self) -> Monster:
        return self.state.monsters[0]

    @property
    def situation(self) -> Situation:
        return Situation(self.game.rules, self.state)

    def is_seen(self, x: int, y: int) -> bool:
        return bool(self.state.seen >> self.cell(x, y) & 1)

    def events(self, what: str) -> list[Any]:
        return [event for event in self.state.events if event.what == what]

    def outcomes(self, text: str, of: Callable[[Scene], Any], seeds: int = 60) -> frozenset[Any]:
        """What may come of an action: one value for each seed of chance."""
        return frozenset(of(self.change(seed=seed).play(text)) for seed in range(seeds))

    def lucky(self, text: str, wanted: Callable[[Scene], bool], seeds: int = 300) -> Scene:
        """The scene after the action, with the first chance that gives what is wanted."""
        for seed in range(seeds):
            after = self.change(seed=seed).play(text)
            if wanted(after):
                return after
        raise AssertionError(f"no chance among {seeds} gives what is wanted after {text}")


def quest(board: str = HALL, *, start: str = "[[1, 1], [2, 1], [1, 2], [2, 2]]", **keys: str) -> str:
    """A quest file; the goal is a gargoyle unless said otherwise, far in the corner."""
    lines = ["name: scene", "board: |", *("  " + row for row in board.split()), f"start: {start}"]
    keys = {"goal": "{kill: gargoyle}", "monsters": "[[gargoyle, 8, 3]]", **keys}
    return "\n".join([*lines, *(f"{key}: {value}" for key, value in keys.items()), ""])


def scene(
    board: str = HALL,
    *,
    heroes: int = 1,
    params: dict[str, ParamValue] | None = None,
    start: str = "[[1, 1], [2, 1], [1, 2], [2, 2]]",
    **keys: str,
) -> Scene:
    """A match of so many heroes in a drawn dungeon, seed 0, the first hero with twelve points."""
    game = HeroQuest({"map": quest(board, start=start, **keys), **(params or {})}, seats=heroes + 1)
    return Scene(game, game.initial_state(0)).with_points(12)


def free_squares(dungeon: Dungeon, *, fallen: Iterable[int] = ()) -> set[int]:
    """Squares that heroes reach past furniture, chests and fallen blocks, with all doors open."""
    board = dungeon.board
    things = {board.square(cell) for piece in dungeon.furniture for cell in piece.cells}
    things |= {board.square(cell) for cell in (*fallen, *(chest.cell for chest in dungeon.chests))}
    board = Board(board.width, board.height, board.regions, blocked=board.blocked | things)
    return set(walking_distances(board, (*dungeon.doors, *dungeon.secret_doors), dungeon.starts[-1]))


def played(
    params: dict[str, ParamValue], *, seats: int = 5, seed: int = 3, length: int = 60
) -> tuple[HeroQuest, list[State]]:
    """States of a match between bots that get somewhere: random play hardly opens a door."""
    game = HeroQuest(params, seats=seats)
    match = watch_match(game, [*[AStarHero()] * (seats - 1), ZargonHunter()], seed=seed)
    return game, [moment.state for moment in islice(match, length)]
