"""Seats bots on a game in this process and plays a match. Judges nothing: an answer that is not legal raises.

For tests, benchmarks and forward models. `gridjoust.play` has the same bots judged by the referee and keeps a record.
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

_SEED_BITS = 53  # seeds are exact in every language's numbers
_MATCH = "match"  # id of every match here
_NO_LIMITS = Limits(turn_ms=None, bank_ms=0, increment_ms=0, start_ms=0)


def make_setup(
    game: AnyGame, state: object, *, seats: Sequence[Seat], bot_seed: int = 0, match: str = _MATCH
) -> MatchSetup:
    """What a bot that holds `seats` knows before the first turn; `state` is the deal."""
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
    """What a seat is asked, or hears, in a state."""
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
    """A match from its deal to its end."""

    game: Game[S, A]
    state: S  # the last
    turns: int

    @property
    def returns(self) -> tuple[float, ...]:
        """Utility per seat."""
        return self.game.returns(self.state)

    @property
    def metrics(self) -> tuple[Mapping[str, float], ...]:
        """The game's own numbers, by seat."""
        return self.game.metrics(self.state)


class SeatedBots(Generic[S, A]):
    """A bot on every seat of a game; one that stands several times in the list holds all those seats."""

    def __init__(
        self, game: Game[S, A], state: S, bots: Sequence[Bot], *, seed: int = 0, ask: Ask | None = None
    ) -> None:
        """Start every bot on the deal `state`; its chance depends on `seed` and its first seat."""
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
        """What the seat's bot does, for `gridjoust.games.play`."""
        bot = self.by_seat[seat]
        bot.stats = None
        return self.game.parse_action(self._ask(bot, observe(self.game, state, seat, turn=self.turn)))

    def hear(self, match: Match[S, A]) -> None:
        """Real-time games: news of a turn for every seat whose question stays open."""
        for seat in match.answered():
            self.by_seat[seat].hear(observe(self.game, match.state, seat, turn=self.turn))

    def finish(self, state: S) -> None:
        """Every bot learns how it ended."""
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
    """Every state of a match between bots, with the turn that is about to be applied to it.

    `ask(bot, observation)` stands between match and bot, to look on or to take the time; without it bots just `act`.
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
    """One match between bots, in seat order; see `watch_match`."""
    turns = 0
    for moment in watch_match(game, bots, seed=seed, state=state, ask=ask):
        turns += moment.turn is not None
    return PlayedMatch(game, moment.state, turns)
