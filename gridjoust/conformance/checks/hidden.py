"""The hidden twin: what a seat cannot see is dealt anew, and nothing that the seat is told may change."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

from games.api import AnyGame, Json, Seat
from games.play import MatchStuckError
from gridjoust.conformance.matches import Style, next_turn
from gridjoust.conformance.subject import Case

TWINS = 3  # redeals of each sampled moment and seat
PLAY_ON_TURNS = 12


def hidden_twin_looks_the_same(case: Case) -> Iterator[str]:
    """Observation, briefing, public view, legal actions and whose turn it is depend on nothing the seat cannot see."""
    game = case.game
    for number, moment in enumerate(case.sample()):
        for seat in range(game.seats):
            known = dict(_all_that_is_told(game, moment.state, seat))
            for twin in _twins(game, moment.state, seat, number):
                told = dict(_all_that_is_told(game, twin, seat))
                if changed := [name for name in known if told[name] != known[name]]:
                    yield f"seat {seat}: expected a redeal to change nothing it is told, got another {changed[0]}"


def redeal_draws_anew(case: Case) -> Iterator[str]:
    """Where information is not perfect, at least one redeal of all matches differs from the state it came from."""
    game = case.game
    if game.spec.perfect_information:
        return
    for number, moment in enumerate(case.sample()):
        for seat in range(game.seats):
            if any(game.encode(twin) != moment.code for twin in _twins(game, moment.state, seat, number)):
                return
    yield "expected redeal to draw what a seat cannot see anew (spec.perfect_information is False), got equal states"


def redeal_repeats_and_spares_the_state(case: Case) -> Iterator[str]:
    """The same generator gives the same redeal, and the state it is given stays as it was."""
    game = case.game
    for number, moment in enumerate(case.sample(size=8)):
        for seat in range(game.seats):
            codes = [[game.encode(twin) for twin in _twins(game, moment.state, seat, number)] for _ in range(2)]
            if codes[0] != codes[1]:
                yield f"seat {seat}: expected the same redeal from the same generator, got another"
            if game.encode(moment.state) != moment.code:
                yield f"seat {seat}: expected redeal to leave the state as it was, got it changed"


def redealt_match_plays_on(case: Case) -> Iterator[str]:
    """A redealt state is a state like any other: legal actions lead on from it (bots look ahead that way)."""
    game = case.game
    for number, moment in enumerate(case.sample(size=6)):
        seat = number % game.seats
        rng = random.Random(f"conformance/play on/{number}")
        state, stamp = game.redeal(moment.state, seat, rng), moment.stamp
        if game.is_terminal(state) != game.is_terminal(moment.state):
            yield f"seat {seat}: expected a redeal to leave open whether the match is over, got it changed"
        with contextlib.suppress(MatchStuckError):  # `somebody_acts_until_the_end` reports it
            for _ in range(PLAY_ON_TURNS):
                if game.is_terminal(state):
                    break
                turn = next_turn(game, state, stamp, rng=rng, style=Style.RANDOM)
                state, stamp = game.apply(state, turn), turn.stamp


def _twins(game: AnyGame, state: Any, seat: Seat, number: int) -> Iterator[Any]:
    for twin in range(TWINS):
        yield game.redeal(state, seat, random.Random(f"conformance/twin/{number}/{seat}/{twin}"))


def _all_that_is_told(game: AnyGame, state: Any, seat: Seat) -> Iterator[tuple[str, Json]]:
    yield "observation", game.observation(state, seat)
    yield "briefing", game.briefing(state, seat)
    yield "public view", game.public_view(state)
    yield "list of legal actions", game.legal_actions(state, seat)
    yield "legal_complete", game.legal_complete(state, seat)
    yield "answer whether it may act", seat in game.seats_to_act(state)
