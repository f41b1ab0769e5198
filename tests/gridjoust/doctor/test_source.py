"""Finding a match by its id, and the tournament around a record."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gridjoust.doctor.source import find_record, load_source
from runner.wire.errors import ConfigError

SAMPLE = Path(__file__).parents[3] / "results" / "sample"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "records").mkdir()
    for name in ("abc", "abcd", "abd2", "xy1", "xy2", "ccc"):
        (tmp_path / "records" / f"{name}.jsonl").touch()
    return tmp_path


@pytest.mark.parametrize("match", ["abd", "abc"], ids=["by its beginning", "whole, though another begins so"])
def test_a_match_is_found_by_its_id(folder: Path, match: str) -> None:
    assert find_record(folder, match).name == {"abd": "abd2.jsonl", "abc": "abc.jsonl"}[match]


REFUSED = {
    "xy": "'xy': expected one match, got 2: xy1, xy2",
    "q": "expected a match id that begins with 'q', got none",
    "c": "'c': expected at least 3 characters of a match id, got 1",
}


@pytest.mark.parametrize(("match", "line"), REFUSED.items(), ids=REFUSED)
def test_what_names_no_single_match_is_refused(folder: Path, match: str, line: str) -> None:
    with pytest.raises(ConfigError) as caught:
        find_record(folder, match)
    assert line in str(caught.value)
    with pytest.raises(ConfigError, match="expected a results folder, got no records in it"):
        find_record(folder / "records", match)


def test_a_record_needs_the_tournament_around_it(folder: Path) -> None:
    copy = Path(shutil.copy(min((SAMPLE / "records").iterdir()), folder / "records"))
    with pytest.raises(ConfigError, match=r"expected tournament\.yaml in the results folder around it, got none"):
        load_source(copy)
