"""Finding a match by its id, and the tournament around a record."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gridjoust.recorded.source import find_record, load_source, resolve_record
from gridjoust.runner.wire.errors import ConfigError

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
    "q": "has no match whose id begins with 'q'",
    "c": "'c': expected at least 3 characters of a match id, got 1",
}


@pytest.mark.parametrize(("match", "line"), REFUSED.items(), ids=REFUSED)
def test_what_names_no_single_match_is_refused(folder: Path, match: str, line: str) -> None:
    with pytest.raises(ConfigError) as caught:
        find_record(folder, match)
    assert line in str(caught.value)
    with pytest.raises(ConfigError, match="is not a results folder: it has no records"):
        find_record(folder / "records", match)


def test_a_record_needs_the_tournament_around_it(folder: Path) -> None:
    copy = Path(shutil.copy(min((SAMPLE / "records").iterdir()), folder / "records"))
    with pytest.raises(ConfigError, match=r"its results folder has no tournament\.yaml"):
        load_source(copy)


def test_a_record_is_its_file_or_an_id_below_its_folder_or_below_results(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("cup", "pup"):
        shutil.copytree(folder / "records", folder / "results" / name / "records")
    (folder / "results" / "pup" / "records" / "only.jsonl").touch()
    monkeypatch.chdir(folder)
    cup, only = Path("results/cup/records"), Path("results/pup/records/only.jsonl")
    assert resolve_record(cup / "abc.jsonl") == cup / "abc.jsonl"
    assert resolve_record(Path("results/cup/abd")) == cup / "abd2.jsonl"
    assert resolve_record(cup / "abd") == cup / "abd2.jsonl"
    assert resolve_record(Path("onl")) == only
    with pytest.raises(ConfigError, match="several folders have such a match: results/cup, results/pup"):
        resolve_record(Path("abc"))
    with pytest.raises(ConfigError, match="is a folder: name a match in it"):
        resolve_record(Path("results/cup"))
