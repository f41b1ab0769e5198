"""Every benchmark says what it does and what it takes when it is asked for help, and does nothing then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import names

FOLDER = Path(__file__).parents[2] / "benchmarks"
SOON_S = 30  # on a busy machine; what a benchmark measures takes longer


@pytest.mark.gate
@pytest.mark.parametrize("name", ["__main__", *names()])
def test_help_is_given_at_once(name: str) -> None:
    module = "benchmarks" if name == "__main__" else f"benchmarks.{name}"
    asked = [sys.executable, "-m", module, "--help"]
    done = subprocess.run(asked, cwd=FOLDER.parent, capture_output=True, text=True, timeout=SOON_S, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
    assert len(done.stdout.split("\n\n")[1].split()) >= 4  # a description follows


def test_modules_that_only_help_a_benchmark_are_not_listed() -> None:
    assert {"fuzz", "referee"} <= set(names())
    assert set(names()).isdisjoint({"clocks_bot", "findings", "fuzz_guided", "report"})
