"""What placement's benchmark says of the worth of hindering, and which tables it prints."""

from __future__ import annotations

import pytest

from benchmarks import placement, placement_cases


def test_hindering_is_tried_from_both_seats_of_every_seed() -> None:
    assert sum(placement.hindering(range(3))) == 6


@pytest.mark.parametrize(("tally", "code"), [((12, 0, 8), 0), ((11, 2, 7), 0), ((11, 1, 8), 1)])
def test_who_hinders_has_60_percent_of_the_points(
    monkeypatch: pytest.MonkeyPatch, tally: tuple[int, int, int], code: int
) -> None:
    monkeypatch.setattr(placement, "hindering", lambda seeds: tally)
    assert placement.main(["hinder"]) == code


def test_unknown_tables_are_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        placement.main(["hinders"])
    assert capsys.readouterr().err.endswith("aims, hinder, got hinders\n")


def test_the_file_of_hard_cases_is_compared_and_written_only_if_told_to(capsys: pytest.CaptureFixture[str]) -> None:
    before = placement_cases.DATA.stat().st_mtime_ns
    assert placement_cases.main(["--cases", "1"]) == 0
    assert capsys.readouterr().out == "The first 1 cases of each kind are as in hard_cases.json\n"
    assert placement_cases.DATA.stat().st_mtime_ns == before
