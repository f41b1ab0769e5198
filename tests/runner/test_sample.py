"""The committed sample: its records still follow from the rules, and the page about it still runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from runner.record.file import list_records, read_record
from runner.record.replay import verify
from runner.results import load

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "results" / "sample"


@pytest.mark.parametrize("path", list_records(SAMPLE), ids=lambda path: path.stem)
def test_a_recorded_match_still_follows_from_the_rules(path: Path) -> None:
    assert verify(read_record(path)) is None


def test_there_is_a_record_for_every_match_of_the_table() -> None:
    listed = set(load(SAMPLE).results["match_id"])
    assert listed == {path.stem for path in list_records(SAMPLE)}
    assert len(listed) == 6


def test_the_snippet_of_the_results_page_runs() -> None:
    [snippet] = re.findall(r"```python\n(.*?)```", (ROOT / "results" / "README.md").read_text(), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", snippet], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "gambit" in done.stdout
