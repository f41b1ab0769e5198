"""What every test shares."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

CACHE = Path(__file__).parents[1] / ".pytest_cache"
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # each worker and each process that a test starts would compile every file again: half a second and more
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(CACHE / "bytecode")

gc.disable()  # while thousands of tests are collected, of which nothing becomes free

settings.register_profile("joust", deadline=None, derandomize=True)  # no timed assertions, no luck
settings.load_profile("joust")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three workers for every two cores: tests of real processes wait more than they compute."""
    return (os.cpu_count() or 1) * 3 // 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark for the gate what `default` leaves out, before any test is left out by its marks."""
    kept: dict[tuple[str, str], list[bool]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and (only := item.get_closest_marker("default")):
            is_kept = item.callspec.id in only.args
            kept.setdefault((str(item.path), item.originalname), []).append(is_kept)
            if not is_kept:
                item.add_marker(pytest.mark.gate)
    for (path, name), which in kept.items():
        if len(which) > 1 and not any(which):
            raise pytest.UsageError(f"{path}: {name}: expected ids of cases in the mark `default`, got others")


def pytest_collection_finish() -> None:
    """Keep the collected tests out of every later search for unused objects: it would visit them all each time."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Play a flood while no other worker plays anything: it makes the whole machine late.

    A flood that waits holds the turnstile, so that the others end their test and begin no other.
    """
    if fcntl is None:
        return (yield)
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "floods.lock").open("w") as lock:
        with (CACHE / "turnstile.lock").open("w") as turnstile:
            fcntl.flock(turnstile, fcntl.LOCK_EX)
            fcntl.flock(lock, fcntl.LOCK_EX if item.get_closest_marker("flood") else fcntl.LOCK_SH)
        return (yield)
