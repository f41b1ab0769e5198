"""What every test shares."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("joust", deadline=None, derandomize=True)  # no timed assertions, no luck
settings.load_profile("joust")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The checks of one conformance class share the matches that they look at: one worker plays them."""
    for item in items:
        if item.path.name.startswith("test_conformance"):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.rpartition("::")[0]))
