"""Plays seeded matches straight on the rules, with a clock that only moves when told. Judges nothing.

Turn-based games are stamped with the turn number from 1. In real-time games somebody answers now and then, otherwise
the clock jumps to `wake_at` and an empty turn is applied; in ticked games the answers collected so far are.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from gridjoust.games import play
from gridjoust.games.api import AnyGame, Dynamics, Seat, Turn
from gridjoust.games.play import MatchStuckError

TURN_CAP = 4_000  # turns played of one match at most: longer promises of `max_turns` are not put to the test
ANSWER_CHANCE = 0.7  # of a seat in a ticked or real-time game
PAUSE_LIMIT_MS = 400  # longest wait before an answer in a real-time game

TURN_BASED = (Dynamics.SEQUENTIAL, Dynamics.SIMULTANEOUS)


class Style(Enum):
    """How the seats of a played match behave."""

    RANDOM = "random"  # legal actions drawn evenly
    SILENT = "silent"  # default actions, and no answers at all where none are needed


@dataclass(frozen=True, slots=True)
class Moment:
    """One state of a match as it was when met; `turn` is what was applied to it (None in the last)."""

    state: Any
    code: Any  # `encode(state)`, taken before the turn was applied
    stamp: int  # of the turn that led here; 0 at the start
    turn: Turn[Any] | None


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """One match from deal to end, or to where the game broke down."""

    seed: int
    style: Style
    moments: tuple[Moment, ...]
    breakdown: str  # what the game raised in legal play; "" if it did not


def state_hash(code: bytes) -> str:
    """Short name of an encoded state, as golden records keep it."""
    return hashlib.blake2b(code, digest_size=16).hexdigest()


def play_match(game: AnyGame, seed: int, style: Style) -> PlayedMatch:
    """Play until the end, one turn past `max_turns`, or whatever the foreign code raises."""
    moments: list[Moment] = []
    breakdown = ""
    try:
        state = game.initial_state(seed)
    except Exception as error:  # whatever a foreign game raises is the finding
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
        turn = next_turn(game, state, stamp, rng=rng, style=style)
        moments[-1] = Moment(here.state, here.code, stamp, turn)
        state, stamp = game.apply(state, turn), turn.stamp


def next_turn(game: AnyGame, state: Any, stamp: int, *, rng: random.Random, style: Style) -> Turn[Any]:
    """A legal turn after the one stamped `stamp`; MatchStuckError if there can be none."""
    is_turn_based, answering = game.spec.dynamics in TURN_BASED, style is Style.RANDOM

    def choose(state: Any, seat: Seat) -> Any:
        is_silent = not is_turn_based and not (answering and rng.random() < ANSWER_CHANCE)
        return None if is_silent else pick(game, state, seat, rng=rng, style=style)

    def first_answer(seats: tuple[Seat, ...], wake_ms: int | None) -> Turn[Any] | None:
        answers = answering and rng.random() < ANSWER_CHANCE
        if not seats or (wake_ms is not None and (wake_ms <= stamp or not answers)):
            return None
        latest_ms = stamp + PAUSE_LIMIT_MS if wake_ms is None else min(stamp + PAUSE_LIMIT_MS, wake_ms - 1)
        seat = rng.choice(seats)
        return Turn({seat: pick(game, state, seat, rng=rng, style=style)}, rng.randint(stamp, latest_ms))

    return play.next_turn(game, state, stamp, choose=choose, first_answer=first_answer)


def pick(game: AnyGame, state: Any, seat: Seat, *, rng: random.Random, style: Style) -> Any:
    """What the seat does: drawn from its legal actions, or the default action in a silent match."""
    legal = game.legal_actions(state, seat)
    if style is Style.RANDOM:
        return rng.choice(legal)
    default = game.default_action(state, seat)
    return default if default in legal else legal[0]


def replay(game: AnyGame, played: PlayedMatch) -> list[Any]:
    """The states that the same turns give when applied anew."""
    states = [game.initial_state(played.seed)] if played.moments else []
    for moment in played.moments[:-1]:
        assert moment.turn is not None
        states.append(game.apply(states[-1], moment.turn))
    return states


def describe(error: BaseException) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0][:300]
