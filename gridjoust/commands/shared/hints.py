"""Examples of a game's messages as comments for a new bot's file, taken from short random matches."""

from __future__ import annotations

import json
import random
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gridjoust.games import GAMES
from gridjoust.games.api import AnyGame, Json, MatchStuckError, Seat
from gridjoust.games.play import random_turn

FIRST_SEED = 1
MATCHES = 3  # matches played for examples
TURNS = 200  # limit per match
ITEMS = 2  # shown of a long list
LETTERS = 24  # shown of a long text
WIDTH = 112
LINES = 5  # shown of one value
EMPTY: tuple[Json, ...] = (None, [], {}, "", 0, False)


@dataclass(frozen=True, slots=True)
class Names:
    """The expressions for a message's parts in the programming language of a new bot's file."""

    params: str
    briefing: str  # with the seat in braces
    observation: str
    legal: str


@dataclass(slots=True)
class SeatExamples:
    """Examples of one seat's messages: for each key of its observation, the first value that is not empty."""

    seat: Seat
    role: str
    briefing: Mapping[str, Json]
    observation: dict[str, Json] = field(default_factory=dict)
    legal: dict[str, str] = field(default_factory=dict)  # by their first word
    samples: set[bool] = field(default_factory=set)  # values of `legal_complete` that occurred

    def add(self, game: AnyGame, state: Any) -> None:
        """Keep the observation's new keys, and new legal actions, of one state."""
        for key, value in game.observation(state, self.seat).items():
            if key not in self.observation or self.observation[key] in EMPTY:
                self.observation[key] = value
        for action in map(str, game.legal_actions(state, self.seat)):
            self.legal.setdefault(action.split()[0], action)
        self.samples.add(game.legal_complete(state, self.seat))


def hint_lines(game: AnyGame, names: Names) -> Iterator[str]:
    """Yield the lines of a comment with example messages, without comment signs."""
    spec = game.spec
    yield f"What a bot receives in {spec.name}, from real matches; long values are shortened (...)."
    if spec.name in GAMES:
        yield f"`python -m pydoc gridjoust.games.{spec.name}.view` explains every key."
    yield ""
    yield names.params
    yield from _values(game.public_params)
    for seen in watch(game):
        role = f" ({seen.role})" if seen.role else ""
        yield from ("", names.briefing.format(seat=seen.seat) + role)
        yield from _values({key: value for key, value in seen.briefing.items() if key != "params"})
        yield from ("", names.observation + role)
        yield from _values(seen.observation)
        sampled = " (a sample: the rules allow more)" if False in seen.samples else ""
        yield from ("", f"{names.legal}{role}, one of each kind{sampled}")
        actions = "  |  ".join(seen.legal.values())
        yield from textwrap.wrap(actions, WIDTH, initial_indent="    ", subsequent_indent="    ")


def watch(game: AnyGame) -> list[SeatExamples]:
    """Return examples for one seat of every role, from matches with random actions."""
    seats = [game.roles.index(role) for role in sorted(set(game.roles))]
    start = game.initial_state(FIRST_SEED)
    watched = [SeatExamples(seat, game.roles[seat], game.briefing(start, seat)) for seat in seats]
    for seed in range(FIRST_SEED, FIRST_SEED + MATCHES):
        for state in _situations(game, seed):
            for seen in watched:
                seen.add(game, state)
    return watched


def _situations(game: AnyGame, seed: int) -> Iterator[Any]:
    state, stamp, chance = game.initial_state(seed), 0, random.Random(f"hints/{seed}")
    for _ in range(TURNS):
        yield state
        if game.is_terminal(state):
            return
        try:
            turn = random_turn(game, state, stamp, rng=chance)
        except MatchStuckError:
            return
        state, stamp = game.apply(state, turn), turn.stamp


def _values(values: Mapping[str, Json]) -> Iterator[str]:
    width = max(map(len, values), default=0)
    for key, value in values.items():
        first, later = f"    {key:<{width}}  ", " " * (width + 6)
        yield from textwrap.wrap(example(value), WIDTH, initial_indent=first, subsequent_indent=later, max_lines=LINES)


def example(value: Json) -> str:
    """Return a value as JSON, shortened to fit a line.

    >>> example([[1, 2], [3, 4], [5, 6], [7, 8]])
    '[[1, 2], [3, 4], ...]'
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {example(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        is_short = len(json.dumps(value)) <= LETTERS
        shown = [example(item) for item in (value if is_short else value[:ITEMS])]
        return "[" + ", ".join([*shown, *(["..."] if len(shown) < len(value) else [])]) + "]"
    if isinstance(value, str) and len(value) > LETTERS:
        return json.dumps(value[:LETTERS])[:-1] + '..."'
    return json.dumps(value)
