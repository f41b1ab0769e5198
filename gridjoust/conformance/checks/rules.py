"""Checks of the rules: seats to act, legal actions, the end of a match, and IllegalAction for all other turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridjoust.conformance.checks.texts import mutated_texts, parse_or_none
from gridjoust.conformance.matches import TURN_CAP, Moment, describe
from gridjoust.conformance.subject import Case, spread
from gridjoust.games.api import AnyGame, Dynamics, IllegalAction, Seat, Turn
from gridjoust.games.play import TURN_BASED


def matches_play_to_the_end(case: Case) -> Iterator[str]:
    """Check that the rules raise no exception if all actions are legal."""
    for played in case.matches:
        if played.breakdown:
            yield f"expected legal play to go on, got {played.breakdown} (seed {played.seed}, {played.style.value})"


def matches_end_within_max_turns(case: Case) -> Iterator[str]:
    """Check that no match is longer than `spec.max_turns`, with random and with silent seats."""
    limit = case.game.spec.max_turns
    for played in case.matches:
        turns = len(played.moments) - 1
        if turns > limit and limit < TURN_CAP:
            yield f"expected at most {limit} turns, got more (seed {played.seed}, {played.style.value})"


def somebody_acts_until_the_end(case: Case) -> Iterator[str]:
    """Check that `seats_to_act` is sorted, in range and empty at the end; earlier, empty only if a timer runs."""
    game = case.game
    for moment in case.sample(size=10_000):
        seats = game.seats_to_act(moment.state)
        if list(seats) != sorted(set(seats)) or not isinstance(seats, tuple):
            yield f"expected a sorted tuple of different seats, got {seats!r}"
        if any(not 0 <= seat < game.seats for seat in seats):
            yield f"expected seats 0 to {game.seats - 1}, got {seats!r}"
        if game.is_terminal(moment.state):
            if seats:
                yield f"expected nobody to act after the end, got seats {seats!r}"
        elif not seats and (game.spec.dynamics in TURN_BASED or game.wake_at(moment.state) is None):
            yield "expected a seat to act or a timer before the end, got neither"
        elif game.spec.dynamics is Dynamics.TICKED and game.wake_at(moment.state) is None:
            yield "expected a next tick before the end, got wake_at None"
        if game.spec.dynamics is Dynamics.SEQUENTIAL and len(seats) > 1:
            yield f"expected one seat at a time in a sequential game, got {seats!r}"


def timers_lie_ahead(case: Case) -> Iterator[str]:
    """Check that `wake_at` is a match time not before the last turn, and None in turn-based games."""
    game = case.game
    for moment in case.sample(size=10_000):
        wake_ms = game.wake_at(moment.state)
        if wake_ms is None or game.is_terminal(moment.state):
            continue
        if game.spec.dynamics in TURN_BASED:
            yield f"expected no timer in a {game.spec.dynamics.value} game, got wake_at {wake_ms!r}"
        elif type(wake_ms) is not int or wake_ms < moment.stamp:
            yield f"expected whole milliseconds, {moment.stamp} or later, got wake_at {wake_ms!r}"


def legal_actions_agree_with_seats_to_act(case: Case) -> Iterator[str]:
    """Check that a seat has legal actions iff it may act, as a tuple in a stable order."""
    game = case.game
    for moment in case.sample():
        acting = game.seats_to_act(moment.state)
        for seat in range(game.seats):
            legal = game.legal_actions(moment.state, seat)
            if bool(legal) != (seat in acting):
                expected = "legal actions" if seat in acting else "none, as it may not act"
                yield f"seat {seat}: expected {expected}, got {len(legal)}"
            if not isinstance(legal, tuple) or legal != game.legal_actions(moment.state, seat):
                yield f"seat {seat}: expected the same tuple when asked twice, got {type(legal).__name__}s that differ"


def default_action_is_legal(case: Case) -> Iterator[str]:
    """Check that the default action is legal and one of `legal_actions`, even if these are a sample."""
    game = case.game
    for moment in case.sample():
        for seat in game.seats_to_act(moment.state):
            default = game.default_action(moment.state, seat)
            if not game.is_legal(moment.state, seat, default):
                yield f"seat {seat}: expected a legal default action, got {default!s}"
            elif default not in game.legal_actions(moment.state, seat):
                yield f"seat {seat}: expected the default action among the legal ones, got {default!s}"


def is_legal_agrees_with_legal_actions(case: Case) -> Iterator[str]:
    """Check that listed actions are legal, that a complete list has all of them, and that idle seats have none."""
    game = case.game
    for moment in case.sample(size=12):
        acting = game.seats_to_act(moment.state)
        for seat in range(game.seats):
            legal = game.legal_actions(moment.state, seat)
            for action in spread(legal, 40):
                if not game.is_legal(moment.state, seat, action):
                    yield f"seat {seat}: expected the listed {action!s} to be legal, got illegal"
            if seat in acting and not game.legal_complete(moment.state, seat):
                continue
            listed = {str(action) for action in legal}
            for action in case.pool:
                if str(action) not in listed and game.is_legal(moment.state, seat, action):
                    yield f"seat {seat}: expected the unlisted {action!s} to be illegal, got legal"


def illegal_actions_are_refused(case: Case) -> Iterator[str]:
    """Check that illegal actions raise IllegalAction: actions of other states, and other texts that parse."""
    game = case.game
    # actions that were never listed but have a valid text
    parsed = (parse_or_none(game, text) for text in mutated_texts(case.pool, count=60))
    candidates = [*case.pool, *(action for action in parsed if action is not None)]
    for moment in _open_moments(case):
        for seat in game.seats_to_act(moment.state):
            illegal = [action for action in candidates if not game.is_legal(moment.state, seat, action)]
            for action in illegal[:4]:
                turn = _turn_with(game, moment, {seat: action})
                if fault := accepted(game, moment.state, turn):
                    yield f"seat {seat}, illegal {action!s}: {fault}"


def wrong_seats_are_refused(case: Case) -> Iterator[str]:
    """Check that an answer of an idle seat, or of one that does not exist, raises IllegalAction."""
    game = case.game
    for moment in _open_moments(case):
        acting = game.seats_to_act(moment.state)
        idle = [seat for seat in range(-1, game.seats + 1) if seat not in acting]
        for seat in idle if case.pool else ():
            beside = _turn_with(game, moment, {seat: case.pool[0]})
            if fault := accepted(game, moment.state, beside):
                yield f"seat {seat} beside seats {acting!r}: {fault}"
            instead = Turn({seat: case.pool[0]}, beside.stamp)
            if fault := accepted(game, moment.state, instead):
                yield f"seat {seat} instead of seats {acting!r}: {fault}"


def missing_seats_are_refused(case: Case) -> Iterator[str]:
    """Check that a turn without the answer of a seat to act raises IllegalAction in turn-based games."""
    game = case.game
    if game.spec.dynamics not in TURN_BASED:
        return
    for moment in _open_moments(case):
        full = _turn_with(game, moment, {})
        for missing in full.actions:
            rest = {seat: action for seat, action in full.actions.items() if seat != missing}
            if fault := accepted(game, moment.state, Turn(rest, full.stamp)):
                yield f"seat {missing} missing: {fault}"


def turns_after_the_end_are_refused(case: Case) -> Iterator[str]:
    """Check that every turn after the end raises IllegalAction, the empty one too."""
    game = case.game
    for played in case.matches:
        last = played.moments[-1] if played.moments else None
        if last is None or not game.is_terminal(last.state):
            continue
        late: list[dict[Seat, Any]] = [{}]
        late += [{seat: case.pool[0]} for seat in range(game.seats) if case.pool]
        late += [dict.fromkeys(range(game.seats), case.pool[0])] if case.pool else []
        for actions in late:
            if fault := accepted(game, last.state, Turn(actions, last.stamp + 1)):
                yield f"turn of seats {sorted(actions)!r} after the end: {fault}"


def accepted(game: AnyGame, state: Any, turn: Turn[Any]) -> str:
    """Return what happened instead of an IllegalAction when this turn was applied; "" if it was refused."""
    try:
        game.apply(state, turn)
    except IllegalAction:
        return ""
    except Exception as error:  # any exception of the game is a finding
        return f"expected IllegalAction, got {describe(error)}"
    return "expected IllegalAction, got a new state"


def _open_moments(case: Case) -> Iterator[Moment]:
    """Yield sampled states before the end in which no timer is due, so that answers are not late."""
    for moment in case.sample(size=12):
        wake_ms = case.game.wake_at(moment.state)
        is_due = case.game.spec.dynamics is Dynamics.REAL_TIME and wake_ms is not None and wake_ms <= moment.stamp
        if not is_due and not case.game.is_terminal(moment.state):
            yield moment


def _turn_with(game: AnyGame, moment: Moment, changed: dict[Seat, Any]) -> Turn[Any]:
    """Return a next turn with the answers `changed`, and if turn-based with default actions of all other seats."""
    if game.spec.dynamics is Dynamics.REAL_TIME:
        return Turn(changed, moment.stamp)
    if game.spec.dynamics is Dynamics.TICKED:
        wake_ms = game.wake_at(moment.state)
        return Turn(changed, moment.stamp if wake_ms is None else wake_ms)
    seats = [seat for seat in game.seats_to_act(moment.state) if seat not in changed]
    actions = {seat: game.default_action(moment.state, seat) for seat in seats}
    return Turn(actions | changed, moment.stamp + 1)
