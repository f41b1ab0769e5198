"""Folders in which commands are typed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.gridjoust.commands.desk import GOOD, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture(scope="session")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tournament file that is right has been played."""
    once = Desk(tmp_path_factory.mktemp("played"))
    assert once.run(GOOD)[0] == 0
    return once.folder


@pytest.fixture
def played(desk: Desk, played_once: Path) -> Desk:
    """With results of the tournament file that is right."""
    shutil.copytree(played_once, desk.folder, dirs_exist_ok=True)
    return desk
