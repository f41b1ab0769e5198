"""Finding a match by its id, and the tournament around a record."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.doctor.source import find_record, load_source
from runner.wire.errors import ConfigError

SAMPLE = Path(__file__).parents[3] / "results" / "sample"


def records(folder: Path, *names: str) -> Path:
    (folder / "records").mkdir()
    for name in names:
        (folder / "records" / f"{name}.jsonl").touch()
    return folder


def test_a_match_is_found_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    assert find_record(records(tmp_path, "abc1", "abd2"), "abd").name == "abd2.jsonl"


def test_a_whole_id_is_found_though_another_begins_with_it(tmp_path: Path) -> None:
    assert find_record(records(tmp_path, "abc", "abcd"), "abc").name == "abc.jsonl"


@pytest.mark.parametrize(
    ("match", "line"),
    [
        ("ab", "'ab': expected one match, got 2: abc1, abd2"),
        ("x", "expected a match id that begins with 'x', got none"),
        ("c", "'c': expected at least 3 characters of a match id, got 1"),
    ],
)
def test_an_abbreviation_that_names_no_single_match_is_refused(tmp_path: Path, match: str, line: str) -> None:
    with pytest.raises(ConfigError) as caught:
        find_record(records(tmp_path, "abc1", "abd2", "ccc"), match)
    assert line in str(caught.value)


def test_a_folder_without_records_is_no_results_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a results folder, got no records in it"):
        find_record(tmp_path, "abc")


def test_a_record_needs_the_tournament_around_it(tmp_path: Path) -> None:
    copy = tmp_path / "records" / "lonely.jsonl"
    copy.parent.mkdir()
    copy.write_bytes(sorted((SAMPLE / "records").iterdir())[0].read_bytes())
    with pytest.raises(ConfigError, match=r"expected tournament\.yaml in the results folder around it, got none"):
        load_source(copy)
