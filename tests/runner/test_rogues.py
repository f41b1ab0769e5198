"""Every way to misbehave: what it costs, to whom, and what the CSV says. Real processes do it in `tests/attacks`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doubles.bots.expectations import EXPECTED
from tests.doubles.virtual_time import in_virtual_time
from tests.runner.rogue_cup import check_rogue, play_rogue


@pytest.mark.default("crash_at_start", "mute", "crash_mid_match")
@pytest.mark.parametrize("behaviour", EXPECTED)
@in_virtual_time
async def test_a_rogue_pays_what_the_table_says(behaviour: str, tmp_path: Path) -> None:
    check_rogue(behaviour, await play_rogue(behaviour, tmp_path))
