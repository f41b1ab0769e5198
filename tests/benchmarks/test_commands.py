"""Every benchmark says what it does and what it takes when it is asked for help, and does nothing then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
COMMANDS = sorted(path.stem for path in FOLDER.glob("*.py") if '__name__ == "__main__"' in path.read_text("utf-8"))
SOON_S = 30  # on a busy machine; what a benchmark measures takes longer


@pytest.mark.gate
@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_given_at_once(name: str) -> None:
    module = "benchmarks" if name == "__main__" else f"benchmarks.{name}"
    asked = [sys.executable, "-m", module, "--help"]
    done = subprocess.run(asked, cwd=FOLDER.parent, capture_output=True, text=True, timeout=SOON_S, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
    assert len(done.stdout.split("\n\n")[1].split()) >= 4  # a description follows
