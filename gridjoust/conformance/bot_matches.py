"""Plays a bot's matches against random opponents in this process, by the rules alone."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Required, TypedDict

from gridjoust.bots.api import Bot, Observation
from gridjoust.bots.harness import start_bot
from gridjoust.bots.match import make_setup, observe
from gridjoust.conformance.subject import Params, load_class, load_game_class
from gridjoust.games.api import AnyGame, Dynamics, Seat
from gridjoust.games.play import TURN_BASED, Match

WATCHED_MATCHES = 3
DECISION_CAP = 400  # limit of turns per match
OPPONENT_ANSWER_CHANCE = 0.6  # that a random opponent answers in a ticked or real-time game


class BotOptions(TypedDict, total=False):
    """The options of `check_bot`."""

    game: Required[type[AnyGame] | str]
    params: Params | None
    seats: int | None
    roles: Sequence[str]
    seeds: Sequence[int]
    options: Params | None


class BotSubject:
    """A bot class that is tested, with the game and its variant."""

    def __init__(
        self,
        bot: type[Any] | str,
        *,
        game: type[AnyGame] | str,
        params: Params | None = None,
        seats: int | None = None,
        roles: Sequence[str] = (),
        seeds: Sequence[int] = (),
        options: Params | None = None,
    ) -> None:
        self.bot_class: type[Bot] = load_class(bot) if isinstance(bot, str) else bot
        if not (isinstance(self.bot_class, type) and issubclass(self.bot_class, Bot)):
            raise ValueError(f"expected a subclass of gridjoust.Bot, got {self.bot_class.__name__}")
        self.game_class = load_game_class(game)
        self.game: AnyGame = self.game_class(params, seats=seats)
        self.params = tuple(sorted((params or {}).items()))
        self.options = dict(options or {})
        self.seeds = tuple(seeds) or tuple(range(1, 9))
        self.places = places_of(self.game, roles)

    @property
    def label(self) -> str:
        """Short name of bot and game."""
        return f"{self.bot_class.__name__} in {self.game.spec.name}"

    @cached_property
    def watched(self) -> tuple[BotMatch, ...]:
        """The first matches of the bot, used by several checks; played on first use."""
        with global_chance(1):
            return tuple(play_bot(self, seats, seed) for seats, seed in places_and_seeds(self, WATCHED_MATCHES))

    def make_bot(self, state: Any, *, seats: tuple[Seat, ...], seed: int) -> Bot:
        """Make a new bot for one match, seed it, and call its `start`."""
        bot_seed = random.Random(f"conformance/bot/{seed}/{seats}").getrandbits(53)
        setup = make_setup(self.game, state, seats=seats, match=f"conformance-{seed}", bot_seed=bot_seed)
        bot: Bot = self.bot_class(**self.options)
        return start_bot(bot, setup)


@contextlib.contextmanager
def global_chance(seed: int) -> Iterator[None]:
    """Seed Python's global generator in this context, and restore its state afterwards."""
    held = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(held)


def places_of(game: AnyGame, roles: Sequence[str]) -> tuple[tuple[Seat, ...], ...]:
    """Return the groups of seats that one bot may hold in a match: each team, or its seats with one of the roles."""
    own = [seat for seat in range(game.seats) if not roles or game.roles[seat] in roles]
    teams = sorted({game.teams[seat] for seat in own})
    places = tuple(tuple(seat for seat in own if game.teams[seat] == team) for team in teams)
    if not places:
        raise ValueError(f"roles: expected some of {', '.join(sorted(set(game.roles)))}, got {', '.join(roles)}")
    return places


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer of the tested bot, with the question."""

    turn_number: int
    seat: Seat
    state: Any
    observation: Observation
    text: str


@dataclass(slots=True)
class BotMatch:
    """A running match: `step` plays one turn. The bot holds `seats`, a random opponent all others."""

    subject: BotSubject
    seats: tuple[Seat, ...]
    seed: int
    bot: Bot | None = None  # None: the random opponent plays the bot's seats too
    decisions: list[Decision] = field(default_factory=list)
    match: Match[Any, Any] = field(init=False)
    _chance: dict[Seat, random.Random] = field(init=False)

    def __post_init__(self) -> None:
        game = self.subject.game
        self.match = Match(game, game.initial_state(self.seed))
        self._chance = {seat: random.Random(f"conformance/opponent/{self.seed}/{seat}") for seat in range(game.seats)}

    @property
    def answers(self) -> list[str]:
        """The bot's answers as `turn/seat: text`, for comparison."""
        return [f"{decision.turn_number}/{decision.seat}: {decision.text}" for decision in self.decisions]

    def sit_down(self) -> BotMatch:
        """Make a new bot for the seats of this match; return the match."""
        self.bot = self.subject.make_bot(self.match.state, seats=self.seats, seed=self.seed)
        return self

    def play(self) -> BotMatch:
        """Play to the end; return the match."""
        while not self.is_over():
            self.step()
        return self

    def is_over(self) -> bool:
        """Return True at the end by the rules, or after `DECISION_CAP` turns."""
        return self.match.turns >= DECISION_CAP or self.match.is_over

    def step(self) -> None:
        """Ask the seats that are to act, and apply one turn; in real time, tell the bot of the change."""
        self.match.step(self._choose)
        game = self.subject.game
        if self.bot is None or game.spec.dynamics is not Dynamics.REAL_TIME:
            return
        for seat in game.seats_to_act(self.match.state):
            if seat in self.seats:
                self.bot.hear(observe(game, self.match.state, seat, turn=self.match.turns + 1))

    def _choose(self, state: Any, seat: Seat) -> Any:
        game, chance = self.subject.game, self._chance[seat]
        if self.bot is None or seat not in self.seats:
            is_silent = game.spec.dynamics not in TURN_BASED and chance.random() >= OPPONENT_ANSWER_CHANCE
            return None if is_silent else chance.choice(game.legal_actions(state, seat))
        observation = observe(game, state, seat, turn=self.match.turns + 1)
        text = self.bot.act(observation)
        self.decisions.append(Decision(self.match.turns + 1, seat, state, observation, text))
        action = parse_legal(game, state, seat, text)
        return game.default_action(state, seat) if action is None else action


def parse_legal(game: AnyGame, state: Any, seat: Seat, text: object) -> Any:
    """Return the legal action of a text, None if it has none."""
    try:
        action = game.parse_action(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return action if action is not None and game.is_legal(state, seat, action) else None


def play_bot(subject: BotSubject, seats: tuple[Seat, ...], seed: int) -> BotMatch:
    """Play one complete match with a new bot."""
    return BotMatch(subject, seats, seed).sit_down().play()


def places_and_seeds(subject: BotSubject, count: int) -> Iterator[tuple[tuple[Seat, ...], int]]:
    """Yield (seats of the bot, seed) of `count` matches: seeds in order, groups of seats in turn."""
    for number in range(count):
        yield subject.places[number % len(subject.places)], subject.seeds[number % len(subject.seeds)]
