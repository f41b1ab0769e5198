"""Small dungeons for tests: drawn, played with action texts, dice found by trying seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from bots.api import Bot
from bots.heroquest.astar import AStarHero
from bots.heroquest.zargon_dijkstra_map import ZargonHunter
from bots.match import watch_match
from games.api import ParamValue, Turn
from games.heroquest import HeroQuest
from games.heroquest.situation import Situation
from games.heroquest.state import Hero, Monster, State

HALL = """\
..........
.AAAABBBB.
.AAAABBBB.
.AAAABBBB.
..........
"""


@dataclass(frozen=True)
class Scene:
    """A game and a state of it."""

    game: HeroQuest
    state: State

    def do(self, *texts: str) -> Scene:
        """These actions of whoever's turn it is; illegal ones raise."""
        state = self.state
        for text in texts:
            action = self.game.parse_action(text)
            state = self.game.apply(state, Turn({state.seat: action}, state.turn + 1))
        return Scene(self.game, state)

    def legal(self) -> list[str]:
        return [str(action) for action in self.game.legal_actions(self.state, self.state.seat)]

    def allows(self, text: str) -> bool:
        return self.game.is_legal(self.state, self.state.seat, self.game.parse_action(text))

    def set(self, **changed: Any) -> Scene:
        return Scene(self.game, replace(self.state, **changed))

    def hero_set(self, seat: int = 0, **changed: Any) -> Scene:
        heroes = list(self.state.heroes)
        heroes[seat] = heroes[seat]._replace(**changed)
        return self.set(heroes=tuple(heroes))

    def monster_set(self, number: int = 0, **changed: Any) -> Scene:
        monsters = list(self.state.monsters)
        monsters[number] = monsters[number]._replace(**changed)
        return self.set(monsters=tuple(monsters))

    def with_monster(self, kind: str, x: int, y: int, **changed: Any) -> Scene:
        """One more monster in sight."""
        body = self.game.rules.profile(kind).body
        return self.set(monsters=(*self.state.monsters, Monster(kind, self.cell(x, y), body)._replace(**changed)))

    def with_points(self, points: int) -> Scene:
        return self.set(points=points, rolled=max(points, self.state.rolled))

    def at(self, x: int, y: int, seat: int = 0) -> Scene:
        return self.hero_set(seat, cell=self.cell(x, y))

    def cell(self, x: int, y: int) -> int:
        return y * self.state.dungeon.board.width + x

    def place(self, cell: int) -> tuple[int, int]:
        return cell % self.state.dungeon.board.width, cell // self.state.dungeon.board.width

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
        return frozenset(of(self.set(seed=seed).do(text)) for seed in range(seeds))

    def lucky(self, text: str, wanted: Callable[[Scene], bool], seeds: int = 300) -> Scene:
        """The scene after the action, with the first chance that gives what is wanted."""
        for seed in range(seeds):
            after = self.set(seed=seed).do(text)
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


def played(
    params: dict[str, ParamValue], *, seats: int = 5, seed: int = 3, length: int = 60
) -> tuple[HeroQuest, list[State]]:
    """States of a match between bots that get somewhere: random play hardly opens a door."""
    game = HeroQuest(params, seats=seats)
    heroes: Bot = AStarHero()
    bots = [heroes] * (seats - 1) + [ZargonHunter()]
    states = [moment.state for moment in islice(watch_match(game, bots, seed=seed), length)]
    return game, states
