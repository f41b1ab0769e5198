"""Plays seeded matches by the rules alone, with a simulated clock.

Turn-based games are stamped with the turn number from 1. In real-time games a seat answers with some probability;
otherwise the clock jumps to `wake_at` and an empty turn is applied. In ticked games the turn has the answers so far.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from gridjoust.bots.answers import raised_at
from gridjoust.games import play
from gridjoust.games.api import AnyGame, MatchStuckError, Seat, Turn
from gridjoust.games.play import TURN_BASED

TURN_CAP = 4_000  # limit of turns per match; a larger `max_turns` is not tested


class Style(Enum):
    """How the seats of a test match answer."""

    RANDOM = "random"  # legal actions drawn evenly
    SILENT = "silent"  # default actions, and no answers in games that need none


@dataclass(frozen=True, slots=True)
class Moment:
    """One state of a test match; `turn` is the turn that was applied to it (None in the last)."""

    state: Any
    code: Any  # `encode(state)`, taken before the turn was applied
    stamp: int  # of the turn that led here; 0 at the start
    turn: Turn[Any] | None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """One match from start to end, or until the game raised an error."""

    seed: int
    style: Style
    moments: tuple[Moment, ...]
    breakdown: str  # what the game raised in legal play; "" if it did not


def state_hash(code: bytes) -> str:
    """Return the hash of an encoded state, as in golden records."""
    return hashlib.blake2b(code, digest_size=16).hexdigest()


def play_match(game: AnyGame, seed: int, style: Style) -> PlayedMatch:
    """Play until the end, one turn past `max_turns`, or an exception of the game."""
    moments: list[Moment] = []
    breakdown = ""
    try:
        state = game.initial_state(seed)
    except Exception as error:  # any exception of the game is a finding
        return PlayedMatch(seed, style, (), describe(error))
    try:
        _play_on(game, state, moments, rng=random.Random(f"conformance/{seed}/{style.value}"), style=style)
    except MatchStuckError:
        pass  # the last moment shows it: `somebody_acts_until_the_end` reports it
    except Exception as error:
        breakdown = f"turn {len(moments)}: {describe(error)}"
        moments[-1:] = [replace(moment, turn=None) for moment in moments[-1:]]
    return PlayedMatch(seed, style, tuple(moments), breakdown)


def _play_on(game: AnyGame, state: Any, moments: list[Moment], *, rng: random.Random, style: Style) -> None:
    stamp = 0
    last_turn = min(game.spec.max_turns + 1, TURN_CAP)
    while True:
        here = Moment(state, game.encode(state), stamp, None)
        moments.append(here)
        if game.is_terminal(state) or len(moments) > last_turn:
            return
        turn = _next_turn(game, state, stamp, rng=rng, style=style)
        moments[-1] = Moment(here.state, here.code, stamp, turn)
        state, stamp = game.apply(state, turn), turn.stamp


def _next_turn(game: AnyGame, state: Any, stamp: int, *, rng: random.Random, style: Style) -> Turn[Any]:
    if style is Style.RANDOM:
        return play.random_turn(game, state, stamp, rng=rng)

    def choose(state: Any, seat: Seat) -> Any:
        return _default(game, state, seat) if game.spec.dynamics in TURN_BASED else None

    return play.next_turn(game, state, stamp, choose=choose, first_answer=lambda *_: None)


def _default(game: AnyGame, state: Any, seat: Seat) -> Any:
    legal, default = game.legal_actions(state, seat), game.default_action(state, seat)
    return default if default in legal else legal[0]


def replay(game: AnyGame, played: PlayedMatch) -> list[Any]:
    """Apply the turns of a match again and return the states."""
    states = [game.initial_state(played.seed)] if played.moments else []
    for moment in played.moments[:-1]:
        assert moment.turn is not None
        states.append(game.apply(states[-1], moment.turn))
    return states


def describe(error: BaseException) -> str:
    """Return an exception as one line, with the game's line that raised it."""
    return f"{type(error).__name__}: {error}".splitlines()[0][:300] + raised_at(error)
