"""The one-line import: a class whose tests are the named checks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gridjoust.conformance import bot_tests, game_tests
from gridjoust.conformance.subject import Subject
from tests.doubles.games import reference
from tests.doubles.games.broken import ViewsTuple
from tests.gridjoust.conformance.bot_doubles import AnswersNonsense, NamesHighest

GOLDEN = Path(reference.__file__).parent / "golden"

TestPile = game_tests(reference.Pile, params=[{"pile": 1}], golden=GOLDEN / "pile.jsonl")
TestNamesHighest = bot_tests(NamesHighest, game=reference.Numbers)


def test_every_parameter_set_and_seat_count_is_examined_under_what_tells_it_apart() -> None:
    subjects = [
        Subject(reference.Numbers),
        Subject("bomber", params=[{"width": 8}, {"width": 8, "hidden": False}], seats=[2]),
    ]
    assert [[case.variant.label for case in subject.cases] for subject in subjects] == [
        ["2 seats", "3 seats"],
        ["2 seats", "2 seats, width=8", "2 seats, hidden=False"],
    ]


def test_failing_check_fails_its_test_and_says_why_in_every_variant() -> None:
    game: Any = game_tests(ViewsTuple)
    with pytest.raises(pytest.fail.Exception) as failure:
        game().test_views_are_json()
    for label in ("1 seats", "2 seats"):
        assert f"views_are_json [{label}]: public_view.steps: expected a JSON" in str(failure.value)
    bot: Any = bot_tests(AnswersNonsense, game=reference.Pile)
    with pytest.raises(pytest.fail.Exception, match="expected a legal answer, got 'take all of it'"):
        bot().test_answers_are_legal()


def test_relative_golden_record_starts_at_the_root_folder(pytestconfig: pytest.Config) -> None:
    made: Any = game_tests(reference.Pile, golden="tests/doubles/games/golden/pile.jsonl")
    made().test_golden_record_exists_and_replays(pytestconfig)


def test_importing_the_suite_does_not_import_pytest() -> None:
    code = "import sys, gridjoust.conformance; sys.exit('pytest' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
