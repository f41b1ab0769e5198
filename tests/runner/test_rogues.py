"""Every way to misbehave: what it costs, to whom, and what the CSV says. Over the memory bus, and as real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.tournament import open_backend
from tests.doubles.bots.expectations import EXPECTED
from tests.e2e.bot_on_wire import needs_mosquitto
from tests.runner.rogue_cup import check_rogue, open_with_rogue, play_rogue

PLACES = [
    "memory",
    pytest.param("mosquitto", marks=[pytest.mark.e2e, needs_mosquitto]),
    pytest.param("embedded", marks=pytest.mark.e2e),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("behaviour", EXPECTED)
async def test_a_rogue_pays_what_the_table_says(behaviour: str, place: str, tmp_path: Path) -> None:
    if place == "memory":
        result = await play_rogue(behaviour, tmp_path, open_with_rogue, start_ms=400)
    else:
        result = await play_rogue(behaviour, tmp_path, open_backend, broker=place, start_ms=5_000)
    check_rogue(behaviour, result)
