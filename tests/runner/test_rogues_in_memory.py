"""Every way to misbehave, over the memory bus: what it costs, to whom, and what the CSV says."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.doubles.bots.expectations import EXPECTED
from tests.runner.rogue_cup import check_rogue, open_with_rogue, play_rogue


@pytest.mark.parametrize("behaviour", EXPECTED)
async def test_a_rogue_pays_what_the_table_says(behaviour: str, tmp_path: Path) -> None:
    open_memory = partial(open_with_rogue, behaviour=behaviour)
    check_rogue(behaviour, await play_rogue(behaviour, tmp_path, open_memory, python="python", start_ms=400))
