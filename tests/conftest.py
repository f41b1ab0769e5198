"""What every test shares."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

BYTECODE = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # each worker and each process that a test starts would compile every file again: half a second and more
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)

settings.register_profile("joust", deadline=None, derandomize=True)  # no timed assertions, no luck
settings.load_profile("joust")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three workers for every two cores: tests of real processes wait more than they compute."""
    return (os.cpu_count() or 1) * 3 // 2
