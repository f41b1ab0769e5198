"""Plays a match on the rules, in this process. Judges no answers and reads no clock: whoever is asked answers at once.

Turn-based games: all seats to act are asked, and the turn is stamped with its number from 1. Ticked games: all are
asked, and the turn comes at `wake_at`. Real-time games: one seat answers, 1 ms after the last turn and another one
first each time; where nobody does, the time jumps to `wake_at` and an empty turn is applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, assert_never

from gridjoust.games.api import A, Dynamics, Game, S, Seat, Turn

ANSWER_MS = 1  # in real-time games: from one turn to the next answer

Choose = Callable[[S, Seat], A | None]
"""What a seat does in a state; None = no answer (turn-based games: the default action stands in)."""

FirstAnswer = Callable[[tuple[Seat, ...], int | None], Turn[A] | None]
"""Who answers next in a real-time game, out of the seats to act and before `wake_at`; None = nobody."""


class MatchStuckError(Exception):
    """Nobody may act and no timer runs, yet the match is not over."""


class Moment(NamedTuple, Generic[S, A]):
    """A state of a match and the turn applied to it; None in the last state."""

    state: S
    turn: Turn[A] | None


@dataclass(slots=True)
class Match(Generic[S, A]):
    """A match under way: `step` plays one turn of it."""

    game: Game[S, A]
    state: S
    turns: int = 0  # applied so far
    stamp: int = 0  # of the last one
    _answered: dict[Seat, object] = field(default_factory=dict)  # seat -> `ask_key` of its last answer

    @property
    def is_over(self) -> bool:
        """Whether it has ended by its rules."""
        return self.game.is_terminal(self.state)

    def step(self, choose: Choose[S, A]) -> Turn[A]:
        """Ask, and apply one turn; MatchStuckError where there can be none."""
        turn = self.next_turn(choose)
        self.apply(turn)
        return turn

    def next_turn(self, choose: Choose[S, A]) -> Turn[A]:
        """Ask for a turn without applying it."""
        return next_turn(
            self.game,
            self.state,
            self.stamp,
            choose=choose,
            first_answer=lambda seats, wake_ms: self._first_answer(choose, seats, wake_ms),
        )

    def apply(self, turn: Turn[A]) -> None:
        """Go on to the next state."""
        self.state = self.game.apply(self.state, turn)
        self.turns += 1
        self.stamp = turn.stamp

    def answered(self) -> tuple[Seat, ...]:
        """Seats that may act and have answered already: their question is still the same."""
        acting, game = self.game.seats_to_act(self.state), self.game
        return tuple(s for s in acting if s in self._answered and self._answered[s] == game.ask_key(self.state, s))

    def _first_answer(self, choose: Choose[S, A], seats: tuple[Seat, ...], wake_ms: int | None) -> Turn[A] | None:
        """An answered question stays answered until its `ask_key` changes; without a timer somebody has to act."""
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
    """The turn after the one stamped `stamp`; MatchStuckError where there can be none.

    `choose` is asked in turn-based and ticked games, `first_answer` in real-time ones.
    """
    seats = game.seats_to_act(state)
    dynamics = game.spec.dynamics
    if dynamics is Dynamics.SEQUENTIAL or dynamics is Dynamics.SIMULTANEOUS:
        if not seats:
            raise MatchStuckError
        return Turn({seat: _chosen(game, state, seat, choose) for seat in seats}, stamp + 1)
    wake_ms = game.wake_at(state)
    if dynamics is Dynamics.TICKED:
        if wake_ms is None:
            raise MatchStuckError
        answers = {seat: choose(state, seat) for seat in seats}
        return Turn({seat: action for seat, action in answers.items() if action is not None}, wake_ms)
    if dynamics is Dynamics.REAL_TIME:
        turn = first_answer(seats, wake_ms)
        if turn is None and wake_ms is None:
            raise MatchStuckError
        return Turn({}, wake_ms or 0) if turn is None else turn
    assert_never(dynamics)


def moments(
    game: Game[S, A], choose: Choose[S, A], *, seed: int = 0, state: S | None = None, max_turns: int | None = None
) -> Iterator[Moment[S, A]]:
    """Every state of a match with the turn that is about to be applied to it, from the deal of `seed` or from `state`.

    The last moment has no turn: the match is over, or `max_turns` have been played.
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
    """The last state of a match; see `moments`.

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
