"""Every way to misbehave: what it costs, to whom, and what the CSV says. Over the memory bus, and as real processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from runner.tournament import open_backend
from tests.doubles.bots.expectations import EXPECTED
from tests.e2e.bot_on_wire import needs_mosquitto
from tests.runner.memory_cup import make_cup, play_cup
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


HOARDER = """
import os, socket, time
held = []
while len(held) < 1100:
    one = socket.socket(socket.AF_UNIX)
    held.append(one)
    one.connect(os.environ["JOUST_SOCKET"])
"""

HOARDERS_CUP = """
tournament: hoard
games: [{{game: bomber, params: {{max_ticks: 12}}}}]
format: {{swap_seats: false, rounds: 2}}
time: {{start_ms: 5000}}
broker: {{use: {broker}}}
bots: [{{name: hoarder, command: [{python}, hoarder.py]}}, {{name: honest, bot: bomber/wanderer}}]
"""


@pytest.mark.parametrize("place", PLACES[1:])
async def test_who_hoards_connections_runs_out_of_its_own_files_and_takes_none_of_the_others(
    place: str, tmp_path: Path
) -> None:
    (tmp_path / "hoarder.py").write_text(HOARDER)
    plan = make_cup(HOARDERS_CUP.format(broker=place, python=sys.executable), tmp_path)
    for played in await play_cup(plan, open_it=open_backend):
        assert [played.record.header.seats[seat].bot for seat in played.record.end.forfeited] == ["hoarder"]
        assert "OSError: [Errno 24] Too many open files" in played.record.end.reason
