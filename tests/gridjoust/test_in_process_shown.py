"""Bots in this process show their searches to the page of a run, past the records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gridjoust.commands.shared.watching import let_in
from gridjoust.runner.wire.protocol import Shown
from tests.runner.memory_cup import make_cup, play_cup

CUP = """
tournament: cup
games: [{game: navigation, params: {width: 9, height: 9, max_turns: 5}}]
format: {type: solo}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: 1}
bots: [{name: a, bot: navigation/astar}]
"""


@pytest.mark.default("False")
@pytest.mark.parametrize("lens", [True, False])
async def test_what_bots_show_is_taken_past_their_matches_where_somebody_looks(tmp_path: Path, *, lens: bool) -> None:
    plan = let_in(make_cup(CUP, tmp_path), stream_search=lens)
    told: list[tuple[str, Shown]] = []

    def hear(topic: str, payload: bytes) -> None:
        told.append((topic, msgspec.json.decode(payload, type=Shown)))

    [played] = await play_cup(replace(plan, spectators=replace(plan.spectators, on_search=hear)))
    assert played.record.end.termination.value == "completed"
    if not lens:
        assert told == []
        return
    topic, shown = told[0]
    assert topic == f"joust/{plan.run}/bot/a.0/shown"
    assert (shown.match, shown.seat, shown.turn) == (played.record.header.match_id, 0, 1)
    assert "way" in {layer.name for layer in shown.layers}
