"""Checks of a game's declarations: utility, names, seats, parameters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from gridjoust.conformance.matches import Moment
from gridjoust.conformance.subject import Case, Subject
from gridjoust.games.api import Param, ParamValue, Utility, check_param

SUM_TOLERANCE = 1e-9


def declared_utility_holds(case: Case) -> Iterator[str]:
    """Check that final returns sum to 0 (zero-sum), are equal (shared), and are equal within a team."""
    game = case.game
    for moment in _ends(case):
        returns = game.returns(moment.state)
        if game.spec.utility is Utility.ZERO_SUM and abs(math.fsum(returns)) > SUM_TOLERANCE:
            yield f"expected zero-sum returns, got {returns!r}"
        if game.spec.utility is Utility.SHARED and len(set(returns)) > 1:
            yield f"expected the same return for all seats, got {returns!r}"
        if len(set(zip(game.teams, returns, strict=True))) > len(set(game.teams)):
            yield f"expected the same return for all seats of a team, got {returns!r} in teams {game.teams!r}"


def returns_and_metrics_have_one_entry_per_seat(case: Case) -> Iterator[str]:
    """Check that returns and metrics have an entry for every seat in every state, all of them finite numbers."""
    game = case.game
    for moment in case.sample():
        returns, metrics = game.returns(moment.state), game.metrics(moment.state)
        if not isinstance(returns, tuple) or len(returns) != game.seats or not all(map(_is_number, returns)):
            yield f"expected a tuple of {game.seats} finite returns, got {returns!r}"
        if not isinstance(metrics, tuple) or len(metrics) != game.seats:
            yield f"expected a tuple of metrics for {game.seats} seats, got {len(metrics)}"
        for number in (number for named in metrics for number in named.items() if not _is_number(number[1])):
            yield f"expected finite numbers as metrics, got {number[0]} = {number[1]!r}"


def metric_names_stay_the_same(case: Case) -> Iterator[str]:
    """Check that all seats have the same metric names in the same order in every state, as they become columns."""
    game = case.game
    first: list[str] | None = None
    for moment in case.sample():
        for named in game.metrics(moment.state):
            first = list(named) if first is None else first
            if list(named) != first:
                yield f"expected metrics {first!r} for every seat at any time, got {list(named)!r}"


def declared_metrics_are_kept(case: Case) -> Iterator[str]:
    """Check that a spec with metrics declares every reported one, and that goals are from 0 to 1."""
    declared = case.game.spec.metrics
    for moment in case.sample():
        for name, value in (one for named in case.game.metrics(moment.state) for one in named.items() if declared):
            if name not in declared:
                yield f"expected one of the declared metrics {list(declared)!r}, got {name!r}"
            elif declared[name].is_goal and not 0 <= value <= 1:
                yield f"expected 0 to 1 of the goal {name!r}, got {value!r}"


def teams_and_roles_fit_the_seats(case: Case) -> Iterator[str]:
    """Check one team and role per seat, teams numbered from 0 without gaps, and one team with shared utility."""
    game = case.game
    if not isinstance(game.teams, tuple) or len(game.teams) != game.seats:
        yield f"expected a tuple of {game.seats} teams, got {game.teams!r}"
    if sorted(set(game.teams)) != list(range(len(set(game.teams)))):
        yield f"expected teams numbered from 0 without gaps, got {game.teams!r}"
    if not isinstance(game.roles, tuple) or len(game.roles) != game.seats:
        yield f"expected a tuple of {game.seats} roles, got {game.roles!r}"
    if not all(isinstance(role, str) for role in game.roles):
        yield f"expected roles as texts, got {game.roles!r}"
    if game.spec.utility is Utility.SHARED and len(set(game.teams)) > 1:
        yield f"expected one team where utility is shared, got {game.teams!r}"


def reason_is_a_sentence(case: Case) -> Iterator[str]:
    """Check that the final `reason` is one printable line without a full stop."""
    for moment in _ends(case):
        reason = case.game.reason(moment.state)
        if not isinstance(reason, str) or not reason.strip() or not reason.isprintable() or reason.endswith("."):
            yield f"expected a sentence without a full stop, got {reason!r}"


def every_variant_can_be_made(subject: Subject) -> Iterator[str]:
    """Check that every parameter set works with some number of seats, and every number with some set."""
    made = {(case.variant.params, case.variant.seats) for case in subject.cases}
    for params in subject.param_sets:
        if not any((params, seats) in made for seats in subject.seat_counts):
            yield f"expected {dict(params)!r:.80} to work with one of {subject.seat_counts!r} seats, got it refused"
    for seats in subject.seat_counts:
        if ((), seats) not in made and subject.param_sets == ((),):
            yield f"expected the default parameters to work with {seats} seats, got them refused"
        elif not any((params, seats) in made for params in subject.param_sets):
            yield f"expected {seats} seats to work with one of the parameter sets, got them refused"


def spec_is_sound(subject: Subject) -> Iterator[str]:
    """Check that seats and turns are positive, defaults are valid, and instances keep name and version."""
    spec = subject.game_class.spec
    if not 1 <= spec.min_seats <= spec.max_seats or spec.max_turns < 1:
        yield f"expected 1 <= min_seats <= max_seats, got {spec.min_seats} and {spec.max_seats}"
    for name, param in spec.params.items():
        try:
            check_param(name, param, param.default)
        except ValueError as error:
            yield f"expected the default to pass its own check, got {error}"
        if not param.help:
            yield f"{name}: expected a help text, got none"
    for case in subject.cases:
        own = case.game.spec
        if (own.name, own.version, dict(own.params)) != (spec.name, spec.version, dict(spec.params)):
            yield f"{case.variant.label}: expected the name, version and parameters of the class, got others"


def bad_parameters_are_refused(subject: Subject) -> Iterator[str]:
    """Check that unknown parameters, wrong types and values, and impossible seat numbers raise ValueError."""
    spec = subject.game_class.spec
    bad: list[Mapping[str, ParamValue]] = [{"no_such_parameter": 1}]
    bad += [{name: value} for name, param in spec.params.items() for value in _bad_values(param)]
    for params in bad:
        if fault := _not_refused(subject, params, None):
            yield f"parameters {dict(params)!r}: {fault}"
    for seats in (spec.min_seats - 1, spec.max_seats + 1, -1):
        if fault := _not_refused(subject, {}, seats):
            yield f"{seats} seats: {fault}"


def _not_refused(subject: Subject, params: Mapping[str, ParamValue], seats: int | None) -> str:
    try:
        subject.game_class(params, seats=seats)
    except ValueError:
        return ""
    except Exception as error:  # any exception of the game is a finding
        return f"expected ValueError, got {type(error).__name__}"
    return "expected ValueError, got a game"


def _bad_values(param: Param) -> list[ParamValue]:
    wrong: list[ParamValue] = [1] if isinstance(param.default, bool | str) else ["no number"]
    whole = isinstance(param.default, int)
    if param.minimum is not None:
        wrong.append(int(param.minimum) - 1 if whole else param.minimum - 1.0)
    if param.maximum is not None:
        wrong.append(int(param.maximum) + 1 if whole else param.maximum + 1.0)
    if param.choices and isinstance(param.default, str):
        wrong.append("no such choice")
    return wrong


def _ends(case: Case) -> Iterator[Moment]:
    for played in case.matches:
        if played.moments and case.game.is_terminal(played.moments[-1].state):
            yield played.moments[-1]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
