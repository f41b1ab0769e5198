"""Seats bots on a game in this process and plays a match without a referee: an illegal answer raises.

It serves tests, benchmarks and forward models. `gridjoust.play` runs the same bots under the referee and keeps a
record.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple

from gridjoust.bots.answers import answer_text
from gridjoust.bots.api import Bot, MatchResult, MatchSetup, Observation
from gridjoust.bots.harness import start_bot
from gridjoust.games.api import A, AnyGame, Dynamics, Game, S, Seat
from gridjoust.games.play import Match, Moment
from gridjoust.runner.wire.protocol import Limits

Ask = Callable[[Bot, Observation], str]

_SEED_BITS = 53  # JSON readers of every language represent integers of 53 bits exactly
_MATCH = "match"  # id of every match played here
_NO_LIMITS = Limits(turn_ms=None, bank_ms=0, increment_ms=0, start_ms=0)


def make_setup(
    game: AnyGame, state: object, *, seats: Sequence[Seat], bot_seed: int = 0, match: str = _MATCH
) -> MatchSetup:
    """Return what a bot with these `seats` knows before the first turn; `state` is the start position."""
    return MatchSetup(
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
        limits=_NO_LIMITS,
        options={},
    )


def observe(game: Game[S, A], state: S, seat: Seat, *, turn: int = 1) -> Observation:
    """Return the observation of a seat in a state: its question, or what it hears."""
    return Observation(
        seat=seat,
        turn=turn,
        view=game.observation(state, seat),
        legal=[str(action) for action in game.legal_actions(state, seat)],
        legal_complete=game.legal_complete(state, seat),
    )


def _act(bot: Bot, observation: Observation) -> str:
    return answer_text(bot.act(observation), bot, observation)


class PlayedMatch(NamedTuple, Generic[S, A]):
    """A match that has ended: its game, last state and number of turns."""

    game: Game[S, A]
    state: S  # the last state
    turns: int

    @property
    def returns(self) -> tuple[float, ...]:
        """Utility per seat."""
        return self.game.returns(self.state)

    @property
    def metrics(self) -> tuple[Mapping[str, float], ...]:
        """The game's own metrics, per seat."""
        return self.game.metrics(self.state)


class SeatedBots(Generic[S, A]):
    """A bot on every seat of a game; a bot that is listed several times holds all those seats."""

    def __init__(
        self, game: Game[S, A], state: S, bots: Sequence[Bot], *, seed: int = 0, ask: Ask | None = None
    ) -> None:
        """Start every bot in the start position `state`; its random seed depends on `seed` and its first seat."""
        if len(bots) != game.seats:
            raise ValueError(f"bots: expected {game.seats}, one a seat, got {len(bots)}")
        self.game = game
        self.by_seat = tuple(bots)
        self.turn = 1
        self._ask: Ask = ask or _act
        for seat, bot in enumerate(bots):
            held = [other for other, holder in enumerate(bots) if holder is bot]
            if held[0] == seat:
                bot_seed = random.Random(f"{seed}/{seat}").getrandbits(_SEED_BITS)
                start_bot(bot, make_setup(game, state, seats=held, bot_seed=bot_seed))

    def choose(self, state: S, seat: Seat) -> A:
        """Return the action of the seat's bot, for `gridjoust.games.play`."""
        bot = self.by_seat[seat]
        bot.stats = None
        return self.game.parse_action(self._ask(bot, observe(self.game, state, seat, turn=self.turn)))

    def hear(self, match: Match[S, A]) -> None:
        """Show each seat that has answered, and whose question is still open, what it sees now (real-time games)."""
        for seat in match.answered():
            self.by_seat[seat].hear(observe(self.game, match.state, seat, turn=self.turn))

    def finish(self, state: S) -> None:
        """Tell every bot the result."""
        returns = [float(value) for value in self.game.returns(state)]
        ranks = [1 + sum(other > own for other in returns) for own in returns]
        result = MatchResult(
            match=_MATCH, termination="completed", reason=self.game.reason(state), returns=[*returns], ranks=ranks
        )
        for bot in dict.fromkeys(self.by_seat):
            bot.finish(result)


def watch_match(
    game: Game[S, A], bots: Sequence[Bot], *, seed: int = 0, state: S | None = None, ask: Ask | None = None
) -> Iterator[Moment[S, A]]:
    """Yield every state of a match between bots, with the turn that is about to be applied to it.

    `ask(bot, observation)` replaces the call of `act`, to watch the bot or to measure its time.
    """
    match = Match(game, game.initial_state(seed) if state is None else state)
    seated = SeatedBots(game, match.state, bots, seed=seed, ask=ask)
    is_real_time = game.spec.dynamics is Dynamics.REAL_TIME
    while not match.is_over:
        turn = match.next_turn(seated.choose)
        yield Moment(match.state, turn)
        match.apply(turn)
        seated.turn += 1
        if is_real_time:
            seated.hear(match)
    seated.finish(match.state)
    yield Moment(match.state, None)


def play_match(
    game: Game[S, A], bots: Sequence[Bot], *, seed: int = 0, state: S | None = None, ask: Ask | None = None
) -> PlayedMatch[S, A]:
    """Play one match between bots in seat order and return its end; see `watch_match`."""
    turns = 0
    for moment in watch_match(game, bots, seed=seed, state=state, ask=ask):
        turns += moment.turn is not None
    return PlayedMatch(game, moment.state, turns)
