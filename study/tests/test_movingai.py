from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.games.navigation.board import Board
from gridjoust.games.navigation.movingai import load_scen
from study.movingai import DEFAULT_MAPS, StepCounter, main, run_file

SCENS = sorted(DEFAULT_MAPS.glob("*.scen"))


@pytest.mark.parametrize("scen", SCENS, ids=lambda scen: scen.stem)
def test_every_length_is_right(scen: Path) -> None:
    tally = run_file(scen, every=1)
    assert (tally.queries, tally.wrong) == (len(load_scen(scen)), 0)
    assert tally.repaired >= 2


def test_ways_that_are_not_there_are_asked_for() -> None:
    assert sum(run_file(scen, every=1).unreachable for scen in SCENS) == 2


def test_a_wrong_length_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "x.map").write_text("type octile\nheight 3\nwidth 3\nmap\n...\n...\n...\n")
    rows = [f"0\tx.map\t3\t3\t0\t0\t2\t2\t{length}" for length in (2.82843, 2.84, 0.0)]
    (tmp_path / "x.map.scen").write_text("\n".join(["version 1", *rows, ""]))
    tally = run_file(tmp_path / "x.map.scen", every=1)
    assert (tally.queries, tally.wrong_octile, tally.wrong_four, tally.wrong_repaired) == (3, 2, 0, 0)
    assert main(["--maps", str(tmp_path)]) == 1


def test_steps_are_counted_by_a_search_of_its_own_and_a_folder_without_files_has_nothing_to_compare_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counter = StepCounter(Board(4, 2, b"\0\0\1\0\0\0\0\1"))
    assert [counter.between(0, cell) for cell in (0, 1, 6, 3)] == [0, 1, 3, float("inf")]
    assert main(["--maps", str(tmp_path)]) == 0
    assert "nothing to compare with" in capsys.readouterr().out
