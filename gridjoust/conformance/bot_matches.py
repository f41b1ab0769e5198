"""Plays a bot's matches in this process, straight on the rules, as the harness would. Judges nothing.

The runner imports no bots: the classes of the bot interface (MatchSetup, Observation, Deadline) are taken from the
module in which the bot's own base class is defined, so any subclass of `bots.api.Bot` brings them along.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from games.api import AnyGame, Dynamics, Seat, Turn
from gridjoust.conformance.matches import MatchStuckError
from gridjoust.conformance.subject import Params, load_class, load_game_class

DECISION_CAP = 400  # turns of one match that a bot is watched for
OPPONENT_ANSWER_CHANCE = 0.6  # of a random opponent in a ticked or real-time game


class BotLike(Protocol):
    """What a bot is to this suite; `bots.api.Bot` is the real thing."""

    plays: ClassVar[tuple[str, ...]]
    planner: ClassVar[str]
    rng: random.Random

    def start(self, setup: Any) -> None:
        """Before the first turn."""

    def act(self, observation: Any) -> str:
        """The answer to one question."""

    def hear(self, event: Any) -> None:
        """News while a question is open."""


class BotInterface(Protocol):
    """The classes of the module that defines the bot's base class."""

    MatchSetup: Callable[..., Any]
    Observation: Callable[..., Any]
    Deadline: Callable[..., Any]


class BotSubject:
    """A bot class with the game and variant it is examined in."""

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
        self.bot_class: type[Any] = load_class(bot) if isinstance(bot, str) else bot
        self.interface = find_interface(self.bot_class)
        self.game_class = load_game_class(game)
        self.game: AnyGame = self.game_class(params, seats=seats)
        self.params = tuple(sorted((params or {}).items()))
        self.options = dict(options or {})
        self.seeds = tuple(seeds) or tuple(range(1, 9))
        self.places = _places(self.game, roles)

    @property
    def label(self) -> str:
        """Bot and game in one short text."""
        return f"{self.bot_class.__name__} in {self.game.spec.name}"

    def make_bot(self, state: Any, *, seats: tuple[Seat, ...], seed: int) -> BotLike:
        """A fresh bot for one match, its chance seeded, its `start` done."""
        bot: BotLike = self.bot_class(**self.options)
        bot_seed = random.Random(f"conformance/bot/{seed}/{seats}").getrandbits(53)
        bot.rng = random.Random(bot_seed)
        bot.start(self.make_setup(state, seats=seats, match=f"conformance-{seed}", bot_seed=bot_seed))
        return bot

    def make_setup(self, state: Any, *, seats: tuple[Seat, ...], match: str, bot_seed: int) -> Any:
        """What the referee's `start` message tells a bot."""
        game = self.game
        return self.interface.MatchSetup(
            match=match,
            game=game.spec.name,
            game_version=game.spec.version,
            variant=game.spec.name,
            params=dict(game.public_params),
            seats=list(seats),
            seat_count=game.seats,
            teams=list(game.teams),
            roles=list(game.roles),
            briefing={str(seat): game.briefing(state, seat) for seat in seats},
            bot_seed=bot_seed,
            dynamics=game.spec.dynamics.value,
            turn_ms=None,
        )

    def observe(self, state: Any, seat: Seat, turn_number: int) -> Any:
        """One question to a seat."""
        return self.interface.Observation(
            seat=seat,
            turn=turn_number,
            view=self.game.observation(state, seat),
            legal=[str(action) for action in self.game.legal_actions(state, seat)],
            legal_complete=self.game.legal_complete(state, seat),
        )


def find_interface(bot_class: type[Any]) -> BotInterface:
    """The module of the bot's base class; ValueError if the class has no such base."""
    for base in bot_class.__mro__:
        module: Any = sys.modules.get(base.__module__)
        if base is getattr(module, "Bot", None):
            interface: BotInterface = module
            return interface
    raise ValueError(f"expected a subclass of bots.api.Bot, got {bot_class.__name__}")


