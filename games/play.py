"""Play a match by the rules, in this process and without a clock; every seat answers at once.

Turn-based games: all seats to act are asked, and turns are numbered from 1. Ticked games: all seats are asked, and the
turn comes at `wake_at`. Real-time games: one seat answers 1 ms after the last turn, and each time another seat is asked
first; if no seat answers, the time jumps to `wake_at` and a turn without actions is applied.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, assert_never

from gridjoust.games.api import A, Dynamics, EndlessMatchError, Game, MatchStuckError, S, Seat, Turn

ANSWER_MS = 1  # in real-time games: time from one turn to the next answer
ANSWER_CHANCE = 0.7  # in random turns of ticked and real-time games: that a seat answers
PAUSE_LIMIT_MS = 400  # in random turns of real-time games: the longest wait before an answer
TURN_BASED = (Dynamics.SEQUENTIAL, Dynamics.SIMULTANEOUS)

Choose = Callable[[S, Seat], A | None]
"""Return the action of a seat in a state; None = no answer (in turn-based games the default action replaces it)."""

FirstAnswer = Callable[[tuple[Seat, ...], int | None], Turn[A] | None]
"""Return the next real-time answer, given the seats to act and `wake_at`; None = no answer before `wake_at`."""


class Moment(NamedTuple, Generic[S, A]):
    """One state of a match and the turn that is applied to it; the turn is None in the last state."""

    state: S
    turn: Turn[A] | None


@dataclass(slots=True)
class Match(Generic[S, A]):
    """A match in progress; `step` plays one turn."""

    game: Game[S, A]
    state: S
    turns: int = 0  # applied so far
    stamp: int = 0  # time or number of the last turn
    _answered: dict[Seat, object] = field(default_factory=dict)  # seat -> `ask_key` of its last answer

    @property
    def is_over(self) -> bool:
        """True if the match has ended by its rules."""
        return self.game.is_terminal(self.state)

    def step(self, choose: Choose[S, A]) -> Turn[A]:
        """Play one turn, with the actions that `choose` returns, and return it; errors as in `next_turn`."""
        turn = self.next_turn(choose)
        self.apply(turn)
        return turn

    def next_turn(self, choose: Choose[S, A]) -> Turn[A]:
        """Return the next turn, with the actions that `choose` returns, without applying it.

        EndlessMatchError if the match has had all turns that its spec allows, MatchStuckError if no turn is possible.
        """
        if self.turns >= self.game.spec.max_turns:
            raise EndlessMatchError(self.game.spec)
        return next_turn(
            self.game,
            self.state,
            self.stamp,
            choose=choose,
            first_answer=lambda seats, wake_ms: self._first_answer(choose, seats, wake_ms),
        )

    def apply(self, turn: Turn[A]) -> None:
        """Apply the turn to the match."""
        self.state = self.game.apply(self.state, turn)
        self.turns += 1
        self.stamp = turn.stamp

    def answered(self) -> tuple[Seat, ...]:
        """Return the seats that may act but have already answered the question that is still open."""
        acting, game = self.game.seats_to_act(self.state), self.game
        return tuple(s for s in acting if s in self._answered and self._answered[s] == game.ask_key(self.state, s))

    def _first_answer(self, choose: Choose[S, A], seats: tuple[Seat, ...], wake_ms: int | None) -> Turn[A] | None:
        """Return a turn with the first new answer of a seat, or None to wait for the timer at `wake_ms`.

        An answered question stays answered until its `ask_key` changes. Without a timer, the first seat has to act.
        """
        stamp = self.stamp + ANSWER_MS
        if not seats or (wake_ms is not None and wake_ms <= stamp):
            return None
        first, answered = self.turns % len(seats), self.answered()
        for seat in (*seats[first:], *seats[:first]):
            action = None if seat in answered else choose(self.state, seat)
            if action is not None:
                self._answered[seat] = self.game.ask_key(self.state, seat)
                return Turn({seat: action}, stamp)
        if wake_ms is not None:
            return None
        return Turn({seats[0]: _chosen(self.game, self.state, seats[0], choose)}, stamp)


def next_turn(game: Game[S, A], state: S, stamp: int, *, choose: Choose[S, A], first_answer: FirstAnswer[A]) -> Turn[A]:
    """Return the turn that follows the one with this `stamp` (time or number); MatchStuckError if none is possible.

    Turn-based and ticked games call `choose`, real-time games call `first_answer`.
    """
    seats = game.seats_to_act(state)
    dynamics = game.spec.dynamics
    if dynamics is Dynamics.SEQUENTIAL or dynamics is Dynamics.SIMULTANEOUS:
        if not seats:
            raise MatchStuckError(game.spec)
        return Turn({seat: _chosen(game, state, seat, choose) for seat in seats}, stamp + 1)
    wake_ms = game.wake_at(state)
    if dynamics is Dynamics.TICKED:
        if wake_ms is None:
            raise MatchStuckError(game.spec)
        answers = {seat: choose(state, seat) for seat in seats}
        return Turn({seat: action for seat, action in answers.items() if action is not None}, wake_ms)
    if dynamics is Dynamics.REAL_TIME:
        turn = first_answer(seats, wake_ms)
        if turn is None and wake_ms is None:
            raise MatchStuckError(game.spec)
        return Turn({}, wake_ms or 0) if turn is None else turn
    assert_never(dynamics)


def random_turn(game: Game[S, A], state: S, stamp: int, *, rng: random.Random) -> Turn[A]:
    """Return a turn of legal actions, drawn evenly; MatchStuckError if no turn is possible.

    In ticked and real-time games a seat answers with the chance `ANSWER_CHANCE`.
    """
    always = game.spec.dynamics in TURN_BASED

    def choose(state: S, seat: Seat) -> A | None:
        return rng.choice(game.legal_actions(state, seat)) if always or rng.random() < ANSWER_CHANCE else None

    def first_answer(seats: tuple[Seat, ...], wake_ms: int | None) -> Turn[A] | None:
        answers = rng.random() < ANSWER_CHANCE
        if not seats or (wake_ms is not None and (wake_ms <= stamp or not answers)):
            return None
        latest_ms = stamp + PAUSE_LIMIT_MS if wake_ms is None else min(stamp + PAUSE_LIMIT_MS, wake_ms - 1)
        seat = rng.choice(seats)
        return Turn({seat: rng.choice(game.legal_actions(state, seat))}, rng.randint(stamp, latest_ms))

    return next_turn(game, state, stamp, choose=choose, first_answer=first_answer)


def moments(
    game: Game[S, A], choose: Choose[S, A], *, seed: int = 0, state: S | None = None, max_turns: int | None = None
) -> Iterator[Moment[S, A]]:
    """Yield every state of a match with the turn to be applied, from `state` or the start position of `seed`.

    The last moment has no turn: the match is over, or `max_turns` turns have been played.
    """
    match = Match(game, game.initial_state(seed) if state is None else state)
    while not match.is_over and (max_turns is None or match.turns < max_turns):
        turn = match.next_turn(choose)
        yield Moment(match.state, turn)
        match.apply(turn)
    yield Moment(match.state, None)


def play(
    game: Game[S, A], choose: Choose[S, A], *, seed: int = 0, state: S | None = None, max_turns: int | None = None
) -> S:
    """Play a match and return its last state; see `moments`.

    >>> from gridjoust import games
    >>> game = games.make("placement", {"max_game_rounds": 3})
    >>> end = play(game, game.default_action, seed=7)
    >>> game.returns(end)
    (0.0, 0.0)
    """
    *_, last = moments(game, choose, seed=seed, state=state, max_turns=max_turns)
    return last.state


def _chosen(game: Game[S, A], state: S, seat: Seat, choose: Choose[S, A]) -> A:
    action = choose(state, seat)
    return game.default_action(state, seat) if action is None else action
