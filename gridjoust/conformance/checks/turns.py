"""Turns that the rules must refuse with IllegalAction, however a careless referee came by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.api import AnyGame, Dynamics, IllegalAction, Seat, Turn
from gridjoust.conformance.checks.texts import mutated_texts, parse_or_none
from gridjoust.conformance.matches import TURN_BASED, Moment, describe
from gridjoust.conformance.subject import Case


def illegal_actions_are_refused(case: Case) -> Iterator[str]:
    """An action that is not legal now raises IllegalAction: actions of other moments, and whatever else parses."""
    game = case.game
    candidates = [*case.pool, *_parsed_mutations(case)]
    for moment in _open_moments(case):
        for seat in game.seats_to_act(moment.state):
            illegal = [action for action in candidates if not game.is_legal(moment.state, seat, action)]
            for action in illegal[:4]:
                turn = _turn_with(game, moment, {seat: action})
                if fault := accepted(game, moment.state, turn):
                    yield f"seat {seat}, illegal {action!s}: {fault}"


def wrong_seats_are_refused(case: Case) -> Iterator[str]:
    """An answer of a seat that may not act, or that does not exist, raises IllegalAction."""
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
    """In turn-based games a turn without the answer of a seat to act raises IllegalAction."""
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
    """Once terminal, every turn raises IllegalAction, the empty one too."""
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
    """What happened instead of an IllegalAction; "" if the turn was refused as it should be."""
    try:
        game.apply(state, turn)
    except IllegalAction:
        return ""
    except Exception as error:  # whatever a foreign game raises is the finding
        return f"expected IllegalAction, got {describe(error)}"
    return "expected IllegalAction, got a new state"


def _open_moments(case: Case) -> Iterator[Moment]:
    """Sampled moments before the end at which no timer is due (else any answer would come too late)."""
    for moment in case.sample(size=12):
        wake_ms = case.game.wake_at(moment.state)
        is_due = case.game.spec.dynamics is Dynamics.REAL_TIME and wake_ms is not None and wake_ms <= moment.stamp
        if not is_due and not case.game.is_terminal(moment.state):
            yield moment


def _turn_with(game: AnyGame, moment: Moment, changed: dict[Seat, Any]) -> Turn[Any]:
    """A turn as it could come now, with the changed answers in it: default actions for all others if turn-based."""
    if game.spec.dynamics is Dynamics.REAL_TIME:
        return Turn(changed, moment.stamp)
    if game.spec.dynamics is Dynamics.TICKED:
        wake_ms = game.wake_at(moment.state)
        return Turn(changed, moment.stamp if wake_ms is None else wake_ms)
    seats = [seat for seat in game.seats_to_act(moment.state) if seat not in changed]
    actions = {seat: game.default_action(moment.state, seat) for seat in seats}
    return Turn(actions | changed, moment.stamp + 1)


def _parsed_mutations(case: Case) -> list[Any]:
    """Actions that were never offered but that the game's own notation can express."""
    parsed = (parse_or_none(case.game, text) for text in mutated_texts(case.pool, count=60))
    return [action for action in parsed if action is not None]
