"""Runs the named checks over a game's variants. Knows no pytest; `pytest_class` wraps the same tables for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from games.api import AnyGame
from gridjoust.conformance.checks import CASE_CHECKS, promises
from gridjoust.conformance.fresh import fresh_interpreter_plays_the_same
from gridjoust.conformance.golden import golden_record_exists_and_replays
from gridjoust.conformance.matches import describe
from gridjoust.conformance.subject import SEEDS, Finding, Params, Subject

DETAIL_LIMIT = 3  # different violations told of one check in one variant
REPETITION_LIMIT = 100  # violations looked at in search of different ones
ALL_VARIANTS = "all variants"

T = TypeVar("T")
SubjectCheck = Callable[[Subject], Iterator[str]]

SUBJECT_CHECKS: tuple[SubjectCheck, ...] = (
    promises.every_variant_can_be_made,
    promises.spec_is_sound,
    promises.bad_parameters_are_refused,
    fresh_interpreter_plays_the_same,
    golden_record_exists_and_replays,
)
"""Asked once of a game."""


def check_game(
    game: type[AnyGame] | str,
    *,
    params: Sequence[Params] = (),
    seats: Sequence[int] = (),
    seeds: Sequence[int] = SEEDS,
    golden: Path | str | None = None,
) -> list[Finding]:
    """Every violation found; an empty list is a pass.

    `game` is a class, a name, `module:Class` or `file.py:Class`. Examined are the default parameters and `params`, each
    with every number of `seats` (default: minimum and maximum), except what the game refuses with a ValueError.
    `golden` is the golden record, `tests/golden/<game>.jsonl` if not given.
    """
    subject = Subject(game, params=params, seats=seats, seeds=seeds, golden=golden)
    findings = [found for check in SUBJECT_CHECKS for found in run_check(check, subject, ALL_VARIANTS)]
    for case in subject.cases:
        findings += [found for check in CASE_CHECKS for found in run_check(check, case, case.variant.label)]
    return findings


def run_check(check: Callable[[T], Iterator[str]], subject: T, variant: str) -> list[Finding]:
    """The first few violations of one check; whatever the code under examination raises is one as well."""
    details: dict[str, None] = {}  # keeps the order, drops repetitions
    try:
        for detail in islice(check(subject), REPETITION_LIMIT):
            details[detail] = None
            if len(details) == DETAIL_LIMIT:
                break
    except Exception as error:
        details[f"expected an answer, got {describe(error)}"] = None
    return [Finding(check_name(check), variant, detail) for detail in details]


def check_name(check: Callable[[T], Iterator[str]]) -> str:
    """The name under which a check is reported."""
    return str(getattr(check, "__name__", check))
