"""Checks that seed and turns determine a match: applied again they give the same states, bytes and hashes."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import Any

from gridjoust.conformance import matches
from gridjoust.conformance.matches import Moment, PlayedMatch, state_hash
from gridjoust.conformance.subject import Case, spread
from gridjoust.games.api import AnyGame


def replay_gives_equal_states_and_hashes(case: Case) -> Iterator[str]:
    """Check that the same seed and turns give equal states with equal codes and equal `hash`."""
    for played in case.matches:
        states = matches.replay(case.game, played)
        for number, (moment, state) in enumerate(zip(played.moments, states, strict=True)):
            if state != moment.state or case.game.encode(state) != moment.code:
                yield f"seed {played.seed}: expected turn {number} to repeat, got another state"
                break
            if _or_none(hash, state) != _or_none(hash, moment.state):
                yield f"seed {played.seed}: expected equal states to hash alike, got different ones at turn {number}"
                break


def states_and_actions_are_hashable(case: Case) -> Iterator[str]:
    """Check that states and actions are hashable, so that sets can contain them."""
    named = [("state", moment.state) for moment in case.sample(size=3)] + [("action", a) for a in case.pool]
    for kind, value in named:
        if _or_none(hash, value) is None:
            yield f"expected a hashable {kind}, got {type(value).__name__}"


def encode_tells_states_apart(case: Case) -> Iterator[str]:
    """Check that `encode` gives bytes that are equal iff the states are equal, in all matches of the variant."""
    first: dict[Any, Any] = {}
    for played in case.matches:
        for moment in played.moments:
            if type(moment.code) is not bytes:
                yield f"expected bytes, got {type(moment.code).__name__}"
                return
            if first.setdefault(moment.code, moment.state) != moment.state:
                yield f"expected different states to have different codes, got {state_hash(moment.code)} twice"
    few = [moment for played in case.matches for moment in spread(played.moments, 20)]
    for one, other in combinations(few, 2):
        if one.state == other.state and one.code != other.code:
            yield "expected equal states to have equal codes, got different ones"


def equal_states_ask_equal_questions(case: Case) -> Iterator[str]:
    """Check that `ask_key` depends on the state's value and not on the object's identity."""
    for played in case.matches[:1]:
        pairs = zip(played.moments, matches.replay(case.game, played), strict=True)
        for moment, state in pairs:
            for seat in case.game.seats_to_act(moment.state) if state == moment.state else ():
                if case.game.ask_key(state, seat) != case.game.ask_key(moment.state, seat):
                    yield f"seat {seat}: expected equal keys for equal states, got different ones"


def global_chance_is_left_alone(case: Case) -> Iterator[str]:
    """Check that the rules neither draw from the global generators (random, numpy) nor reseed them."""
    before = _global_chance()
    try:
        for played in case.matches[: len(case.seeds)]:
            codes = []
            for seed in (1, 1, 2):
                _seed_globally(seed)
                codes.append(_codes(case.game, played))
            if codes[0] == codes[1] and codes[1] != codes[2]:  # the replay check reports a match that never repeats
                yield f"seed {played.seed}: expected the same match whatever the global generator holds, got another"
            if _touches_global_chance(case.game, played):
                yield f"seed {played.seed}: expected the global generators as they were, got them changed"
    finally:
        random.setstate(before[0])
        if before[1] is not None:
            sys.modules["numpy"].random.set_state(before[1])


def old_state_is_untouched(case: Case) -> Iterator[str]:
    """Check that neither `apply` nor any query changes the given state."""
    for played in case.matches:
        for moment in spread(played.moments, 12):
            before = _or_none(
                copy.deepcopy, moment.state
            )  # None if it cannot be copied: then only its code is compared
            for name, ask in _questions(case.game, moment):
                ask()
                if case.game.encode(moment.state) != moment.code or (before is not None and before != moment.state):
                    yield f"expected {name} to leave the state as it was, got it changed"
                    return


def _questions(game: AnyGame, moment: Moment) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield (name, call) for every query of a state, last `apply` with the next turn."""
    state = moment.state
    for name in ("seats_to_act", "is_terminal", "returns", "metrics", "public_view", "render", "wake_at", "encode"):
        yield name, partial(getattr(game, name), state)
    for seat in range(game.seats):
        for name in ("legal_actions", "legal_complete", "observation", "briefing", "ask_key"):
            yield name, partial(getattr(game, name), state, seat)
    for seat in game.seats_to_act(state):
        yield "default_action", partial(game.default_action, state, seat)
    if moment.turn is not None:
        yield "apply", partial(game.apply, state, moment.turn)


def _or_none(make: Callable[[Any], Any], value: Any) -> Any:
    """Return `make(value)`; None if it raises a TypeError."""
    try:
        return make(value)
    except TypeError:
        return None


def _codes(game: AnyGame, played: PlayedMatch) -> list[bytes]:
    return [game.encode(state) for state in matches.replay(game, played)]


def _touches_global_chance(game: AnyGame, played: PlayedMatch) -> bool:
    _seed_globally(3)  # an unusual seed, which the rules cannot choose by accident
    before = pickle.dumps(_global_chance())
    for moment in spread(played.moments, 12):
        for _, ask in _questions(game, moment):
            ask()
    _codes(game, played)
    return pickle.dumps(_global_chance()) != before


def _seed_globally(seed: int) -> None:
    random.seed(seed)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(seed)


def _global_chance() -> tuple[Any, Any]:
    """Return the states of the global generators of random and, if it is loaded, numpy."""
    numpy = sys.modules.get("numpy")
    return random.getstate(), numpy.random.get_state() if numpy else None
