"""Every way to misbehave, as a real process over both brokers."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from runner.tournament import open_backend
from tests.doubles.bots.expectations import EXPECTED
from tests.runner.rogue_cup import check_rogue, play_rogue

needs_mosquitto = pytest.mark.skipif(shutil.which("mosquitto") is None, reason="mosquitto is not on PATH")


@pytest.mark.e2e
@pytest.mark.parametrize("broker", [pytest.param("mosquitto", marks=needs_mosquitto), "embedded"])
@pytest.mark.parametrize("behaviour", EXPECTED)
async def test_a_rogue_process_pays_what_the_table_says(behaviour: str, broker: str, tmp_path: Path) -> None:
    result = await play_rogue(behaviour, tmp_path, open_backend, broker=broker, python=sys.executable, start_ms=5_000)
    check_rogue(behaviour, result)
