"""The one-line import: a class whose tests are the named checks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gridjoust.conformance import bot_tests, game_tests
from tests.doubles.games import reference
from tests.doubles.games.broken import ViewsTuple
from tests.gridjoust.conformance.bot_doubles import AnswersNonsense, NamesHighest

GOLDEN = Path(reference.__file__).parent / "golden"

TestPile = game_tests(reference.Pile, params=[{"pile": 1}], golden=GOLDEN / "pile.jsonl")
TestNamesHighest = bot_tests(NamesHighest, game=reference.Numbers)


def cases_of(test: Any) -> list[Any]:
    (mark,) = test.pytestmark
    return list(mark.args[1])


def test_class_has_one_test_for_each_parameter_set_and_seat_count() -> None:
    made: Any = game_tests(reference.Numbers, golden=GOLDEN / "none.jsonl")
    assert [case.variant.label for case in cases_of(made.test_views_are_json)] == ["2 seats", "3 seats"]


def test_test_names_tell_only_what_differs_between_the_parameter_sets() -> None:
    made: Any = game_tests("bomber", params=[{"width": 8}, {"width": 8, "hidden": False}], seats=[2])
    labels = [case.variant.label for case in cases_of(made.test_views_are_json)]
    assert labels == ["2 seats", "2 seats, width=8", "2 seats, hidden=False"]


def test_failing_check_fails_its_test_and_says_why() -> None:
    made: Any = game_tests(ViewsTuple)
    case = cases_of(made.test_views_are_json)[0]
    with pytest.raises(pytest.fail.Exception, match=r"views_are_json .1 seats.: public_view.steps: expected a JSON"):
        made().test_views_are_json(case)


def test_failing_bot_check_fails_its_test() -> None:
    made: Any = bot_tests(AnswersNonsense, game=reference.Pile)
    with pytest.raises(pytest.fail.Exception, match="expected a legal answer, got 'take all of it'"):
        made().test_answers_are_legal()


def test_relative_golden_record_starts_at_the_root_folder(pytestconfig: pytest.Config) -> None:
    made: Any = game_tests(reference.Pile, golden="tests/doubles/games/golden/pile.jsonl")
    made().test_golden_record_exists_and_replays(pytestconfig)


def test_importing_the_suite_does_not_import_pytest() -> None:
    code = "import sys, gridjoust.conformance; sys.exit('pytest' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
