"""The matches that `study.decisiveness` counts: equal bots, a bot with a handicap, and planners against a floor.

They are played in this process by the simulated clock, so that every match repeats; the verdicts are made elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from gridjoust import (
    AnytimeBot,
    Bot,
    Deadline,
    Dynamics,
    IllegalAction,
    Observation,
    ParamValue,
    Played,
    Turn,
    games,
    play,
)
from gridjoust.bots import load_bot
from gridjoust.games.api import AnyGame
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.variants import sides_of

SLIP_SHARE = 0.1  # of the answers of a bot that is made weaker
LIMIT_REASONS = ("tick limit", "round limit", "no more game rounds", "still on its way", "rounds have been played")
Seating = Literal["team", "mixed"]
MakeBot = Callable[[], Bot]


def with_slips(bot_class: type[Bot]) -> MakeBot:
    """Return a subclass of the bot that gives a random legal action in one answer of ten."""
    if issubclass(bot_class, AnytimeBot):

        class SlippingAnytime(bot_class):  # type: ignore[valid-type,misc]  # a class known when it is called
            def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
                if self.rng.random() < SLIP_SHARE:
                    yield self.rng.choice(observation.legal)
                else:
                    yield from super().improve(observation, deadline)

        return SlippingAnytime

    class Slipping(bot_class):  # type: ignore[valid-type,misc]  # a class known when it is called
        def act(self, observation: Observation) -> str:
            if self.rng.random() < SLIP_SHARE:
                return str(self.rng.choice(observation.legal))
            return str(super().act(observation))

    return Slipping


CONTENDERS: Mapping[str, str] = {  # game -> the bot that plays itself
    "bomber": "bomber/astar",
    "eidolon": "eidolon/astar",
    "heroquest": "heroquest/astar",
    "navigation": "navigation/astar",
    "placement": "placement/beam",
    "ricochet": "ricochet/astar",
}


@dataclass(frozen=True)
class Row:
    """A variant that is measured: its boards are played in turn."""

    game: str
    boards: tuple[tuple[tuple[str, ParamValue], ...], ...]  # all parameters, a map's text among them, by board
    seats: int
    seating: Seating = "team"
    names: tuple[str, ...] = ("default",)  # where it comes from: `default`, `CONFIG: VARIANT`

    def make(self, number: int) -> AnyGame:
        """Make the game of a match."""
        return games.make(self.game, dict(self.boards[number % len(self.boards)]), seats=self.seats)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats that one bot holds, for each bot of a match."""
        game = self.make(0)
        return tuple(sides_of(game, self.seating)) if is_contest(game) else (tuple(range(self.seats)),)


def is_contest(game: AnyGame) -> bool:
    """Return True if the game has more than one team."""
    return len(set(game.teams)) > 1


def default_rows() -> Iterator[Row]:
    """Yield every game with its default parameters."""
    for name in games.GAMES:
        game = games.make(name)
        yield Row(name, (tuple(game.params.items()),), game.seats)


def config_rows(configs: Iterable[Path]) -> Iterator[Row]:
    """Yield every variant of these tournaments; a variant that is played on several maps is one row."""
    for path in configs:
        boards: dict[str, list[AnyGame]] = {}
        entries = {}
        for variant in load_tournament(path).variants:
            boards.setdefault(variant.name, []).append(variant.game)
            entries[variant.name] = variant.entry
        for name, made in boards.items():
            label = path.stem if len(boards) == 1 else f"{path.stem}: {name}"
            params = tuple(tuple(game.params.items()) for game in made)
            yield Row(entries[name].game, params, made[0].seats, entries[name].seating, (label,))


def merged_rows(rows: Iterable[Row]) -> list[Row]:
    """Merge rows that play the same match under several names into one with all names; sort the rows by game."""
    found: dict[Row, Row] = {}
    for row in rows:
        key = replace(row, names=())
        known = found.get(key)
        found[key] = row if known is None else replace(known, names=(*known.names, *row.names))
    return sorted(found.values(), key=lambda row: row.game)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match came out, by side."""

    returns: tuple[float, ...]  # minus infinity if a forfeit has left no value
    points: tuple[float, ...]  # shares of the others that were beaten; none where nobody is met
    is_limit: bool  # ended by the turn limit
    is_contact: bool | None = None  # whether any seat influenced another; None = nobody else is there
    strong: tuple[bool, ...] = ()  # by side: played without the handicap


def play_equal(row: Row, number: int) -> Ended:
    """Play a match of the game's bot against itself."""
    bot_class = load_bot(CONTENDERS[row.game])
    game = row.make(number)
    return _ended(row, game, number, [bot_class] * len(row.sides), is_watched=True)


