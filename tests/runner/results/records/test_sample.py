"""The committed sample: its records still follow from the rules, and the page about it still runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.replay import verify
from gridjoust.runner.results.tables.frames import load
from tests.joust_here import joust

ROOT = Path(__file__).parents[4]
SAMPLE = ROOT / "results" / "sample"


@pytest.mark.parametrize("path", list_records(SAMPLE), ids=lambda path: path.stem)
def test_a_recorded_match_still_follows_from_the_rules(path: Path) -> None:
    assert verify(read_record(path)) is None


@pytest.mark.gate
def test_the_whole_sample_is_as_joust_would_write_it_today() -> None:
    done = joust("verify", "results/sample", folder=ROOT)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_there_is_a_record_for_every_match_of_the_table() -> None:
    listed = set(load(SAMPLE).results["match_id"])
    assert listed == {path.stem for path in list_records(SAMPLE)}
    assert len(listed) == 6


def test_answers_from_before_cpu_time_was_measured_have_none(tmp_path: Path) -> None:
    folder = shutil.copytree(SAMPLE, tmp_path / "old")
    (folder / "datapackage.json").unlink()
    table = pd.read_csv(folder / "turns.csv.gz").drop(columns=["cpu_ms", "waited_ms", "forced"])
    table.to_csv(folder / "turns.csv.gz", index=False)
    turns = load(folder).turns
    assert list(turns.columns[4:9]) == ["planning_ms", "latency_ms", "cpu_ms", "waited_ms", "forced"]
    assert turns[["cpu_ms", "waited_ms", "forced"]].isna().all(axis=None)
    assert load(SAMPLE).turns["cpu_ms"].notna().any()
    assert turns["latency_ms"].notna().any()


def test_a_report_lies_beside_the_tables_and_names_no_place_of_its_making() -> None:
    page = (SAMPLE / "report.html").read_text(encoding="utf-8")
    assert "results/sample" in page
    assert str(ROOT) not in page


@pytest.mark.gate
def test_the_snippet_of_the_results_page_runs() -> None:
    [snippet] = re.findall(r"```python\n(.*?)```", (ROOT / "results" / "README.md").read_text(), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", snippet], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "gambit" in done.stdout
