"""The training script runs; that its policy beats `random` takes two minutes and is measured by hand."""

import subprocess
import sys
from importlib.util import find_spec

import pytest


@pytest.mark.slow
@pytest.mark.skipif(find_spec("sb3_contrib") is None, reason="the extra rl is not installed")
def test_the_training_script_trains_and_says_how_it_played() -> None:
    command = [sys.executable, "-m", "gridjoust.examples.train_bomber", "--seconds", "10", "--matches", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("against random: ")
    assert "in 4 matches" in done.stdout
