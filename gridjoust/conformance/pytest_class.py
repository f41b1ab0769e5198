"""The named checks as the methods of a pytest class. Needs pytest only when such a class is made."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from games.api import AnyGame
from gridjoust.conformance.checks import CASE_CHECKS
from gridjoust.conformance.subject import SEEDS, Case, Finding, Params, Subject
from gridjoust.conformance.suite import ALL_VARIANTS, SUBJECT_CHECKS, check_name, run_check


def game_tests(
    game: type[AnyGame] | str,
    *,
    params: Sequence[Params] = (),
    seats: Sequence[int] = (),
    seeds: Sequence[int] = SEEDS,
    golden: Path | str | None = None,
) -> type:
    """A pytest class with one test for each named check, over all variants; arguments as in `check_game`.

    A relative `golden` (the default too) starts at pytest's root folder.
    """
    subject = Subject(game, params=params, seats=seats, seeds=seeds, golden=golden)
    methods: dict[str, Any] = {"__doc__": f"Conformance of {subject.game_class.__name__}."}
    for subject_check in SUBJECT_CHECKS:
        methods[f"test_{check_name(subject_check)}"] = _subject_test(subject_check, subject)
    for case_check in CASE_CHECKS:
        methods[f"test_{check_name(case_check)}"] = _case_test(case_check, subject.cases)
    return type(f"Test{subject.game_class.__name__}", (), methods)


def fail_on(findings: Sequence[Finding]) -> None:
    """Fail the running test with the findings, if there are any."""
    if findings:
        _pytest().fail("\n".join(map(str, findings)), pytrace=False)


def _subject_test(check: Callable[[Subject], Any], subject: Subject) -> Callable[..., None]:
    def test(self: object, pytestconfig: Any) -> None:  # noqa: ARG001 - a method
        if not subject.golden.is_absolute():
            subject.golden = Path(pytestconfig.rootpath, subject.golden)
        fail_on(run_check(check, subject, ALL_VARIANTS))

    return _documented(test, check)


def _case_test(check: Callable[[Case], Any], cases: Sequence[Case]) -> Callable[..., None]:
    """One test for all variants; what fails is said with the variant's label."""

    def test(self: object) -> None:  # noqa: ARG001 - a method
        fail_on([found for case in cases for found in run_check(check, case, case.variant.label)])

    return _documented(test, check)


def _documented(test: Callable[..., None], check: Callable[[Any], Any]) -> Callable[..., None]:
    test.__doc__ = check.__doc__
    test.__name__ = f"test_{check_name(check)}"
    return test


def _pytest() -> Any:
    try:
        return importlib.import_module("pytest")
    except ImportError:
        raise ImportError("expected pytest for a test class: install gridjoust[test], or use check_game") from None