def play_handicapped(row: Row, number: int) -> Ended:
    """Play a match of a bot against itself in which every other side has the handicap.

    Two matches in a row share a seed: one handicaps the odd sides, the next the even ones. If there is only one side,
    the seed is played once with the handicap and once without it, as two sides that never meet.
    """
    strong = load_bot(CONTENDERS[row.game])
    weak = with_slips(strong)
    game = row.make(number // 2)
    if len(row.sides) == 1:
        return _played_apart(row, game, number, strong, weak)
    return _played_together(row, game, number // 2, strong, weak, first=number % 2)


def play_floor_pair(row: Row, planner: str, number: int) -> float:
    """Return the share of the points of a game's planner against the game's floor on one seed, from 0 to 1.

    Both play from both sides. If there is only one side, each plays the seed alone, and the better result has the
    point.
    """
    strong, weak = load_bot(f"{row.game}/{planner}"), load_bot(floor_of(row.game))
    game = row.make(number)
    if len(row.sides) == 1:
        return strong_share(_side_by_side(_ended(row, game, number, [strong]), _floor_alone(row, number)))
    both = (_played_together(row, game, number, strong, weak, first=first) for first in (0, 1))
    return fmean(map(strong_share, both))


@cache
def _floor_alone(row: Row, number: int) -> Ended:
    """Let the game's floor play a seed alone; all planners are compared with the same match."""
    return _ended(row, row.make(number), number, [load_bot(floor_of(row.game))])


def floor_of(game: str) -> str:
    """Return the name of the game's bot that plays without a search."""
    return f"{game}/floor"


def strong_share(ended: Ended) -> float:
    """Return 1 if the best of the stronger sides beat the best of the others, one half for a draw, else 0.

    Of more than two sides only the best are compared: if a game knows only a winner, all others are equal.
    """
    sides = list(zip(ended.returns, ended.strong, strict=True))
    strong = max(value for value, is_strong in sides if is_strong)
    weak = max(value for value, is_strong in sides if not is_strong)
    return (strong > weak) + 0.5 * (strong == weak)


def _played_apart(row: Row, game: AnyGame, seed: int, strong: MakeBot, weak: MakeBot) -> Ended:
    """Let both play the seed alone, as two sides that never meet."""
    return _side_by_side(*(_ended(row, game, seed, [make]) for make in (strong, weak)))


def _side_by_side(strong: Ended, weak: Ended) -> Ended:
    """Return two matches of one side each as a match of two sides; the better result has the point."""
    own, other = (ended.returns[0] for ended in (strong, weak))
    points = (0.5, 0.5) if own == other else (float(own > other), float(own < other))
    return Ended((own, other), points, is_limit=False, strong=(True, False))


def _played_together(row: Row, game: AnyGame, seed: int, strong: MakeBot, weak: MakeBot, *, first: int) -> Ended:
    """Play one match in which the strong bot has every other side, from side `first` on."""
    is_strong = tuple(side % 2 == first for side in range(len(row.sides)))
    ended = _ended(row, game, seed, [strong if is_own else weak for is_own in is_strong])
    return replace(ended, strong=is_strong)


def _ended(row: Row, game: AnyGame, seed: int, bots: Sequence[MakeBot], *, is_watched: bool = False) -> Ended:
    is_clocked = game.spec.dynamics in (Dynamics.REAL_TIME, Dynamics.TICKED)
    seated = bots if is_contest(game) and len(bots) == len(row.sides) else _spread(row, game, bots)
    played = play(game, seated, seed=seed, time=None if is_clocked else {"turn_ms": None})
    first = [side[0] for side in row.sides]
    return Ended(
        tuple(-math.inf if (value := played.returns[seat]) is None else value for seat in first),
        tuple(points for seat in first if (points := played.points[seat]) is not None),
        is_limit=any(text in played.reason for text in LIMIT_REASONS),
        is_contact=has_contact(game, played, seed=seed) if is_watched and game.seats > 1 else None,
    )


def _spread(row: Row, game: AnyGame, bots: Sequence[MakeBot]) -> list[MakeBot]:
    """Give the bots the seats of a cooperative game: one bot holds the team, or a copy of it every seat."""
    return list(bots) * (game.seats if row.seating == "mixed" else 1)


def has_contact(game: AnyGame, played: Played, *, seed: int) -> bool:
    """Return True if any seat influenced another.

    If the game has metrics of contact, they decide; otherwise each seat's actions are replayed with the others idle.
    """
    if (names := CONTACT_METRICS.get(game.spec.name)) is not None:
        return any(sum(own[name] for own in played.metrics) > 0 for name in names)
    if game.spec.dynamics is Dynamics.REAL_TIME:  # bids: who has called one has answered, or gone before, another
        return sum(own["bids"] > 0 for own in played.metrics) > 1
    return any(is_influenced(game, played.actions, seat, played.metrics[seat], seed=seed) for seat in range(game.seats))


CONTACT_METRICS: Mapping[str, tuple[str, ...]] = {"bomber": ("hits", "near_misses"), "heroquest": ("killed",)}


def is_influenced(
    game: AnyGame, turns: Sequence[Mapping[int, str]], seat: int, metrics: Mapping[str, float], *, seed: int
) -> bool:
    """Return True if a seat's actions, played again while all others do nothing, are illegal or have another result."""
    state: Any = game.initial_state(seed)
    for number, texts in enumerate(turns, 1):
        if game.is_terminal(state):
            return True
        acting = game.seats_to_act(state)
        if (seat in acting) != (seat in texts):
            return True
        actions = {other: game.default_action(state, other) for other in acting}
        if seat in texts:
            actions[seat] = game.parse_action(texts[seat])
        try:
            state = game.apply(state, Turn(actions, number))
        except IllegalAction:
            return True
    return dict(game.metrics(state)[seat]) != dict(metrics)


@cache
def all_rows(*folders: Path) -> tuple[Row, ...]:
    """Return the default variants and those of the tournament files in the folders; merge rows that play the same."""
    configs = sorted((path for folder in folders for path in folder.glob("*.yaml")), key=lambda path: path.name)
    return tuple(merged_rows([*default_rows(), *config_rows(configs)]))
