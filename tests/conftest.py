"""What every test shares."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("joust", deadline=None, derandomize=True)  # no timed assertions, no luck
settings.load_profile("joust")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three workers for every two cores: tests of real processes wait more than they compute."""
    return (os.cpu_count() or 1) * 3 // 2
