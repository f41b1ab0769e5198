"""`joust report` as a user types it."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.joust_here import joust

SAMPLE = Path(__file__).parents[3] / "results" / "sample"


def test_the_page_is_written_into_the_results_and_names_them_as_they_were_typed(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "cup")
    done = joust("report", "cup", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "report: cup/report.html\n", "")
    text = (tmp_path / "cup" / "report.html").read_text()
    assert "gambit" in text
    assert "<code>joust verify cup</code>" in text
    assert str(tmp_path) not in text


def test_the_page_goes_where_it_is_wanted(tmp_path: Path) -> None:
    done = joust("report", str(SAMPLE), "--out", "pages/cup.html", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "pages" / "cup.html").stat().st_size > 10_000
