"""An error of the rules in the commands that play a single match or an examination: exit code 4 and one line."""

from __future__ import annotations

import pytest

from gridjoust.games.bomber import Bomber
from gridjoust.runner.results.records.file import list_records
from tests.gridjoust.commands.desk import Desk

pytestmark = pytest.mark.e2e


def fail(*arguments: object) -> None:
    raise KeyError("no such cell")


@pytest.mark.default("doctor random --game bomber --param max_ticks=5")
@pytest.mark.parametrize("typed", ["rerun results/cup MATCH", "doctor random --game bomber --param max_ticks=5"])
def test_an_error_of_the_rules_is_one_line_with_the_place_of_its_traceback(
    played: Desk, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    [match, _] = [path.stem for path in list_records(played.folder / "results" / "cup")]
    monkeypatch.setattr(Bomber, "apply", fail)
    code, told = played.joust(*typed.replace("MATCH", match).split())
    *steps, line = told.splitlines()
    assert code == 4
    assert all(" ... " in step for step in steps)  # of the doctor
    assert " broke off on an error of the runner or the rules: KeyError: 'no such cell' (test_bugs.py line " in line
    assert ", in fail); traceback: results/" in line
    file = played.folder / line.rpartition(": ")[2].strip()
    assert "KeyError: 'no such cell'" in file.read_text()