def _places(game: AnyGame, roles: Sequence[str]) -> tuple[tuple[Seat, ...], ...]:
    """The seats a bot may hold together: each team, or its seats with one of the roles."""
    teams = sorted(set(game.teams))
    held = [tuple(s for s in range(game.seats) if game.teams[s] == team) for team in teams]
    if roles:
        held = [tuple(s for s in seats if game.roles[s] in roles) for seats in held]
    places = tuple(seats for seats in held if seats)
    if not places:
        raise ValueError(f"roles: expected some of {', '.join(sorted(set(game.roles)))}, got {', '.join(roles)}")
    return places


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer of the bot, and the question it answers."""

    turn_number: int
    seat: Seat
    state: Any
    observation: Any
    text: str


@dataclass(slots=True)
class BotMatch:
    """A match in progress: `step` plays one turn of it. The bot holds `seats`, a random opponent all others."""

    subject: BotSubject
    seats: tuple[Seat, ...]
    seed: int
    bot: BotLike | None = None  # None: the random opponent plays the bot's seats too
    decisions: list[Decision] = field(default_factory=list)
    turns: int = 0
    state: Any = None
    _stamp: int = 0
    _chance: dict[Seat, random.Random] = field(default_factory=dict)
    _answered: dict[Seat, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = self.subject.game
        self.state = game.initial_state(self.seed)
        self._chance = {seat: random.Random(f"conformance/opponent/{self.seed}/{seat}") for seat in range(game.seats)}

    def sit_down(self) -> None:
        """Seat a fresh bot."""
        self.bot = self.subject.make_bot(self.state, seats=self.seats, seed=self.seed)

    def is_over(self) -> bool:
        """Over by the rules, or watched for long enough."""
        return self.turns >= DECISION_CAP or self.subject.game.is_terminal(self.state)

    def step(self) -> None:
        """Ask, and apply one turn."""
        turn = self._next_turn()
        self.state = self.subject.game.apply(self.state, turn)
        self.turns += 1
        self._stamp = turn.stamp
        self._tell()

    def _next_turn(self) -> Turn[Any]:
        game = self.subject.game
        seats = game.seats_to_act(self.state)
        wake_ms = game.wake_at(self.state)
        if game.spec.dynamics is Dynamics.TICKED:
            answers = {seat: self._answer(seat) for seat in seats if self._is_answering(seat)}
            return Turn(answers, self._stamp if wake_ms is None else wake_ms)
        if game.spec.dynamics is Dynamics.REAL_TIME:
            return self._answer_or_timer(seats, wake_ms)
        return Turn({seat: self._answer(seat) for seat in seats}, self._stamp + 1)

    def _answer_or_timer(self, seats: tuple[Seat, ...], wake_ms: int | None) -> Turn[Any]:
        """The first seat with an open question that answers, another seat first each time; else the timer."""
        is_due = wake_ms is not None and wake_ms <= self._stamp + 1
        first = self.turns % max(1, len(seats))
        for seat in () if is_due else (*seats[first:], *seats[:first]):
            key = self.subject.game.ask_key(self.state, seat)
            is_open = seat not in self._answered or self._answered[seat] != key
            if is_open and self._is_answering(seat):
                self._answered[seat] = key
                return Turn({seat: self._answer(seat)}, self._stamp + 1)
        if wake_ms is not None:
            return Turn({}, wake_ms)
        if not seats:
            raise MatchStuckError
        return Turn({seats[0]: self._answer(seats[0])}, self._stamp + 1)

    def _is_answering(self, seat: Seat) -> bool:
        is_bot = self.bot is not None and seat in self.seats
        return is_bot or self._chance[seat].random() < OPPONENT_ANSWER_CHANCE

    def _answer(self, seat: Seat) -> Any:
        game = self.subject.game
        if self.bot is None or seat not in self.seats:
            return self._chance[seat].choice(game.legal_actions(self.state, seat))
        observation = self.subject.observe(self.state, seat, self.turns + 1)
        text = self.bot.act(observation)
        self.decisions.append(Decision(self.turns + 1, seat, self.state, observation, text))
        action = parse_legal(game, self.state, seat, text)
        return game.default_action(self.state, seat) if action is None else action

    def _tell(self) -> None:
        """Real-time: whoever may act hears of the change."""
        if self.bot is None or self.subject.game.spec.dynamics is not Dynamics.REAL_TIME:
            return
        for seat in self.subject.game.seats_to_act(self.state):
            if seat in self.seats:
                self.bot.hear(self.subject.observe(self.state, seat, self.turns + 1))


def parse_legal(game: AnyGame, state: Any, seat: Seat, text: object) -> Any:
    """The legal action a text stands for, or None."""
    try:
        action = game.parse_action(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return action if action is not None and game.is_legal(state, seat, action) else None


def play_bot(subject: BotSubject, seats: tuple[Seat, ...], seed: int) -> BotMatch:
    """One whole match of a fresh bot."""
    match = BotMatch(subject, seats, seed)
    match.sit_down()
    while not match.is_over():
        match.step()
    return match


def play_baseline(subject: BotSubject, seats: tuple[Seat, ...], seed: int) -> Mapping[Seat, float]:
    """The same match with random answers in the bot's seats as well: its returns by seat."""
    match = BotMatch(subject, seats, seed)
    while not match.is_over():
        match.step()
    return dict(enumerate(subject.game.returns(match.state)))


def answers_of(match: BotMatch) -> list[str]:
    """The bot's answers with turn and seat, for comparison."""
    return [f"{decision.turn_number}/{decision.seat}: {decision.text}" for decision in match.decisions]


def places_and_seeds(subject: BotSubject, count: int) -> Iterator[tuple[tuple[Seat, ...], int]]:
    """`count` matches: seeds in order, places in turn."""
    for number in range(count):
        yield subject.places[number % len(subject.places)], subject.seeds[number % len(subject.seeds)]
