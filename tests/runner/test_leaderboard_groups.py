"""Leaderboards of a part of the results."""

from __future__ import annotations

import pytest

from runner.leaderboard.groups import standings_by
from runner.results.columns import Row
from runner.results.rows import result_rows
from tests.runner.memory_cup import make_cup, play_cup

CUP = """
tournament: cup
games:
  - {game: bomber, params: {max_ticks: 5}}
  - {game: heroquest, name: quest, params: {max_game_rounds: 1}}
time: {turn_ms: 5000}
execution: {isolation: none}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""


@pytest.fixture
async def rows(tmp_path) -> list[Row]:  # type: ignore[no-untyped-def]
    played = await play_cup(make_cup(CUP, tmp_path))
    return [row for one in played for row in result_rows(one.record)]


async def test_by_variant_every_table_counts_its_own_matches(rows: list[Row]) -> None:
    tables = dict(standings_by(rows, "variant"))
    assert list(tables) == ["bomber", "quest"]
    assert [sum(standing.matches for standing in table) for table in tables.values()] == [4, 4]


async def test_by_role_every_bot_is_ranked_among_those_in_its_role(rows: list[Row]) -> None:
    quest = [row for row in rows if row["game"] == "heroquest"]
    tables = dict(standings_by(quest, "role"))
    assert len(tables) == 2
    for table in tables.values():
        assert {standing.bot for standing in table} == {"a", "b"}
        assert [standing.matches for standing in table] == [1, 1]
        assert table[0].rank == 1
    points = [standing.points for table in tables.values() for standing in table]
    assert sum(point for point in points if point is not None) == 2


async def test_another_column_is_refused(rows: list[Row]) -> None:
    with pytest.raises(ValueError, match="expected one of game, variant, map, role, got 'bot'"):
        list(standings_by(rows, "bot"))
