"""Checks of views, the data for bots, viewers and files: they are plain JSON and reveal nothing hidden.

They do not contain the seed. They do not change if everything that a seat cannot see is dealt again (a hidden twin).
What is hidden at the start depends on the seed, so that no bot can know it in advance.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Iterator
from typing import Any

import msgspec

from gridjoust.conformance.matches import Moment
from gridjoust.conformance.subject import Case
from gridjoust.games.api import AnyGame, Json, MatchStuckError, Seat
from gridjoust.games.play import random_turn
from gridjoust.runner.wire.protocol import PACKET_LIMIT_BYTES

EXACT_LIMIT = 2**53  # larger whole numbers change in JavaScript


def views_answer_any_time(case: Case) -> Iterator[str]:
    """Check that every view of every seat is available in every state, and that `render` gives text."""
    for moment in case.sample():
        for name, view in _views(case.game, moment):
            if not isinstance(view, dict):
                yield f"expected {name} to be a dict, got {type(view).__name__}"
        if not isinstance(case.game.render(moment.state), str):
            yield "expected render to give text, got something else"


def views_are_json(case: Case) -> Iterator[str]:
    """Check that views contain only JSON types (finite numbers, text keys) and survive a round trip."""
    for moment in case.sample():
        for name, view in _views(case.game, moment):
            if fault := _json_fault(view, name):
                yield fault
            elif msgspec.json.decode(msgspec.json.encode(view)) != view:
                yield f"expected {name} to survive a JSON round trip, got it changed"


def views_fit_a_message(case: Case) -> Iterator[str]:
    """Check that no view is longer than half of a message, so that legal actions fit beside it."""
    limit = PACKET_LIMIT_BYTES // 2
    for moment in case.sample(size=6):
        for name, view in _views(case.game, moment):
            size = len(msgspec.json.encode(view))
            if size > limit:
                yield f"expected {name} of at most {limit} bytes, got {size}"


def views_hide_the_seed(case: Case) -> Iterator[str]:
    """Check that no view contains the match seed, neither as a number nor in a text."""
    for played in case.matches:
        for moment in played.moments[:: max(1, len(played.moments) // 12)]:
            for name, view in _views(case.game, moment):
                if str(played.seed) in msgspec.json.encode(view).decode():
                    yield f"expected {name} without the match seed, got it"


def fresh_views_share_nothing(case: Case) -> Iterator[str]:
    """Check that no two observations share a list or dict, if the game declares `views_are_fresh`."""
    if not case.game.views_are_fresh:
        return
    views = [
        (f"observation of seat {seat}", case.game.observation(moment.state, seat))
        for moment in case.sample()
        for seat in (*range(case.game.seats), *range(case.game.seats))
    ]
    seen: set[int] = set()
    for name, view in views:
        own = {id(part) for part in _containers(view)}
        if not seen.isdisjoint(own):
            yield f"expected {name} to be made anew, got parts that another has too"
        seen |= own


def _containers(value: Json) -> Iterator[Json]:
    """Yield the lists and dicts of a value, itself included."""
    if isinstance(value, list | dict):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _containers(item)


def _views(game: AnyGame, moment: Moment) -> Iterator[tuple[str, Json]]:
    yield "public_view", game.public_view(moment.state)
    for seat in range(game.seats):
        yield f"observation of seat {seat}", game.observation(moment.state, seat)
        yield f"briefing of seat {seat}", game.briefing(moment.state, seat)


def _json_fault(value: Any, place: str) -> str:
    """Return what part of a value is not plain JSON, and where it is; "" if all is."""
    kind, fault = type(value), ""
    if kind is str:
        is_broken = any("\ud800" <= sign <= "\udfff" for sign in value)
        fault = f"{place}: expected text, got lone surrogates" if is_broken else ""
    elif kind is int:
        fault = "" if abs(value) <= EXACT_LIMIT else f"{place}: expected a whole number up to 2**53, got {value}"
    elif kind is float:
        fault = "" if math.isfinite(value) else f"{place}: expected a finite number, got {value}"
    elif kind is list:
        fault = next(filter(None, (_json_fault(item, f"{place}[{i}]") for i, item in enumerate(value))), "")
    elif kind is dict:
        fault = next(filter(None, (_pair_fault(key, item, place) for key, item in value.items())), "")
    elif value is not None and kind is not bool:
        fault = f"{place}: expected a JSON value, got {kind.__name__} {value!r:.60}"
    return fault


def _pair_fault(key: object, value: Any, place: str) -> str:
    is_text = type(key) is str
    return _json_fault(value, f"{place}.{key}") if is_text else f"{place}: expected text keys, got {key!r:.60}"


TWINS = 3  # redeals of each sampled moment and seat
PLAY_ON_TURNS = 12
START_SEEDS = 4  # so many seeds in a row: games may take some bits of a seed only


def hidden_twin_looks_the_same(case: Case) -> Iterator[str]:
    """Check that views, legal actions and seats to act do not depend on anything that the seat cannot see."""
    game = case.game
    for number, moment in enumerate(case.sample()):
        for seat in range(game.seats):
            known = dict(_all_that_is_told(game, moment.state, seat))
            for twin in _twins(game, moment.state, seat, number):
                told = dict(_all_that_is_told(game, twin, seat))
                if changed := [name for name in known if told[name] != known[name]]:
                    yield f"seat {seat}: expected a redeal to change nothing it is told, got another {changed[0]}"


def redeal_draws_anew(case: Case) -> Iterator[str]:
    """Check that with imperfect information at least one redrawn state (hidden parts drawn anew) differs."""
    game = case.game
    if game.spec.perfect_information:
        return
    for number, moment in enumerate(case.sample()):
        for seat in range(game.seats):
            if any(game.encode(twin) != moment.code for twin in _twins(game, moment.state, seat, number)):
                return
    yield "expected redeal to draw what a seat cannot see anew (spec.perfect_information is False), got equal states"


def another_seed_hides_something_else(case: Case) -> Iterator[str]:
    """Check that what is hidden at the start differs between seeds, unless a parameter fixes the start position.

    The hidden places are those parts of the views and of the drawing that change in a redeal of the start.
    """
    game, seeds = case.game, range(case.seeds[0], case.seeds[0] + START_SEEDS)
    if game.params.get("fixed_deal") or game.params.get("map"):
        return
    first, *others = (game.initial_state(seed) for seed in seeds)
    shown, pictures = _picture(game, first), [_picture(game, state) for state in others]
    for seat in range(game.seats):
        twins = [_picture(game, twin) for twin in _twins(game, first, seat, 0)]
        hidden = [place for place in shown if any(twin.get(place) != shown[place] for twin in twins)]
        if hidden and all(picture.get(place) == shown[place] for picture in pictures for place in hidden):
            yield f"seat {seat}: expected {START_SEEDS} seeds to hide different things at the start, got the same"


def _picture(game: AnyGame, state: Any) -> dict[str, Json]:
    """Return all values in the seats' views and the public view, and all shapes of the drawing, by path."""
    told = {str(seat): [game.observation(state, seat), game.briefing(state, seat)] for seat in range(game.seats)}
    return dict(_leaves({**told, "public": game.public_view(state), "drawing": [*game.render(state)]}, ""))


def _leaves(value: Json, place: str) -> Iterator[tuple[str, Json]]:
    """Yield (place, value) for each value that is no list or dict; an empty list or dict counts as a value."""
    if isinstance(value, list | dict) and value:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(item, f"{place}/{key}")
    else:
        yield place, value


def redeal_repeats_and_spares_the_state(case: Case) -> Iterator[str]:
    """Check that equal generators give equal redeals, and that a redeal does not change the given state."""
    game = case.game
    for number, moment in enumerate(case.sample(size=8)):
        for seat in range(game.seats):
            codes = [[game.encode(twin) for twin in _twins(game, moment.state, seat, number)] for _ in range(2)]
            if codes[0] != codes[1]:
                yield f"seat {seat}: expected the same redeal from the same generator, got another"
            if game.encode(moment.state) != moment.code:
                yield f"seat {seat}: expected redeal to leave the state as it was, got it changed"


def redealt_match_plays_on(case: Case) -> Iterator[str]:
    """Check that legal actions can be played on from a redealt state, as bots do to look ahead."""
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
                turn = random_turn(game, state, stamp, rng=rng)
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
